import { describe, expect, test } from 'vitest';
import { deleteAction, forceDeleteAction } from '../../screens/monitors/delete-monitor.ts';
import { findMutes } from '../../screens/monitors/mutes.ts';
import { type MonitorRow, readMonitor } from '../../screens/monitors/row.ts';
import { unmuteAction } from '../../screens/monitors/unmute.ts';
import type { UnmuteValues } from '../../screens/monitors/unmute-choice.ts';
import type { Call } from '../../src/api/endpoint.ts';
import type { Result } from '../../src/api/problem.ts';
import type { Context } from '../../src/describe/context.ts';
import { acted, answered, contextOf, refused } from '../support/plans.ts';
import { there } from '../support/there.ts';

const context = contextOf();
const hour = 3_600_000;
const epoch = (ms: number) => Math.round(ms / 1000);
const end = context.now + hour;
const notOffered = refused('notOffered', 'not offered by this deployment', 404);

const row = (more: object = {}): MonitorRow =>
  there(readMonitor({ id: 4211, name: 'Disk', overall_state: 'Alert', ...more }, context.now));

const silenced = (map: object) => row({ options: { silenced: map } });
const quiet = {
  'monitors.get': answered({ id: 4211, name: 'Disk' }),
  'downtimes-v1.list': answered([]),
  'downtimes.list': answered({ data: [] }),
};

/** Runs `M` on a row: without a question if possible, else with these values. */
function unmute(
  row: MonitorRow,
  answers: Record<string, Result<unknown>>,
  given?: UnmuteValues,
  known: Context = context,
) {
  const values = given ?? unmuteAction.values?.([row], known);
  if (!values) return { asks: unmuteAction.bar?.([row], known) };
  const done = acted(unmuteAction, row, values, (call) => answers[call.endpoint.id] ?? notOffered, known);
  const { calls, value } = done;
  const edits = calls
    .filter((call) => call.endpoint.repeat !== 'read')
    .map((call) => [call.endpoint.id, { ...call.params, ...call.query }]);
  if (!value.ok) return { values, edits, problem: value.problem };
  const undo = done.back().map((call) => [call.endpoint.id, call.body]);
  return { values, edits, says: done.says(), undo, truth: done.truth() };
}

describe('unmute', () => {
  test('undo of a mute without end restores it without end', () => {
    const done = unmute(silenced({ '*': null }), { ...quiet, 'monitors.unmute': answered({ id: 4211 }) });
    expect(done).toMatchObject({
      edits: [['monitors.unmute', { monitor_id: '4211' }]],
      says: 'Unmuted Disk',
      undo: [['monitors.mute', {}]],
    });
  });

  test('says when it is unknown what still mutes', () => {
    const done = unmute(silenced({ '*': null }), {
      'monitors.unmute': answered({}),
      'monitors.get': refused('unreachable', 'no answer'),
    });
    expect(done.says).toBe('Unmuted Disk; whether another mute is left could not be read: no answer');
  });

  test('a mute that has ended is no error', () => {
    const off = refused('invalid', 'query alert "Disk" is already unmuted on *', 400);
    expect(unmute(silenced({ '*': null }), { ...quiet, 'monitors.unmute': off })).toMatchObject({
      says: 'Disk was already unmuted',
      undo: [],
    });
    const missing = refused('notFound', 'Monitor not found', 404);
    expect(unmute(silenced({ '*': null }), { ...quiet, 'monitors.unmute': missing }).problem).toMatchObject({
      kind: 'notFound',
    });
  });

  test('all scopes are one call for the mutes, one for each downtime, none for mutes of several monitors', () => {
    const monitor = row({
      options: { silenced: { 'host:a': epoch(end), 'host:b': null } },
      matching_downtimes: [
        { id: 1, monitor_id: 4211, scope: ['host:c'], end: null },
        { id: 2, monitor_id: null, scope: ['*'], end: null },
      ],
    });
    const done = unmute(
      monitor,
      { ...quiet, 'monitors.unmute': answered({}), 'downtimes-v1.delete': answered(undefined) },
      { which: 'all' },
    );
    expect(done.edits).toEqual([
      ['downtimes-v1.delete', { downtime_id: '1' }],
      ['monitors.unmute', { monitor_id: '4211', all_scopes: true }],
    ]);
    expect(done.undo?.map(([id]) => id)).toEqual(['downtimes-v1.create', 'monitors.mute', 'monitors.mute']);
    expect(unmuteAction.confirm?.([monitor], { which: 'all' }, context)).toMatchObject({
      typed: '3',
      destructive: true,
    });
  });

  test('reports what was done before a failure', () => {
    const monitor = row({
      options: { silenced: { 'host:a': null } },
      matching_downtimes: [{ id: 1, monitor_id: 4211, scope: ['host:c'], end: null }],
    });
    const done = unmute(
      monitor,
      {
        'downtimes-v1.delete': answered(undefined),
        'monitors.unmute': refused('forbidden', 'needs monitors_write', 403),
      },
      { which: 'all' },
    );
    expect(done.problem?.text).toBe('unmuted host:c, then: needs monitors_write');
  });

  test('does not end a downtime that turns out to cover several monitors', () => {
    const monitor = row({
      options: { silenced: { '*': epoch(end) } },
      matching_downtimes: [{ id: 812, scope: ['*'], end: epoch(end) }],
    });
    const done = unmute(monitor, {
      'downtimes-v1.get': answered({ id: 812, scope: ['*'], monitor_id: null, monitor_tags: ['team:core'] }),
    });
    expect(done).toMatchObject({ edits: [], problem: { kind: 'conflict' } });
    expect(done.problem?.text).toContain('every monitor tagged team:core');
  });

  test('does not end a recurring downtime', () => {
    const monitor = row({ matching_downtimes: [{ id: 812, monitor_id: 4211, scope: ['*'], end: null }] });
    const done = unmute(monitor, {
      'downtimes-v1.get': answered({ id: 812, scope: ['*'], monitor_id: 4211, recurrence: { type: 'weeks' } }),
    });
    expect(done).toMatchObject({ edits: [], problem: { kind: 'conflict' } });
  });

  test('repeated on another row, ends the same scope there', () => {
    const elsewhere: UnmuteValues = {
      which: 'one',
      mute: { monitor: '99', by: 'v1', id: '5', scope: 'host:a', end: null, wide: false },
    };
    const done = unmute(silenced({ 'host:a': null }), { ...quiet, 'monitors.unmute': answered({}) }, elsewhere);
    expect(done.edits).toEqual([['monitors.unmute', { monitor_id: '4211', scope: 'host:a' }]]);
    expect(unmute(silenced({ 'host:b': null }), {}, elsewhere)).toMatchObject({
      edits: [],
      problem: {
        kind: 'conflict',
        text: 'Disk is not muted on host:a; muted: host:b by a mute forever (--scope host:b)',
      },
    });
  });

  test('asks about marked rows only if one has several mutes', () => {
    const one = silenced({ '*': null });
    expect(unmuteAction.values?.([one, one], context)).toEqual({ which: 'only' });
    const values = unmuteAction.values?.([one, silenced({ a: null, b: null })], context);
    expect(values).toEqual({ which: 'all' });
    expect(values && unmuteAction.confirm?.([one, one], values, context)).toMatchObject({
      question: 'End all mutes of 2 monitors?',
      typed: '2',
    });
  });

  test('shows the row as unmuted until the service responds, together with the scope of its downtime', () => {
    const monitor = row({
      options: { silenced: { '*': epoch(end) } },
      matching_downtimes: [{ id: 812, monitor_id: 4211, scope: ['*'], end: epoch(end) }],
    });
    const values = unmuteAction.values?.([monitor], context);
    const shown = values && unmuteAction.show?.(monitor, values, context);
    expect(shown && findMutes(shown, context.now)).toEqual([]);
  });

  test('the copied command does the same', () => {
    expect(unmuteAction.command?.(row(), { which: 'all' })).toBe('orgdeck monitors unmute 4211 --all');
    expect(unmuteAction.command?.(row(), { which: 'scope', scope: 'host:a' })).toBe(
      'orgdeck monitors unmute 4211 --scope host:a',
    );
    expect(unmuteAction.command?.(row(), { which: 'only' })).toBe('orgdeck monitors unmute 4211');
  });
});

describe('delete', () => {
  const stays = { endsMutes: false };
  function remove(answers: Record<string, Result<unknown>>, known: Context = context) {
    const all: Record<string, Result<unknown>> = { 'monitors.get': quiet['monitors.get'], ...answers };
    const answer = (call: Call) => all[call.endpoint.id] ?? notOffered;
    const { value, operations: sent } = acted(deleteAction, row(), stays, answer, known);
    return { value, sent };
  }
  const deleted = answered({ deleted_monitor_id: 4211 });
  const referenced = 'monitor [4211,Disk] is referenced in slos: [ab12,Availability]';

  test('names what refers to it, in any form of the response', () => {
    const asked = remove({ 'monitors.can-delete': refused('conflict', referenced, 409) });
    expect(asked).toMatchObject({
      sent: ['monitors.can-delete'],
      value: {
        ok: false,
        problem: { kind: 'conflict', text: `not deleted: ${referenced}. To delete it anyway, delete by force` },
      },
    });
    const inside = remove({ 'monitors.can-delete': answered({ data: { ok: [] }, errors: { 4211: [referenced] } }) });
    expect(inside.value).toMatchObject({ ok: false, problem: { kind: 'conflict' } });
    const late = remove({ 'monitors.delete': refused('forbidden', referenced, 401) });
    expect(late).toMatchObject({
      sent: ['monitors.can-delete', 'monitors.get', 'monitors.delete'],
      value: { ok: false, problem: { kind: 'conflict' } },
    });
  });

  test('skips the check where it is not offered, stops where it fails', () => {
    expect(
      remove({ 'monitors.delete': deleted }, contextOf({ offered: (id) => id !== 'monitors.can-delete' })).sent,
    ).toEqual(['monitors.get', 'monitors.delete']);
    expect(remove({ 'monitors.can-delete': refused('unreachable', 'no answer') })).toMatchObject({
      sent: ['monitors.can-delete'],
      value: { ok: false },
    });
  });

  test('undo makes the downtimes that stayed be for the monitor again, where the deployment lets it', () => {
    const own = { by: 'v2', id: 'aa-1', monitor: '4211', scope: '*', end, wide: false } as const;
    const backOf = (known: Context) => {
      const answer = ({ endpoint }: Call) => (endpoint.id === 'monitors.get' ? quiet['monitors.get'] : deleted);
      const forced = acted(forceDeleteAction, { ...row(), mutes: [own] }, stays, answer, known);
      return forced.back().map(({ endpoint, params, body }) => [endpoint.id, params, body]);
    };
    const monitor_identifier = { monitor_id: 4211 };
    expect(backOf(context)).toEqual([
      ['monitors.create', {}, expect.anything()],
      [
        'downtimes.update',
        { downtime_id: 'aa-1' },
        { data: { id: 'aa-1', type: 'downtime', attributes: { monitor_identifier } } },
      ],
    ]);
    expect(backOf(contextOf({ offered: (id) => id !== 'downtimes.update' }))).toHaveLength(1);
  });

  test('sends nothing where the undo that it promised cannot be made, and promises none that it knows of', () => {
    const promised = remove({ 'monitors.get': notOffered, 'monitors.delete': deleted });
    expect(promised.sent).toEqual(['monitors.can-delete', 'monitors.get']);
    const unoffered = contextOf({ offered: (id) => id !== 'monitors.create' });
    const lacking = contextOf({ lacks: ({ id }) => (id === 'monitors.create' ? 'monitors_write' : undefined) });
    const backOf = (known: Context) => deleteAction.confirm?.([row()], stays, known)?.details?.[0];
    expect([backOf(context), backOf(unoffered), backOf(lacking)]).toEqual([
      expect.stringMatching(/^Undo creates it again/),
      'Cannot be undone: not offered by this deployment',
      'Cannot be undone: needs monitors_write, which your roles lack',
    ]);
    const answers = { 'monitors.get': refused('forbidden', 'no', 403), 'monitors.delete': deleted };
    expect(remove(answers).sent).not.toContain('monitors.delete');
    for (const known of [unoffered, lacking]) expect(remove(answers, known).value.ok).toBe(true);
  });
});
