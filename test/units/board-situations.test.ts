import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from 'vitest';
import { home } from '../../screens/home.ts';
import type { IssueRow } from '../../screens/issues/row.ts';
import { readMonitor } from '../../screens/monitors/row.ts';
import { service } from '../../screens/service.ts';
import type { LoggedEdit, SeenChange } from '../../src/describe/context.ts';
import {
  type BlockNow,
  type BoardLine,
  isPiece,
  type Material,
  type Piece,
  type Told,
} from '../../src/describe/derived.ts';
import { contextOf, refused, walk } from '../support/plans.ts';
import { storedAs } from '../support/sweeps.ts';

const now = Date.UTC(2026, 4, 6, 12);
const units = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** JSON in which `"now-5m"` is a time: its milliseconds. */
const read = (json: string) =>
  JSON.parse(json, (_, value) => {
    const [, count, unit = 's'] = /^now([+-]\d+)([smhd])$/.exec(value) ?? [];
    return count === undefined ? value : now + Number(count) * units[unit as 's'];
  });

/** What the rows of a feed, the edits and the changes are made of, beside what a situation says of each. */
const made: Readonly<Record<string, (told: never) => unknown>> = {
  /** `[1,"Alert","now-5m",{"priority":1}]`; at last what a search tells otherwise: `{"partial":true}`. */
  monitors: ([id, state, since, more, row]: [number, string, number, object?, object?]) => ({
    ...readMonitor({ id, name: `m${id}`, overall_state: state, overall_state_modified: since, ...more }, now),
    ...row,
  }),
  /** `["a","web",10,{"firstSeen":"now-1h"}]` */
  issues: ([id, named, total, more]: [string, string, number?, object?]) =>
    ({ id, type: id, line: '', state: 'OPEN', service: named, told: true, counts: { total }, ...more }) as IssueRow,
  downtimes: (mute: object) => ({ monitor: '', by: 'v2', scope: '*', end: null, wide: false, ...mute }),
  edits: (edit: object) => ({ operation: 'monitors.mute', outcome: 'applied', ...edit }),
  /** `["1","OK","ALERT","now-5m"]` */
  changes: ([id, from, to, at]: [string, string, string, number]) => ({
    ...{ id, at, name: `m${id}` },
    ...{ from: { word: from, level: 0 }, to: { word: to, level: 1 } },
  }),
};

const rowsOf = (name: string, rows: readonly unknown[]) => rows.map((row) => made[name]?.(row as never) ?? row);

const written = ({ text, tone = 'plain', says, short }: Piece): string =>
  [text, tone === 'plain' ? '' : `<${tone}>`, says === undefined ? '' : `(${says})`, short && `[${short}]`].join('');

function lineOf({ block: _, cells, subject, ...line }: BoardLine): string {
  const texts = isPiece(cells)
    ? [written(cells)]
    : Object.entries(cells).flatMap(([id, cell]) => (cell.text === '' ? [] : [`${id} ${written(cell)}`]));
  const more = { ...line, subject: subject && [subject.list, subject.subRowId] };
  return `  ${texts.join(' | ')} ${JSON.stringify(more, (_, value) => (value > 1e12 ? new Date(value).toISOString() : value))}`;
}

/** A block: its head, its columns, what else is told of it, its lines, and what is said of those that have no room. */
const blockOf = ({ title, head, columns, lines, rest, ...more }: BlockNow): readonly string[] => [
  [title, ...head.map(written)].join(' | '),
  `  ${JSON.stringify(columns)}`,
  `  ${JSON.stringify(more)}`,
  ...lines.map(lineOf),
  ...[0, 1].flatMap((shown) => {
    const said = rest?.(lines.slice(shown).map(({ id }) => id)) ?? [];
    return said.length > 0 ? [`  but for ${shown}: ${said.map(written).join(' | ')}`] : [];
  }),
];

/** The rows of a feed, or all that is told of it. */
type Given = readonly unknown[] | { readonly rows?: readonly unknown[] };

function toldOf(name: string, given: Given = []): Told {
  const { rows, ...more } = 'length' in given ? { rows: given } : given;
  return { notes: [], ...more, ...(rows && { rows: rowsOf(name, rows) }) };
}

/**
 * Each situation of a stored file is a title and what has been read of each feed: its rows, or an object with all that is told of it, without
 * rows where the read has not ended. Below it stands what the blocks say otherwise than in the first one. Add one, run `npm run stored`, and
 * read what came.
 */
test.each([home, service])('the blocks of $id are in situations as was reviewed', async ({ id, lists: [list] }) => {
  if (!list?.derived || !list.board) throw new Error(`${id} is no board`);
  const { board, derived } = list;
  const path = fileURLToPath(new URL(`../support/stored/situations/blocks-of-${id}.txt`, import.meta.url));
  const source = list.load({ search: { subject: 'shop' }, range: '' }, contextOf());
  const { calls } = walk(source.plan(contextOf()), () => refused('forbidden', 'no'));
  const pages = [`read are ${calls.map(({ endpoint }) => endpoint.id).join(', ')}`];
  let usual: readonly string[] = [];
  for (const [title, json = ''] of readFileSync(path, 'utf8').matchAll(/^# .*? (\{.*\})$/gm)) {
    const { about = '', context = {}, edits, changes = [], ...feeds } = read(json);
    const told = Object.fromEntries(Object.keys(derived.feeds).map((name) => [name, toldOf(name, feeds[name])]));
    const counts = Object.entries(derived.feeds).map(([name, { samples }]) =>
      samples?.(told[name]?.rows ?? [], context),
    );
    const material: Material = {
      told,
      changes: rowsOf('changes', changes) as SeenChange[],
      ...(edits && { edits: rowsOf('edits', edits) as LoggedEdit[] }),
    };
    const at = contextOf({ now, lastLook: now - units.h, ...context, trend: (name) => context.trend?.[name] ?? [] });
    const asked = { search: { subject: about }, range: '' };
    const blocks = board.blocks(material, at, asked);
    const totals = derived.rows(material, asked, at).map(({ block, total }) => `${block} of ${total}`);
    const lines = [
      ...blocks.flatMap(blockOf),
      `counted: ${JSON.stringify(Object.assign({}, ...counts))}, as lines: ${[...new Set(totals)].join(', ')}`,
    ];
    pages.push([title, ...lines.filter((line) => !usual.includes(line))].join('\n'));
    if (usual.length === 0) usual = lines;
  }
  await storedAs(`situations/blocks-of-${id}`, pages);
});
