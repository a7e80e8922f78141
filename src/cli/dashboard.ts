import { screens } from '../../screens/index.ts';
import { openCache } from '../cache/cache-of.ts';
import { createRedactor } from '../client/redact.ts';
import { whoAmIBy } from '../describe/people.ts';
import { unreadable } from '../lib/parse-result.ts';
import { capitalized } from '../lib/text.ts';
import type { ThemeName } from '../lib/theme-names.ts';
import { createTheme } from '../scene/theme.ts';
import type { SessionProfile } from '../session/outside/outside.ts';
import { createSession, type Session } from '../session/session.ts';
import { offInKiosk } from '../session/state/kiosk.ts';
import { showPlain } from '../shell/plain/show-plain.ts';
import { type Drawn, type Show, showSession } from '../shell/show.tsx';
import { isLightBackground } from '../terminal/background.ts';
import { removeLeftEdits } from '../terminal/editor.ts';
import { mistakeText } from '../terminal/leave-terminal.ts';
import { createTerminal, watchTerminal } from '../terminal/terminal.ts';
import { terminalCapabilities } from '../terminal/terminal-capabilities.ts';
import { complain } from './command-messages.ts';
import { mistakesText, usableConfig, withheldFrom } from './config.ts';
import { localFiles, readTextFile } from './files.ts';
import { exits } from './io.ts';
import { createJournalAccess } from './journal-access.ts';
import { createProfileAccess } from './profile-access.ts';
import { openSaved } from './session-files.ts';
import type { OpenConnection, Start } from './start.ts';
import { createLeft } from './unfinished-work.ts';
import { sayingWhatIsAwaited } from './wait-for-keys.ts';

/** What is on the screen: an organization, and the session over it. */
interface Open extends Drawn {
  /** Starts reading; reports open edits and uploads of an earlier run. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Milliseconds after which the start is over: the first screen is there, and its compiled code is kept for the next start. At
 * the exit V8 has dropped what a long session no longer used, and a killed one keeps nothing.
 */
const startedAfterMs = 2000;

/** Milliseconds from the first screen within which most organizations show their first rows. */
const drawnAfterMs = 300;

/** Milliseconds within which a reply of the terminal still changes the theme. Nothing waits for it. */
const replyWithinMs = 1000;

/** Whether a person has chosen the theme: by a flag, in the profile or in config.json. */
const isThemeChosen = ({ resolved }: Start['settings']): boolean =>
  resolved.some(({ title, from }) => title === 'theme' && from !== 'default');

/** The profile as its session knows it. */
const profileOf = (settings: OpenConnection['settings'], isKiosk: boolean): SessionProfile => ({
  name: settings.name,
  environment: settings.environment,
  production: settings.production,
  readOnly: settings.readOnly,
  isKiosk,
  pollMs: settings.pollSeconds * 1000,
  isPaused: settings.isPaused,
  web: settings.webUrl,
  isNotified: settings.notify !== 'off',
  notifyPriority: settings.notifyPriority,
  notifyIssues: settings.notifyIssues,
});

/**
 * Opens the dashboard on the terminal; it leaves by its own way out. A number is the exit code of a start that failed. Every organization gets a client, a cache
 * and a session of its own, so that nothing of one can appear in another. Calls `drawn` when the first rows have had
 * their time, and `started` when the start is over.
 */
export async function openDashboard(
  start: Start,
  { drawn, started }: { readonly drawn: () => void; readonly started: () => void },
): Promise<number> {
  const { clock, env, random, zone } = start;
  const isPlain = start.settings.plain;
  const watcher = watchTerminal(env, isPlain);
  const err = (text: string) => void process.stderr.write(text);
  const first = await sayingWhatIsAwaited(start.settings, { clock, err }, start.connect(start.settings));
  if (!first.ok) {
    watcher.dismiss();
    complain({ err }, `orgdeck: ${first.text}`);
    return exits.keys;
  }
  const config = usableConfig(await start.config(), screens);
  const able = terminalCapabilities(env, process);
  const held: { open?: Open; shown?: Show; isLight: boolean; isThemed: boolean } = {
    isLight: false,
    isThemed: false,
  };
  const themed = (name: ThemeName, ascii: boolean) => createTheme({ name, noColor: !able.color, ascii });
  const redrawn = (name: ThemeName) => {
    if (!held.open) return;
    held.open = { ...held.open, theme: themed(name, held.open.theme.ascii) };
    held.shown?.turn(held.open);
  };
  const terminal = createTerminal({
    process,
    clock,
    watcher,
    isLines: isPlain,
    finish: async () => {
      await held.open?.close();
    },
    // Keys of every organization that was open, not only of this one.
    describe: (error) => createRedactor(start.keyring.secrets())(mistakeText(error)),
  });

  const open = async (connection: OpenConnection): Promise<Open> => {
    const { settings, client, journal } = connection;
    const saved = await openSaved({ connection, clock });
    const ascii = settings.ascii || able.ascii;
    const left = createLeft(connection);
    const session: Session = createSession({
      client,
      cache: openCache(client, { clock, random }),
      profile: profileOf(settings, start.isKiosk === true),
      whoAmI: whoAmIBy(settings.handle),
      knowMe: ({ name }) => connection.knowActor(name),
      screens,
      clock,
      random,
      zone,
      ascii,
      outside: {
        remember: (group, target, calls) => void journal.remember(group, target, calls),
        ...createJournalAccess({ journal, client }),
        async copy(text) {
          const copied = await terminal.copy(text);
          return copied.ok ? (copied.way === 'tmux' ? 'to the tmux buffer' : 'to the clipboard') : undefined;
        },
        async edit(text, ending) {
          if (!held.shown) return undefined;
          const edited = await terminal.edit(text, ending, held.shown.releaseKeys);
          return edited.ok ? edited.text : undefined;
        },
        readFile: start.isKiosk ? async () => unreadable(offInKiosk) : readTextFile,
        ...(start.isKiosk ? {} : { files: localFiles }),
        async job(job, how) {
          if (start.isKiosk) return { ok: false, text: `${job.title}: ${offInKiosk}` };
          const ended = await (await import('./jobs.ts')).runJob(job, {
            ...how,
            connection,
            clock,
            random,
            env,
            withheld: () => withheldFrom(start),
          });
          await left.look();
          return ended;
        },
        unfinished: left.now,
        suspend: () => {
          if (held.shown) void terminal.suspend(held.shown.releaseKeys);
        },
        keep: saved.keep,
        keepRows: saved.keepRows,
        saveReport: saved.saveReport,
        redraw: terminal.redraw,
        async theme(name, isSaved) {
          if (isPlain) return { ok: false, text: 'lines have no colors (--plain)' };
          held.isThemed = true;
          redrawn(name);
          const dull = able.color ? '' : ', but this terminal shows no colors';
          if (!isSaved) return { ok: true, text: `Theme ${name}${dull}` };
          if (!settings.profile) return { ok: false, text: `Theme ${name}, not saved: no profile is in use` };
          const saved = await start.profiles.update(settings.profile.name, { theme: name });
          return saved.ok ? { ok: true, text: `Theme ${name}: ${saved.value.says}` } : saved;
        },
        ring: (text) => terminal.notify(settings.notify, text),
        quit: (code) => terminal.leave(code),
        ...createProfileAccess({
          start,
          current: settings.name,
          keysRefused: client.keysRefused,
          turn: (to) => void turn(to),
        }),
      },
      saved: saved.session,
      snapshot: saved.snapshot,
      size: { columns: able.columns, rows: able.rows },
      screen: start.screen,
      mouse: connection.settings.mouse,
      custom: config.config,
    });
    return {
      session,
      theme: themed(held.isLight && !isThemeChosen(settings) ? 'light' : settings.theme, ascii),
      pending: session.pending,
      async start() {
        // The first is shown last, and stays; ! has all of them.
        for (const text of settings.notes.toReversed())
          session.send({ type: 'showFlash', flash: { text: capitalized(text), tone: 'info', at: clock.now() } });
        session.start();
        if (start.view !== undefined && connection === first.value)
          session.send({ type: 'openView', name: start.view });
        if (saved.trouble !== undefined)
          session.send({ type: 'showFlash', flash: { text: saved.trouble, tone: 'warn', at: clock.now() } });
        const [mistake] = config.mistakes;
        if (mistake !== undefined && connection === first.value)
          session.send({
            type: 'showFlash',
            flash: { text: mistakesText(config), tone: 'warn', at: clock.now() },
          });
        const unread = await left.look();
        if (unread !== undefined)
          session.send({ type: 'showFlash', flash: { text: capitalized(unread), tone: 'warn', at: clock.now() } });
        const [upload] = left.now();
        if (upload === undefined) return;
        const flash = {
          text: `interrupted: ${upload.says}`,
          tone: 'warn',
          keys: '7, then R',
          at: clock.now(),
        } as const;
        session.send({ type: 'showFlash', flash });
      },
      async close() {
        // First, while the cache still has the rows.
        const written = saved.close();
        session.close();
        // Before the directory of a demo goes, nothing is written into it any more.
        await written;
        await connection.close();
      },
    };
  };

  /** Switches to another organization, after the edits of the old one have been settled. */
  const turn = async (to: OpenConnection) => {
    const before = held.open;
    held.open = await open(to);
    held.shown?.turn(held.open);
    void held.open.start();
    void before?.close();
  };

  held.open = await open(first.value);
  const shared = {
    drawn: held.open,
    clock,
    stdout: terminal.stream as unknown as NodeJS.WriteStream,
    control: terminal.control,
    keys: process.stdin,
    drained: terminal.drained,
    raw: (on: boolean) => {
      process.stdin.setRawMode(on);
      if (on) process.stdin.resume();
      else process.stdin.pause();
    },
  };
  const askedAt = clock.now();
  const replied = (text: string) => {
    if (clock.now() - askedAt > replyWithinMs || isLightBackground(text) !== true) return;
    held.isLight = true;
    if (!held.isThemed && !isThemeChosen(start.settings)) redrawn('light');
  };
  // The Linux console would draw a query.
  const mayAsk = env.TERM !== 'linux';
  await watcher.ready;
  held.shown = isPlain
    ? showPlain({ ...shared, marksPastes: env.TERM !== 'dumb' })
    : showSession({ ...shared, behind: terminal.isBehind, mayAsk, replied, crashed: terminal.crash });
  terminal.drawnBy(held.shown.again, start.isKiosk ? undefined : held.shown.releaseKeys);
  if (!isPlain && able.color && mayAsk) terminal.askBackground();
  void held.open.start();
  clock.after(drawnAfterMs, () => {
    drawn();
    // Removed after the first frame: the directory that it lists may be long.
    removeLeftEdits(env);
  });
  clock.after(startedAfterMs, started);
  return new Promise<never>(() => {});
}
