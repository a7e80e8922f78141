import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { definitionForm } from '../../screens/monitors/definition/form.ts';
import {
  messageLanguage,
  readVariables,
  variablesLanguage,
  variablesText,
} from '../../screens/monitors/definition/language.ts';
import { assetsSettings } from '../../screens/monitors/definition/notification.ts';
import { problemField } from '../../screens/monitors/definition/send.ts';
import {
  type About,
  type Definition,
  type DefinitionDraft,
  knownIn,
  membersIn,
  storedKind,
} from '../../screens/monitors/definition/setting.ts';
import { type MonitorRow, readMonitor } from '../../screens/monitors/row.ts';
import { unappliedMembers } from '../../src/api/read-back.ts';
import { shownNames } from '../../src/describe/field.ts';
import { parseExact } from '../../src/lib/json.ts';
import { put } from '../../src/lib/values.ts';
import { variableDiagnostics } from '../../src/query/formula-tree.ts';
import { contextOf } from '../support/plans.ts';

const row = (more: Definition): MonitorRow => readMonitor({ overall_state: 'OK', ...more }, 0) as MonitorRow;
const nothing = {} as About;
const draft: DefinitionDraft = { id: '', place: 0, attributes: {}, unread: [], about: nothing };

describe('the members of a composite', () => {
  test.each([
    ['101 && 102', ['101', '102'], 'all'],
    ['101||102 || 103', ['101', '102', '103'], 'any'],
    ['101', ['101'], 'all'],
    ['', [], 'all'],
  ])('%s', (query, ids, join) => {
    expect(membersIn(query)).toMatchObject({ ids, join });
  });

  test.each(['!101 && 102', '( 101 && 102 ) || 103', '101 && 102 || 103', '101 102', '101 &&', '101 & 102'])(
    '%s is edited as text',
    (query) => {
      expect(membersIn(query)).toBeUndefined();
    },
  );

  test('write the query, and leave it unchanged while they are unchanged', () => {
    const members = membersIn('101&&102');
    expect(members?.expression({ members: '101,102', join: 'all' })).toBe('101&&102');
    expect(members?.expression({ members: '101,102', join: 'any' })).toBe('101 || 102');
    expect(members?.expression({ members: '101,103,104', join: 'all' })).toBe('101 && 103 && 104');
    expect(members?.expression({ members: '', join: 'all' })).toBe('');
  });

  test('are at most ten monitors that are not composites', () => {
    const rows = [row({ id: 1, name: 'One', type: 'query alert' }), row({ id: 2, name: 'Both', type: 'composite' })];
    const fields = definitionForm(
      { kind: storedKind('composite', ''), base: { type: 'composite', query: '' }, rows },
      contextOf(),
    );
    const read = (text: string) => fields.members?.read(text);
    expect(read('1,7')).toMatchObject({ ok: true, value: ['1', '7'] });
    expect(read('1,2')).toMatchObject({ ok: false, text: 'Both is a composite monitor: composites cannot be nested' });
    expect(read('disk')).toMatchObject({ ok: false, text: 'disk is not a monitor ID' });
    expect(read('1,2,3,4,5,6,7,8,9,10,11')).toMatchObject({ ok: false });
    expect(read('1,3,4,5,6,7,8,9,10,11,12')).toMatchObject({
      ok: false,
      text: '11 monitors: a composite can have at most 10',
    });
    const plan = fields.members?.picks?.('').plan(nothing as never);
    expect(plan?.next()).toMatchObject({
      done: true,
      value: { value: { rows: [{ id: '1', label: 'One', hint: 'OK · metric · 1' }] } },
    });
  });
});

describe('variables', () => {
  const language = variablesLanguage(variableDiagnostics);
  const said = (value: unknown) => {
    const text = variablesText(value);
    return language
      .check(text, {})
      .map(
        (diagnostic) => `${diagnostic.verdict} ${diagnostic.message}: ${text.slice(diagnostic.start, diagnostic.end)}`,
      );
  };
  const event = { name: 'query1', data_source: 'logs', compute: { aggregation: 'count' }, search: { query: '*' } };
  const cost = { name: 'query2', data_source: 'cloud_cost', query: 'sum:all.cost{*}', aggregator: 'sum' };

  test('both variants of the specification and unknown ones are valid', () => {
    expect(said([event, cost, { name: 'x', job_type: 'a', jobs_query: 'b', query_dialect: 'metric' }])).toEqual([]);
  });

  test('variants of real services are not wrong', () => {
    const lists = { ...event, compute: [{ aggregation: 'count' }], group_by: ['host'] };
    const odd = { ...event, name: 'b', data_source: 'rum', group_by: [['x', 1]] };
    expect(said([lists, odd]).filter((text) => text.startsWith('wrong'))).toEqual([]);
  });

  test('a missing member is reported with the name of its variable', () => {
    const { compute: _, ...uncounted } = event;
    const whole = '{"name": "query1", "data_source": "logs", "search": {"query": "*"}}';
    expect(said([cost, uncounted])).toEqual([`wrong variable query1 has no compute.aggregation: ${whole}`]);
    expect(said([{ ...event, search: {} }])[0]).toMatch(
      /^doubtful variable query1 has no search.query: \{"name": "query1"/,
    );
    expect(said([{ ...cost, query: undefined }])[0]).toMatch(/^wrong variable query2 has no query: /);
    expect(said([{ name: 'a' }])).toEqual(['wrong variable a has no data_source: {"name": "a"}']);
    expect(said([cost, cost])[0]).toMatch(/^wrong two variables are called query2: /);
    expect(said([{ ...cost, name: undefined }])[0]).toMatch(/^wrong a variable has no name: /);
    expect(said([7])).toEqual(['wrong a variable is an object: 7']);
    expect(said([{ ...event, group_by: [{ limit: 3 }] }])[0]).toMatch(
      /^doubtful variable query1 has a group_by without a facet: /,
    );
  });

  test('a word that the specification lacks is only doubtful', () => {
    expect(said([{ ...event, data_source: 'tides' }])[0]).toMatch(
      /^doubtful variable query1: tides is not a known data_source/,
    );
    expect(said([{ ...event, compute: { aggregation: 'pc42' } }])[0]).toMatch(
      /^doubtful variable query1: pc42 is not a known aggregation/,
    );
    expect(said([{ ...cost, aggregator: 'most' }])[0]).toMatch(
      /^doubtful variable query2: most is not a known aggregator/,
    );
  });

  test('invalid JSON is reported with its position', () => {
    const check = (text: string) => language.check(text, {}).map(({ message, start }) => `${message} ${start}`);
    expect(check('[{"name": }]')).toEqual(['this is not JSON: a value is missing 10']);
    expect(check('[{"name": "a"')).toEqual(['this is not JSON: a comma or } is missing 12']);
    expect(check('[{"name": "a", oops: 1}, {"name": "b"}]')).toEqual([
      'this is not JSON: a name in double quotes is missing 15',
    ]);
    expect(check('{"name": "a"}')).toEqual(['variables are a list: [{"name": …}] 0']);
  });

  test('printing and parsing any variables returns them unchanged', () => {
    fc.assert(
      fc.property(fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })), { minLength: 1 }), (value) => {
        const exact = parseExact(JSON.stringify(value));
        expect(readVariables(variablesText(exact))).toEqual(exact);
        expect(() => language.check(variablesText(exact), {})).not.toThrow();
      }),
    );
  });

  test('any text gives diagnostics inside it and does not throw', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `[{${text}}]`),
        ),
        (text) => {
          for (const diagnostic of language.check(text, {})) {
            expect(diagnostic.start).toBeGreaterThanOrEqual(0);
            expect(diagnostic.end).toBeLessThanOrEqual(text.length);
            expect(diagnostic.start).toBeLessThanOrEqual(diagnostic.end);
          }
        },
      ),
    );
  });
});

test.each([
  ['a new monitor', {}, false],
  ['one that has a query', { id: 1, query: 'avg(last_5m):avg:a{*} > 1' }, false],
  ['one that was stored without', { id: 1 }, true],
])('the query of %s may be left empty: %j, %s', (_, base, isFree) => {
  const opened = { kind: storedKind('query alert', ''), base: { type: 'query alert', ...base }, rows: [] };
  expect(definitionForm(opened, contextOf()).query?.required !== true).toBe(isFree);
});

describe('runbooks', () => {
  const stored = [
    { category: 'runbook', name: 'Disk full', url: '/notebook/1', resource_key: '1', resource_type: 'notebook' },
  ];
  const field = assetsSettings.assets.field(stored, draft, contextOf());

  test('are lines of a name and an address; unknown members are kept', () => {
    expect(field.initial).toBe('Disk full /notebook/1');
    expect(field.read('Disk nearly full /notebook/1\nQueue https://wiki.example.test/queue\n')).toEqual({
      ok: true,
      value: [
        { ...stored[0], name: 'Disk nearly full' },
        { category: 'runbook', name: 'Queue', url: 'https://wiki.example.test/queue' },
      ],
    });
    expect(field.read('')).toEqual({ ok: true, value: [] });
  });

  test('a line with only one of both is reported at its position', async () => {
    expect(field.read('https://wiki.example.test')).toMatchObject({ ok: false });
    const language = await field.language?.();
    expect(language?.check('One /1\nhttps://two', {})).toMatchObject([{ verdict: 'wrong', start: 7, end: 18 }]);
  });

  test('a suspicious address is doubtful and can be saved', async () => {
    const language = await field.language?.();
    expect(language?.check('One /1\nTwo wiki.example.test', {})).toMatchObject([
      { verdict: 'doubtful', message: 'wiki.example.test may not be a URL', start: 11, end: 28 },
    ]);
    expect(field.read('Two wiki.example.test')).toMatchObject({ ok: true });
    expect(language?.check('One https://wiki.example.test/one', {})).toEqual([]);
  });
});

describe('the calendar of a metric monitor', () => {
  const shown = (query: string, window: Definition = {}) => {
    const base = { id: 1, type: 'query alert', query, options: { scheduling_options: { evaluation_window: window } } };
    const fields = definitionForm({ kind: storedKind('query alert', query), base, rows: [] }, contextOf());
    const texts = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.initial]));
    return shownNames(fields, texts).filter((text) => /_starts$|^timezone$/.test(text));
  };

  test('asks for the options of the window, and shows any others that are set', () => {
    expect(shown('avg(last_5m):avg:a{*} > 1')).toEqual([]);
    expect(shown('avg(current_1h):avg:a{*} > 1')).toEqual(['hour_starts']);
    expect(shown('avg(current_1d):avg:a{*} > 1')).toEqual(['day_starts', 'month_starts', 'timezone']);
    expect(shown('avg(current_1mo):avg:a{*} > 1')).toEqual(['day_starts', 'month_starts', 'timezone']);
    expect(shown('avg(current_1h):avg:a{*} > 1', { day_starts: '04:00' })).toEqual(['hour_starts', 'day_starts']);
  });

  test('keeps a schedule of several recurrences unchanged, and writes a single one', () => {
    const form = (recurrences: readonly Definition[]) =>
      definitionForm(
        {
          kind: storedKind('query alert', ''),
          base: { id: 1, type: 'query alert', options: { scheduling_options: { custom_schedule: { recurrences } } } },
          rows: [],
        },
        contextOf(),
      );
    const several = form([{ rrule: 'FREQ=DAILY' }, { rrule: 'FREQ=WEEKLY' }]).schedule_rrule;
    expect(several?.initial).toBe('FREQ=DAILY');
    expect(several?.read('FREQ=MONTHLY')).toMatchObject({ ok: false });
    expect(form([{ rrule: 'FREQ=DAILY' }]).schedule_rrule?.read('FREQ=MONTHLY')).toEqual({
      ok: true,
      value: 'FREQ=MONTHLY',
    });
  });

  test('takes a schedule with the rule in any order, and none', () => {
    const { schedule_rrule, schedule_start, schedule_timezone } = definitionForm(
      {
        kind: storedKind('query alert', ''),
        base: { id: 1, type: 'query alert' },
        rows: [],
      },
      contextOf(),
    );
    expect(schedule_rrule?.read('INTERVAL=2')).toMatchObject({ ok: false });
    expect(schedule_rrule?.read('RRULE:INTERVAL=2;FREQ=WEEKLY;BYDAY=MO,TU')).toMatchObject({ ok: true });
    expect(schedule_start?.read('2026-13-31T04:00:00')).toMatchObject({ ok: false });
    expect(schedule_start?.read('2026-01-31T04:00:00')).toMatchObject({ ok: true });
    expect(schedule_timezone?.read('Europe/Paris')).toMatchObject({ ok: true });
    expect(schedule_timezone?.read('')).toMatchObject({ ok: true, value: undefined });
  });
});

test("suggestions come from the organization's monitors, the most used first", () => {
  const known = knownIn([
    row({
      id: 1,
      type: 'query alert',
      query: 'avg(last_5m):avg:disk.used{env:prod} by {host,site} > 90',
      tags: ['team:core'],
      message: 'go @team-core now',
    }),
    row({
      id: 2,
      type: 'query alert',
      query: 'avg(last_5m):max:disk.used{env:prod,role:db} / avg:disk.all{*} > 2',
      tags: ['team:core', 'page'],
    }),
    row({ id: 3, type: 'service check', query: '"host.up".over("env:stage").by("host").last(2).count_by_status()' }),
    row({ id: 4, type: 'slo alert', query: 'error_budget("slo-9").over("7d") > 5' }),
    row({ id: 5, type: 'composite', query: '1 && 2', message: null }),
  ]);
  expect(known).toMatchObject({
    metrics: ['disk.used', 'disk.all'],
    tags: ['env:prod', 'env:stage', 'role:db'],
    checks: ['host.up'],
    objectives: ['slo-9'],
    own: ['team:core', 'page'],
    handles: ['@team-core'],
  });
  expect(known.keys).toEqual(expect.arrayContaining(['host', 'site', 'env']));
  expect(known.monitors.map((monitor) => monitor.id)).toEqual(['1', '2', '3', '4']);
  expect(
    knownIn(
      Array.from({ length: 5000 }, (_, id) =>
        row({ id, tags: [`t:${id}`], query: `avg(last_5m):avg:m${id}.a{*} > 1` }),
      ),
    ).metrics,
  ).toHaveLength(500);
});

test('a message has completions after @ and {{, in its form those of other monitors', async () => {
  const rows = [row({ id: 1, message: '@team-core' })];
  const opened = { kind: storedKind('query alert', ''), base: { type: 'query alert' }, rows };
  const field = definitionForm(opened, contextOf()).message;
  expect((await field?.language?.())?.complete('@t', 2, {})?.items).toEqual([{ text: '@team-core' }]);
  const language = messageLanguage(() => ['@team-core', '@team-edge']);
  expect(language.complete('call @team-c', 12, {})).toEqual({ start: 5, end: 12, items: [{ text: '@team-core' }] });
  expect(language.complete('{{#is_al', 8, {})?.items).toEqual([
    { text: '{{#is_alert}}{{/is_alert}}', hint: 'only in an alert', cursor: 13 },
  ]);
  const paths = messageLanguage(() => ['@pager:db/night']);
  for (const text of ['@pager:d', '@pager:db/n'])
    expect(paths.complete(text, text.length, {})).toMatchObject({ start: 0, items: [{ text: '@pager:db/night' }] });
  expect(language.complete('team', 4, {})).toBeUndefined();
  expect(language.complete('@nobody', 7, {})).toBeUndefined();
});

test.each([
  ["The value provided for parameter 'query' is invalid", 'query'],
  ["The value provided for parameter 'query' is invalid: invalid operator specified: ", 'query'],
  ["The value provided for parameter 'priority' is invalid", 'priority'],
  ["The value provided for parameter 'options.notify_by' is invalid", 'notify_by'],
  ['Invalid monitor option: on_missing_data', 'on_missing_data'],
  ['Alert threshold (90.0) does not match that used in the query (200.0).', 'query'],
  ['alert and warning criteria are such that the monitor can be simultaneously in alert and warning states', 'warning'],
  [
    'alert and alert recovery criteria are such that the monitor can be simultaneously in alert and alert recovery states',
    'critical_recovery',
  ],
  ['Last field should be larger than or equal to max threshold defined in monitor options', 'query'],
  ['A grouping must be specified for custom checks', 'query'],
  ['alert window query arg must match trigger window monitor option', 'trigger_window'],
  ['Some monitor IDs are invalid', 'query'],
  ['Duplicate of an existing monitor_id:77 org_id:1', 'name'],
  ['Invalid threshold statuses found: critical_recovery.', 'critical_recovery'],
  ['the moon is too near', undefined],
])('%s is about %s', (said, field) => {
  expect(problemField({ kind: 'invalid', text: 'refused', messages: ['no', said] })).toBe(field);
  expect(problemField({ kind: 'invalid', text: 'refused', messages: [said] })).toBe(field);
  expect(problemField({ kind: 'invalid', text: said, messages: [] })).toBe(field);
  expect(problemField({ kind: 'forbidden', text: said, messages: [said] })).toBeUndefined();
});

describe('the receipt of an edit', () => {
  const sent = {
    type: 'metric alert',
    tags: ['b:2', 'a:1'],
    priority: 5,
    options: { thresholds: { critical: 90 }, on_missing_data: 'default', silenced: { '*': 1 }, notify_by: [] },
  };
  const read = {
    id: 1,
    type: 'query alert',
    tags: ['a:1', 'b:2'],
    priority: '5',
    options: {
      thresholds: { critical: 90.0 },
      notify_no_data: false,
      include_tags: true,
      new_host_delay: 300,
      silenced: {},
    },
  };

  test('ignores a different spelling by the service', () => {
    expect(unappliedMembers(sent, read)).toEqual([]);
    expect(unappliedMembers({ name: 'A ', query: 'x > 1\n' }, { name: 'A', query: 'x > 1' })).toEqual([]);
    expect(unappliedMembers({ priority: null, options: { timeout_h: 0 } }, { options: {} })).toEqual([]);
  });

  test('reports what was not set and what was not removed', () => {
    expect(unappliedMembers({ ...sent, priority: 4 }, read)).toEqual(['priority']);
    const still = put(put(read, 'options.timeout_h', 24), 'options.thresholds.warning', 80);
    expect(unappliedMembers(sent, still)).toEqual(['options.thresholds', 'options.timeout_h']);
    expect(unappliedMembers({ ...sent, tags: ['a:1'] }, read)).toEqual(['tags']);
    expect(unappliedMembers({ type: 'log alert' }, read)).toEqual(['type']);
    expect(unappliedMembers({ options: { locked: true } }, read)).toEqual(['options.locked']);
    const left = { enable_logs_sample: true, enable_samples: true, min_failure_duration: 60 };
    const added = { require_full_window: true, include_tags: true, groupby_simple_monitor: false };
    const names = Object.keys(left).map((name) => `options.${name}`);
    expect(unappliedMembers({ options: {} }, { options: { ...left, ...added } })).toEqual(names);
  });

  test.each<[sent: unknown, read: unknown, isSame: boolean]>([
    [10, '10.0', true],
    ['1.50', 1.5, true],
    [10n, '10.0', true],
    [10, ' 10 ', false],
    [true, 1, false],
    [['a'], 'a', false],
    [{ 0: 'a' }, 'a', false],
    [['a', 'b'], ['b', 'a'], false],
    [['a', 'b'], ['a'], false],
  ])('an option %s that is read as %s: the same is %s', (sent, value, isSame) => {
    const unapplied = unappliedMembers({ options: { variables: sent } }, { options: { variables: value } });
    expect(unapplied).toEqual(isSame ? [] : ['options.variables']);
  });
});
