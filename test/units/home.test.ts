import { describe, expect, test } from 'vitest';
import { logBlock } from '../../screens/home/log.ts';
import { mutesBlock } from '../../screens/home/mutes.ts';
import { concerns, needsBlock } from '../../screens/home/needs.ts';
import { alertColumns, nowBlock } from '../../screens/home/now.ts';
import { servicesBlock } from '../../screens/home/services.ts';
import { home } from '../../screens/home.ts';
import type { IssueRow } from '../../screens/issues/row.ts';
import { ledgerRows } from '../../screens/monitors/ledger-row.ts';
import { type Mute, pagesAgainAt } from '../../screens/monitors/mutes.ts';
import { type MonitorRow, readMonitor } from '../../screens/monitors/row.ts';
import { alertsBlock } from '../../screens/service/blocks.ts';
import { tableList } from '../../screens/tables.ts';
import { type BlockNow, type BoardLine, isPiece, type Material, pieceText } from '../../src/describe/derived.ts';
import { joinPainted, plain } from '../../src/lib/painted.ts';
import { blockSpans, blockWidths } from '../../src/scene/board-block.ts';
import { createTheme } from '../../src/scene/theme.ts';
import { contextOf } from '../support/plans.ts';

const now = Date.UTC(2026, 4, 6, 12);
const minute = 60_000;
const hour = 60 * minute;
const noQuestion = { search: {}, range: '' };
const context = contextOf({ now, lastLook: now - hour, me: { id: 'u1', name: 'Robin Vale' } });

/** A monitor in this state since so many minutes. */
function monitor(id: number, state: string, ago: number, more: object = {}): MonitorRow {
  const told = { id, name: `m${id}`, overall_state: state, overall_state_modified: now - ago * minute, ...more };
  const row = readMonitor(told, now);
  if (!row) throw new Error('no row');
  return row;
}

const silenced = (scope: string, ms: number | null) => ({
  options: { silenced: { [scope]: ms === null ? null : Math.round((now + ms) / 1000) } },
});
const told = <Row>(...rows: readonly Row[]) => ({ rows, notes: [] });
const red = { a: { status: 'Alert' }, b: { status: 'OK' } };
const said = (line: BoardLine | undefined): readonly string[] =>
  line === undefined || isPiece(line.cells)
    ? []
    : Object.values(line.cells)
        .map(pieceText)
        .filter((text) => text !== '');
const names = ({ lines }: BlockNow) => lines.map(({ name }) => name);
const texts = (line: BoardLine | undefined): string =>
  line === undefined
    ? ''
    : typeof line.cells.text === 'string'
      ? line.cells.text
      : Object.values(line.cells)
          .map((piece) => (typeof piece === 'string' ? piece : piece.text))
          .filter((text) => text !== '')
          .join(' ');
const heads = ({ head }: BlockNow) => head.map(({ text }) => text).join(' ');

test('a cause that the head and the foot say is not repeated: each block says from when it is', () => {
  const link = { kind: 'unreachable', text: 'cannot connect', messages: [] } as const;
  const read = { ...told(monitor(1, 'OK', 1)), at: now - 3 * minute };
  const lost = { ...read, problem: link };
  const troubles = (feeds: Material['told']) => {
    const blocks = home.lists[0]?.board?.blocks({ told: feeds, changes: [], edits: [] }, context, noQuestion) ?? [];
    return Object.fromEntries(blocks.map(({ id, trouble }) => [id, trouble]));
  };
  const issues = { ...told(), at: now - 13 * hour, problem: link };
  const all = {
    monitors: lost,
    downtimes: { ...told(), problem: link },
    issues,
    archives: { notes: [], problem: link },
  };
  expect(troubles(all)).toEqual({
    now: 'monitors as of 11:57 UTC',
    mutes: 'mutes of monitors as of 11:57 UTC',
    services: 'issues as of 2026-05-05 23:00 UTC',
    needs: 'log archives cannot be read: no connection',
    log: undefined,
  });
  // What fails by itself, or in another way, says why.
  expect(troubles({ ...all, downtimes: told() }).now).toBe('monitors as of 11:57 UTC: no connection');
  const refused = { ...issues, problem: { ...link, kind: 'forbidden' as const, text: 'Forbidden' } };
  expect(troubles({ ...all, issues: refused }).services).toBe('issues as of 2026-05-05 23:00 UTC: Forbidden');
});

describe('what alerts', () => {
  const rowsOf = () => [
    monitor(1, 'OK', 1),
    monitor(2, 'Warn', 2, { priority: 1 }),
    monitor(3, 'Alert', 90, { priority: 3 }),
    monitor(4, 'Alert', 3, silenced('*', hour)),
    monitor(5, 'Alert', 3, { priority: 1 }),
    monitor(6, 'Alert', 2, { priority: 1 }),
  ];
  const blockOf = () => nowBlock(told(...rowsOf()), context);

  test('unmuted first, then the worst state, the priority, the last change; muted last', () => {
    expect(names(blockOf())).toEqual(['m6', 'm5', 'm3', 'm2', 'm4']);
  });

  test('the last lines say what has no room: what alerts, which warnings are urgent, and what alerts although it is muted', () => {
    const block = blockOf();
    const rest = (shown: number) => block.rest?.(block.lines.slice(shown).map(({ id }) => id)).map(pieceText);
    expect(rest(1)).toEqual([
      '2 more alerting with a priority · 1 WARN, 1 of P1 (m2)',
      'Muted, still alerting: m4, 1h left',
    ]);
    expect(rest(5)).toEqual([]);
    const more = nowBlock(
      told(
        ...[7, 8].map((id) => monitor(id, 'Alert', 1, { tags: ['service:a'] })),
        ...[9, 10, 11].map((id) => monitor(id, id === 9 ? 'No Data' : 'Warn', 1)),
        ...[1, null, null].map((end, at) => monitor(20 + at, 'Alert', 3, silenced('*', end && end * hour))),
      ),
      context,
    );
    expect(more.rest?.(more.lines.map(({ id }) => id)).map(pieceText)).toEqual([
      '2 more alerting without a priority · 2 WARN · 1 NO DATA',
      'Muted, still alerting: m20, 1h left · 2 more, 2 of them forever',
    ]);
  });

  test('a line read aloud says what its numbers count', () => {
    const [line] = nowBlock(told(monitor(1, 'Alert', 4, { state: { groups: red } })), context).lines;
    expect(said(line)).toEqual(['ALERT', '1 of 2 groups alerting', 'for 4m', 'm1']);
    const muted = monitor(2, 'Alert', 4, { ...silenced('*', hour), state: { groups: red } });
    const [mute] = mutesBlock(ledgerRows([muted], [], now), told(muted), told<Mute>(), context).lines;
    expect(said(mute)).toEqual(['1h left', 'm2', '1 of 2 alerting · notifies 13:00']);
    // What ends within the hour is yellow.
    const toneAt = (ms: number) => {
      const row = monitor(2, 'Alert', 4, silenced('*', ms));
      const [line] = mutesBlock(ledgerRows([row], [], now), told(row), told<Mute>(), context).lines;
      return (line?.cells as Record<string, { tone?: string }> | undefined)?.left?.tone;
    };
    expect([hour, hour - 1000].map(toneAt)).toEqual(['plain', 'warn']);
  });

  test('the head counts states, the muted ones among them, and what is new since the last look', () => {
    expect(heads(blockOf())).toBe('4 ALERT (1 muted) 1 WARN 1 OK 3 new since 11:00 UTC');
    // While monitors are still being read.
    const part = nowBlock({ ...told(monitor(1, 'OK', 1)), isPartial: true }, context);
    expect([heads(part), part.empty]).toEqual(['1+ OK', 'Loading…']);
    expect(part.head.map((piece) => isPiece(piece) && piece.tone)).toEqual(['dim']);
    const some = nowBlock({ ...told(...rowsOf()), isPartial: true }, context);
    expect(heads(some)).toBe('4+ ALERT (1+ muted) 1+ WARN 1+ OK 3+ new since 11:00 UTC');
    expect(some.rest?.(some.lines.slice(1).map(({ id }) => id)).map(pieceText)).toEqual([
      '2+ more alerting with a priority · 1+ WARN, 1 of P1 (m2)',
      'Muted, still alerting: m4, 1h left',
    ]);
  });

  test('no count of a block whose read has not ended is a total', () => {
    const muted = told(monitor(1, 'OK', 1, silenced('*', hour)), monitor(2, 'Alert', 1, silenced('*', null)));
    const part = { ...muted, isPartial: true };
    const mutes = mutesBlock(ledgerRows(muted.rows, [], now), part, told<Mute>(), context);
    expect(heads(mutes)).toBe('2+ mutes 1+ alerting forever');
    const alerts = alertsBlock(part, part.rows, { tag: 'service:a', title: 'a', rows: [] } as never, [], context);
    expect(heads(alerts)).toMatch(/^· 1\+ alerting.* · 1\+ muted/);
  });

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
    const all = told(monitor(7, 'Alert', 3, silenced('*', hour)), quiet, begins);
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

  test('a line opens its monitor and stands for it', () => {
    const { lines } = blockOf();
    expect(lines[0]).toMatchObject({ place: { list: 'monitors', row: '6' }, subject: { list: 'monitors' } });
    expect(lines[0]?.since).toBe(now - 2 * minute);
    // Nobody has to look at what notifies nobody.
    expect(lines.at(-1)?.since).toBeUndefined();
  });

  test('over 100 lines the last one says how many more there are', () => {
    const many = nowBlock(told(...Array.from({ length: 130 }, (_, at) => monitor(at + 1, 'Alert', at))), context);
    expect(many.lines).toHaveLength(101);
    expect(texts(many.lines.at(-1))).toContain('30 more');
  });

  test('without a read it says so; after one that failed, why, and old rows stay', () => {
    expect(nowBlock(undefined, context).empty).toBe('Loading…');
    const problem = { kind: 'forbidden', text: 'Forbidden', messages: [] } as const;
    expect(nowBlock({ notes: [], problem }, context).trouble).toBe('monitors cannot be read: Forbidden');
    const old = nowBlock({ ...told(...rowsOf()), problem }, context);
    expect(old.trouble).toBe('monitors are old: Forbidden');
    expect(old.lines).toHaveLength(5);
    // The header and the message below say once what to check where nothing answers.
    const unreachable = { kind: 'unreachable', text: 'the connection broke: check the network', messages: [] } as const;
    expect(nowBlock({ ...told(...rowsOf()), problem: unreachable }, context).trouble).toBe(
      'monitors are old: no connection',
    );
    const refused = { ...unreachable, status: 503, text: 'the service fails (503)' };
    expect(nowBlock({ notes: [], problem: refused }, context).trouble).toMatch(/ cannot be read: the service fails/);
  });
});

describe('mutes', () => {
  const groups = { state: { groups: { 'host:a': { status: 'Alert' }, 'host:b': { status: 'OK' } } } };
  const monitorsOf = () => [
    monitor(1, 'Alert', 5, { ...silenced('*', 9 * minute), ...groups }),
    monitor(2, 'OK', 5, silenced('*', 8 * hour)),
    monitor(3, 'Alert', 5, silenced('*', null)),
    monitor(4, 'OK', 5, silenced('*', null)),
  ];

  test('stand by their end, those without one last, with the groups that alert under them', () => {
    const rows = ledgerRows(monitorsOf(), [], now);
    expect(rows.map(({ monitors: [row], alerting, groups }) => [row?.id, alerting, groups])).toEqual([
      ['1', 1, 2],
      ['2', 0, 1],
      ['3', 1, 1],
      ['4', 0, 1],
    ]);
  });

  test('one over which another mute lies longer does not notify at its end', () => {
    const both = monitor(1, 'Alert', 5, {
      options: { silenced: { '*': Math.round(now / 1000) + 600, 'host:a': Math.round(now / 1000) + 60 } },
      ...groups,
    });
    expect(ledgerRows([both], [], now).map(({ mute, notifies }) => [mute.scope, notifies])).toEqual([
      ['host:a', false],
      ['*', true],
    ]);
  });

  test('one before whose end another one begins does not notify then', () => {
    const end = now + 600_000;
    const muted = monitor(1, 'Alert', 5, { options: { silenced: { '*': end / 1000 } }, ...groups });
    const next = (more: object): Mute => ({
      ...{ monitor: '1', by: 'v2', id: 'd', scope: '*', start: end, end: end + 600_000, wide: false },
      ...more,
    });
    const notifies = (...downtimes: readonly Mute[]) => ledgerRows([muted], downtimes, now)[0]?.notifies;
    expect(notifies(next({}))).toBe(false);
    expect(notifies(next({ monitor: '2' }), next({ start: end + 60_000 }))).toBe(true);
  });

  test('one whose end tells nobody does not notify then; of two that end at once one may', () => {
    const end = now + 600_000;
    const shown = [7, 8].map((id) => ({ id, active: true, scope: ['*'], end: end / 1000, monitor_id: 1 }));
    const mute = (id: string): Mute => ({ monitor: '1', by: 'v1', id, scope: '*', end, wide: false });
    const silent = { ...mute('7'), tells: [] };
    const notifying = (matching_downtimes: readonly object[], ...downtimes: readonly Mute[]) =>
      ledgerRows([monitor(1, 'Alert', 5, { matching_downtimes })], downtimes, now).map(({ notifies }) => notifies);
    expect(notifying(shown.slice(0, 1), silent)).toEqual([false]);
    expect(notifying(shown.slice(0, 1), { ...silent, tells: ['warn'] })).toEqual([false]);
    expect(notifying(shown, silent, mute('8'))).toEqual([false, true]);
    expect(pagesAgainAt([silent, mute('8')], '*', now)).toBe(end);
    const says = (...tells: readonly string[][]) => {
      const row = monitor(1, 'Alert', 5, { matching_downtimes: shown.slice(0, 1) });
      const rows = ledgerRows(
        [row],
        tells.map((states) => ({ ...mute('7'), tells: states })),
        now,
      );
      return mutesBlock(rows, told(row), told<Mute>(), context).lines.map(texts).join();
    };
    expect([says(), says(['alert'])]).toEqual([
      expect.stringMatching(/1\/1 alerting · may notify 12:10$/),
      expect.stringMatching(/1\/1 alerting · notifies 12:10$/),
    ]);
  });

  test('a downtime over several monitors is one row with who and why; one over none of them is there too', () => {
    const downtime = (id: number) => ({
      matching_downtimes: [
        { id, active: true, scope: ['*'], start: now / 1000 - 60, end: now / 1000 + 600, monitor_id: null },
      ],
    });
    const tagged: Mute = {
      monitor: '',
      by: 'v1',
      id: '7',
      scope: '*',
      end: now + 600_000,
      wide: true,
      who: 'Ines',
      why: 'drain',
    };
    const away: Mute = { monitor: '99', by: 'v2', id: 'x', scope: 'env:dev', end: null, wide: false };
    const found = ledgerRows(
      [monitor(1, 'Alert', 1, downtime(7)), monitor(2, 'OK', 1, downtime(7))],
      [tagged, away],
      now,
    );
    expect(found.map(({ id, monitors: over, mute }) => [id, over.length, mute.who, mute.why])).toEqual([
      ['7', 2, 'Ines', 'drain'],
      ['x', 0, undefined, undefined],
    ]);
  });

  test('tell the time of an end within a day, and only the day of a later one', () => {
    const inHours = (id: number, hours: number) =>
      monitor(id, 'Alert', id, { options: { silenced: { '*': Math.round(now / 1000) + hours * 3600 } }, ...groups });
    const later = ledgerRows([inHours(1, 13), inHours(2, 24), inHours(3, 50)], [], now);
    const { title, columns, lines } = mutesBlock(later, told<MonitorRow>(), told<Mute>(), context);
    expect(title).toContain('UTC');
    const said = lines.map(texts);
    expect(said).toEqual(['01:00', 'Thu', 'Fri'].map((when) => expect.stringMatching(new RegExp(`notifies ${when}$`))));
    // Two blocks beside each other on 120 columns leave a line 56 cells: with more, the column would give way to the name.
    expect(columns.find(({ id }) => id === 'state')?.least).toBeLessThanOrEqual(30);
  });

  test('the block leaves out those without an end that hide nothing, in one line', () => {
    const monitors = told(...monitorsOf());
    const block = mutesBlock(ledgerRows(monitors.rows, [], now), monitors, told<Mute>(), context);
    expect(block.lines.map(texts)).toEqual([
      '9m █░░░ m1 1/2 alerting · notifies 12:09',
      '8h ████ m2',
      '∞ m3 1/1 alerting · forever',
      '1 more mute without an end, none alerting',
    ]);
    expect(heads(block)).toBe('4 mutes 1 alerting forever');
    expect(block.lines[0]?.subject?.subRowId).toContain('"scope":"*"');
    const many = ledgerRows(
      Array.from({ length: 60 }, (_, nth) => monitor(nth, 'OK', 5, silenced('*', hour))),
      [],
      now,
    );
    const cut = mutesBlock(many, told<MonitorRow>(), told<Mute>(), context);
    expect([cut.lines.length, cut.total, cut.lines.slice(-1).map(texts)]).toEqual([
      51,
      60,
      ['10 more mutes with a later end'],
    ]);
  });
});

const issue = (id: string, service: string, total: number, more: Partial<IssueRow> = {}) =>
  ({ id, service, told: true, counts: { total, users: 3 }, firstSeen: now - 2 * hour, ...more }) as IssueRow;

describe('services', () => {
  test('the most errors first, with the course over the polls, what is new, how many are unassigned, and its alerts', () => {
    const block = servicesBlock(
      told(
        issue('a', 'web', 10, { assignee: 'u1' }),
        issue('b', 'web', 5, { firstSeen: now - minute }),
        issue('c', 'api', 40),
      ),
      told(
        monitor(1, 'Alert', 5, { tags: ['service:web'] }),
        monitor(2, 'Alert', 5, { tags: ['service:web'], ...silenced('*', hour) }),
        monitor(3, 'OK', 5, { tags: ['service:api'] }),
      ),
      contextOf({ ...context, trend: (name) => (name === 'service api' ? [1, 2, 3] : []) }),
    );
    expect(block.lines.map(texts)).toEqual([expect.stringMatching(/^api 40 +▁▅█ 3 1 of 1$/), 'web 15 3 1 1 of 2 ●']);
    expect(heads(block)).toBe('3 issues in 24h 1 new 2 unassigned');
    const tones = block.lines.map(({ cells }) => (cells as Record<string, { tone?: string }>).unassigned?.tone);
    // Yellow is what is new and unassigned alone.
    expect(tones).toEqual(['dim', 'warn']);
  });

  test('errors that were not told are not 0', () => {
    const untold = issue('d', 'web', 5, { counts: {} });
    const [some, none] = [told(untold, issue('e', 'web', 5)), told(untold)].map((feed) =>
      servicesBlock(feed, told<MonitorRow>(), context).lines.map(texts),
    );
    expect([some, none]).toEqual([['web 5+ 3 2 of 2'], ['web – 1 of 1']]);
  });
});

test('the page of a team names the other teams of its monitors, not the team that it is about', () => {
  const feed = told(monitor(1, 'Alert', 1, { tags: ['team:checkout', 'team:web'] }));
  const head = (tag: string) => heads(alertsBlock(feed, feed.rows, { tag, title: 'x' } as never, [], context));
  expect(head('team:checkout')).toMatch(/· team web$/);
  expect(head('service:a')).toMatch(/· team checkout, team web$/);
});

test('the page of a service names the teams of what alerts, and each runbook once', () => {
  const [first, second] = ['a', 'b'].map((name) => `Runbook: https://runbooks.example.test/${name}`);
  const feed = told(
    monitor(1, 'Alert', 1, { message: first, tags: ['team:web'] }),
    monitor(2, 'OK', 1, { message: first, tags: ['team:ops'] }),
    monitor(3, 'OK', 1, { message: second }),
  );
  const block = alertsBlock(feed, feed.rows, { tag: 'service:a', title: 'x' } as never, [], context);
  expect(heads(block)).toMatch(/· team web$/);
  expect(block.runbooks?.map(({ url }) => url.slice(-1))).toEqual(['a', 'b']);
});

test('the curve of what alerts is as long as what is known, and says how long that is', () => {
  const headWith = (samples: readonly number[]) =>
    heads(nowBlock(told(monitor(1, 'OK', 5)), contextOf({ ...context, trend: () => samples })));
  expect(headWith([1, 3])).toBe('1 OK last 2m ▁█');
  expect(headWith([Number.NaN, 1, Number.NaN, 3])).toBe('1 OK last 5m ▁ █');
  expect(headWith(Array.from({ length: 24 }, (_, index) => index % 2))).toMatch(/^1 OK last hour [▁█]{24}$/);
  expect(headWith([2, 2])).toBe('1 OK');
});

describe('what needs me', () => {
  const mutesOf = () =>
    ledgerRows([monitor(1, 'Alert', 1, silenced('*', 30 * minute))], [], now).map((row) => ({
      ...row,
      mute: { ...row.mute, who: 'Robin Vale' },
    }));
  const leaked = (id: string) => ({
    id,
    attributes: { name: id },
    relationships: { leak_information: { data: { id: 'l', type: 'leak_information' } } },
  });
  const all = {
    issues: told(issue('a', 'web', 1, { assignee: 'u1' })),
    ownKeys: told(leaked('mine')),
    orgKeys: told(leaked('mine'), leaked('other')),
    archives: told({ id: 'r', attributes: { name: 'old', state: 'FAILING' } }),
    providerA: told(
      { id: 'p', attributes: { tenant_name: 'shop', errors: ['bad'] } },
      { id: 'q', attributes: { tenant_name: 'b1f07c3f-0af1-47b9-a2eb-6d52ac040d99', errors: ['bad'] } },
    ),
    tables: told(
      { id: 't', attributes: { table_name: 'vat', status: 'ERROR' } },
      ...['agents', 'rates'].map((table_name) => ({
        id: table_name,
        attributes: { table_name, status: 'DONE_WITH_ERRORS' },
      })),
    ),
  };

  test('its head counts things, not lines; what the strip counts is among them, called alike', () => {
    expect(needsBlock(all, mutesOf(), context).head).toEqual([{ text: '10', tone: 'dim' }]);
    expect(tableList.states?.flatMap(({ needsPerson }) => needsPerson ?? [])).toEqual([
      'failed table',
      'incomplete table',
    ]);
  });

  test('each thing once, with its name', () => {
    const lines = needsBlock(all, mutesOf(), context).lines.map(texts);
    expect(lines[0]).toBe('1 issue assigned to you');
    expect(lines[1]).toBe('1 mute of yours ends within 1h');
    expect(lines).toContain('1 leaked application key: mine');
    expect(lines).toContain('1 leaked application key: other');
    expect(lines).toContain('1 failing archive: old');
    expect(lines).toContain('2 integrations in error: provider_a tenant shop, provider_a tenant b1f07c3f…');
    expect(lines).toContain('1 failed table: vat');
    expect(lines).toContain('2 incomplete tables: agents, rates');
  });

  test('one thing opens its row, several their list', () => {
    const { lines } = needsBlock(all, [], context);
    expect(lines.find(({ name }) => name.includes('archive'))?.place).toEqual({ list: 'archives', row: 'r' });
    expect(lines.find(({ name }) => name.includes('integrations'))?.place.row).toBeUndefined();
  });

  test('an upload that an earlier run has not ended', () => {
    const job = { kind: 'upload', title: 'upload', values: {} } as const;
    const left = contextOf({
      ...context,
      unfinished: [{ goesOn: false, says: 'vat.csv, 2 of 5 parts', resume: job, abandon: job }],
    });
    expect(needsBlock({}, [], left).lines.map(texts)).toEqual(['interrupted: vat.csv, 2 of 5 parts']);
  });

  test('a list that fails is named; one that these keys may not read is not', () => {
    const problem = { kind: 'unreachable', text: 'connection refused', messages: [] } as const;
    expect(needsBlock({ ...all, tables: { notes: [], problem } }, [], context).trouble).toMatch(
      /^reference tables cannot be read: no connection$/,
    );
    const kept = { ...all, tables: { notes: [], problem: { ...problem, kind: 'forbidden' as const } } };
    expect(needsBlock(kept, [], context).trouble).toBeUndefined();
  });

  test.each(['issues', 'monitors', 'downtimes', ...concerns.map(({ feed }) => feed)])(
    'is nothing only where %s are read too',
    (feed) => {
      const read = Object.fromEntries(Object.keys(home.lists[0]?.derived?.feeds ?? {}).map((one) => [one, told()]));
      const says = (one: Material['told'][string] | undefined) => {
        const { empty, trouble } = needsBlock({ ...read, ...(one && { [feed]: one }) }, [], context);
        return trouble === undefined ? empty : trouble.replace(/^.+ cannot be read/, '… cannot be read');
      };
      const refusal = { text: 'Boom', messages: [] };
      expect([
        says(undefined),
        says({ notes: [] }),
        says({ ...told(), isPartial: true }),
        says({ notes: [], problem: { kind: 'unknown', ...refusal } }),
        says({ notes: [], problem: { kind: 'forbidden', ...refusal } }),
      ]).toEqual(['nothing', 'Loading…', 'Loading…', '… cannot be read: Boom', 'nothing']);
    },
  );
});

test('the log begins with what the service tells: when monitors got into their states within the last day', () => {
  const rows = [
    ...[monitor(1, 'Alert', 5, { priority: 1 }), monitor(2, 'Alert', 8), monitor(3, 'OK', 6)],
    monitor(4, 'OK', 60 * 24),
  ];
  const known = {
    at: now - minute,
    id: '2',
    name: 'm2',
    from: { word: 'OK', level: 0 },
    to: { word: 'ALERT', level: 1 },
  };
  const linesOf = (changes: (typeof known)[]) => logBlock({ changes }, rows, context).lines;
  expect(linesOf([]).map(texts)).toEqual(['11:55 ALERT m1', '11:54 OK m3', '11:52 ALERT m2']);
  // What was seen is not told again.
  expect(linesOf([known]).map(texts)).toEqual(['11:59 ALERT m2', '11:55 ALERT m1', '11:54 OK m3']);
  const tones = linesOf([known]).map(({ cells }) => (cells as Record<string, { tone?: string }>).what?.tone);
  expect(tones).toEqual(['plain', 'bad', 'good']);
});

test('the log mixes changes of state and edits, newest first', () => {
  const stateOf = (word: string) => ({ word, level: 0 });
  const block = logBlock(
    {
      changes: [
        { at: now - minute, id: '1', name: 'm1', from: stateOf('OK'), to: stateOf('ALERT') },
        // A mute that ends is no change of a state.
        { at: now - minute, id: '2', name: 'm2', from: { ...stateOf('OK'), ends: [now] }, to: stateOf('OK') },
      ],
      edits: [
        { id: 'e1', at: now, operation: 'monitors.mute', did: 'muted', target: 'm1', outcome: 'applied' },
        { id: 'e2', at: now - hour, operation: 'issues.assign', did: 'assigned', target: 'boom', outcome: 'unknown' },
        {
          ...{ id: 'e3', at: now - 2 * hour, operation: 'roles.delete', did: 'deleted', target: 'Admins' },
          ...{ outcome: 'applied', isPartlyUndone: true },
        },
      ],
    },
    [],
    context,
  );
  expect(block.lines.map(texts)).toEqual([
    '12:00 muted m1',
    '11:59 ALERT m1',
    '11:00 assigned boom (unknown)',
    '10:00 deleted Admins (undone in part)',
  ]);
  expect(block.lines[1]?.place).toEqual({ list: 'monitors', row: '1' });
  const change = { name: 'm', from: stateOf('OK'), to: stateOf('ALERT') };
  const many = Array.from({ length: 120 }, (_, nth) => ({ ...change, at: now - nth, id: `${nth}` }));
  const { lines, total } = logBlock({ changes: many }, [], context);
  expect([lines.length, total]).toEqual([100, 120]);
});

test('red is an unmuted alert of P1 or P2, bold what is new; a value stands beside its threshold, a runbook is told', () => {
  const assets = [{ category: 'runbook', name: 'R', url: 'https://runbooks.example.test/r' }];
  const state = { groups: { a: { status: 'Alert', last_triggered_ts: 1, value: 9 }, b: { status: 'OK' } } };
  const rows = [
    monitor(1, 'Alert', 5, { priority: 1, assets }),
    monitor(2, 'Alert', 90, { priority: 3, state }),
    monitor(3, 'Alert', 5, { priority: 1, ...silenced('*', hour) }),
  ];
  const tonesOf = ({ cells }: BoardLine) =>
    ['state', 'groups', 'name'].map((id) => (cells as Record<string, { tone?: string } | undefined>)[id]?.tone);
  const { lines } = nowBlock(told(...rows), context);
  expect(lines.map(tonesOf)).toEqual([
    ['bad', 'bad', 'strong'],
    ['plain', 'bad', 'plain'],
    ['quiet', 'dim', 'dim'],
  ]);
  expect(texts(lines[0])).toMatch(/ yes$/);
  const ascii = nowBlock(told(...rows.slice(1, 2)), { ...context, ascii: true });
  expect(texts(ascii.lines[0])).toMatch(/^ALERT P3 #\. +1\/2 1h m2/);
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

test('several unmuted monitors of a service that alert are one line, which opens its page; P1, what is muted and what warns stand for themselves', () => {
  const tags = ['service:shop'];
  const rows = [
    monitor(1, 'Alert', 5, { tags, priority: 3, state: { groups: red } }),
    monitor(2, 'Alert', 9, { tags, state: { groups: red } }),
    monitor(3, 'Alert', 5, { tags, priority: 1 }),
    monitor(4, 'Alert', 5, { tags, ...silenced('*', hour) }),
    monitor(5, 'Warn', 5, { tags }),
    monitor(6, 'Alert', 5, { tags: ['service:other'] }),
  ];
  const block = nowBlock(told(...rows), context);
  expect(names(block)).toEqual(['m3', 'shop', 'm6', 'm5', 'm4']);
  const fold = block.lines[1];
  expect(texts(fold)).toBe('ALERT P3 ●●○○     2/4 9m shop: 2 monitors shop');
  expect(fold).toMatchObject({ service: 'shop', place: { list: 'service', search: { subject: 'service:shop' } } });
  expect(fold?.subject).toBeUndefined();
  expect(block.total).toBe(5);
});
