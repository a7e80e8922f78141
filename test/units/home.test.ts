import { expect, test } from 'vitest';
import { logBlock } from '../../screens/home/log.ts';
import { mutesBlock } from '../../screens/home/mutes.ts';
import { alertColumns, nowBlock } from '../../screens/home/now.ts';
import { ledgerRows } from '../../screens/monitors/ledger-row.ts';
import { type Mute, pagesAgainAt } from '../../screens/monitors/mutes.ts';
import { type MonitorRow, readMonitor } from '../../screens/monitors/row.ts';
import { tableList } from '../../screens/tables.ts';
import type { BlockNow } from '../../src/describe/derived.ts';
import { joinPainted, plain } from '../../src/lib/painted.ts';
import { blockSpans, blockWidths } from '../../src/scene/board-block.ts';
import { createTheme } from '../../src/scene/theme.ts';
import { contextOf } from '../support/plans.ts';

const now = Date.UTC(2026, 4, 6, 12);
const minute = 60_000;
const hour = 60 * minute;
const context = contextOf({ now, lastLook: now - hour });

/** A monitor in this state since so many minutes, muted for so many milliseconds. */
function monitor(id: number, state: string, ago: number, mutedMs?: number): MonitorRow {
  const silenced = mutedMs === undefined ? {} : { options: { silenced: { '*': now + mutedMs } } };
  const told = { id, name: `m${id}`, overall_state: state, overall_state_modified: now - ago * minute, ...silenced };
  const row = readMonitor(told, now);
  if (!row) throw new Error('no row');
  return row;
}

const told = <Row>(...rows: readonly Row[]) => ({ rows, notes: [] });
const heads = ({ head }: BlockNow) => head.map(({ text }) => text).join(' ');

test('all monitors are looked through again only when a mute begins or ends, or a read brings others', () => {
  const asked = { count: 0 };
  const quiet = Object.defineProperty({ ...monitor(8, 'OK', 1) }, 'state', {
    get() {
      asked.count += 1;
      return 'OK';
    },
  });
  const later: Mute = { monitor: '9', by: 'mute', scope: '*', start: now + 2 * hour, end: null, wide: false };
  const noMutes: readonly Mute[] = [];
  const begins = { ...monitor(9, 'Alert', 2), mutes: [later] };
  const all = told(monitor(7, 'Alert', 3, hour), quiet, begins);
  const head = (at: number) => heads(nowBlock(all, { ...context, now: at }));
  expect(head(now)).toContain('2 ALERT (1 muted)');
  const mutes = ledgerRows(all.rows ?? [], noMutes, now);
  asked.count = 0;
  expect(head(now + hour - 1)).toContain('2 ALERT (1 muted)');
  expect(asked.count).toBe(0);
  expect(ledgerRows(all.rows ?? [], noMutes, now + hour - 1)).toBe(mutes);
  expect(head(now + hour)).toContain('2 ALERT');
  expect(head(now + hour)).not.toContain('muted');
  expect(head(now + 2 * hour)).toContain('2 ALERT (1 muted)');
  expect(ledgerRows(all.rows ?? [], noMutes, now + 2 * hour).map(({ mute }) => mute.monitor)).toEqual(['9']);
  // A clock that was set back counts too.
  expect(ledgerRows(all.rows ?? [], noMutes, now)).toHaveLength(1);
  expect(asked.count).toBeGreaterThan(0);
  expect(heads(nowBlock(told(quiet), context))).not.toContain('ALERT');
});

test('of many lines a block shows the first, and tells how many it has', () => {
  const shown = ({ lines, total }: BlockNow) => [lines.length, total, lines.at(-1)?.cells.text];
  const rows = Array.from({ length: 130 }, (_, at) => monitor(at + 1, 'Alert', at, at < 60 ? hour : undefined));
  expect(shown(nowBlock(told(...rows), context))).toEqual([101, 130, '30 more: Enter opens the list']);
  const mutes = mutesBlock(ledgerRows(rows, [], now), told<MonitorRow>(), told<Mute>(), context);
  expect(shown(mutes)).toEqual([51, 60, '10 more mutes with a later end']);
  const states = { from: { word: 'OK', level: 0 }, to: { word: 'ALERT', level: 1 } };
  const changes = rows.map(({ id, name }) => ({ id: `other ${id}`, name, at: now, ...states }));
  expect(shown(logBlock({ changes }, rows, context))).toEqual([100, 180, undefined]);
  expect(logBlock({ changes: [] }, rows.toReversed(), context).lines.at(-1)?.name).toBe('m50');
});

test('of two mutes that end at once, of which one tells nobody, the other notifies', () => {
  const end = now + 10 * minute;
  const mute = (id: string): Mute => ({ monitor: '1', by: 'v1', id, scope: '*', end, wide: false });
  expect(pagesAgainAt([{ ...mute('7'), tells: [] }, mute('8')], '*', now)).toBe(end);
});

test('what the strip counts of tables is called as in what needs the person', () => {
  expect(tableList.states?.flatMap(({ needsPerson }) => needsPerson ?? [])).toEqual([
    'failed table',
    'incomplete table',
  ]);
});

const span = (text: string) => ({ text: plain`${text as never}` });

test('a long name takes cells of a dim text behind it where that yields, and leaves the beginning of it', () => {
  const theme = createTheme({ name: 'mono', noColor: false, ascii: false });
  const drawn = (tone: 'dim' | 'warn', length: number, yields?: true) => {
    const columns = [
      { id: 'name', priority: 1, flex: true },
      { id: 'state', priority: 2, ...(yields && { yields }) },
    ];
    const cells = { name: span('n'.repeat(length)), state: { ...span('s'.repeat(20)), tone } };
    const at = { id: 'a', cursor: false, fresh: false, pending: false, cells };
    const widths = new Map([
      ['name', 10],
      ['state', 20],
    ]);
    return joinPainted(blockSpans(at, columns, widths, 33, theme).map(({ text }) => text)).trim();
  };
  expect(drawn('dim', 10, true)).toBe(`${'n'.repeat(10)} ${'s'.repeat(20)}`);
  expect(drawn('dim', 15, true)).toBe(`${'n'.repeat(15)} ${'s'.repeat(14)}…`);
  expect(drawn('dim', 40, true)).toBe(`${'n'.repeat(21)}… ${'s'.repeat(7)}…`);
  for (const kept of [drawn('warn', 15, true), drawn('dim', 15)])
    expect(kept).toBe(`${'n'.repeat(9)}… ${'s'.repeat(20)}`);
});

test('a wider block never shows less', () => {
  const text = (cells: number) => span('x'.repeat(cells));
  const long = alertColumns.map(({ id }, at) => [id, text(at === 4 ? 70 : 6 + at)] as const);
  const short = alertColumns.map(({ id }, at) => [id, text(at === 4 ? 12 : at % 3)] as const);
  for (const lines of [[long], [short], [long, short]]) {
    const own = lines.map((each) => ({ cells: Object.fromEntries(each) }));
    let before = blockWidths(alertColumns, own, 56);
    for (let width = 57; width <= 236; width += 1) {
      const now = blockWidths(alertColumns, own, width);
      // The name keeps what it wants of its cells.
      for (const [id, wide] of before)
        expect(now.get(id) ?? 0, `${id} at ${width}`).toBeGreaterThanOrEqual(id === 'name' ? Math.min(44, wide) : wide);
      before = now;
    }
  }
});
