import { screens } from '../../screens/index.ts';
import { openCache } from '../cache/cache-of.ts';
import { whoAmIBy } from '../describe/picks.ts';
import { capitalized } from '../lib/text.ts';
import type { SessionProfile } from '../session/outside/outside.ts';
import { createSession } from '../session/session.ts';
import type { Flash } from '../session/state/message.ts';
import { mistakesText } from './config.ts';
import { type Dashboard, isThemeChosen, type OpenOrganization, themeOf } from './dashboard-state.ts';
import { openSaved } from './session-files.ts';
import { sessionPorts } from './session-ports.ts';
import { fleetScreen, type OpenConnection } from './start.ts';
import { createLeft } from './unfinished-work.ts';

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
export async function openOrganization(dashboard: Dashboard, connection: OpenConnection): Promise<OpenOrganization> {
  const { start, able, config, isLight } = dashboard;
  const { settings, client } = connection;
  const { clock, random, zone } = start;
  const isFirst = dashboard.open === undefined;
  const saved = await openSaved({ connection, clock });
  const ascii = settings.ascii || able.ascii;
  const left = createLeft(connection);
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
      const [upload] = left.now();
      if (upload) tell(`interrupted: ${upload.says}`, { tone: 'warn', keys: '7, then x' });
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
