import type { ThemeName } from '../lib/setting-values.ts';
import { createTheme, type Theme } from '../scene/theme.ts';
import type { Drawn, Show } from '../shell/show.tsx';
import type { Terminal } from '../terminal/terminal.ts';
import type { TerminalCapabilities } from '../terminal/terminal-capabilities.ts';
import type { UsableConfig } from './config.ts';
import type { OpenConnection, Start } from './start.ts';

/** An organization, and the session over it. */
export interface OpenOrganization extends Drawn {
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

export const themeOf = ({ able }: Dashboard, name: ThemeName, ascii: boolean): Theme =>
  createTheme({ name, noColor: !able.color, ascii });

/** Whether a person has chosen the theme: by a flag, in the profile or in config.json. */
export const isThemeChosen = ({ resolved }: Start['settings']): boolean =>
  resolved.some(({ title, from }) => title === 'theme' && from !== 'default');

/** Draws what is on the screen in another theme. */
export function drawIn(dashboard: Dashboard, name: ThemeName): void {
  if (!dashboard.open) return;
  dashboard.open = { ...dashboard.open, theme: themeOf(dashboard, name, dashboard.open.theme.ascii) };
  dashboard.shown?.turn(dashboard.open);
}

/** Draws in the theme that a person has chosen, and saves it in this profile where asked; answers with a sentence. */
export async function chooseTheme(
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
