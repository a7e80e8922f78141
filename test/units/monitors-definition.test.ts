import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cloneAction, editAction } from '../../screens/monitors/definition/edit.ts';
import { readThreshold } from '../../screens/monitors/definition/evaluation.ts';
import { defined, definitionForm, type Opened } from '../../screens/monitors/definition/form.ts';
import { changedBody, checkAction, openDefinition } from '../../screens/monitors/definition/send.ts';
import {
  type Definition,
  readOptions,
  type Stored,
  sentOptions,
  storedKind,
} from '../../screens/monitors/definition/setting.ts';
import { type MonitorRow, readMonitor } from '../../screens/monitors/row.ts';
import type { Call, Plan } from '../../src/api/endpoint.ts';
import { monitor } from '../../src/api/monitor-schema.ts';
import { getMonitor } from '../../src/api/monitors.ts';
import type { Problem, Result } from '../../src/api/problem.ts';
import { read as readAnswer } from '../../src/client/read-response.ts';
import { shownNames } from '../../src/describe/field.ts';
import { receiptText } from '../../src/describe/receipt.ts';
import { parseExact } from '../../src/lib/json.ts';
import { isSameJson, put } from '../../src/lib/values.ts';
import { findLanguage } from '../../src/query/check-query.ts';
import { arbitrary } from '../support/arbitrary.ts';
import { acted, answered, contextOf, refused, walk } from '../support/plans.ts';

const words = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' });
const anyMonitor = arbitrary(monitor, {
  text: fc.oneof(words, fc.constant('avg(last_5m):avg:disk.used{*} by {host} > 90'), fc.constant('')),
  identifier: words,
  name: words.filter((word) => word !== '__proto__'),
}) as fc.Arbitrary<Definition>;

/** A definition as it was read. */
const storedOf = (attributes: Definition, unread: readonly string[] = []): Stored => ({
  id: '77',
  place: 0,
  attributes,
  unread,
});

const openedFrom = (definition: Definition): Opened => openDefinition(storedOf(definition), []);

/** One field of a form with another typed text. */
const edits = {
  message: ['another message', (monitor: Definition) => put(monitor, 'message', 'another message')],
  priority: ['3', (monitor: Definition) => put(monitor, 'priority', 3)],
  renotify_interval: ['71', (monitor: Definition) => put(monitor, 'options.renotify_interval', 71)],
  tags: ['one:tag', (monitor: Definition) => put(monitor, 'tags', ['one:tag'])],
} as const;

test('a letter in a query is parsed once', async () => {
  const query = 'avg(last_5m):avg:disk.used{*} by {host} > 90';
  const base: Definition = { type: 'query alert', name: 'Disk full', query };
  const fields = definitionForm({ kind: storedKind('query alert', query), base, rows: [] }, contextOf());
  const texts = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.initial]));
  const language = await fields.query?.language?.();
  language?.check(query, texts);
  const before = findLanguage('query alert', query)?.parse(query);
  expect(language?.complete(query, query.indexOf('.used'), texts)?.items).not.toEqual([]);
  expect(language?.says?.(query, texts)).toContain('No notifications: the message has no @name');
  expect(findLanguage('query alert', query)?.parse(query)).toBe(before);
});

test('what was wrong when the form opened is only doubtful, until the query is another one', async () => {
  const query = 'invalid query';
  const base: Definition = { id: 7, type: 'query alert', query, options: { notification_preset_name: 'newer' } };
  const verdicts = async (given: Definition, text: string) => {
    const fields = definitionForm(openedFrom(given), contextOf());
    const texts = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.initial]));
    const language = await fields.query?.language?.();
    return language?.check(text, { ...texts, timeout_h: '4' }).map(({ verdict }) => verdict);
  };
  expect(await verdicts(base, query)).toEqual(['doubtful', 'doubtful']);
  expect(await verdicts(base, 'another one')).toEqual(['wrong', 'doubtful']);
  expect(await verdicts({ ...base, id: undefined }, query)).toEqual(['wrong', 'wrong']);
});

describe('any monitor of the contract', () => {
  test('is unchanged by a form without changes', () => {
    fc.assert(
      fc.property(anyMonitor, (monitor) => {
        const opened = openedFrom(monitor);
        const fields = definitionForm(opened, contextOf());
        const texts = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.initial]));
        const values = Object.fromEntries(
          shownNames(fields, texts).map((name) => [name, fields[name]?.read(texts[name] ?? '')]),
        );
        // The query of a new monitor (without id) is a proposal, not its stored one.
        const asked = Object.entries(values).filter(([name]) => name !== 'query' || monitor.id !== undefined);
        for (const [name, read] of asked) expect(read, name).toMatchObject({ ok: true });
        const meant = Object.fromEntries(asked.map(([name, read]) => [name, read?.ok ? read.value : undefined]));
        expect(changedBody(monitor, defined(opened, meant))).toEqual({});
      }),
    );
  });

  test.each(Object.entries(edits))('keeps unknown members when its %s is edited', (name, [text, wanted]) => {
    fc.assert(
      fc.property(anyMonitor, (monitor) => {
        const opened = openedFrom({ type: 'query alert', ...monitor, id: 7 });
        const read = definitionForm(opened, contextOf())[name]?.read(text);
        if (!read) throw new Error(`there is no field ${name}`);
        if (!read.ok) throw new Error(read.text);
        const after = defined(opened, { [name]: read.value });
        const body = changedBody(opened.base, after);
        const seen = { ...opened.base, ...body, ...(body.options ? { options: { ...body.options } } : {}) };
        const should = wanted(opened.base);
        const { options: _, ...members } = should;
        expect(isSameJson(seen, { ...seen, ...members })).toBe(true);
        // The critical threshold is the number of the query, whatever it was before.
        const without = (one: Definition) =>
          put(put(one, 'options.thresholds', undefined), 'options.silenced', undefined);
        expect(isSameJson(readOptions(without(seen)), readOptions(without(should)))).toBe(true);
      }),
    );
  });
});

const stored: Definition = {
  id: 77,
  name: 'Disk',
  type: 'query alert',
  query: 'avg(last_5m):avg:disk.used{*} by {host} > 90',
  message: 'look',
  tags: ['team:core'],
  priority: null,
  options: {
    thresholds: { critical: 90, warning: 80 },
    silenced: { '*': null },
    locked: false,
    new_host_delay: 300,
    avalanche_window: 10,
    restriction_query: { who: ['me'] },
    include_tags: true,
  },
};

const row = readMonitor(stored, 0) as MonitorRow;
const context = contextOf({ known: storedOf(stored) });

/** Runs an edit against a service that has this monitor now. */
function edited(
  values: Readonly<Record<string, unknown>>,
  now: Definition = stored,
  answer?: Partial<Record<string, Result<unknown>>>,
  unread: string[] = [],
  opened: Definition = stored,
) {
  const answering = (call: Call) => {
    const response = answer?.[call.endpoint.id];
    if (response) return response;
    return call.endpoint.id === 'monitors.get' ? answered(now, unread) : answered({ ...now, ...(call.body as object) });
  };
  return acted(editAction, row, values, answering, { ...context, known: storedOf(opened) });
}

/** An edit whose update has this response. */
const answeredWith = (values: Definition, wire: unknown) =>
  edited(values, stored, { 'monitors.update': answered(wire) });

/** The bodies of its undo. */
const undone = (values: Definition, wire: unknown) =>
  answeredWith(values, wire)
    .back()
    .map((call) => call.body);

function problemOf(result: Result<unknown>): Problem {
  if (result.ok) throw new Error('it was not refused');
  return result.problem;
}
const update = (calls: readonly Call[]) => calls.find((call) => call.endpoint.id === 'monitors.update')?.body;

describe('an edit', () => {
  test('sends only the changes, after validating the whole where query or options change', () => {
    const { calls, operations } = edited({ message: 'look again', timeout_h: 4 });
    expect(operations).toEqual(['monitors.get', 'monitors.validate-existing', 'monitors.update']);
    expect(update(calls)).toEqual({ message: 'look again', options: { ...sentOptions(stored), timeout_h: 4 } });
    expect(calls[1]?.body).toMatchObject({ type: 'query alert', query: stored.query, message: 'look again' });
    // What is stored may be older than the rules of the service.
    expect(edited({ message: 'look again' }).operations).toEqual(['monitors.get', 'monitors.update']);
  });

  test('sends options as a whole, without the mutes, with unknown members', () => {
    expect(update(edited({ timeout_h: 4 }).calls)).toEqual({
      options: { ...sentOptions(stored), timeout_h: 4 },
    });
    expect(sentOptions(stored)).not.toHaveProperty('silenced');
  });

  test('copies a new threshold of the query to thresholds.critical, unless there are no thresholds', () => {
    const query = 'avg(last_5m):avg:disk.used{*} by {host} > 95';
    expect(update(edited({ query }).calls)).toMatchObject({
      query,
      options: { thresholds: { critical: 95, warning: 80 } },
    });
    const bare = { ...stored, options: { include_tags: true } };
    expect(update(edited({ query }, bare, {}, [], bare).calls)).toEqual({ query });
  });

  test('keeps changes of others, and stops at a conflict', () => {
    const theirs = put(put(stored, 'options.timeout_h', 9), 'tags', ['team:edge']);
    expect(update(edited({ warning: 85 }, theirs).calls)).toEqual({
      options: { ...sentOptions(theirs), thresholds: { critical: 90, warning: 85 } },
    });
    const tags = edited({ tags: ['team:core', 'team:web'] }, theirs);
    expect(update(tags.calls)).toEqual({ tags: ['team:edge', 'team:web'] });
    const clash = edited({ timeout_h: 4 }, theirs);
    expect(clash.value).toMatchObject({
      ok: false,
      problem: {
        kind: 'conflict',
        text: 'not sent: someone else changed the time to resolve of Disk to 9',
      },
    });
    expect(update(clash.calls)).toBeUndefined();
    expect(editAction.blames?.(problemOf(clash.value), {})).toBe('timeout_h');
  });

  test('is not sent where options could not be read, because a replacement would lose them', () => {
    const odd = ['options.thresholds: expected an object'];
    expect(edited({ timeout_h: 4 }, stored, {}, odd).value).toMatchObject({
      ok: false,
      problem: { kind: 'unreadable' },
    });
    expect(update(edited({ message: 'x' }, stored, {}, odd).calls)).toEqual({ message: 'x' });
  });

  test('continues where validate is not offered or not allowed, and stops where it refuses', () => {
    const id = 'monitors.validate-existing';
    const answering = (response: Result<unknown>) => edited({ timeout_h: 4 }, stored, { [id]: response });
    for (const kind of ['notOffered', 'forbidden'] as const)
      expect(update(answering(refused(kind, 'no')).calls)).toMatchObject({ options: { timeout_h: 4 } });
    const stopped = answering(refused('invalid', "The value provided for parameter 'options.timeout_h' is invalid"));
    expect(update(stopped.calls)).toBeUndefined();
    expect(editAction.blames?.(problemOf(stopped.value), {})).toBe('timeout_h');
  });

  test('is undone to the previous members, and to the options of the response with the changed ones restored', () => {
    const values = { priority: 2, timeout_h: 4, warning: null };
    const sent = update(edited(values).calls) as Definition;
    const wire = { ...stored, ...sent, options: { ...readOptions(sent), theirs: 1 } };
    expect(undone(values, wire)).toEqual([{ priority: null, options: { ...sentOptions(stored), theirs: 1 } }]);
  });

  test('is undone to the values read just before it was sent, which keeps earlier changes of others', () => {
    const theirs = put(stored, 'options.thresholds.critical_recovery', 70);
    const done = edited({ warning: 85 }, theirs, { 'monitors.update': answered('done') });
    expect(done.back().map((call) => call.body)).toEqual([{ options: sentOptions(theirs) }]);
  });

  test('shows the values of the response, else those that were sent', () => {
    const values = { name: 'Disks', tags: ['a:1'], priority: 2 };
    const truth = (wire: unknown) => answeredWith(values, wire).truth();
    const asked = { id: '77', name: 'Disks', tags: ['a:1'], priority: 2, query: stored.query, mutes: row.mutes };
    for (const answer of [undefined, null, [], 'done', {}, { id: 77 }, { id: 78, name: 'x' }])
      expect(truth(answer)).toMatchObject(asked);
    expect(
      truth({ ...stored, name: 'Theirs', tags: null, priority: '5', modified: '2026-05-06T10:00:00Z' }),
    ).toMatchObject({
      name: 'Theirs',
      tags: [],
      priority: 5,
      modified: Date.UTC(2026, 4, 6, 10),
    });
    expect(editAction.show?.(row, { priority: null }, context)).toMatchObject({ name: 'Disk', priority: undefined });
    expect(answeredWith(values, {}).says()).toBe('Saved Disks; the response does not show the result');
  });
});

/** A response as the client reads it: the value and its unread parts. */
function asRead(wire: unknown): Result<unknown> {
  const seen = readAnswer(getMonitor.response, parseExact(JSON.stringify(wire)), false);
  return seen.ok ? answered(seen.value, seen.unread) : refused('unreadable', seen.fields.join());
}

/** The calls of an action on a monitor with this response, and the result of the action. */
function sentBy(id: 'edit' | 'copy' | 'check', wire: unknown) {
  const answer = (call: Call) => (call.endpoint.id === 'monitors.get' ? asRead(wire) : answered({}));
  if (id === 'check') return walk(checkAction.send(row, {}, context) as Plan<Result<unknown>>, answer);
  const { needs, send } = id === 'edit' ? editAction : cloneAction;
  if (!needs) throw new Error(`${id} needs nothing`);
  const known = walk(needs(row, context).plan(context), answer);
  if (!known.value.ok) return known;
  const values = id === 'edit' ? { timeout_h: 4 } : { name: 'Another' };
  return walk(send(row, values, { ...context, known: known.value.value }) as Plan<Result<unknown>>, answer);
}

/** `options` of every body that was sent. */
const optionsSent = (calls: readonly Call[]) =>
  calls.flatMap(({ body }) => (body === undefined ? [] : [(body as Definition).options as Definition]));

describe('members without a field', () => {
  const formula: Definition = { ...stored, type: 'log alert', query: 'formula("query1").last("5m") > 90' };

  test.each(['edit', 'copy', 'check'] as const)('%s keeps any variables, leaf by leaf', (id) => {
    const variants = fc.oneof(fc.jsonValue(), fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }))));
    fc.assert(
      fc.property(variants, (json) => {
        const variables = parseExact(JSON.stringify(json));
        const { calls, value } = sentBy(id, { ...formula, options: { ...readOptions(formula), variables: json } });
        expect(value.ok).toBe(true);
        const bodies = optionsSent(calls);
        expect(bodies.length).toBeGreaterThan(0);
        for (const options of bodies) expect(options.variables).toEqual(variables);
      }),
    );
  });

  test.each([
    ['copy', 'thresholds', 'not copied: options.thresholds: expected an object'],
    ['check', 'thresholds', 'not checked: options.thresholds: expected an object'],
  ] as const)('a %s is refused where something could not be read that it would have to carry', (id, name, text) => {
    const { calls, value } = sentBy(id, { ...stored, options: { ...readOptions(stored), [name]: 'high' } });
    expect(calls.map((call) => call.endpoint.id)).toEqual(['monitors.get']);
    expect(problemOf(value)).toMatchObject({ kind: 'unreadable', text: expect.stringContaining(text) });
    const elsewhere = sentBy(id, { ...stored, matching_downtimes: 'none', creator: 7 });
    expect(elsewhere.value.ok).toBe(true);
  });

  test('a list with an unreadable element is not sent', () => {
    const odd = sentBy('copy', { ...stored, tags: ['team:core', 7] });
    expect(problemOf(odd.value).text).toContain('not copied: tags[1]: expected text');
    const assets = edited({ assets: [] }, stored, {}, ['assets[0]: expected an object']);
    expect(problemOf(assets.value)).toMatchObject({ kind: 'unreadable' });
    expect(update(assets.calls)).toBeUndefined();
  });

  test('a definition with an unread part is not validated by the service', () => {
    const { calls } = edited({ message: 'x' }, stored, {}, ['options.thresholds: expected an object']);
    expect(calls.map((call) => call.endpoint.id)).toEqual(['monitors.get', 'monitors.update']);
  });

  test('a copy names what it does not carry', () => {
    const definition = {
      ...stored,
      restriction_policy: { bindings: [] },
      later_x: 1,
      modified: '2026-05-06T10:00:00Z',
    };
    const done = (monitor: Definition) =>
      receiptText(
        cloneAction.done(
          row,
          { name: 'Another' },
          { ...stored, id: 78, name: 'Another' },
          {
            ...context,
            known: storedOf(monitor),
          },
        ),
      );
    expect(done(definition)).toContain('; not copied: restriction policy, later x');
    expect(done({ ...stored, restriction_policy: null })).not.toContain('not copied');
  });
});

test('undo of options ignores a response about another monitor', () => {
  const values = { timeout_h: 4 };
  const back = (wire: unknown) => undone(values, wire);
  const wanted = [{ options: sentOptions(stored) }];
  expect(back({ ...stored, options: { ...readOptions(stored), timeout_h: 4 } })).toEqual(wanted);
  expect(back({ ...stored, id: 78, options: { timeout_h: 4, theirs: true } })).toEqual(wanted);
  expect(back({ options: { timeout_h: 4, theirs: true } })).toEqual(wanted);
});

test('a form does not open with the definition of another monitor', () => {
  const opens = (id: unknown) => {
    const plan = editAction.needs?.({ id: '77' } as MonitorRow, contextOf()).plan(contextOf());
    return plan && walk(plan, () => answered({ ...stored, id })).value;
  };
  expect(opens(77)).toMatchObject({ ok: true });
  expect(opens(78)).toMatchObject({ ok: false, problem: { text: 'the response is not monitor 77' } });
});

test.each([
  ['avg(last_5m):avg:a{*} > 90', 90],
  ['logs("a > 4").index("*").rollup("count").last("5m") >= 1.5e3\n', 1500],
  ["max(next_1w):forecast(avg:a{*}, 'linear', 1) <= -.5", -0.5],
  ['formula("a").last("1d") > threshold', undefined],
  ['101 && 102', undefined],
])('the threshold of %s is %s', (query, threshold) => {
  expect(readThreshold(query)).toBe(threshold);
});

test('a formula is offered the names of its variables; what is wrong in their stored list is only doubtful', async () => {
  const query = 'formula("").last("5m") > 90';
  const variables = [{ name: 'errors' }, null, { name: 5 }, { name: 'hits' }];
  const base: Definition = { ...stored, type: 'log alert', query, options: { variables } };
  const fields = definitionForm({ kind: storedKind('log alert', query), base, rows: [] }, contextOf());
  const texts = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.initial]));
  const offered = (await fields.query?.language?.())?.complete(query, 9, texts)?.items.map(({ text }) => text);
  expect(offered?.slice(0, 3)).toEqual(['errors', 'hits', 'exclude_null()']);
  const language = await fields.variables?.language?.();
  const written = texts.variables ?? '';
  const verdicts = (text: string) => new Set(language?.check(text, texts).map(({ verdict }) => verdict));
  expect([verdicts(written), verdicts(`${written.slice(0, -1)}, {}]`)].map((all) => [...all].toSorted())).toEqual([
    ['doubtful'],
    ['doubtful', 'wrong'],
  ]);
});
