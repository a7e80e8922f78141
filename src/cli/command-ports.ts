import { createRedactor } from '../client/redact.ts';
import type { PreviewedRequest } from '../client/send-once.ts';
import type { ParseResult } from '../lib/function-results.ts';
import { parseExact } from '../lib/json.ts';
import { present } from '../lib/values.ts';
import type { ConfigFile } from '../profiles/config-file.ts';
import { type AskKey, createKeyring, type Keyring } from '../profiles/keyring.ts';
import { keyTitles } from '../profiles/profile.ts';
import { createProfiles, directories, type Profiles } from '../profiles/profiles.ts';
import { type Flags, type ResolvedSettings, resolveSettings } from '../profiles/resolve-settings.ts';
import { complain, type Exit, endWith, exits, type Io, safeJson, sayingWhatIsAwaited, usage } from './io.ts';
import type { OpenConnection } from './start.ts';

/** What every command needs: the profiles, the keys, and the way to one organization. */
export interface Ports {
  readonly io: Io;
  readonly profiles: Profiles;
  readonly keyring: Keyring;
  readonly ask?: AskKey;
  /** Times are shown and typed in this zone from now on, which `by` has said. */
  setZone(zone: string, by: string): void;
  /** The zone that holds, and who said it. */
  zone(): { readonly name: string; readonly by: string };
  /** Whether an edit has been begun: from then on nothing ends the program before its end. */
  hasEdited(): boolean;
  /** From now on the requests of a dry run are put into this list, and not printed. */
  keepPreviews(): readonly PreviewedRequest[];
  /** The configuration file as it is now. */
  config(): Promise<ConfigFile>;
  /** Keeps what goes to standard error until `speak`. */
  hush(): void;
  speak(): void;
  resolve(flags: Flags): Promise<ParseResult<ResolvedSettings>>;
  /** Another profile in the same process: address, words and keys of flags and environment belong to the first one. */
  switchTo(profile: string, flags: Flags): Promise<ParseResult<ResolvedSettings>>;
  /** `program`: what the journal says sends the edits; a command when absent. */
  connect(
    settings: ResolvedSettings,
    ask?: AskKey,
    program?: 'dashboard' | 'command',
  ): Promise<ParseResult<OpenConnection>>;
  /** Resolves the profile, connects, works, closes; errors go to stderr. */
  with(flags: Flags, work: (connection: OpenConnection) => Promise<Exit>): Promise<Exit>;
}

/** Standard error, which may be kept back until something fails or a person is asked: a question needs what was said before it. */
function keepingErrors(given: Pick<Io, 'err' | 'ask' | 'answer'>, safe: (text: string) => string) {
  let unsaid: string[] | undefined;
  const speak = () => {
    const texts = unsaid ?? [];
    unsaid = undefined;
    for (const text of texts) given.err(text);
  };
  const speaking =
    (ask: (title: string) => Promise<string | undefined>): typeof ask =>
    (title) => {
      speak();
      return ask(title);
    };
  const err = (text: string) => {
    if (unsaid) unsaid.push(safe(text));
    else given.err(safe(text));
  };
  const hush = () => {
    unsaid = [];
  };
  const { ask, answer } = given;
  return {
    ports: { hush, speak },
    io: { err, ...present({ ask: ask && speaking(ask), answer: answer && speaking(answer) }) },
  };
}

/** Built once at the start: from then on no key is left in the environment. */
export function createPorts(given: Io): Ports {
  const { env, clock, random } = given;
  const { config, state } = directories(env);
  const keyring = createKeyring({ env });
  const held = { name: given.zone, by: env.TZ ? 'TZ' : 'this machine' };
  const errors = keepingErrors(given, (text) => createRedactor(keyring.secrets())(text));
  // All that is printed outside the frame goes through here, where secrets are taken out.
  const io: Io = {
    ...given,
    ...errors.io,
    get zone() {
      return held.name;
    },
  };
  const profiles = withholding(createProfiles({ directory: config, state, clock }), keyring);
  const ask: AskKey | undefined =
    io.ask && ((key, whose) => io.ask?.(`${keyTitles[key]} of ${whose}`) ?? Promise.resolve(undefined));

  // A help or a list of profiles never reads it.
  const readConfig = async () => (await import('../profiles/config-file.ts')).openConfigFile(config);

  const resolve = async (flags: Flags): Promise<ParseResult<ResolvedSettings>> => {
    const listing = await profiles.list();
    // The demo needs no file, so a file that cannot be read does not stop it.
    if (!listing.ok && !flags.demo) return listing;
    return withZone(
      resolveSettings({
        flags,
        env,
        listing: listing.ok ? listing.value : { profiles: [], broken: [], variables: [] },
        config: (await readConfig()).config,
        hasVariable: keyring.hasVariable,
      }),
    );
  };
  /** With what is wrong with the zone first among its notes, unless a flag gives another one. */
  const withZone = async (resolved: ParseResult<ResolvedSettings>): Promise<ParseResult<ResolvedSettings>> => {
    const settings = await withWords(resolved);
    if (!settings.ok || given.zoneTrouble === undefined || held.name !== given.zone) return settings;
    return { ok: true, value: { ...settings.value, notes: [given.zoneTrouble, ...settings.value.notes] } };
  };
  const switchTo = async (
    profile: string,
    { baseUrl: _, vocabulary: __, ...flags }: Flags,
  ): Promise<ParseResult<ResolvedSettings>> => {
    const listing = await profiles.list();
    if (!listing.ok) return listing;
    const others = { ...flags, profile, demo: profile === 'demo' };
    return withWords(
      resolveSettings({
        flags: others,
        env: {},
        listing: listing.value,
        config: (await readConfig()).config,
        hasVariable: () => false,
      }),
    );
  };
  // The client and the contract are read when somebody is asked, which a help or a list of profiles never does.
  const open: Ports['connect'] = async (settings, asking, program = 'command') => {
    const { connect } = await import('./connect.ts');
    return connect(settings, { keyring, clock, random, env, directory: state, preview, edited, program }, asking);
  };

  const { preview, keepPreviews } = createPreviews(io);

  const begun = { edits: false };
  const edited = () => void Object.assign(begun, { edits: true });

  return {
    io,
    ...errors.ports,
    setZone: (name, by) => void Object.assign(held, { name, by }),
    zone: () => ({ ...held }),
    hasEdited: () => begun.edits,
    keepPreviews,
    profiles,
    keyring,
    ...(ask ? { ask } : {}),
    config: readConfig,
    resolve,
    switchTo,
    connect: open,
    async with(flags, work) {
      const settings = await resolve(flags);
      if (!settings.ok) return usage(io, settings.text);
      // Nobody asked for the demo: an edit that is gone at once would only look like one.
      if (settings.value.isWelcome)
        return usage(io, 'there is no profile yet: run  orgdeck profiles add NAME --base-url URL , or give --demo');
      for (const note of settings.value.notes) complain(io, note);
      const opening = open(settings.value, ask);
      const connection = await (io.isTerminal.stderr ? sayingWhatIsAwaited(settings.value, io, opening) : opening);
      if (!connection.ok) return endWith(io, exits.keys, connection.text);
      try {
        const exit = await work(connection.value);
        const { journal } = connection.value;
        for (const trouble of [journal.skipped(), journal.trouble()]) if (trouble !== undefined) complain(io, trouble);
        return exit;
      } finally {
        await connection.value.close();
      }
    },
  };
}

/** Once they are listed, no program gets a variable of a key, not even a command that prints a key of another profile. */
const withholding = (profiles: Profiles, keyring: Keyring): Profiles => ({
  ...profiles,
  async list() {
    const listing = await profiles.list();
    if (listing.ok) keyring.withhold(listing.value.variables);
    return listing;
  },
});

/** Shows the requests of a dry run as they come, or keeps them once that is asked for. */
function createPreviews(io: Pick<Io, 'out'>) {
  const held: { requests?: PreviewedRequest[] } = {};
  return {
    preview(request: PreviewedRequest) {
      const { method, url, body } = request;
      if (held.requests) held.requests.push(request);
      else io.out([`${method} ${url}`, ...(body === undefined ? [] : [safeJson(parseExact(body))]), ''].join('\n'));
    },
    keepPreviews(): readonly PreviewedRequest[] {
      held.requests = [];
      return held.requests;
    },
  };
}

/** The settings with the deployment's own words; the code that reads those is loaded only where there are any. */
async function withWords(settings: ParseResult<ResolvedSettings>): Promise<ParseResult<ResolvedSettings>> {
  if (!settings.ok || settings.value.vocabulary === undefined) return settings;
  const { openVocabularyFile: readWords } = await import('../profiles/vocabulary-file.ts');
  const words = await readWords(settings.value.vocabulary);
  return words.ok ? { ok: true, value: { ...settings.value, words: words.value } } : words;
}

/** The deployment's words, for a help; without settings that can be used, the neutral ones. */
export async function wordsOf({ resolve }: Ports, flags: Flags): Promise<ResolvedSettings['words']> {
  const settings = await resolve(flags);
  return settings.ok ? settings.value.words : undefined;
}
