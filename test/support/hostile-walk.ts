import { expect } from 'vitest';
import { screens } from '../../screens/index.ts';
import type { AnyAction } from '../../src/describe/action.ts';
import type { AnyList } from '../../src/describe/screen.ts';
import { refusedMs } from '../../src/session/keys/key-input.ts';
import { tailsOf } from './hostile.ts';
import type { Pty } from './terminal.ts';

const esc = '\u001B';
const pageDown = '\u001B[6~';

/** A list, and the keys that lead there: its screen's, and Tab as often as it has lists before. */
interface Place {
  readonly list: AnyList;
  readonly keys: readonly string[];
}

/** The lists of the screens with these keys. */
export const placesOf = (keys: string): readonly Place[] =>
  screens.flatMap(({ key = '', lists }) =>
    key !== '' && keys.includes(key)
      ? lists.map((list, at) => ({ list, keys: [key, ...Array<string>(at).fill('\t')] }))
      : [],
  );

/** Looks at frame after frame of the dashboard for the hostile texts whose end is there. */
export interface Walk {
  /** How many different ones it has seen. */
  seen(): number;
  /** The list, its rows, their details with all tabs, every action's picker, form, review, question and receipt. */
  throughPlace(place: Place): Promise<void>;
  /** What can be opened everywhere: journal, messages, palette, help, a search, the copies and the handover. */
  throughLayers(): Promise<void>;
  /** All rows of a list, read anew, page by page and without a preview. */
  throughRows(place: Place): Promise<void>;
}

export function createWalk(pty: Pty): Walk {
  const seen = new Set<number>();
  const looks = async (isRows = false) => {
    // A row has its text in one line; a preview, which may open late, goes on in the next ones.
    const tails = () => tailsOf(pty.screen(), isRows && boxes() <= 1 ? 0 : undefined);
    // A large frame may still be on its way.
    await expect.poll(() => tails().lost, { timeout: 8000, interval: 5, message: 'lost tails' }).toEqual([]);
    for (const number of tails().seen) seen.add(number);
  };
  const presses = async (...keys: readonly string[]) => {
    for (const key of keys) {
      const before = pty.mark();
      pty.presses(key);
      // Most keys draw something; one that does not is over then.
      await expect
        .poll(() => pty.mark() > before, { timeout: 200, interval: 5 })
        .toBe(true)
        .catch(() => {});
      await pty.settles(30);
      await looks();
    }
  };
  const shows = (text: string | RegExp) => pty.screen().some((line) => line.search(text) >= 0);
  const offersQuit = () => pty.screen().slice(-2).join('\n').includes(' q quit');
  const boxes = () => pty.screen().join('').split('┌').length - 1;
  /** Leaves whatever is open, until the hints have offered to quit after two Escs. */
  const home = async () => {
    for (let time = 0, closed = 0; closed < 2; time += 1) {
      if (time > 25) throw new Error(`Esc does not lead to the list:\n${pty.screen().join('\n')}`);
      await presses(esc);
      closed = offersQuit() ? closed + 1 : 0;
    }
    // Keys right after a refused one do not count.
    await pty.settles(refusedMs + 50);
  };
  const goes = async ({ keys }: Place) => {
    await home();
    await presses(...keys);
  };
  /** `1-44/1000` at the end of the list's border. */
  const rangeOf = () =>
    pty
      .screen()
      .map((line) => / (\d+-(\d+)\/(\d+)) ┘/.exec(line))
      .findLast((found) => found !== null);
  return {
    seen: () => seen.size,
    async throughPlace(place) {
      await goes(place);
      await presses('j', '\r', ']', ']', ']');
      for (const action of place.list.actions) {
        const key = keyOf(action);
        if (key === undefined) continue;
        await goes(place);
        // Opened, gone into, filled in, reviewed; a question is answered as no hostile row expects it: the edit is sent.
        await presses(key, 'j', '\r', '\u0013', '\r');
        if (shows(/\by\b.*\bn\b/)) await presses('y');
      }
    },
    async throughLayers() {
      for (const keys of [['H', 'j', '\r'], ['!'], ['?'], [':'], ['/', 'h'], ['Y', 'j']]) {
        await home();
        await presses(...keys);
      }
    },
    async throughRows(place) {
      await goes(place);
      await presses('g');
      // What a preview shows goes on in its next line. The boxes of a board are its blocks: it has no preview.
      for (let time = 0; time < 3 && boxes() > 1 && !place.list.board; time += 1) {
        const before = pty.mark();
        pty.presses('p');
        // The clock of the frame writes a few bytes, another layout far more.
        await expect.poll(() => pty.mark() - before, { interval: 5 }).toBeGreaterThan(100);
        await pty.settles(30);
      }
      for (let range = rangeOf(); ; range = rangeOf()) {
        await looks(true);
        if (!range || Number(range[2]) >= Number(range[3])) return;
        // Two halves.
        pty.presses(pageDown + pageDown);
        await pty.missesSoon(`${range[1]} ┘`);
      }
    },
  };
}

const keyOf = ({ key }: AnyAction): string | undefined =>
  typeof key === 'string' && key.length === 1 ? key : undefined;
