import { screens } from '../../screens/index.ts';
import { openCache } from '../cache/cache.ts';
import { createRedactor } from '../client/redact.ts';
import { whoAmIBy } from '../describe/picks.ts';
import { unreadable } from '../lib/function-results.ts';
import type { ThemeName } from '../lib/setting-values.ts';
import { capitalized } from '../lib/text.ts';
import { createTheme, type Theme } from '../scene/theme.ts';
import type { Outside, SessionProfile } from '../session/outside/outside.ts';
import { createSession } from '../session/session.ts';
import type { Flash } from '../session/state/message.ts';
import { offInKiosk } from '../session/state/moment.ts';
import type { showPlain } from '../shell/plain.ts';
import { type Drawn, type Show, showSession } from '../shell/show.tsx';
import { removeLeftFolders } from '../terminal/editor.ts';
import { mistakeText } from '../terminal/leave-terminal.ts';
import { createTerminal, type Terminal, watchTerminal } from '../terminal/terminal.ts';
import {
  isLightBackground,
  type TerminalCapabilities,
  terminalCapabilities,
} from '../terminal/terminal-capabilities.ts';
import { mistakesText, programEnvironment, type UsableConfig, usableConfig } from './config.ts';
import { localFiles, readTextFile } from './files.ts';
import { endWith, exits, sayingWhatIsAwaited } from './io.ts';
import { createJournalAccess } from './journal-access.ts';
import { createProfileAccess } from './profile-access.ts';
import { createLeft, type Left, openSaved, type Saved } from './session-files.ts';
import { fleetScreen, type OpenConnection, type Start } from './start.ts';

/** An organization, and the session over it. */
interface OpenOrganization extends Drawn {
  /** Starts reading; reports open edits and uploads of an earlier run. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** The dashboard on the terminal: what all its organizations share, and the one that is on the screen. */
export interface Dashboard {
  readonly start: Start;
  readonly terminal: Terminal;
  readonly able: TerminalCapabilities;
  readonly config: UsableConfig;
  /** Switches to another organization. */
  turn(to: OpenConnection): Promise<void>;
  open?: OpenOrganization;
  shown?: Show;
  /** The terminal has answered that its background is light. */
  isLight: boolean;
  /** A person has chosen a theme in this run. */
  isThemed: boolean;
}

const themeOf = ({ able }: Dashboard, name: ThemeName, ascii: boolean): Theme =>
  createTheme({ name, noColor: !able.color, ascii });

/** Whether a person has chosen the theme: by a flag, in the profile or in config.json. */
const isThemeChosen = ({ resolved }: Start['settings']): boolean =>
  resolved.some(({ title, from }) => title === 'theme' && from !== 'default');

/** Draws what is on the screen in another theme. */
function drawIn(dashboard: Dashboard, name: ThemeName): void {
  if (!dashboard.open) return;
  dashboard.open = { ...dashboard.open, theme: themeOf(dashboard, name, dashboard.open.theme.ascii) };
  dashboard.shown?.turn(dashboard.open);
}

/** Draws in the theme that a person has chosen, and saves it in this profile where asked; answers with a sentence. */
async function chooseTheme(
  dashboard: Dashboard,
  profile: OpenConnection['settings']['profile'],
  name: ThemeName,
  isSaved: boolean,
): Promise<{ readonly ok: boolean; readonly text: string }> {
  const { start, able } = dashboard;
  if (start.settings.plain) return { ok: false, text: 'lines have no colors (--plain)' };
  dashboard.isThemed = true;
  drawIn(dashboard, name);
  const dull = able.color ? '' : ', but this terminal shows no colors';
  if (!isSaved) return { ok: true, text: `Theme ${name}${dull}` };
  if (!profile) return { ok: false, text: `Theme ${name}, not saved: no profile is in use` };
  const saved = await start.profiles.update(profile.name, { theme: name });
  return saved.ok ? { ok: true, text: `Theme ${name}: ${saved.value.says}` } : saved;
}

/** Opens links, where there is a browser and programs may run. */
function browsing(start: Dashboard['start']): Pick<Outside, 'browse'> {
  const browser = start.env.BROWSER?.trim() ?? '';
  if (browser === '' || start.isKiosk) return {};
  return {
    browse: async (url) => {
      const { openLink } = await import('../terminal/programs.ts');
      return openLink(url, browser, await programEnvironment(start, start.env));
    },
  };
}

/** What the session over an organization is given to work with: the terminal, the disk, programs, other profiles. */
export function sessionPorts(dashboard: Dashboard, connection: OpenConnection, saved: Saved, left: Left): Outside {
  const { start, terminal } = dashboard;
  const { settings, client, journal } = connection;
  const { keep, keepRows, saveReport } = saved;
  return {
    remember: (...edit) => void journal.remember(...edit),
    ...createJournalAccess(connection),
    async copy(text) {
      const copied = await terminal.copy(text);
      return copied.ok ? (copied.way === 'tmux' ? 'to the tmux buffer' : 'to the clipboard') : undefined;
    },
    ...browsing(start),
    async edit(text, ending) {
      if (!dashboard.shown) return unreadable('the dashboard is not shown');
      const env = await programEnvironment(start, start.env);
      return terminal.edit(text, ending, dashboard.shown.releaseKeys, env);
    },
    readFile: start.isKiosk ? async () => unreadable(offInKiosk) : readTextFile,
    ...(start.isKiosk ? {} : { files: localFiles }),
    async job(job, how) {
      if (start.isKiosk) return { ok: false, text: `${job.title}: ${offInKiosk}` };
      const { clock, random, env } = start;
      const { runJob } = await import('./jobs.ts');
      const means = { connection, clock, random, env, programEnvironment: () => programEnvironment(start, env) };
      const ended = await runJob(job, { ...how, ...means });
      await left.look();
      return ended;
    },
    unfinished: left.now,
    suspend: () => {
      if (dashboard.shown) void terminal.suspend(dashboard.shown.releaseKeys);
    },
    keep,
    keepRows,
    saveReport,
    redraw: terminal.redraw,
    theme: (name, isSaved) => chooseTheme(dashboard, settings.profile, name, isSaved),
    ring: (text) => terminal.notify(settings.notify, text),
    quit: (code) => terminal.leave(code),
    ...createProfileAccess({
      start,
      current: settings.name,
      keysRefused: client.keysRefused,
      turn: (to) => dashboard.turn(to),
    }),
  };
}

/** The profile as its session knows it. */
const profileOf = (
  settings: OpenConnection['settings'],
  { isKiosk = false, screen }: Dashboard['start'],
): SessionProfile => ({
  name: settings.name,
  environment: settings.environment,
  production: settings.production,
  readOnly: settings.readOnly,
  isKiosk,
  showsFleet: screen === fleetScreen,
  pollMs: settings.pollSeconds * 1000,
  isPaused: settings.isPaused,
  web: settings.webUrl,
  isNotified: settings.notify !== 'off',
  notifyPriority: settings.notifyPriority,
  notifyIssues: settings.notifyIssues,
});

/** Makes cache and session of an organization: of its own, so that nothing of another one can appear in it. */
async function openOrganization(dashboard: Dashboard, connection: OpenConnection): Promise<OpenOrganization> {
  const { start, able, config, isLight } = dashboard;
  const { settings, client } = connection;
  const { clock, random, zone } = start;
  const isFirst = dashboard.open === undefined;
  const saved = await openSaved({ connection, clock });
  const ascii = settings.ascii || able.ascii;
  const left = createLeft(connection, clock);
  const session = createSession({
    client,
    cache: openCache(client, { clock, random }),
    profile: profileOf(settings, start),
    whoAmI: whoAmIBy(settings.handle),
    knowMe: connection.knowActor,
    screens,
    clock,
    random,
    zone,
    ascii,
    outside: sessionPorts(dashboard, connection, saved, left),
    saved: saved.session,
    snapshot: saved.snapshot,
    size: { columns: able.columns, rows: able.rows },
    screen: start.screen === fleetScreen ? undefined : start.screen,
    mouse: settings.mouse,
    customize: config.customize,
  });
  const tell = (text: string, flash: Pick<Flash, 'tone' | 'keys'>) =>
    session.send({ type: 'showFlash', flash: { text, ...flash, at: clock.now() } });
  return {
    session,
    theme: themeOf(dashboard, isLight && !isThemeChosen(settings) ? 'light' : settings.theme, ascii),
    pending: session.pending,
    async start() {
      // The first is shown last, and stays; ! has all of them.
      for (const text of settings.notes.toReversed()) tell(capitalized(text), { tone: 'info' });
      session.start();
      if (start.screen === fleetScreen && isFirst) session.send({ type: 'openProfiles' });
      if (start.view !== undefined && isFirst) session.send({ type: 'openView', name: start.view });
      if (saved.trouble !== undefined) tell(saved.trouble, { tone: 'warn' });
      if (config.mistakes.length > 0 && isFirst) tell(mistakesText(config), { tone: 'warn' });
      const unread = await left.look();
      if (unread !== undefined) tell(capitalized(unread), { tone: 'warn' });
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

/**
 * Opens the dashboard on the terminal; it leaves by its own way out. A number is the exit code of a start that failed. Calls `drawn` when the
 * first rows have had their time, and `started` when the start is over.
 */
export async function openDashboard(
  start: Start,
  { drawn, started }: { readonly drawn: () => void; readonly started: () => void },
): Promise<number> {
  const { clock, env } = start;
  const isPlain = start.settings.plain;
  const watcher = watchTerminal(env, isPlain);
  const err = (text: string) => void process.stderr.write(text);
  const first = await sayingWhatIsAwaited(start.settings, { clock, err }, start.connect(start.settings));
  if (!first.ok) {
    watcher.dismiss('ending');
    return endWith({ err }, exits.keys, `orgdeck: ${first.text}`);
  }
  const config = await usableConfig(await start.config(), screens);
  const able = terminalCapabilities(env, process);
  /** The organizations that were open before. */
  let closing: Promise<unknown> = Promise.resolve();
  const terminal = createTerminal({
    process,
    clock,
    watcher,
    isLines: isPlain,
    finish: async () => {
      await Promise.all([closing, dashboard.open?.close()]);
    },
    // Keys of every organization that was open, not only of this one.
    describe: (error) => createRedactor(start.keyring.secrets())(mistakeText(error)),
  });
  const dashboard: Dashboard = {
    start,
    terminal,
    able,
    config,
    isLight: false,
    isThemed: false,
    async turn(to) {
      const before = dashboard.open;
      dashboard.open = await openOrganization(dashboard, to);
      dashboard.shown?.turn(dashboard.open);
      void dashboard.open.start();
      // The edits of the old one are settled first.
      closing = Promise.all([closing, before?.close()]);
    },
  };
  const open = await openOrganization(dashboard, first.value);
  dashboard.open = open;
  await watcher.ready;
  const plainly = isPlain ? (await import('../shell/plain.ts')).showPlain : undefined;
  const shown = show(dashboard, open, plainly);
  dashboard.shown = shown;
  terminal.drawnBy(shown.again, start.isKiosk ? undefined : shown.releaseKeys);
  if (!isPlain && able.color && mayAsk(start)) terminal.askBackground();
  void open.start();
  clock.after(drawnAfterMs, () => {
    drawn();
    // Removed after the first frame: the directory that it lists may be long.
    removeLeftFolders(env);
  });
  clock.after(startedAfterMs, started);
  return new Promise<never>(() => {});
}

/** Whether the terminal may be asked for its properties. The Linux console would draw a query. */
const mayAsk = ({ env }: Start): boolean => env.TERM !== 'linux';

/** Connects the first session to the terminal; `plainly`: in lines instead of on a screen. */
function show(dashboard: Dashboard, open: OpenOrganization, plainly: typeof showPlain | undefined): Show {
  const { start, terminal } = dashboard;
  const { clock, env } = start;
  const shared = {
    drawn: open,
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
  if (plainly) return plainly({ ...shared, marksPastes: env.TERM !== 'dumb' });
  const askedAt = clock.now();
  const replied = (text: string) => {
    if (clock.now() - askedAt > replyWithinMs || isLightBackground(text) !== true) return;
    dashboard.isLight = true;
    if (!dashboard.isThemed && !isThemeChosen(start.settings)) drawIn(dashboard, 'light');
  };
  return showSession({
    ...shared,
    behind: terminal.isBehind,
    mayAsk: mayAsk(start),
    replied,
    crashed: terminal.crash,
  });
}
