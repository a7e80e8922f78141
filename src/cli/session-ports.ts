import { unreadable } from '../lib/function-results.ts';
import type { Outside } from '../session/outside/outside.ts';
import { offInKiosk } from '../session/state/moment.ts';
import { programEnvironment } from './config.ts';
import { chooseTheme, type Dashboard } from './dashboard-state.ts';
import { localFiles, readTextFile } from './files.ts';
import { createJournalAccess } from './journal-access.ts';
import { createProfileAccess } from './profile-access.ts';
import type { Saved } from './session-files.ts';
import type { OpenConnection } from './start.ts';
import type { Left } from './unfinished-work.ts';

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
      if (!dashboard.shown) return undefined;
      const env = await programEnvironment(start, start.env);
      const edited = await terminal.edit(text, ending, dashboard.shown.releaseKeys, env);
      return edited.ok ? edited.text : undefined;
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
      turn: (to) => void dashboard.turn(to),
    }),
  };
}
