import type { Plan } from '../../../src/api/plan.ts';
import { type Result, toResult } from '../../../src/api/problem.ts';
import { checksField, choiceField, type Field, readAs } from '../../../src/describe/field.ts';
import type { Pick } from '../../../src/describe/pick.ts';
import type { Rows, Source } from '../../../src/describe/source.ts';
import { unreadable } from '../../../src/lib/parse-result.ts';
import { monitorKindWord } from '../columns.ts';
import { type MonitorRow, severity, toText } from '../row.ts';
import { type Members, membersIn } from './composite-members.ts';
import type { Definition } from './definition.ts';
import type { MonitorKind } from './kinds.ts';
import { settingAt } from './setting.ts';

/** Members of a composite at most (docs/contract/monitor-queries.md#composite). */
const mostMembers = 10;

/** Picks that are known without a request. */
export function knownPicks(key: string, rows: () => Rows<Pick>): Source<Pick> {
  return {
    key,
    of: [],
    whole: true,
    // biome-ignore lint/correctness/useYield: nothing is asked
    *plan(): Plan<Result<Rows<Pick>>> {
      return toResult(rows());
    },
  };
}

/** A monitor as one to choose: its state and its kind beside its name. */
const pickOf = (row: MonitorRow): Pick => ({
  id: row.id,
  label: row.name,
  hint: `${row.state} · ${monitorKindWord(row.type)} · ${row.id}`,
});

/** Monitors as picks, the worst state first. */
function choices(monitors: readonly MonitorRow[]): Rows<Pick> {
  const may = monitors.filter((row) => row.type !== 'composite');
  return { rows: may.toSorted((one, other) => severity(other.state) - severity(one.state)).map(pickOf) };
}

function membersField(label: string, now: Members, monitors: readonly MonitorRow[]): Field<unknown> {
  const named = new Map(monitors.map((row) => [row.id, row]));
  const opened = now.ids.map((id) => {
    const row = named.get(id);
    return row ? pickOf(row) : { id, label: `monitor ${id}` };
  });
  const states = monitors.map((row) => `${row.id}${row.state}`).join();
  const field = checksField(label, opened, () => knownPicks(`members ${states}`, () => choices(monitors)), {
    free: true,
    hint: `Enter opens the list; at most ${mostMembers}`,
  });
  return readAs(field, (ids) => {
    const strange = ids.find((id) => !/^\d+$/.test(id));
    if (strange !== undefined) return unreadable(`${strange} is not a monitor ID`);
    const inner = ids.find((id) => named.get(id)?.type === 'composite');
    if (inner !== undefined)
      return unreadable(`${named.get(inner)?.name} is a composite monitor: composites cannot be nested`);
    if (ids.length > mostMembers)
      return unreadable(`${ids.length} monitors: a composite can have at most ${mostMembers}`);
    return { ok: true, value: ids };
  });
}

const inQuery = (now: Definition): Members | undefined => membersIn(toText(now.query) ?? '');

/** What both fields have in common: they write the query, so they stand at no place of the definition. */
const ofPlainList = {
  takes: (kind: MonitorKind, now: Definition) => kind.family === 'composite' && inQuery(now) !== undefined,
  isThere: () => false,
};

/** The fields that write the query of a composite: they are kept nowhere but in it. */
export const compositeSettings = {
  members: settingAt(undefined, {
    ...ofPlainList,
    label: 'monitors',
    field: (label, _, { rows }, now) =>
      membersField(label, inQuery(now) ?? { ids: [], join: 'all', expression: () => '' }, rows),
  }),
  join: settingAt(undefined, {
    ...ofPlainList,
    label: 'alerts when',
    field: (label, _, __, now) =>
      choiceField(label, inQuery(now)?.join ?? 'all', [
        { value: 'all', label: 'all of them alert (&&)' },
        { value: 'any', label: 'any of them alerts (||)' },
      ]),
  }),
};
