import type { Tone } from '../src/describe/column.ts';

/** How a piece of text looks, in the properties of Ink's `Text`. Only the sixteen ANSI colours. */
export interface Look {
  readonly color?: string;
  readonly bold?: boolean;
  readonly dimColor?: boolean;
  readonly inverse?: boolean;
  readonly underline?: boolean;
}

export const themeNames = ['default', 'light', 'mono', 'high-contrast'] as const;
export type ThemeName = (typeof themeNames)[number];

/** Box-drawing characters, in the words of Ink's `borderStyle`. */
export interface BoxGlyphs {
  readonly topLeft: string;
  readonly top: string;
  readonly topRight: string;
  readonly right: string;
  readonly bottomRight: string;
  readonly bottom: string;
  readonly bottomLeft: string;
  readonly left: string;
}

/** Every drawn sign that is not a letter, so that `--ascii` has one place. Each takes one cell. */
export interface Glyphs {
  readonly cursor: string;
  readonly mark: string;
  /** Came since the person last looked. */
  readonly fresh: string;
  /** An edit of the row is on its way. */
  readonly pending: string;
  readonly live: string;
  readonly stale: string;
  readonly paused: string;
  readonly offline: string;
  readonly ok: string;
  readonly bad: string;
  readonly warn: string;
  readonly info: string;
  readonly up: string;
  readonly down: string;
  readonly arrow: string;
  readonly before: string;
  readonly after: string;
  readonly separator: string;
  readonly dot: string;
  readonly mask: string;
  readonly ellipsis: string;
  readonly badgeLeft: string;
  readonly badgeRight: string;
  readonly box: BoxGlyphs;
}

const unicode: Glyphs = {
  cursor: '>',
  mark: '*',
  fresh: '•',
  pending: '~',
  live: '●',
  stale: '○',
  paused: '‖',
  offline: '✗',
  ok: '✓',
  bad: '✗',
  warn: '!',
  info: '·',
  up: '▲',
  down: '▼',
  arrow: '→',
  before: '‹',
  after: '›',
  separator: '│',
  dot: '·',
  mask: '•',
  ellipsis: '…',
  badgeLeft: '▌',
  badgeRight: '▐',
  box: { topLeft: '┌', top: '─', topRight: '┐', right: '│', bottomRight: '┘', bottom: '─', bottomLeft: '└', left: '│' },
};

const ascii: Glyphs = {
  ...unicode,
  fresh: '+',
  live: '*',
  stale: 'o',
  paused: '=',
  offline: 'x',
  ok: 'v',
  bad: 'x',
  info: '-',
  up: '^',
  down: 'v',
  arrow: '>',
  before: '<',
  after: '>',
  separator: '|',
  dot: '-',
  mask: '*',
  ellipsis: '~',
  badgeLeft: '[',
  badgeRight: ']',
  box: { topLeft: '+', top: '-', topRight: '+', right: '|', bottomRight: '+', bottom: '-', bottomLeft: '+', left: '|' },
};

interface Looks {
  readonly tones: Readonly<Record<Tone, Look>>;
  readonly selected: Look;
  readonly border: { readonly active: Look; readonly rest: Look };
}

const none: Look = {};
const dim: Look = { dimColor: true };
const bold: Look = { bold: true };

const looks: Readonly<Record<ThemeName, Looks>> = {
  default: {
    tones: {
      plain: none,
      dim,
      strong: bold,
      good: { color: 'green' },
      warn: { color: 'yellow' },
      bad: { color: 'red', bold: true },
      info: { color: 'cyan' },
      quiet: dim,
    },
    selected: { inverse: true },
    border: { active: { color: 'cyan' }, rest: dim },
  },
  light: {
    tones: {
      plain: none,
      dim,
      strong: bold,
      good: { color: 'green' },
      // Yellow cannot be read on white.
      warn: { color: 'magenta' },
      bad: { color: 'red', bold: true },
      info: { color: 'blue' },
      quiet: dim,
    },
    selected: { inverse: true },
    border: { active: { color: 'blue' }, rest: dim },
  },
  mono: {
    tones: {
      plain: none,
      dim,
      strong: bold,
      good: none,
      warn: bold,
      bad: { bold: true, inverse: true },
      info: none,
      quiet: dim,
    },
    selected: { inverse: true },
    border: { active: none, rest: dim },
  },
  'high-contrast': {
    tones: {
      plain: none,
      dim: none,
      strong: bold,
      good: { color: 'greenBright', bold: true },
      warn: { color: 'yellowBright', bold: true },
      bad: { color: 'redBright', bold: true, underline: true },
      info: { color: 'cyanBright', bold: true },
      quiet: none,
    },
    selected: { inverse: true, bold: true },
    border: { active: bold, rest: none },
  },
};

/** What things look like. Drawing asks for a meaning and never for a colour. */
export interface Theme {
  readonly name: ThemeName;
  readonly ascii: boolean;
  /** The same object for the same tone, always. */
  props(tone: Tone): Look;
  /** The row under the cursor. It has a text mark as well. */
  readonly selected: Look;
  border(active: boolean): Look;
  readonly glyphs: Glyphs;
}

/**
 * `noColor` and `mono` use bold, inverse and dim only, and underline what is wrong in a text: Ink and chalk do not look at
 * NO_COLOR, so the theme does.
 */
export function createTheme(asked: {
  readonly name: ThemeName;
  readonly noColor: boolean;
  readonly ascii: boolean;
}): Theme {
  const name = asked.noColor ? 'mono' : asked.name;
  const look = looks[name];
  return {
    name,
    ascii: asked.ascii,
    props: (tone) => look.tones[tone],
    selected: look.selected,
    border: (active) => (active ? look.border.active : look.border.rest),
    glyphs: asked.ascii ? ascii : unicode,
  };
}
