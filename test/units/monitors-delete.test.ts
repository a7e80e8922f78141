import { describe, expect, test } from 'vitest';
import { deleteAction, forceDeleteAction } from '../../screens/monitors/delete-monitor.ts';
import { type MonitorRow, readMonitor } from '../../screens/monitors/row.ts';
import type { Call } from '../../src/api/endpoint.ts';
import type { Result } from '../../src/api/problem.ts';
import type { Context } from '../../src/describe/context.ts';
import { acted, answered, contextOf, refused } from '../support/plans.ts';
import { there } from '../support/there.ts';

const context = contextOf();
const hour = 3_600_000;
const end = context.now + hour;
const notOffered = refused('notOffered', 'not offered by this deployment', 404);

const row = (more: object = {}): MonitorRow =>
  there(readMonitor({ id: 4211, name: 'Disk', overall_state: 'Alert', ...more }, context.now));

const quiet = {
  'monitors.get': answered({ id: 4211, name: 'Disk' }),
  'downtimes-v1.list': answered([]),
  'downtimes.list': answered({ data: [] }),
};

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
    const conflict = { kind: 'conflict', text: 'in use', messages: [referenced] } as const;
    for (const [problem, why] of [
      [conflict, referenced],
      [{ ...conflict, messages: [] }, 'in use'],
    ] as const)
      expect(remove({ 'monitors.can-delete': { ok: false, problem } })).toMatchObject({
        sent: ['monitors.can-delete'],
        value: {
          ok: false,
          problem: { kind: 'conflict', text: `not deleted: ${why}. To delete it anyway, delete by force` },
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
    expect(remove({ 'monitors.delete': deleted })).toMatchObject({
      sent: ['monitors.can-delete', 'monitors.get', 'monitors.delete'],
      value: { ok: true },
    });
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

  test('a row of a search says what of its downtimes could not be read', () => {
    const told = (answers: Record<string, Result<unknown>>, more = {}, bare = false) => {
      const answer = ({ endpoint: { id } }: Call) =>
        ({ 'monitors.get': quiet['monitors.get'], 'monitors.delete': deleted, ...answers })[id] ?? notOffered;
      const done = acted(forceDeleteAction, { ...row(more), partial: true, bare }, { endsMutes: true }, answer);
      return [done.says(), done.warns()];
    };
    const broken = refused('unreachable', 'no answer');
    expect(told({})).toEqual(['Deleted Disk and broke references to it', false]);
    expect(told({ 'monitors.downtime-matches': broken })).toEqual([
      'Deleted Disk and broke references to it; its downtimes (second version) could not be read: no answer',
      true,
    ]);
    // That of a synthetic test is deleted without being read for its undo.
    for (const isBare of [false, true])
      expect(told({ 'monitors.get': broken }, { type: 'synthetics alert' }, isBare)).toEqual([
        'Deleted Disk and broke references to it; its downtimes could not be read: no answer',
        true,
      ]);
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
