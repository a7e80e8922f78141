import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Rows } from '../../src/describe/context.ts';
import { initialQuery } from '../../src/describe/screen.ts';
import { systemClock } from '../../src/lib/time.ts';
import { without } from '../../src/lib/values.ts';
import { findUsers, readPermissions } from '../../src/simulator/kinds/users.ts';
import type { StoredMonitor } from '../../src/simulator/server/monitoring.ts';
import type { Org } from '../../src/simulator/server/store.ts';
import type { Place } from '../support/connected.ts';
import { hasDisk, hasSimple } from '../support/monitors.ts';
import { contextOf } from '../support/plans.ts';
import { hasOnCall } from '../support/roles.ts';
import { runs } from '../support/runs.ts';
import { createSimulator, type Simulator } from '../support/simulator.ts';
import { actionOf, listOf, undoingDashboard } from '../support/undoing-dashboard.ts';

/**
 * Random edits and deletes of what can be created again, with undos, redos, faults of the service and restarts between. When all
 * is undone, the organization is the one before, but for ids, times and what the deletes have called lost.
 */

const clock = systemClock;
/** An organization with two things of each kind at least, some of which name one another. */
function organized() {
  const service = createSimulator({ seed: 3, monitors: 0, issues: 0, lively: false, rate: 0, clock });
  hasDisk(service);
  hasSimple(service, 'Load');
  service.org.filters.clear();
  for (const name of ['checkout', 'rest', 'slow']) service.has('apm_retention_filter', { name });
  hasOnCall(service);
  service.has('roles', { name: 'Night shift', permissions: ['logs_write_archives'] });
  const roles = ownRoles(service);
  for (const [at, mapping] of [...service.org.mappings.values()].entries())
    Object.assign(mapping, { key: `key ${at}`, target: { type: 'roles', id: roles[at % 2]?.id } });
  for (const [at, { readers }] of [...service.org.archives.values()].entries()) {
    readers.clear();
    for (const { id } of roles.slice(at % 3)) readers.add(id);
  }
  return service;
}

const ownRoles = ({ org }: Simulator) => [...org.roles.values()].filter(({ managed }) => !managed);

/** An edit of each kind, by values that a number chooses. */
const edits = {
  monitors: { action: 'edit', values: (n: number) => ({ priority: n + 1 }) },
  roles: {
    action: 'add-user',
    values: (n: number, { org }: Simulator) => ({ person: [...org.users.values()][n] }),
  },
  mappings: { action: 'edit', values: (n: number) => ({ attribute_value: `value ${n}` }) },
  retention: { action: 'edit', values: (n: number) => ({ rate: n / 10 }) },
  archives: {
    action: 'add-reader',
    values: (n: number, service: Simulator) => ({ role: ownRoles(service)[n % 2]?.id, name: 'a role' }),
  },
};
type Kind = keyof typeof edits;

/** The requests that fail while something is created again: its own, or one of those behind it, so that it is there in part. */
const faults = {
  none: [],
  first: ['monitors.create', 'roles.create', 'mappings.create', 'retention.create', 'archives.create'],
  later: ['roles.add-user', 'archives.add-reader', 'retention.order', 'archives.set-order'],
};

type Step =
  | { readonly do: 'edit' | 'delete'; readonly kind: Kind; readonly n: number }
  | { readonly do: 'undo'; readonly fault: keyof typeof faults }
  | { readonly do: 'restart' }
  | { readonly do: 'redo' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('edit' as const, 'delete' as const),
      kind: fc.constantFrom(...(Object.keys(edits) as Kind[])),
      n: fc.nat({ max: 3 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('undo' as const), fault: fc.constantFrom('none', 'first', 'later') }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('redo' as const) }) },
);

/** The organization by names, without ids, times and people who have made what there is. */
const organization = (org: Org) => ({
  monitors: [...org.monitors.values()].map(readMonitor).toSorted((one, other) => one.name.localeCompare(other.name)),
  roles: [...org.roles.values()]
    .filter(({ managed }) => !managed)
    .map((role) => [role.name, readPermissions(org, role), findUsers(org, role.id).map(({ name }) => name)])
    .toSorted(),
  filters: [...org.filters.values()].map(({ name, enabled, filter, filter_type, rate, trace_rate }) => ({
    ...{ name, enabled, filter, filter_type, rate, trace_rate },
  })),
  archives: [...org.archives.values()].map(({ attributes }) => ({ ...attributes })),
  ...Object.assign({}, ...[...org.roles.keys()].map((id) => ofRole(org, id))),
});

const readMonitor = ({ name, type, query, message, tags, priority, options }: StoredMonitor) => ({
  ...{ name, type, query, message, tags, priority, options: { ...options } },
});

/** What goes with a role, as its question says: `On call: key 1`, `Night shift: payments`. */
function ofRole(org: Org, role: string): Readonly<Record<string, string>> {
  const mappings = [...org.mappings.values()].filter(({ target }) => target.id === role);
  const archives = [...org.archives.values()].filter(({ readers }) => readers.has(role));
  const named = (name: unknown) => `${org.roles.get(role)?.name}: ${name}`;
  return Object.fromEntries([
    ...mappings.map(({ key, value }) => [named(key), value]),
    ...archives.map(({ attributes }) => [named(attributes.name), 'reader']),
  ]);
}

/** Dashboards of one journal after one another, which edit, delete and undo. */
function dashboards(service: Simulator, at: Place, directory: string) {
  const context = contextOf({ origin: at.url });
  const opened = (pid: number) => undoingDashboard(at, { directory, pid, clock });
  const own = { pid: 1, dashboard: opened(1) };
  return {
    /** Edits the n-th row that it can be done to; the row's id. */
    async edits(kind: Kind, verb: string, n: number, values: object) {
      const list = listOf(kind);
      const action = actionOf(list, `${kind}.${verb}`);
      const read = await own.dashboard.client.run(list.load(initialQuery(list), context).plan(context));
      const all = read.ok ? (read.value as Rows<unknown>).rows : [];
      const rows = all.filter((row) => action.enabled === undefined || action.enabled(row, context) === true);
      const row = rows[n % rows.length];
      if (row === undefined) return;
      const needed = action.needs && (await own.dashboard.client.run(action.needs(row, context).plan(context)));
      const lost = verb === 'delete' ? ofRole(service.org, list.idOf(row)) : {};
      await own.dashboard.edits({ action, list, rows: [row], values, ...(needed?.ok && { known: needed.value }) });
      return Object.keys(lost);
    },
    /** Presses `u`; whether there was something to undo. */
    async undoes() {
      const offer = await own.dashboard.journal.undoOffer();
      await own.dashboard.presses('askUndo');
      return offer.ok && offer.value.kind === 'undo';
    },
    async redoes() {
      if (own.dashboard.hasRedo()) await own.dashboard.presses('askRedo');
    },
    async restarts() {
      await own.dashboard.closes();
      own.pid += 1;
      own.dashboard = opened(own.pid);
    },
    closes: () => own.dashboard.closes(),
  };
}

async function follow(steps: readonly Step[]): Promise<void> {
  const service = organized();
  const directory = mkdtempSync(join(tmpdir(), 'orgdeck-restore-'));
  const own = dashboards(service, await service.start(), directory);
  const before = structuredClone(organization(service.org));
  const lost: string[] = [];
  try {
    for (const step of steps) {
      if (step.do === 'restart') await own.restarts();
      else if (step.do === 'redo') await own.redoes();
      else if (step.do === 'undo') {
        for (const match of faults[step.fault]) service.refuses(401, { match });
        await own.undoes();
        service.recovers();
      } else if (step.do === 'delete')
        lost.push(...((await own.edits(step.kind, 'delete', step.n, { endsMutes: false })) ?? []));
      else {
        const { action, values } = edits[step.kind];
        await own.edits(step.kind, action, step.n, values(step.n, service));
      }
    }
    let left = 4 * steps.length;
    while (left > 0 && (await own.undoes())) left -= 1;
    expect(without(organization(service.org), lost)).toEqual(without(before, lost));
  } finally {
    await own.closes();
    await service.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

test('what is undone to the end leaves the organization as it was', async () => {
  const sequences = fc.array(step, { minLength: 2, maxLength: 10 });
  await fc.assert(fc.asyncProperty(sequences, follow), { numRuns: runs(90, 8) });
}, 120_000);
