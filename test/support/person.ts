import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { screens as shipped } from '../../screens/index.ts';
import { localFiles, readTextFile } from '../../src/cli/files.ts';
import { runJob } from '../../src/cli/jobs.ts';
import { createLeft, openSaved } from '../../src/cli/session-files.ts';
import { createRedactor } from '../../src/client/redact.ts';
import { whoAmI } from '../../src/describe/picks.ts';
import type { Screen } from '../../src/describe/screen.ts';
import type { Journal } from '../../src/journal/journal.ts';
import type { ThemeName } from '../../src/lib/setting-values.ts';
import { createTheme } from '../../src/scene/theme.ts';
import type { Custom } from '../../src/session/custom/custom.ts';
import { customized } from '../../src/session/custom/customized.ts';
import { escapeWait } from '../../src/session/keyboard/keyboard.ts';
import { readingMs } from '../../src/session/keys/reading.ts';
import type { Outside } from '../../src/session/outside/outside.ts';
import { createSession, type Session } from '../../src/session/session.ts';
import { showSession } from '../../src/shell/show.tsx';
import { childEnvironment } from '../../src/terminal/editor.ts';
import { createActivity } from './activity.ts';
import type { TestClock } from './clock.ts';
import { connected, type Place } from './connected.ts';
import { bytesOf } from './key-bytes.ts';
import { runningTime } from './running-time.ts';
import { createTty } from './tty.ts';

/** The steps of a journey: what a user does and sees. */
export interface User {
  /** Goes to a screen and waits until it has rows. */
  opens(screen: string): Promise<void>;
  /**
   * Keys one after the other: named ones (`return`, `esc`, `ctrl+d`) whole, any other text letter by letter, each as its
   * own chunk. A question is read before it is answered.
   */
  presses(...keys: readonly string[]): Promise<void>;
  /** Sends bytes in one chunk without waiting, even before a question is drawn. */
  sends(bytes: string): Promise<void>;
  pastes(text: string): Promise<void>;
  /** Waits until the screen shows it; prints the whole last frame when it gives up. */
  sees(what: string | RegExp): Promise<void>;
  /** Waits until the screen no longer shows it. */
  loses(what: string | RegExp): Promise<void>;
  /** The screen does not show it now and does not come to show it within a moment. */
  neverSees(what: string | RegExp): Promise<void>;
  screen(): Promise<string>;
  /** The line of the screen that holds the text; waits for it. */
  line(what: string | RegExp): Promise<string>;
  /** Waits until every response, delayed ones included, has arrived and is drawn. */
  settles(): Promise<void>;
  resizes(columns: number, rows: number): Promise<void>;
  bytes(): number;
  /** Everything written so far. */
  output(): string;
  /** Cells of the screen with a color of their own. */
  colors(): Promise<number>;
  /** Advances the clock to the next poll and waits until its response is applied. */
  polls(): Promise<void>;
  readonly copied: string[];
  readonly rung: string[];
  /** The exit codes requested. */
  readonly quit: number[];
  readonly session: Session;
  readonly journal: Journal;
}

/** Options of the dashboard under test. */
export interface Seat {
  /** Screens instead of those of the product. */
  readonly screens?: readonly Screen[];
  /** Opens an address; answers with why it could not. Without it there is no browser. */
  readonly browses?: (url: string) => string | undefined;
  /** The edit made in the external editor; none when absent. */
  readonly edits?: (text: string, ending: string) => string;
  /** Id of the screen to begin with; that of issues when absent. */
  readonly screen?: string;
  readonly columns?: number;
  readonly rows?: number;
  readonly readOnly?: boolean;
  readonly production?: boolean;
  readonly ascii?: boolean;
  readonly noColor?: boolean;
  /** Milliseconds between polls; large for tests that advance the clock. */
  readonly pollMs?: number;
  /** Fills the journal before the start. */
  readonly earlier?: (journal: Journal) => Promise<void>;
  /** Fills the state directory before the start, for the service at this address. */
  readonly leaves?: (directory: string, origin: string) => Promise<void>;
  readonly snapshot?: 'on' | 'off';
  /** Keys, columns and commands of the person's own. */
  readonly custom?: Partial<Custom>;
  readonly isKiosk?: boolean;
  /** Address of the service's web pages; links need one. */
  readonly web?: string;
  /** The environment that programs are started from. */
  readonly env?: Readonly<Record<string, string>>;
  /** Lists that are not in front are read now and then, to notify of what happens there. */
  readonly isNotified?: boolean;
  /** The state directory; of its own, and removed at the end, when absent. */
  readonly directory?: string;
  /** Opens the journal's file; replaced to simulate a full disk. */
  readonly openJournal?: (path: string) => Promise<FileHandle>;
}

/** Real milliseconds to wait for pending responses before the next key. */
const answerMs = 60;
/** Real milliseconds to wait for the reads that follow the first list, before the story. */
const firstReadsMs = 1000;
/** Milliseconds in which this process runs that `sees` waits: a machine that many share is no failure of the program. */
const patienceMs = 8000;
/** Milliseconds on the test's clock that `neverSees` waits. */
const momentMs = 150;

/** The whole dashboard on a terminal in memory, over HTTP to a service. */
export async function seated(
  at: Place,
  clock: TestClock,
  story: (user: User) => Promise<void>,
  setting: Seat = {},
): Promise<void> {
  const { screens = shipped, edits = (text: string) => text } = setting;
  const directory = setting.directory ?? mkdtempSync(join(tmpdir(), 'orgdeck-journey-'));
  const tty = createTty(setting.columns ?? 100, setting.rows ?? 30, clock);
  const keys = new EventEmitter();
  const quit: number[] = [];
  const copied: string[] = [];
  const rung: string[] = [];
  const how = { screens, directory, clock, readOnly: setting.readOnly ?? false, open: setting.openJournal };
  const { client, journal, cache, lies, outside: ofJournal } = connected(at, { ...how, name: 'test' });
  await setting.earlier?.(journal);
  const profile = {
    name: 'test',
    environment: setting.production ? 'prod' : 'dev',
    production: setting.production ?? false,
    readOnly: setting.readOnly ?? false,
    pollMs: setting.pollMs ?? 15_000,
    isNotified: setting.isNotified ?? false,
    isKiosk: setting.isKiosk ?? false,
    web: setting.web,
  };
  await setting.leaves?.(directory, at.url);
  const saved = await openSaved({
    connection: {
      directory,
      settings: { name: 'test', baseUrl: at.url, snapshot: setting.snapshot ?? 'on' },
      redact: createRedactor([at.apiKey, at.appKey]),
    },
    clock,
  });
  const left = createLeft({ directory, client }, clock);
  await left.look();
  const outside: Outside = {
    copy: async (text) => {
      copied.push(text);
      return 'to the clipboard';
    },
    ...(setting.browses && { browse: async (url: string) => setting.browses?.(url) }),
    edit: async (text, ending) => ({ ok: true, value: edits(text, ending) }),
    readFile: readTextFile,
    files: localFiles,
    async job(job, how) {
      const ended = await runJob(job, {
        ...how,
        connection: { client, directory },
        clock,
        random: Math.random,
        env: setting.env ?? {},
        programEnvironment: async () => childEnvironment(setting.env ?? {}, []),
      });
      await left.look();
      return ended;
    },
    unfinished: left.now,
    keep: saved.keep,
    keepRows: saved.keepRows,
    saveReport: saved.saveReport,
    async theme(name) {
      shown.turn({ ...drawn, theme: themeOf(name) });
      return { ok: true, text: `theme ${name}` };
    },
    suspend() {},
    redraw() {},
    ring: (text) => rung.push(text),
    quit: (code) => quit.push(code),
    ...ofJournal,
    profiles: async () => [],
    switchProfile: async () => undefined,
    giveKeys: async () => undefined,
    testProfile: async () => [],
    removeProfile: async () => undefined,
    addProfile: async () => undefined,
    editProfile: async (name) => ({ ok: true, text: `profile ${name} saved` }),
  };
  const session = createSession({
    screens,
    client,
    cache,
    clock,
    random: Math.random,
    zone: 'UTC',
    ascii: setting.ascii ?? false,
    profile,
    outside,
    saved: saved.session,
    snapshot: saved.snapshot,
    customize: (all) => customized(all, { keys: {}, columns: {}, commands: [], ...setting.custom }),
    size: { columns: setting.columns ?? 100, rows: setting.rows ?? 30 },
    // Most stories are about one list: they begin where nothing else is read.
    screen: setting.screen ?? (saved.session ? undefined : screens.find(({ id }) => id === 'issues')?.id),
    whoAmI,
  });
  const themeOf = (name: ThemeName) =>
    createTheme({ name, noColor: setting.noColor ?? false, ascii: setting.ascii ?? false });
  const drawn = { session, theme: themeOf('default'), pending: session.pending };
  const crashes: unknown[] = [];
  const shown = showSession({
    drawn,
    clock,
    stdout: tty.shown.stream as unknown as NodeJS.WriteStream,
    control: tty.shown.control,
    keys: keys as unknown as Parameters<typeof showSession>[0]['keys'],
    behind: () => false,
    drained: async () => true,
    raw: () => {},
    mayAsk: true,
    crashed: (error) => crashes.push(error),
  });
  session.start();
  if (saved.trouble !== undefined)
    session.send({ type: 'showFlash', flash: { text: saved.trouble, tone: 'warn', at: clock.now() } });

  const activity = createActivity(async () => {
    await journal.written();
    await shown.written();
  });
  tty.onWrite(activity.happened);
  session.store.subscribe(activity.happened);
  /** Waits until the program is idle, at most `answerMs`. */
  const settles = () => activity.settled(answerMs);
  clock.settlesWith(settles);

  /** The screen with everything drawn that has happened so far. */
  const text = async () => {
    await shown.written();
    const frame = (await tty.screen()).join('\n');
    at.watch?.(frame);
    return frame;
  };
  /** Checks the screen after each event until `find` succeeds. */
  const until = async <T>(find: (frame: string) => T | undefined, complaint: string): Promise<T> => {
    const time = runningTime();
    for (;;) {
      const count = activity.count();
      const frame = await text();
      const found = find(frame);
      if (found !== undefined) return found;
      if (crashes.length > 0) throw crashes[0];
      do {
        if (time.passed() >= patienceMs) throw new Error(`${complaint}. The last frame:\n${frame}`);
        await activity.beyond(count, time.turnMs);
      } while (activity.count() === count);
    }
  };
  /** Lets the screen be drawn and, after a question or a refused key, 300 ms pass, so that the next key counts. */
  const looks = async () => {
    for (let tries = 0; session.isUnread(); tries += 1) {
      if (tries > 50) throw new Error(`the question was never shown. The last frame:\n${await text()}`);
      await text();
      if (session.isUnread()) await clock.passes(readingMs);
    }
  };
  const has = (frame: string, what: string | RegExp) =>
    typeof what === 'string' ? frame.includes(what) : what.test(frame);
  const user: User = {
    copied,
    rung,
    quit,
    session,
    journal,
    screen: text,
    bytes: tty.bytes,
    output: tty.output,
    colors: () => tty.colors(),
    async polls() {
      const { read, key } = session.now().view;
      await clock.passes(setting.pollMs ?? 15_000);
      await until(() => {
        const { view } = session.now();
        const isNew = view.read.at !== read.at || view.read.problem !== read.problem;
        return view.key !== key || (isNew && !view.read.asking && !view.read.partial) || undefined;
      }, 'no poll was answered');
      await settles();
    },
    async opens(screen) {
      const found = screens.find((one) => one.id === screen);
      if (!found) throw new Error(`there is no screen ${screen}`);
      if (found.key !== undefined) await user.presses(found.key);
      else await user.presses(':', found.title, 'return');
      // A narrow header has the beginning of a title alone.
      const mark = found.key ?? found.title.slice(0, 3).toLowerCase();
      await user.sees(new RegExp(`\\[${mark}[^\\]]*\\].*[●*] live`));
    },
    async presses(...names) {
      for (const key of names.flatMap(bytesOf)) {
        await looks();
        keys.emit('data', Buffer.from(key));
        // A lone Esc counts after the wait for a sequence.
        if (key === '\x1b') await clock.passes(escapeWait);
        await settles();
      }
      // A digit that chooses in a bar counts after a pause.
      if (/\d$/.test(names.at(-1) ?? '')) await looks();
    },
    async sends(bytes) {
      keys.emit('data', Buffer.from(bytes));
      await settles();
    },
    async pastes(pasted) {
      await looks();
      keys.emit('data', Buffer.from(`\x1b[200~${pasted}\x1b[201~`));
      await settles();
    },
    settles: () => activity.settled(patienceMs),
    async sees(what) {
      await until((frame) => has(frame, what) || undefined, `the screen never showed ${what}`);
    },
    async loses(what) {
      await until((frame) => !has(frame, what) || undefined, `the screen still shows ${what}`);
    },
    async neverSees(what) {
      const look = async () => {
        await settles();
        const frame = await text();
        if (has(frame, what)) throw new Error(`the screen shows ${what}:\n${frame}`);
      };
      await look();
      await clock.passes(momentMs);
      await look();
    },
    line: (what) => until((frame) => frame.split('\n').find((line) => has(line, what)), `no line shows ${what}`),
    async resizes(columns, rows) {
      tty.resize(columns, rows);
      // A dragged window is one change of size.
      await clock.passes(50);
      await settles();
    },
  };
  try {
    await user.sees(/[●*] live|✗|x offline/);
    // What is read after the list: who the person is, and what they may do.
    await activity.settled(firstReadsMs);
    await story(user);
    if (crashes.length > 0) throw crashes[0];
    if (lies.size > 0) throw new Error([...lies].join('\n'));
  } finally {
    activity.close();
    shown.close();
    const written = saved.close();
    session.close();
    await client.close();
    await journal.written();
    tty.close();
    await written;
    if (setting.directory === undefined) rmSync(directory, { recursive: true, force: true });
  }
}
