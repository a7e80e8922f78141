import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { splitCommand } from '../../src/lib/setting-values.ts';
import { type Clock, systemClock } from '../../src/lib/time.ts';
import type { Received } from '../../src/simulator/server/http.ts';
import { type CommandWords, wordsOfLines } from './action-lines.ts';
import type { Machine, Ran } from './commands.ts';
import { hasDisk } from './monitors.ts';
import type { ServedCommands } from './served-commands.ts';
import type { Started } from './simulator.ts';

const noon = Date.UTC(2026, 4, 6, 12);

/** The noon at which reviewed commands begin. Waits are short, and what is given up after a while is not given up sooner. */
export const reviewedClock: Clock = {
  now: () => noon,
  after: (ms, then) => systemClock.after(ms < 15_000 ? ms / 100 : ms, then),
};

/** What each test run or process gives another name. */
const byChance = ['entry', 'group', 'at', 'organization', 'actor', 'action'];

const toText = (value: unknown): string => JSON.stringify(value) ?? '';

/** The request as one line. */
export const requestLine = ({ method, path, query, body }: Received): string =>
  [method, decodeURIComponent(path), ...[query, body].map(toText).filter((part) => part !== '{}' && part !== '')].join(
    ' ',
  );

/** What a command wrote, of receipts a line for each, without the members that are empty, and `without` these. */
export function linesOf(out: string, without: readonly string[] = byChance): readonly string[] {
  if (!/^\{\s*"version"/.test(out)) return out.trimEnd().split('\n');
  const { items, ...beside } = JSON.parse(out);
  if (!Array.isArray(items)) return [toText(beside)];
  const { version: _, list: __, partial, ...more } = beside;
  const others = partial || Object.keys(more).length > 0 ? [toText({ ...more, ...(partial && { partial }) })] : [];
  const told = items.map((item: object) =>
    toText(
      Object.fromEntries(
        Object.entries(item).filter(
          ([name, value]) => !without.includes(name) && value && !['[]', '{}'].includes(toText(value)),
        ),
      ),
    ),
  );
  return [...told, ...others];
}

/** Lines without what is another in each run. */
export const reviewed = (lines: readonly string[], { url }: Started, { directory }: Machine): string =>
  `${lines.join('\n')}\n`
    .replaceAll(directory, 'DIRECTORY')
    .replaceAll(url.slice('http://'.length), 'ORIGIN')
    .replaceAll(/(?<=orgdeck undo )[0-9a-f]{8}/g, 'ENTRY')
    .replaceAll(/\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '$1');

/** Names of ids, as lines have them in braces. */
type Names = Readonly<Record<string, string>>;
/** What others do between two lines; it may name ids. */
type Happens = (world: World) => Names | Promise<unknown> | undefined;
export type World = ServedCommands & { readonly edits: () => readonly string[] };

/**
 * A command line: `{disk}` is the id of that name, `{monitors:4}` the one at that place of a list; behind ` ?? ` stand the
 * answers that a person types, separated by `|`, behind ` << ` what comes from standard input. One that begins with
 * `orgdeck` is run without address and keys.
 */
export type Step = string | Happens;

/** A monitor over three hosts, called {disk}. */
export const disk = ({ simulator }: World) => ({ disk: hasDisk(simulator) });

/** What the service answers instead, once. */
export const refuses =
  (status: number, how: Parameters<World['simulator']['refuses']>[1]): Step =>
  ({ simulator }) => {
    simulator.refuses(status, how);
    return undefined;
  };

const placeholder = /\{([a-z][^{}":]*)(?::(\d+))?\}/g;

/** Runs steps one after another; each line with its exit code, the requests that it sent, and what it wrote. */
export async function runSteps(steps: readonly Step[], served: ServedCommands): Promise<string> {
  const { simulator, there, machine, orgdeck } = served;
  const wordsOf = wordsOfLines(orgdeck, machine.directory);
  const names: Record<string, string> = {};
  const world: World = { ...served, edits: () => entriesOf(machine).map(({ id }) => id) };
  const pages: string[] = [];
  for (const step of steps) {
    if (typeof step !== 'string') {
      Object.assign(names, await step(world));
      continue;
    }
    const [line = '', more = ''] = step.split(/ (?:\?\?|<<) ?/);
    const filled: CommandWords = ({ id }) => {
      const fill = (text: string) =>
        text.replaceAll(placeholder, (_, name, at) => names[name] ?? id(name, Number(at ?? 0)));
      return [...(splitCommand(line) ?? []).map(fill), fill(more)];
    };
    const words = await wordsOf(filled);
    const [typed = '', said] = [words.at(-1), words.slice(0, -1)];
    simulator.forgets();
    const given = {
      ...(step.includes(' ?? ') && { types: typed.split('|') }),
      ...(step.includes(' << ') && { stdin: typed }),
    };
    const ran: Ran = said[0] === 'orgdeck' ? await machine.orgdeck(said.slice(1), given) : await orgdeck(said, given);
    const edits = simulator.received().filter(({ method }) => method !== 'GET' || said[0] === 'call');
    const reads = simulator.received().length - edits.length;
    const lines = [...edits.map(requestLine), ...linesOf(ran.out, ['actor']), ...linesOf(ran.err)];
    pages.push(`# ${step}: ${ran.exit}${reads > 0 ? `, ${reads} reads` : ''}`);
    pages.push(...lines.filter((each) => each !== '').map((each) => `  ${each}`));
  }
  const ids = Object.entries(names).filter(([, id]) => /^[0-9a-f-]{36}$/.test(id));
  const entries = entriesOf(machine);
  const named = [
    ...ids.map(([name, id]) => [id, `{${name}}`] as const),
    ...[...new Set(entries.map(({ group }) => group))].map((id, at) => [id, `group-${at + 1}`] as const),
    ...entries.flatMap(({ id }, at) => [id, id.slice(0, 8)].map((one) => [one, `entry-${at + 1}`] as const)),
  ];
  const text = named.reduce((all, [id, name]) => all.replaceAll(id, name), pages.join('\n'));
  return reviewed([text], there, machine);
}

/** The entries of the journal, in the order in which they stand there. */
function entriesOf({ directory }: Machine): readonly { readonly id: string; readonly group: string }[] {
  const path = join(directory, 'journal.jsonl');
  const lines = statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, 'utf8').split('\n') : [];
  return lines.flatMap((line) => (line.includes('"kind":"intent"') ? [JSON.parse(line)] : []));
}
