import { screens } from '../../screens/index.ts';
import type { Context, Rows } from '../describe/context.ts';
import { type AnyList, initialQuery, withLabels } from '../describe/screen.ts';
import { handoverMarkdown } from '../journal/handover-markdown.ts';
import { editsOf, handoverReport, outcomeText } from '../journal/handover-report.ts';
import { type Entry, isUndoable } from '../journal/journal-entry.ts';
import { paintLines } from '../lib/paint.ts';
import { calendarDay, clockTime, offsetName } from '../lib/time.ts';
import { readSince } from '../lib/typed-time.ts';
import type { Flags } from '../profiles/resolve-settings.ts';
import { listOfAction } from '../session/outside/outside.ts';
import { editWords, handoverFacts } from '../session/state/journal-words.ts';
import { factsFor } from './command-context.ts';
import { complain, failed, safeJson, tell, usage } from './command-messages.ts';
import type { Ports } from './command-ports.ts';
import { type Exit, exits, type Io } from './io.ts';
import { envelope } from './output/formats.ts';
import { sessionFile } from './session-files.ts';
import type { OpenConnection } from './start.ts';

/** Flags of `orgdeck journal`. */
export interface JournalFlags extends Flags {
  readonly since: string;
  readonly json?: boolean;
  readonly markdown?: boolean;
}

/** `orgdeck journal [--since 8h] [--json | --markdown]`: the edits to this organization, or the handover report of them. */
export async function printJournal(ports: Ports, { since, json, markdown, ...flags }: JournalFlags): Promise<Exit> {
  const { io } = ports;
  const from = readSince(since, io.clock.now(), io.zone);
  if (!from.ok) return usage(io, `--since: ${from.text}`);
  if (json && markdown) return usage(io, 'give --json or --markdown, not both');
  return ports.with(flags, async (connection) => {
    const read = await connection.journal.entries();
    if (!read.ok) return failed(io, read.problem);
    const entries = read.value.filter(({ at }) => at >= from.at);
    if (markdown) {
      const report = await makeReport(io, connection, entries, from.at);
      io.out(`${paintLines(report).join('\n')}\n`);
    } else if (json) io.out(`${safeJson(envelope(entries.map(entryJson)))}\n`);
    else if (entries.length === 0) complain(io, `no edits of this organization since ${timeText(from.at, io)}`);
    else
      tell(
        io,
        editsOf(entries).map((edit) => editLine(edit, io)),
      );
    return exits.done;
  });
}

/** An edit as JSON: times in RFC 3339, ids as text. */
const entryJson = (entry: Entry) => ({
  id: entry.id,
  at: new Date(entry.at).toISOString(),
  action: entry.action,
  operation: entry.call.endpoint,
  // Of a create, what the service has made.
  target: { ...entry.target, id: entry.target.id || (entry.outcome?.made ?? null) },
  outcome: entry.outcome?.state ?? 'open',
  text: outcomeText(entry),
  undone: entry.undone,
  undoable: isUndoable(entry),
  actor: entry.actor,
  group: entry.group ?? null,
  redoes: entry.redoes ?? null,
  said: entry.said ?? null,
  ...(entry.consequences ?? { changes: [], facts: {}, leaves: [] }),
});

/**
 * `2f3a9c1d  2026-05-06 22:10 UTC  muted web-1: applied`; the id is as long as `undo` needs it. Of an edit of several
 * requests, the newest first, the one that was not applied is told, else the last.
 */
function editLine(edit: readonly Entry[], { zone }: Pick<Io, 'zone'>): string {
  const entry = edit.find(({ outcome }) => outcome?.state !== 'applied') ?? edit[0];
  if (!entry) return '';
  const undo = edit.some(isUndoable) ? '' : ' (no undo)';
  return `${entry.id.slice(0, 8)}  ${timeText(entry.at, { zone })}  ${editWords([entry], screens)}: ${outcomeText(entry)}${undo}`;
}

/** `2026-05-06 22:10 UTC`. */
const timeText = (at: number, { zone }: Pick<Io, 'zone'>): string =>
  `${calendarDay(at, zone)} ${clockTime(at, zone)} ${offsetName(at, zone)}`;

/** The handover report of these edits, with what is true of their rows now. */
async function makeReport(
  io: Io,
  connection: OpenConnection,
  entries: readonly Entry[],
  since: number,
): Promise<string> {
  const { client } = connection;
  const { vocabulary } = client;
  const context = factsFor(io, connection);
  const described = withLabels(screens, vocabulary);
  const edited = entries.flatMap(({ action }) => listOfAction(action, described) ?? []);
  const lists = described.flatMap((screen) => screen.lists).filter((list) => list.openEnds && !list.derived);
  const rows = new Map<string, readonly unknown[] | undefined>();
  for (const list of new Set([...edited, ...lists])) rows.set(list.id, await rowsNow(io, connection, list, context));
  const saved = await sessionFile(connection).read();
  const note = saved.ok ? saved.value?.note : undefined;
  const facts = handoverFacts({ since }, described, context, (list) => rows.get(list.id), note);
  return handoverMarkdown(handoverReport(entries, facts));
}

/** The rows of a list as they are now; none, with a sentence on stderr, where it cannot be read. */
async function rowsNow(
  io: Io,
  { client }: OpenConnection,
  list: AnyList,
  context: Context,
): Promise<readonly unknown[] | undefined> {
  const read = await client.run(list.load(initialQuery(list), context).plan(context));
  if (read.ok) return (read.value as Rows<unknown>).rows;
  complain(io, `${list.title}: ${read.problem.text}; the report does not say what is true of them now`);
  return undefined;
}
