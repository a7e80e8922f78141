/**
 * Unconfirmed edits, laid over rows as they are read. Cached rows are never changed: a lifted overlay no longer applies. A
 * confirmed overlay stays until a read that began after the confirmation has ended.
 */
export interface Overlay {
  /** Lays `look` over the row with this id; where `look` returns undefined, the row is hidden. Returns a token. */
  lay(kind: string, rowId: string, look: (row: unknown) => unknown): number;
  /**
   * The service has confirmed the edit: `truth` returns the row as it is now; undefined: the row is deleted. A read that
   * begins later needs no overlay.
   */
  settle(token: number, truth: ((row: unknown) => unknown) | undefined): void;
  /** Removes the overlay of an edit that was not applied. */
  lift(token: number): void;
  /** The rows with their overlays; the same array while nothing has changed. */
  over<Row>(key: string, kinds: readonly string[], rows: readonly Row[], idOf: (row: Row) => string): readonly Row[];
  /** Ids of rows of a kind whose edits were confirmed after this turn. */
  confirmed(kind: string | undefined, since: number): ReadonlySet<string>;
  /** Ids of rows that our edits deleted. */
  removed(kind: string): ReadonlySet<string>;
  /** Ids of rows with an unconfirmed edit. */
  pending(): ReadonlySet<string>;
  /** The number of the last edit or confirmation; a read records the one at which it began. */
  turn(): number;
}

interface AppliedOverlay {
  readonly token: number;
  readonly kind: string;
  readonly rowId: string;
  look: (row: unknown) => unknown;
  settled?: number;
}

const none: ReadonlySet<string> = new Set();

/** The row under its overlays; undefined where one hides it. */
const lookThrough = (overlays: readonly AppliedOverlay[] = [], row: unknown): unknown =>
  overlays.reduce((shown, { look }) => (shown === undefined ? shown : look(shown)), row);

export function createOverlays(needs: { startedAt: (key: string) => number; changed: () => void }): Overlay {
  const overlays: AppliedOverlay[] = [];
  const memo = new Map<string, { rows: readonly unknown[]; stamp: number; seen: readonly unknown[] }>();
  const gone = new Map<string, Set<string>>();
  const count = { turn: 1, stamp: 0 };
  const touched = () => {
    count.stamp += 1;
    needs.changed();
  };
  return {
    lay(kind, rowId, look) {
      count.turn += 1;
      overlays.push({ token: count.turn, kind, rowId, look });
      touched();
      return count.turn;
    },
    settle(token, truth) {
      const overlay = overlays.find((edit) => edit.token === token);
      if (!overlay) return;
      count.turn += 1;
      overlay.look = truth ?? (() => undefined);
      overlay.settled = count.turn;
      if (!truth) gone.set(overlay.kind, new Set([...(gone.get(overlay.kind) ?? []), overlay.rowId]));
      while (overlays.length > 500 && overlays[0]?.settled !== undefined) overlays.shift();
      touched();
    },
    lift(token) {
      const at = overlays.findIndex((edit) => edit.token === token);
      if (at >= 0) overlays.splice(at, 1);
      touched();
    },
    over(key, kinds, rows, idOf) {
      const startedAt = needs.startedAt(key);
      const live = overlays.filter(
        (edit) => kinds.includes(edit.kind) && (edit.settled === undefined || startedAt < edit.settled),
      );
      if (live.length === 0) return rows;
      const stamp = count.stamp * 1e6 + live.length;
      const before = memo.get(key);
      if (before && before.rows === rows && before.stamp === stamp) return before.seen as typeof rows;
      const byId = Map.groupBy(live, ({ rowId }) => rowId);
      const seen: (typeof rows)[number][] = [];
      for (const row of rows) {
        const shown = lookThrough(byId.get(idOf(row)), row);
        if (shown !== undefined) seen.push(shown as (typeof rows)[number]);
      }
      memo.set(key, { rows, stamp, seen });
      return seen;
    },
    confirmed: (kind, since) =>
      new Set(overlays.filter((edit) => edit.kind === kind && (edit.settled ?? 0) > since).map(({ rowId }) => rowId)),
    removed: (kind) => gone.get(kind) ?? none,
    pending: () => new Set(overlays.filter((edit) => edit.settled === undefined).map((edit) => edit.rowId)),
    turn: () => count.turn,
  };
}
