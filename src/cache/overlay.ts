/**
 * Edits that the service has not confirmed, laid over rows whenever they are read. Nothing is ever rolled back:
 * an overlay that is lifted simply no longer applies. A confirmed one stays until a read that began after the
 * confirmation has brought the truth.
 */
export interface Overlay {
  /** Lays `look` over the row of this id; `undefined` from `look` hides the row. Returns its token. */
  lay(kind: string, rowId: string, look: (row: unknown) => unknown): number;
  /**
   * The service has answered: `truth` makes of a row what it is now; undefined = the row is gone for good. A read
   * that begins from here on knows it by itself.
   */
  settle(token: number, truth: ((row: unknown) => unknown) | undefined): void;
  /** The edit did not happen. */
  lift(token: number): void;
  /** Rows as they should look. The same array comes back while nothing changed. */
  over<Row>(key: string, kinds: readonly string[], rows: readonly Row[], idOf: (row: Row) => string): readonly Row[];
  /** Ids of rows that an edit of ours has taken away for good. */
  removed(kind: string): ReadonlySet<string>;
  /** Ids with an edit still on its way. */
  pending(): ReadonlySet<string>;
  /** A number that grows: a read notes the one at which it began. */
  turn(): number;
}

interface Laid {
  readonly token: number;
  readonly kind: string;
  readonly rowId: string;
  look: (row: unknown) => unknown;
  settled?: number;
}

const none: ReadonlySet<string> = new Set();

export function createOverlays(with_: { begun: (key: string) => number; changed: () => void }): Overlay {
  const laid: Laid[] = [];
  const memo = new Map<string, { rows: readonly unknown[]; stamp: number; seen: readonly unknown[] }>();
  const gone = new Map<string, Set<string>>();
  const count = { turn: 1, stamp: 0 };
  const touched = () => {
    count.stamp += 1;
    with_.changed();
  };
  return {
    lay(kind, rowId, look) {
      count.turn += 1;
      laid.push({ token: count.turn, kind, rowId, look });
      touched();
      return count.turn;
    },
    settle(token, truth) {
      const one = laid.find((edit) => edit.token === token);
      if (!one) return;
      count.turn += 1;
      one.look = truth ?? (() => undefined);
      one.settled = count.turn;
      if (!truth) gone.set(one.kind, new Set([...(gone.get(one.kind) ?? []), one.rowId]));
      while (laid.length > 500 && laid[0]?.settled !== undefined) laid.shift();
      touched();
    },
    lift(token) {
      const at = laid.findIndex((edit) => edit.token === token);
      if (at >= 0) laid.splice(at, 1);
      touched();
    },
    over(key, kinds, rows, idOf) {
      const begun = with_.begun(key);
      const live = laid.filter(
        (edit) => kinds.includes(edit.kind) && (edit.settled === undefined || begun < edit.settled),
      );
      if (live.length === 0) return rows;
      const stamp = count.stamp * 1e6 + live.length;
      const before = memo.get(key);
      if (before && before.rows === rows && before.stamp === stamp) return before.seen as typeof rows;
      const byId = new Map<string, Laid[]>();
      for (const one of live) byId.set(one.rowId, [...(byId.get(one.rowId) ?? []), one]);
      const seen: (typeof rows)[number][] = [];
      for (const row of rows) {
        let now: unknown = row;
        for (const one of byId.get(idOf(row)) ?? []) if (now !== undefined) now = one.look(now);
        if (now !== undefined) seen.push(now as (typeof rows)[number]);
      }
      memo.set(key, { rows, stamp, seen });
      return seen;
    },
    removed: (kind) => gone.get(kind) ?? none,
    pending: () => new Set(laid.filter((edit) => edit.settled === undefined).map((edit) => edit.rowId)),
    turn() {
      count.turn += 1;
      return count.turn;
    },
  };
}
