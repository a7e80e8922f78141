import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { screens } from '../../screens/index.ts';
import { openSaved, type Saved } from '../../src/cli/session-files.ts';
import { createRedactor } from '../../src/client/redact.ts';
import { currentRun } from '../../src/lib/private-file.ts';
import { saveView } from '../../src/session/list/menus.ts';
import { createLooks, resumed, savedSession } from '../../src/session/list/resume-session.ts';
import type { SavedSession } from '../../src/session/outside/saved-session.ts';
import { initial, type State } from '../../src/session/state/state.ts';
import { createTestClock } from '../support/clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const secret = 'f00df00df00df00df00df00df00d1234';
const fresh = () => initial(screens, { columns: 100, rows: 30 });
const looks = { lastKey: 5 };

/** A session on monitors, sorted, filtered, with the cursor on a row. */
const used = (): State => {
  const state = fresh();
  const monitors = state.lists.monitors;
  if (!monitors) throw new Error('there is no list of monitors');
  return {
    ...state,
    screen: 'monitors',
    tab: { keys: 1 },
    lists: {
      ...state.lists,
      monitors: {
        ...monitors,
        filter: 'disk',
        sort: { by: 'name', down: true },
        cursor: '4211',
        cursorAt: 3,
        hscroll: 2,
        preview: 'off',
        marks: new Set(['4211']),
      },
    },
  };
};

describe('the saved state of a session', () => {
  test('keeps the sort and the scrolling of a list whose columns are those of its rows', () => {
    const rows = { sort: { by: 'tier', down: true }, hscroll: 3 };
    const saved = { ...savedSession(used(), screens, looks), lists: { 'tables.rows': rows } };
    expect(resumed(fresh(), screens, saved).lists['tables.rows']).toMatchObject(rows);
  });

  test('of a list that nobody has touched is that of a new one', () => {
    const saved = savedSession(fresh(), screens, looks);
    expect(resumed(fresh(), screens, saved).lists).toEqual(fresh().lists);
  });

  test('has a view once, the one saved last, beside the others', () => {
    const named = (state: State, name: string, now: number) => saveView(state, name, screens, now);
    const { views } = named(named(named(used(), 'a', 1), 'b', 2), 'a', 3);
    expect(views.map(({ name, at }) => [name, at])).toEqual([
      ['b', 2],
      ['a', 3],
    ]);
  });
});

describe('the last look', () => {
  test('is the last key before more than ten minutes without one', async () => {
    const clock = createTestClock(Date.UTC(2026, 10, 21));
    const looks = createLooks(clock);
    const pressedAfter = async (ms: number) => {
      await clock.passes(ms);
      looks.press();
      return looks.last();
    };
    const last = clock.now() + 600_000;
    expect([await pressedAfter(600_000), await pressedAfter(600_001), await pressedAfter(540_000)]).toEqual([
      undefined,
      last,
      last,
    ]);
  });

  test('a restart within ten minutes continues the visit, a later one begins another', () => {
    const clock = createTestClock();
    const now = clock.now();
    expect(createLooks(clock, { lastKey: now - 60_000, lastLook: 7 }).last()).toBe(7);
    expect(createLooks(clock, { lastKey: now - 3_600_000, lastLook: 7 }).last()).toBe(now - 3_600_000);
  });
});

describe('the file of a profile', () => {
  const current = { directory: '' };
  beforeEach(() => {
    current.directory = temporaryFolder();
  });
  const clock = createTestClock();
  const open = (name = 'acme', baseUrl = 'https://api.acme.test') =>
    openSaved({
      connection: {
        directory: current.directory,
        settings: { name, baseUrl, snapshot: 'on' },
        redact: createRedactor([secret]),
      },
      clock,
    });
  const draft = (text: string, at = 1) => ({ at, texts: { name: { text, from: '' } } });
  const view = (at = 1, tab = 0) => ({ at, screen: 'monitors', tab, list: {} });
  const path = () => join(current.directory, 'state-acme.json');
  const session = (more: Partial<SavedSession> = {}) => ({ ...savedSession(used(), screens, looks), ...more });
  const write = async (kept: SavedSession = session()) => {
    const saved = await open();
    saved.keep(() => kept);
    await saved.close();
  };
  /** Keeps it, lets a second pass, and waits until it is written, or it is told why not. */
  const writes = async (saved: Saved, kept: SavedSession) => {
    const told = Promise.withResolvers<string | undefined>();
    saved.keep(() => kept, told.resolve);
    await clock.passes('1s');
    return told.promise;
  };

  test('is written at the end, at 0600, without a half-written one beside it', async () => {
    await write(session({ views: { mine: view() }, drafts: { k: draft('typed') } }));
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(readdirSync(current.directory)).toEqual(['state-acme.json']);
    const read = (await open()).session;
    expect(read).toMatchObject({ place: { lastKey: 5, screen: 'monitors' }, drafts: { k: draft('typed') } });
    expect(resumed(fresh(), screens, read as SavedSession)).toMatchObject({
      views: [{ name: 'mine', ...view() }],
      drafts: { k: draft('typed') },
    });
  });

  test('many changes are one write, one second after the first', async () => {
    const saved = await open();
    const asked = { times: 0 };
    const kept = () => {
      asked.times += 1;
      return session();
    };
    for (let at = 0; at < 50; at += 1) saved.keep(kept);
    expect(asked.times).toBe(0);
    await clock.passes('1s');
    await saved.close();
    expect(asked.times).toBe(1);
    expect(readFileSync(path(), 'utf8')).toContain('monitors');
  });

  test('belongs to one address: another deployment under the same name starts anew, without a word', async () => {
    await write();
    const other = await open('acme', 'https://api.other.test');
    expect(other.session).toBeUndefined();
    expect(other.trouble).toBeUndefined();
  });

  test.each([
    ['torn', '{"version":1,"prof'],
    ['of no version', '{"profile":"acme","origin":"https://api.acme.test","value":{}}'],
    ['of another shape', '{"version":1,"profile":"acme","origin":"https://api.acme.test","value":7}'],
  ])('a file that is %s is not used, and said', async (_, text) => {
    writeFileSync(path(), text, { mode: 0o600 });
    const saved = await open();
    expect(saved.session).toBeUndefined();
    expect(saved.trouble).toMatch(/^Starting anew: /);
    expect(saved.trouble).toContain(path());
  });

  test('what cannot be read is moved away before another is written, also what others may open', async () => {
    for (const end of ['.unread', '.2.unread']) {
      writeFileSync(path(), `{"torn ${end}`, { mode: 0o600 });
      const saved = await open();
      expect(saved.trouble).toMatch(/will be kept as a file that ends in \.unread/);
      expect(readFileSync(path(), 'utf8')).toBe(`{"torn ${end}`);
      await writes(saved, session({ views: { mine: view() } }));
      expect(readFileSync(`${path()}${end}`, 'utf8')).toBe(`{"torn ${end}`);
      const again = await open();
      expect([again.trouble, Object.keys(again.session?.views ?? {})]).toEqual([undefined, ['mine']]);
    }
    // No advice names a path that the first save moves.
    chmodSync(path(), 0o644);
    const saved = await open();
    expect(saved.trouble).toContain(`${path()} can be opened by others (mode 0644), so it is not used`);
    expect(saved.trouble).toContain('To use it: quit, run  chmod 600 on that file, and give it its old name');
    expect(saved.trouble).not.toContain(`chmod 600 ${current.directory}`);
    await writes(saved, session());
    expect(readFileSync(`${path()}.3.unread`, 'utf8')).toContain('mine');
  });

  test('entries that do not fit are left out and counted, the others used, and the file is kept', async () => {
    const good = session({ views: { mine: view() }, drafts: { k: draft('typed') } });
    const bad = {
      ...good,
      place: { ...good.place, lastKey: 'yesterday', screen: 7 },
      lists: { ...good.lists, monitors: { filter: 5 } },
      views: { ...good.views, other: { ...view(), tab: -1 } },
      drafts: { ...good.drafts, j: { at: 1e300, texts: {} }, l: { ...draft('x'), texts: { name: 'x' } } },
    };
    const text = JSON.stringify({ version: 1, profile: 'acme', origin: 'https://api.acme.test', value: bad });
    writeFileSync(path(), text, { mode: 0o600 });
    const saved = await open();
    expect(saved.trouble).toBe(
      `5 entries of ${path()} cannot be read and are left out; it will be kept as a file that ends in .unread`,
    );
    const { monitors: _, ...lists } = good.lists;
    expect(saved.session).toEqual({ ...good, place: undefined, lists });
    await writes(saved, good);
    expect(readFileSync(`${path()}.unread`, 'utf8')).toBe(text);
    expect((await open()).trouble).toBeUndefined();
  });

  test('drafts and views of another address are moved away before others are written, a place is not, without a word', async () => {
    await write(session({ drafts: { k: draft('typed') } }));
    const other = await open('acme', 'https://api.other.test');
    expect([other.trouble, other.session]).toEqual([undefined, undefined]);
    await writes(other, session());
    expect(readFileSync(`${path()}.unread`, 'utf8')).toContain('typed');
    await writes(await open('acme', 'https://api.third.test'), session({ views: { mine: view() } }));
    await writes(await open('acme', 'https://api.fourth.test'), session());
    expect(readdirSync(current.directory).filter((name) => name.endsWith('unread'))).toHaveLength(2);
  });

  test('holds no key, wherever a person typed one, and rows hold none either, in any spelling', async () => {
    const saved = await open();
    const encoded = Buffer.from(`x${secret}y`).toString('base64');
    const row = { id: '1', name: `a ${secret}`, raw: encoded };
    saved.keepRows(() => [{ list: 'monitors', key: 'm', at: 1, rows: [row] }], 1000);
    const list = { filter: secret, search: { query: `x ${secret}` } };
    await writes(saved, session({ lists: { monitors: list }, views: { mine: { ...view(), list } } }));
    await saved.close();
    const snapshot = join(current.directory, 'snapshot-acme.json');
    const texts = [path(), snapshot].map((file) => readFileSync(file, 'utf8'));
    for (const text of texts) expect(text).not.toContain(secret);
    expect(texts.join()).toContain('filter');
    expect(texts.join()).not.toContain(encoded.slice(4, 40));
    expect(statSync(snapshot).mode & 0o777).toBe(0o600);
    expect((await open()).snapshot?.[0]?.list).toBe('monitors');
  });

  test('rows are written when the first of them is due; those that only became younger at the end', async () => {
    const saved = await open();
    const written = () => {
      const path = join(current.directory, 'snapshot-acme.json');
      return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).value[0].at : undefined;
    };
    const read = (at: number, withinMs?: number) =>
      saved.keepRows(() => [{ list: 'monitors', key: 'm', at, rows: [] }], withinMs);
    read(1, 600_000);
    read(2, 10_000);
    read(3, 600_000);
    await clock.passes('9s');
    expect(written()).toBeUndefined();
    read(4);
    await clock.passes('2s');
    await expect.poll(written).toBe(4);
    read(5);
    await clock.passes('1h');
    expect(written()).toBe(4);
    await saved.close();
    expect(written()).toBe(5);
  });

  test('where it cannot be written the reason is told, and the end tries once more', async () => {
    mkdirSync(path());
    const saved = await open();
    const told: (string | undefined)[] = [];
    saved.keep(
      () => session({ drafts: { f: draft('typed') } }),
      (problem) => told.push(problem),
    );
    await clock.passes('1s');
    await expect.poll(() => told).toEqual([expect.stringContaining(path())]);
    rmdirSync(path());
    await saved.close();
    expect(told).toEqual([expect.any(String), undefined]);
    expect((await open()).session?.drafts).toEqual({ f: draft('typed') });
  });

  test('what two dashboards keep stands beside each other, by key', async () => {
    const lists = { monitors: { filter: 'a' }, issues: { filter: 'b' } };
    await write(
      session({ lists, drafts: { sent: draft('s'), kept: draft('k') }, views: { old: view(), gone: view() } }),
    );
    const [one, other] = [await open(), await open()];
    await writes(
      one,
      session({
        lists: { ...lists, monitors: { filter: 'mine' } },
        drafts: { kept: draft('k'), mine: draft('m') },
        views: { old: view(), mine: view(2) },
      }),
    );
    const theirs = {
      lists: { ...lists, issues: { filter: 'theirs' } },
      drafts: { sent: draft('s'), kept: draft('changed', 2), theirs: draft('t') },
      views: { gone: view(), old: view(3) },
    };
    await writes(other, session(theirs));
    const after = await open();
    expect(after.session).toMatchObject({ lists: { monitors: { filter: 'mine' }, issues: { filter: 'theirs' } } });
    expect(after.session?.drafts).toEqual({ mine: draft('m'), kept: draft('changed', 2), theirs: draft('t') });
    const views = resumed(fresh(), screens, after.session as SavedSession).views;
    expect(views.map(({ name, at }) => [name, at])).toEqual([
      ['mine', 2],
      ['old', 3],
    ]);
    // What was changed once is not changed again: somebody may have done away with it since.
    await writes(after, session({ drafts: {}, views: {} }));
    await writes(other, session({ ...theirs, views: { ...theirs.views, new: view() } }));
    expect((await open()).session).toMatchObject({ views: { new: view() }, drafts: {} });
    expect(Object.keys((await open()).session?.views ?? {})).toEqual(['new']);
  });

  test('dashboards that write at the same moment lose nothing of each other', async () => {
    const dashboards = await Promise.all(Array.from({ length: 4 }, () => open()));
    const own = dashboards.map(() => [] as string[]);
    for (let round = 0; round < 10; round += 1)
      await Promise.all(
        dashboards.map((saved, at) => {
          own[at]?.push(`${at} ${round}`);
          const names = own[at] ?? [];
          const drafts = Object.fromEntries(names.map((name) => [name, draft('typed')]));
          return writes(saved, session({ drafts, views: Object.fromEntries(names.map((name) => [name, view()])) }));
        }),
      );
    const last = (await open()).session;
    for (const kept of [last?.drafts, last?.views])
      expect(Object.keys(kept ?? {}).toSorted()).toEqual(own.flat().toSorted());
    expect(readdirSync(current.directory)).toEqual(['state-acme.json']);
  });

  test('a dashboard that is stopped while it writes costs no draft; one that was killed holds nobody up', async () => {
    const saved = await open();
    const lock = `${path()}.lock`;
    const run = currentRun();
    const holds = (holder: object) => writeFileSync(lock, JSON.stringify({ at: clock.now(), run: holder }));
    const typed = async (text: string) => {
      expect(await writes(saved, session({ drafts: { k: draft(text) } }))).toBeUndefined();
      expect((await open()).session?.drafts).toEqual({ k: draft(text) });
    };
    await typed('first');
    holds(run);
    await typed('second');
    expect(existsSync(lock)).toBe(true);
    holds({ ...run, pid: 2 ** 30, began: '' });
    await typed('third');
    expect(existsSync(lock)).toBe(false);
  });

  test('a host and port make a name of a file', async () => {
    const saved = await open('127.0.0.1:8080');
    saved.keep(() => session());
    await saved.close();
    expect(readdirSync(current.directory)).toEqual(['state-127.0.0.1%3A8080.json']);
  });
});
