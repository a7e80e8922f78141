import type { Secret } from '../../describe/action.ts';
import type { Performed } from '../../session/send/perform.ts';
import { complain, tell } from '../command-messages.ts';
import { type Exit, exits } from '../io.ts';
import { createSecretFile, printedInstead } from '../secret-file.ts';
import type { SecretPlace } from './receipts.ts';
import { type Given, misused, type Stopped, type Work } from './work.ts';

/** Where the secret of an answer goes. */
export interface Keeper {
  readonly ok: true;
  /** What the JSON of the receipts says of it. */
  shows(done: readonly Performed[]): SecretPlace | undefined;
  /** Keeps it after the edit. Where it cannot be written it is printed, because nothing shows it again. */
  keep(done: readonly Performed[]): Promise<Exit>;
}

const nowhere: Keeper = { ok: true, shows: () => undefined, keep: async () => exits.done };

const secretIn = (done: readonly Performed[]): Secret | undefined => done.find((performed) => performed.secret)?.secret;

/** Decides before anything is sent where a secret goes that is shown once; without `--reveal` and a file nothing is sent. */
export async function keeperFor({
  io,
  connection,
  verb,
  given,
}: Pick<Work, 'io' | 'connection' | 'verb'> & {
  readonly given: Pick<Given, 'secretFile' | 'isRevealed' | 'isJson'>;
}): Promise<Keeper | Stopped> {
  if (!verb.action.secret || connection.settings.dryRun) return nowhere;
  const { secretFile, isRevealed } = given;
  if (secretFile === undefined && !isRevealed)
    return misused(
      io,
      'nothing was sent: the answer holds a secret that is shown once; --secret-file FILE keeps it in a new file, --reveal prints it',
    );
  const file = secretFile === undefined ? undefined : await createSecretFile(secretFile);
  if (file && !file.ok) return misused(io, file.text);
  const say = ({ value, notes }: Secret) => {
    tell(io, [value]);
    for (const note of notes) complain(io, note);
  };
  return {
    ok: true,
    shows(done) {
      const secret = secretIn(done);
      if (!secret) return undefined;
      return isRevealed || secretFile === undefined
        ? { where: 'shown', value: secret.value }
        : { where: 'file', path: secretFile };
    },
    async keep(done) {
      const secret = secretIn(done);
      if (!secret) {
        await file?.value.discard();
        return exits.done;
      }
      const unwritten = await file?.value.keep([secret.value]);
      if ((isRevealed && !given.isJson) || unwritten !== undefined) say(secret);
      return unwritten === undefined ? exits.done : printedInstead(io, unwritten);
    },
  };
}
