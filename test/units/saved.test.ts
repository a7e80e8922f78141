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
import { openSaved } from '../../src/cli/saved.ts';
import { createRedactor } from '../../src/client/redact.ts';
import { currentRun } from '../../src/lib/process-run.ts';
import { resumed, savedSession } from '../../src/session/list/resume.ts';
import { createLooks } from '../../src/session/outside/looks.ts';
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
  test('restores screen, tab, filter, sort, columns, cursor and preview, and no marks', () => {
    const saved = savedSession(used(), screens, looks);
    const state = resumed(fresh(), screens, JSON.parse(JSON.stringify(saved)) as SavedSession);
    expect(state).toMatchObject({ screen: 'monitors', tab: { keys: 1 } });
    expect(state.lists.monitors).toMatchObject({
      filter: 'disk',
      preview: 'off',
      sort: { by: 'name', down: true },
      cursor: '4211',
      cursorAt: 3,
      hscroll: 2,
      marks: new Set(),
    });
  });

  test('keeps the sort and the scrolling of a list whose columns are those of its rows', () => {
    const rows = { sort: { by: 'tier', down: true }, hscroll: 3 };
    const saved = { ...savedSession(used(), screens, looks), lists: { 'tables.rows': rows } };
    expect(resumed(fresh(), screens, saved).lists['tables.rows']).toMatchObject(rows);
  });

  test('omits screens, tabs, columns, ranges and fields that no longer exist', () => {
    const saved = savedSession(used(), screens, looks);
    const state = resumed(fresh(), screens, {
      ...saved,
      screen: 'gone',
      tabs: { keys: 99, gone: 1 },
      lists: {
        monitors: { sort: { by: 'gone', down: true }, search: { gone: 'x' }, hscroll: 999 },
        issues: { range: '9y' },
        gone: { filter: 'x' },
      },
    });
    const start = fresh();
    expect(state.screen).toBe(start.screen);
    expect(state.tab).toEqual({});
    expect(Object.keys(state.lists)).toEqual(Object.keys(start.lists));
    expect(state.lists.issues?.asked).toEqual(start.lists.issues?.asked);
    expect(state.lists.monitors?.sort).toBeUndefined();
    expect(state.lists.monitors?.asked.search).toEqual(start.lists.monitors?.asked.search);
    expect(state.lists.monitors?.hscroll).toBeLessThan(30);
  });
});

describe('the last look', () => {
  test('is the last key before ten minutes without one', async () => {
    const clock = createTestClock();
    const looks = createLooks(clock);
    const before = clock.now();
    looks.press();
    expect(looks.last()).toBeUndefined();
    await clock.passes('11m');
    looks.press();
    expect(looks.last()).toBeGreaterThanOrEqual(before);
    expect(looks.last()).toBeLessThan(before + 1000);
    await clock.passes('9m');
    looks.press();
    expect(looks.last()).toBeLessThan(before + 1000);
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
  const view = (name: string, tab = 0) => ({ name, screen: 'monitors', tab, list: {} });
  const path = () => join(current.directory, 'session-acme.json');
  const write = async (session: SavedSession = savedSession(used(), screens, looks)) => {
    const saved = await open();
    saved.keep(() => session);
    await saved.close();
  };

  test('is written at the end, at 0600, without a half-written one beside it', async () => {
    await write();
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(readdirSync(current.directory)).toEqual(['session-acme.json']);
    expect((await open()).session).toMatchObject({ lastKey: 5, screen: 'monitors' });
  });

  test('many changes are one write, three seconds after the first', async () => {
    const saved = await open();
    const asked = { times: 0 };
    const session = () => {
      asked.times += 1;
      return savedSession(used(), screens, looks);
    };
    for (let at = 0; at < 50; at += 1) saved.keep(session);
    expect(asked.times).toBe(0);
    await clock.passes('3s');
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
    ['of another version', '{"version":2,"profile":"acme","origin":"https://api.acme.test","value":{}}'],
    ['of another shape', '{"version":1,"profile":"acme","origin":"https://api.acme.test","value":{"screen":7}}'],
  ])('a file that is %s is not used, and said', async (_, text) => {
    writeFileSync(path(), text, { mode: 0o600 });
    const saved = await open();
    expect(saved.session).toBeUndefined();
    expect(saved.trouble).toContain(path());
  });

  test('of what a person typed, a file that cannot be read is moved away before another is written', async () => {
    const files = ['drafts-acme.json', 'views-acme.json'] as const;
    const at = (name: string) => join(current.directory, name);
    mkdirSync(current.directory, { recursive: true, mode: 0o700 });
    const torn = (name: string, round: number) => writeFileSync(at(name), `{"torn ${round}`, { mode: 0o600 });
    for (const round of [1, 2]) {
      for (const name of files) torn(name, round);
      const saved = await open();
      const end = round === 1 ? '.unread' : '.2.unread';
      for (const name of files) {
        expect(saved.trouble).toMatch(/will be kept as a file that ends in \.unread/);
        expect(readFileSync(at(name), 'utf8')).toBe(`{"torn ${round}`);
      }
      saved.keepDrafts(() => ({ k: draft('typed') }));
      await saved.saveViews([view('mine')]);
      await saved.close();
      for (const name of files) expect(readFileSync(at(`${name}${end}`), 'utf8')).toBe(`{"torn ${round}`);
      const again = await open();
      expect([again.trouble, again.views?.map((view) => view.name)]).toEqual([undefined, ['mine']]);
    }
    // One that others may open is not lost either, and no advice names a path that the first save moves.
    chmodSync(at('views-acme.json'), 0o644);
    const saved = await open();
    expect(saved.trouble).toMatch(/\(mode 0644\), so it is not used; it will be kept as a file that ends in \.unread/);
    expect(saved.trouble).toContain('chmod 600 on that file');
    expect(saved.trouble).not.toContain(`chmod 600 ${current.directory}`);
    await saved.saveViews([]);
    expect(readFileSync(at('views-acme.json.3.unread'), 'utf8')).toContain('mine');
  });

  test('a session that cannot be read is moved away before another is written; one of another address is not', async () => {
    mkdirSync(current.directory, { recursive: true, mode: 0o700 });
    writeFileSync(path(), '{"torn', { mode: 0o600 });
    const saved = await open();
    expect(saved.trouble).toMatch(/will be kept as a file that ends in \.unread/);
    saved.keep(() => savedSession(used(), screens, looks));
    await saved.close();
    expect(readFileSync(`${path()}.unread`, 'utf8')).toBe('{"torn');
    const other = await open('acme', 'https://api.other.test');
    expect(other.trouble).toBeUndefined();
    other.keep(() => savedSession(used(), screens, looks));
    await other.close();
    expect(readdirSync(current.directory).filter((name) => name.endsWith('.unread'))).toEqual([
      'session-acme.json.unread',
    ]);
  });

  test('drafts and views of another address are moved away before others are written, without a word', async () => {
    const before = await open();
    before.keepDrafts(() => ({ k: draft('typed') }));
    await before.saveViews([view('mine')]);
    await before.close();
    const other = await open('acme', 'https://api.other.test');
    expect([other.trouble, other.drafts, other.views]).toEqual([undefined, undefined, undefined]);
    other.keepDrafts(() => ({ k: draft('other') }));
    await other.saveViews([view('theirs')]);
    await other.close();
    for (const [name, text] of [
      ['drafts', 'typed'],
      ['views', 'mine'],
    ])
      expect(readFileSync(join(current.directory, `${name}-acme.json.unread`), 'utf8')).toContain(text);
    // Nothing is left of a file that had nothing.
    const third = await open('acme', 'https://api.third.test');
    await third.saveViews([]);
    const fourth = await open('acme', 'https://api.fourth.test');
    await fourth.saveViews([view('fourth')]);
    expect(readdirSync(current.directory).filter((name) => /^views.*unread$/.test(name))).toHaveLength(2);
  });

  test('a file that others can read is not used, and the sentence says where it will be and how to mend it', async () => {
    await write();
    chmodSync(path(), 0o644);
    const saved = await open();
    expect(saved.session).toBeUndefined();
    expect(saved.trouble).toContain(`${path()} can be opened by others (mode 0644)`);
    expect(saved.trouble).toContain('To use it: quit, run  chmod 600 on that file, and give it its old name');
  });

  test('holds no key, wherever a person typed one', async () => {
    const session = savedSession(used(), screens, looks);
    await write({ ...session, lists: { monitors: { filter: secret, search: { query: `x ${secret}` } } } });
    const text = readFileSync(path(), 'utf8');
    expect(text).not.toContain(secret);
    expect(text).toContain('filter');
  });

  test('rows and views hold no key either, in any spelling', async () => {
    const saved = await open();
    const encoded = Buffer.from(`x${secret}y`).toString('base64');
    const row = { id: '1', name: `a ${secret}`, raw: encoded };
    saved.keepRows(() => [{ list: 'monitors', key: 'm', at: 1, rows: [row] }], 1000);
    await saved.saveViews([{ name: 'mine', screen: 'monitors', tab: 0, list: { filter: secret } }]);
    await saved.close();
    const texts = ['snapshot', 'views'].map((what) =>
      readFileSync(join(current.directory, `${what}-acme.json`), 'utf8'),
    );
    for (const text of texts) expect(text).not.toContain(secret);
    expect(texts.join()).not.toContain(encoded.slice(4, 40));
    expect(statSync(join(current.directory, 'snapshot-acme.json')).mode & 0o777).toBe(0o600);
    expect((await open()).views?.[0]?.name).toBe('mine');
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

  test('of drafts that cannot be written the reason is told, and the end tries once more', async () => {
    const file = join(current.directory, 'drafts-acme.json');
    mkdirSync(file);
    const saved = await open();
    const told: (string | undefined)[] = [];
    saved.keepDrafts(
      () => ({ f: { at: 1, texts: {} } }),
      (problem) => told.push(problem),
    );
    await clock.passes('1s');
    await expect.poll(() => told).toEqual([expect.stringContaining(file)]);
    rmdirSync(file);
    await saved.close();
    expect(told).toEqual([expect.any(String), undefined]);
    expect((await open()).drafts).toEqual({ f: { at: 1, texts: {} } });
  });

  test('drafts and views of two dashboards stand beside each other', async () => {
    const before = await open();
    before.keepDrafts(() => ({ sent: draft('s'), kept: draft('k') }));
    await before.saveViews([view('old'), view('gone')]);
    await before.close();
    const [one, other] = [await open(), await open()];
    one.keepDrafts(() => ({ kept: draft('k'), mine: draft('m') }));
    await one.saveViews([view('old'), view('mine')]);
    await one.close();
    other.keepDrafts(() => ({ sent: draft('s'), kept: draft('changed', 2), theirs: draft('t') }));
    await other.saveViews([view('gone'), view('old', 1)]);
    await other.close();
    const after = await open();
    expect(after.drafts).toEqual({ mine: draft('m'), kept: draft('changed', 2), theirs: draft('t') });
    expect(after.views).toEqual([view('mine'), view('old', 1)]);
    // What was changed once is not changed again: somebody may have done away with it since.
    after.keepDrafts(() => ({}));
    await after.saveViews([]);
    await after.close();
    await other.saveViews([view('gone'), view('old', 1), view('new')]);
    expect((await open()).views).toEqual([view('new')]);
    expect((await open()).drafts).toEqual({});
  });

  test('dashboards that write drafts and views at the same moment lose none of each other', async () => {
    const dashboards = await Promise.all(Array.from({ length: 4 }, () => open()));
    const own = dashboards.map(() => ({}) as Record<string, ReturnType<typeof draft>>);
    for (let round = 0; round < 10; round += 1)
      await Promise.all(
        dashboards.map(async (saved, at) => {
          own[at] = { ...own[at], [`${at} ${round}`]: draft('typed') };
          const drafts = own[at];
          saved.keepDrafts(() => drafts);
          const views = Object.keys(drafts).map((name) => view(name));
          await Promise.all([clock.passes('2s'), saved.saveViews(views)]);
        }),
      );
    await Promise.all(dashboards.map((saved) => saved.close()));
    const last = await open();
    const all = own.flatMap((drafts) => Object.keys(drafts)).toSorted();
    expect(Object.keys(last.drafts ?? {}).toSorted()).toEqual(all);
    expect(last.views?.map(({ name }) => name).toSorted()).toEqual(all);
    expect(readdirSync(current.directory).filter((name) => !name.endsWith('.json'))).toEqual([]);
  });

  test('a dashboard that is stopped while it writes holds no other one up for long; one that was killed not at all', async () => {
    const saved = await open();
    const lock = join(current.directory, 'views-acme.json.lock');
    const run = currentRun();
    const holds = (holder: object) => writeFileSync(lock, JSON.stringify({ at: clock.now(), run: holder }));
    await saved.saveViews([view('first')]);
    holds(run);
    expect(await saved.saveViews([view('second')])).toBeUndefined();
    expect((await open()).views).toEqual([view('second')]);
    expect(existsSync(lock)).toBe(true);
    holds({ ...run, pid: 2 ** 30, began: '' });
    await saved.saveViews([view('third')]);
    expect((await open()).views).toEqual([view('third')]);
    expect(existsSync(lock)).toBe(false);
  });

  test('a host and port make a name of a file', async () => {
    const saved = await open('127.0.0.1:8080');
    saved.keep(() => savedSession(used(), screens, looks));
    await saved.close();
    expect(readdirSync(current.directory)).toEqual(['session-127.0.0.1%3A8080.json']);
  });
});
