import type { Confirmation } from '../describe/action.ts';
import { present } from '../lib/values.ts';
import type { ResolvedSettings } from '../profiles/resolve-settings.ts';
import { complain, type Exit, endWith, exits, type Io, usage } from './io.ts';

/** What a person is asked before an edit is sent: the question of an action, or that of production. */
export type CommandQuestion = Pick<Confirmation, 'question' | 'details' | 'typed'>;

/** The settings that decide whether anybody is asked. */
type Asked = Pick<ResolvedSettings, 'name' | 'production' | 'yes' | 'dryRun'>;

/**
 * The question before `what` (`mute web-1 is slow`) in a production profile; undefined in another. `typed` is the name
 * to type where the edit cannot be undone.
 */
export function productionQuestion(
  { name, production }: Asked,
  what: string,
  typed?: string,
): CommandQuestion | undefined {
  if (!production) return undefined;
  return { question: `${what} in production (${name})?`, ...present({ typed }) };
}

/** What is said where the answer is not yes: how to go on without a terminal, what `y` does, and what has not happened. */
interface QuestionWords {
  readonly withoutTerminal: string;
  readonly yes: string;
  readonly no: string;
}

const sending: QuestionWords = {
  withoutTerminal: 'No terminal to ask on: nothing was sent; --yes sends it, --dry-run shows it',
  yes: 'y sends it',
  no: 'nothing was sent',
};

/**
 * Asks before an edit. Undefined: go on, because nothing is asked, `--yes` or `--dry-run` was given, or the person said
 * yes. Otherwise the exit code: usage without a terminal, which nobody can answer on; failed when the answer is no.
 */
export async function askQuestion(
  io: Pick<Io, 'answer' | 'err'>,
  { yes, dryRun }: Pick<Asked, 'yes' | 'dryRun'>,
  confirm: CommandQuestion | undefined,
  words = sending,
): Promise<Exit | undefined> {
  if (confirm === undefined || yes || dryRun) return undefined;
  const { question, details = [], typed } = confirm;
  if (!io.answer) return usage(io, `${question} ${words.withoutTerminal}`);
  for (const line of [question, ...details.map((detail) => `  ${detail}`)]) complain(io, line);
  const answer = await io.answer(typed ? `Type ${typed} to go on` : `${words.yes}, anything else does not`);
  const isYes = typed ? answer?.trim() === typed : /^\s*y(es)?\s*$/i.test(answer ?? '');
  return isYes ? undefined : endWith(io, exits.failed, words.no);
}
