import { areAlike } from '../lib/function-results.ts';
import type { Clock } from '../lib/time.ts';
import { createKeyboard, type MouseEvent } from '../session/keyboard/keyboard.ts';
import { isTooSmall } from '../session/rows/geometry.ts';
import type { Session } from '../session/session.ts';
import type { Message } from '../session/state/message.ts';
import type { Moment } from '../session/state/moment.ts';
import type { ReleaseKeys } from '../terminal/leave-terminal.ts';
import { isKeyCodesReply } from '../terminal/terminal-capabilities.ts';

/** Milliseconds that new rows must have been on the terminal before a key shows that somebody has seen them. */
export const seenMs = 1_000;

/** Follows which new rows of the list in front are on the terminal, and since when. */
interface RowsInSight {
  /** New rows that must be drawn before they can be seen, by identity. */
  undrawn(now: Pick<Moment, 'state' | 'view'>): object | undefined;
  /** The terminal has taken the frame that shows them. */
  shown(undrawn: object): void;
  /** Nothing of the frame is on the terminal any more. */
  hidden(): void;
  /** A key was pressed: the rows that it shows to be seen. */
  pressed(): Message | undefined;
}

export function createRowsInSight(clock: Clock): RowsInSight {
  const held = { rows: { list: '', ids: [] as readonly string[] }, drawnAt: Number.POSITIVE_INFINITY };
  return {
    undrawn(now) {
      const ids = newInSight(now);
      const { list } = now.view;
      if (list.id !== held.rows.list || !areAlike(ids, held.rows.ids))
        Object.assign(held, { rows: { list: list.id, ids }, drawnAt: Number.POSITIVE_INFINITY });
      return ids.length > 0 ? held.rows : undefined;
    },
    shown(undrawn) {
      if (undrawn === held.rows) held.drawnAt = clock.now();
    },
    hidden() {
      held.drawnAt = Number.POSITIVE_INFINITY;
    },
    pressed: () => (clock.now() - held.drawnAt >= seenMs ? { type: 'rowsSeen', ...held.rows } : undefined),
  };
}

/** The new rows in the window of the list, where nothing lies over it. */
function newInSight({ state: { layers, size }, view }: Pick<Moment, 'state' | 'view'>): readonly string[] {
  const { fresh } = view.counts;
  if (fresh.size === 0 || view.list.board || view.detail || layers.length > 0 || isTooSmall(size)) return [];
  return view.ids.slice(view.top, view.top + view.room.listRows).filter((id) => fresh.has(id));
}

/** The source of keys: standard input in raw mode, or a test's double. */
interface KeyInput {
  on(event: 'data', listener: (chunk: Uint8Array | string) => void): unknown;
  off(event: 'data', listener: (chunk: Uint8Array | string) => void): unknown;
}

/** A session on a terminal, whatever draws it: bytes to keys, and the session told of what a person can have read. */
interface Attached {
  readonly session: () => Session;
  /** Another program has the terminal. */
  readonly isLent: () => boolean;
  /** Releases the keyboard while another program has the terminal. */
  readonly releaseKeys: ReleaseKeys;
  /** Follows this session from now on; the first time after drawing has begun. */
  follow(session: Session): void;
  close(): void;
}

/** What whatever shows a session is given of the terminal. */
export interface TerminalUse {
  readonly clock: Clock;
  readonly keys: KeyInput;
  readonly raw: (on: boolean) => void;
  /** Resolves when the terminal has taken all output so far; false where some of it was left out meanwhile. */
  readonly drained: () => Promise<boolean>;
  /** The terminal answered a query. */
  readonly replied?: (text: string) => void;
}

/** Attaches a session to keys and terminal. */
export function attach(
  with_: TerminalUse & {
    readonly session: Session;
    /** Asks the terminal to mark pasted text, or not to. */
    readonly markPastes: (on: boolean) => void;
    /** Where there is a screen to point at: has the terminal report its mouse or not, and acts on what it reports. */
    readonly mouse?: { report(on: boolean): void; act(event: MouseEvent): void };
    /** Has the terminal send Esc, Ctrl and Alt keys as codes, or as bytes; called where it has said that it can. */
    readonly codeKeys?: (on: boolean) => void;
    /** Resolves when what the session shows now has been written. */
    readonly written: () => Promise<unknown>;
    /** The terminal is back. */
    readonly resumed: () => void;
  },
): Attached {
  const held = {
    session: with_.session,
    isLent: false,
    /** The terminal reports its mouse. */
    mouse: false,
    /** The terminal can send codes of keys. */
    hasCodes: false,
    /** What was announced, or is about to be. */
    undrawn: [] as readonly object[],
    stop: () => {},
  };
  const sight = createRowsInSight(with_.clock);
  const keyboard = createKeyboard({
    clock: with_.clock,
    key(key) {
      const seen = sight.pressed();
      if (seen) held.session.send(seen);
      held.session.press(key);
    },
    paste: (text) => held.session.paste(text),
    reply(text) {
      if (isKeyCodesReply(text) && !held.hasCodes) {
        held.hasCodes = true;
        with_.codeKeys?.(true);
      }
      with_.replied?.(text);
    },
    mouse(event) {
      if (held.mouse && !held.session.isUnread('click')) with_.mouse?.act(event);
    },
  });
  const feed = (chunk: Uint8Array | string) => keyboard.feed(chunk);
  const take = () => {
    with_.markPastes(true);
    if (held.hasCodes) with_.codeKeys?.(true);
    with_.raw(true);
    with_.keys.on('data', feed);
  };
  take();
  const point = (on: boolean) => {
    if (on !== held.mouse) with_.mouse?.report(on);
    held.mouse = on;
  };

  /** Tells the session once what shows it is drawn and the terminal has taken it. */
  const announce = async (session: Session, undrawn: object) => {
    do await with_.written();
    while (!(await with_.drained()));
    if (held.isLent) return;
    session.shown(undrawn);
    sight.shown(undrawn);
  };
  const follow = () => {
    const { session } = held;
    if (held.isLent) return;
    point(session.store.getState().state.mouse);
    const before = held.undrawn;
    const rows = sight.undrawn(session.now());
    held.undrawn = rows ? [...session.undrawn(), rows] : session.undrawn();
    for (const one of held.undrawn) if (!before.includes(one)) void announce(session, one);
  };

  return {
    session: () => held.session,
    isLent: () => held.isLent,
    releaseKeys() {
      with_.raw(false);
      with_.keys.off('data', feed);
      with_.markPastes(false);
      if (held.hasCodes) with_.codeKeys?.(false);
      point(false);
      held.isLent = true;
      sight.hidden();
      return () => {
        held.isLent = false;
        take();
        with_.resumed();
        held.undrawn = [];
        follow();
      };
    },
    follow(session) {
      held.session = session;
      held.stop();
      held.stop = session.store.subscribe(follow);
      follow();
    },
    close() {
      with_.keys.off('data', feed);
      held.stop();
      keyboard.close();
    },
  };
}
