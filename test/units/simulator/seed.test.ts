import { expect, test } from 'vitest';
import { checkDefinition } from '../../../src/simulator/kinds/monitor-check.ts';
import { matchedGroups } from '../../../src/simulator/kinds/silences.ts';
import { createSimulator } from '../../../src/simulator/simulator.ts';
import { simulated, start } from '../../support/simulated.ts';

test('every seeded definition passes the service’s own checks', () =>
  simulated(
    async ({ service }) => {
      const { org } = service;
      expect(org.monitors.size).toBe(340);
      for (const monitor of org.monitors.values()) {
        if (monitor.type === 'synthetics alert') continue;
        const checked = checkDefinition(
          { type: monitor.type, query: monitor.query, options: monitor.options, priority: monitor.priority },
          org,
        );
        expect([monitor.query, checked.ok || checked.text]).toEqual([monitor.query, true]);
      }
      const kinds = new Set([...org.monitors.values()].map((monitor) => monitor.type));
      expect(kinds.size).toBeGreaterThanOrEqual(19);
      const alerting = [...org.monitors.values()].filter((monitor) => monitor.overall === 'Alert').length;
      expect(alerting).toBeGreaterThan(8);
      expect(alerting).toBeLessThan(50);
    },
    { monitors: 340 },
  ));

test('no group of the demo has had the state of its monitor for longer than the monitor', () => {
  for (const { overall, overallChanged, groups, type } of createSimulator({ seed: 2026 }).org.monitors.values()) {
    if (overall === 'OK' || type === 'composite') continue;
    for (const { status, triggered, nodata } of groups.values())
      if (status === overall) expect(1000 * (triggered ?? nodata ?? 0)).toBeGreaterThanOrEqual(overallChanged ?? 0);
  }
});

test('what the seed and the silences know without parsing a query is what the query says', () => {
  const { monitors, silences } = createSimulator({ seed: 2026 }).org;
  for (const monitor of monitors.values()) {
    if (monitor.type !== 'synthetics alert') expect(monitor.multi(), monitor.query).toBe(monitor.parts().multi);
    for (const silence of silences.values()) {
      // A query that names everything is always parsed.
      const named = { ...monitor, query: `${monitor.query} ${silence.scope.join(' ')} ${silence.scopeText}` };
      expect(matchedGroups(silence, monitor)).toEqual(matchedGroups(silence, named));
    }
  }
});

test('the seeded issues are enough, believable and unusual, and a search shows the first 100', () =>
  simulated(
    async ({ service: { org }, ask }) => {
      expect(org.issues.size).toBe(320);
      const all = [...org.issues.values()];
      expect(new Set(all.map((one) => one.state)).size).toBe(5);
      expect(new Set(all.map((one) => one.platform)).size).toBeGreaterThanOrEqual(6);
      expect(all.some((one) => one.message.includes('\u001b'))).toBe(true);
      expect(all.some((one) => /[\u3040-\u9fff]/.test(one.type))).toBe(true);
      const bounds = all.flatMap((one) => {
        const [, index, size] = /(\d+)(?:, Size: |\] with length )(\d+)/.exec(one.message) ?? [];
        return index === undefined ? [] : [Number(index) >= Number(size)];
      });
      expect(new Set(bounds)).toEqual(new Set([true]));
      expect(all.some((one) => one.case !== null)).toBe(true);
      const attributes = { query: '*', from: start - 7 * 86_400_000, to: start, persona: 'ALL' };
      const path = '/api/v2/error-tracking/issues/search?include=issue,issue.assignee,issue.case,issue.team_owners';
      const { body } = await ask('POST', path, { data: { type: 'search_request', attributes } });
      expect(body.data).toHaveLength(100);
      expect(new Set(body.included.map((one: { type: string }) => one.type))).toEqual(
        new Set(['issue', 'user', 'case', 'team']),
      );
    },
    { issues: 320 },
  ));

test('no two rows of an organization have one id', () => {
  const { issues, permissions, users, roles, teams, cases, silences, applicationKeys, apiKeys } = createSimulator({
    seed: 2026,
  }).org;
  const rows = [issues, permissions, users, roles, teams, cases, applicationKeys, apiKeys].flatMap((map) => [
    ...map.values(),
  ]);
  const ids = [...rows.map(({ id }) => id), ...[...silences.values()].map(({ uuid }) => uuid)];
  expect(ids.filter((id, at) => ids.indexOf(id) < at)).toEqual([]);
});
