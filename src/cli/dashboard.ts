import { screens } from '../../screens/index.ts';
import { createRedactor } from '../client/redact.ts';
import type { showPlain } from '../shell/plain.ts';
import { type Show, showSession } from '../shell/show.tsx';
import { removeLeftFolders } from '../terminal/editor.ts';
import { mistakeText } from '../terminal/leave-terminal.ts';
import { createTerminal, watchTerminal } from '../terminal/terminal.ts';
import { isLightBackground, terminalCapabilities } from '../terminal/terminal-capabilities.ts';
import { complain } from './command-messages.ts';
import { usableConfig } from './config.ts';
import { type Dashboard, drawIn, isThemeChosen, type OpenOrganization } from './dashboard-state.ts';
import { exits } from './io.ts';
import { openOrganization } from './open-organization.ts';
import type { Start } from './start.ts';
import { sayingWhatIsAwaited } from './wait-for-keys.ts';

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
    complain({ err }, `orgdeck: ${first.text}`);
    return exits.keys;
  }
  const config = await usableConfig(await start.config(), screens);
  const able = terminalCapabilities(env, process);
  const terminal = createTerminal({
    process,
    clock,
    watcher,
    isLines: isPlain,
    finish: async () => {
      await dashboard.open?.close();
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
      void before?.close();
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
