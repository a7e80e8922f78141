import type { Context } from '../../describe/context.ts';
import type { Pick } from '../../describe/pick.ts';
import type { Rows, Source } from '../../describe/source.ts';
import type { ParseResult } from '../../lib/parse-result.ts';
import { plural } from '../../lib/text.ts';
import type { OpenConnection } from '../start.ts';

/** What a word may pick from. */
export interface PickFrom {
  /** What one of them is called: `permission`. */
  readonly noun: string;
  readonly load: (typed: string) => Source<Pick>;
  /** Offered before anything is typed. */
  readonly first?: readonly Pick[];
}

/**
 * What a word picks: an id, or `name:` and the name of exactly one; a name without it where a list of all there are has it.
 * An id that a search does not find is taken as it is: the service knows more than it finds.
 */
export async function findPick(
  { client }: OpenConnection,
  context: Context,
  { noun, load, first = [] }: PickFrom,
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
  const matches = isNamed || source.whole ? rows.filter(({ label }) => label === name) : [];
  const [only] = matches;
  if (only && matches.length === 1) return { ok: true, value: only };
  if (matches.length > 1) {
    const ids = matches.map(({ id }) => id).join(', ');
    return { ok: false, text: `${plural(matches.length, noun)} have the name ${name}: give one of the ids ${ids}` };
  }
  if (isNamed || source.whole) return { ok: false, text: `no ${noun} to choose here is ${name}` };
  return { ok: true, value: { id: word, label: word } };
}
