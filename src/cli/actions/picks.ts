import type { Context, Rows, Source } from '../../describe/context.ts';
import type { Pick } from '../../describe/picks.ts';
import type { ParseResult } from '../../lib/function-results.ts';
import { plural } from '../../lib/text.ts';
import type { OpenConnection } from '../start.ts';

/** What a word may pick from. */
export interface PickFrom {
  /** What one of them is called: `permission`. */
  readonly noun: string;
  readonly load: (typed: string) => Source<Pick>;
  /** Offered before anything is typed. */
  readonly first?: readonly Pick[];
  /** Whether a word may be an id that the search does not find; any word may when absent. */
  readonly isId?: ((word: string) => boolean) | undefined;
}

/**
 * What a word picks: an id, or `name:` and the name of exactly one; a name without it where a list of all there are has it.
 * An id that a search does not find is taken as it is: the service knows more than it finds.
 */
export async function findPick(
  { client }: OpenConnection,
  context: Context,
  { noun, load, first = [], isId = () => true }: PickFrom,
  word: string,
): Promise<ParseResult<Pick>> {
  const isNamed = word.startsWith('name:');
  const name = isNamed ? word.slice('name:'.length).trim() : word;
  const known = isNamed ? undefined : first.find(({ id }) => id === word);
  if (known) return { ok: true, value: known };
  const source = load(name);
  const read = await client.run(source.plan(context));
  if (!read.ok) return { ok: false, text: read.problem.text };
  const { rows } = read.value as Rows<Pick>;
  const byId = isNamed ? undefined : rows.find(({ id }) => id === word);
  if (byId) return { ok: true, value: byId };
  // An address of e-mail names one person, as an id does.
  const isNaming = isNamed || source.whole || name.includes('@');
  const matches = isNaming
    ? rows.filter(({ label, hint }) => label === name || (name.includes('@') && hint === name))
    : [];
  const [only] = matches;
  if (only && matches.length === 1) return { ok: true, value: only };
  if (matches.length > 1) {
    const ids = matches.map(({ id }) => id).join(', ');
    return { ok: false, text: `${plural(matches.length, noun)} have the name ${name}: give one of the ids ${ids}` };
  }
  if (isNamed || source.whole) return { ok: false, text: `no ${noun} with the name ${name}` };
  if (!isId(word)) return { ok: false, text: `no ${noun} with ID ${word}: give an ID, or name: and a name` };
  return { ok: true, value: { id: word, label: word } };
}
