import type { Organisation } from '../../describe/organisation.ts';
import type { Row } from '../list/list-state.ts';

/** What an organisation has told of a read. */
export interface PartRows {
  readonly organisation: Organisation;
  readonly rows: readonly Row[];
}

/** Rows of one organisation that stand one behind the other. */
interface Run {
  readonly of: Organisation;
  readonly from: number;
  to: number;
}

interface Joined {
  readonly parts: ReadonlyMap<Organisation, readonly Row[]>;
  readonly runs: readonly Readonly<Run>[];
  readonly rows: readonly Row[];
}

const nothing: Joined = { parts: new Map(), runs: [], rows: [] };

/**
 * The rows of each read of several organisations, tagged: the same array while no part has other rows. Rows stand in the order in
 * which they came, so that a read of 100,000 only adds its next page at the end, and one that changes a few replaces these.
 */
export function createRowJoiner(): (key: string, each: readonly PartRows[]) => readonly Row[] {
  const kept = new Map<string, Joined>();
  return (key, each) => {
    const before = kept.get(key) ?? nothing;
    const parts = new Map(each.map(({ organisation, rows }) => [organisation, rows]));
    const isSame =
      parts.size === before.parts.size && each.every((one) => before.parts.get(one.organisation) === one.rows);
    if (isSame) return before.rows;
    const hasAll = [...before.parts].every(([of, rows]) => rows.length <= (parts.get(of)?.length ?? -1));
    const now = grown(hasAll ? before : nothing, parts);
    kept.set(key, now);
    return now.rows;
  };
}

function grown(before: Joined, parts: Joined['parts']): Joined {
  const rows = before.rows.slice();
  const runs: Run[] = before.runs.map((run) => ({ ...run }));
  let start = 0;
  for (const { of, from, to } of before.runs) {
    const [was, is] = [before.parts.get(of) ?? [], parts.get(of) ?? []];
    for (let at = from; was !== is && at < to; at += 1) {
      if (was[at] !== is[at]) rows[start + at - from] = of.tag(is[at]);
    }
    start += to - from;
  }
  for (const [of, is] of parts) {
    const from = before.parts.get(of)?.length ?? 0;
    if (from === is.length) continue;
    for (let at = from; at < is.length; at += 1) rows.push(of.tag(is[at]));
    const last = runs.at(-1);
    if (last?.of === of) last.to = is.length;
    else runs.push({ of, from, to: is.length });
  }
  return { parts, runs, rows };
}
