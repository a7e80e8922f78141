import type { Tone } from '../describe/column.ts';
import { type Painted, plain } from '../lib/painted.ts';
import type { ThemeName } from '../lib/setting-values.ts';

/** Of the sixteen ANSI colors those that a theme uses. */
export type Color =
  | 'red'
  | 'green'
  | 'yellow'
  | 'blue'
  | 'magenta'
  | 'cyan'
  | 'redBright'
  | 'greenBright'
  | 'yellowBright'
  | 'cyanBright';

/** A text style. */
export interface TextStyle {
  readonly color?: Color;
  readonly bold?: boolean;
  readonly dimColor?: boolean;
  readonly inverse?: boolean;
  readonly underline?: boolean;
}

/** Box-drawing characters. */
interface BoxGlyphs {
  readonly topLeft: Painted;
  readonly topRight: Painted;
  readonly bottomLeft: Painted;
  readonly bottomRight: Painted;
  readonly horizontal: Painted;
  readonly vertical: Painted;
}

/** Every drawn sign that is not a letter, so that `--ascii` has one place. Each takes one cell. */
export interface Glyphs {
  readonly cursor: Painted;
  readonly mark: Painted;
  /** New since the list was last looked at. */
  readonly fresh: Painted;
  /** An edit of the row is unconfirmed. */
  readonly pending: Painted;
  readonly live: Painted;
  readonly stale: Painted;
  readonly paused: Painted;
  readonly offline: Painted;
  readonly ok: Painted;
  readonly bad: Painted;
  readonly warn: Painted;
  readonly info: Painted;
  readonly up: Painted;
  readonly down: Painted;
  readonly arrow: Painted;
  readonly before: Painted;
  readonly after: Painted;
  /** Before what opens, and before what is open. */
  readonly shut: Painted;
  readonly open: Painted;
  readonly separator: Painted;
  readonly dot: Painted;
  readonly mask: Painted;
  readonly ellipsis: Painted;
  readonly badgeLeft: Painted;
  readonly badgeRight: Painted;
  readonly box: BoxGlyphs;
  /** Where one block ends and the next begins, at the left and the right border. */
  readonly teeLeft: Painted;
  readonly teeRight: Painted;
}

const unicode: Glyphs = {
  cursor: plain`>`,
  mark: plain`*`,
  fresh: plain`•`,
  pending: plain`~`,
  live: plain`●`,
  stale: plain`○`,
  paused: plain`‖`,
  offline: plain`✗`,
  ok: plain`✓`,
  bad: plain`✗`,
  warn: plain`!`,
  info: plain`·`,
  up: plain`▲`,
  down: plain`▼`,
  arrow: plain`→`,
  before: plain`‹`,
  after: plain`›`,
  shut: plain`▸`,
  open: plain`▾`,
  separator: plain`│`,
  dot: plain`·`,
  mask: plain`•`,
  ellipsis: plain`…`,
  badgeLeft: plain`▌`,
  badgeRight: plain`▐`,
  box: {
    topLeft: plain`┌`,
    topRight: plain`┐`,
    bottomLeft: plain`└`,
    bottomRight: plain`┘`,
    horizontal: plain`─`,
    vertical: plain`│`,
  },
  teeLeft: plain`├`,
  teeRight: plain`┤`,
};

const ascii: Glyphs = {
  ...unicode,
  fresh: plain`+`,
  live: plain`*`,
  stale: plain`o`,
  paused: plain`=`,
  offline: plain`x`,
  ok: plain`v`,
  bad: plain`x`,
  info: plain`-`,
  up: plain`^`,
  down: plain`v`,
  arrow: plain`>`,
  before: plain`<`,
  after: plain`>`,
  shut: plain`+`,
  open: plain`-`,
  separator: plain`|`,
  dot: plain`-`,
  mask: plain`*`,
  ellipsis: plain`~`,
  badgeLeft: plain`[`,
  badgeRight: plain`]`,
  box: {
    topLeft: plain`+`,
    topRight: plain`+`,
    bottomLeft: plain`+`,
    bottomRight: plain`+`,
    horizontal: plain`-`,
    vertical: plain`|`,
  },
  teeLeft: plain`+`,
  teeRight: plain`+`,
};

interface Looks {
  readonly tones: Readonly<Record<Tone, TextStyle>>;
  readonly selected: TextStyle;
}

const none: TextStyle = {};
const dim: TextStyle = { dimColor: true };
const bold: TextStyle = { bold: true };
/** The tones that tell of no state, where no contrast is asked for. */
const calm = { plain: none, dim, strong: bold, quiet: dim, label: dim };

const looks: Readonly<Record<ThemeName, Looks>> = {
  default: {
    tones: {
      ...calm,
      good: { color: 'green' },
      warn: { color: 'yellow' },
      bad: { color: 'red', bold: true },
      info: { color: 'cyan' },
    },
    selected: { inverse: true },
  },
  light: {
    tones: {
      ...calm,
      good: { color: 'green' },
      // Yellow cannot be read on white.
      warn: { color: 'magenta' },
      bad: { color: 'red', bold: true },
      info: { color: 'blue' },
    },
    selected: { inverse: true },
  },
  mono: {
    tones: {
      ...calm,
      good: none,
      warn: bold,
      bad: { bold: true, inverse: true },
      info: none,
    },
    selected: { inverse: true },
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
      // Dim text would be no contrast, and a plain label would look like its value.
      label: { color: 'cyanBright' },
    },
    selected: { inverse: true, bold: true },
  },
};

/** A theme. Components ask for a tone, never for a color. */
export interface Theme {
  readonly name: ThemeName;
  readonly ascii: boolean;
  /** The style of a tone: always the same object, so that styles are compared by identity. */
  props(tone: Tone): TextStyle;
  /** The row under the cursor. It has a text mark as well. */
  readonly selected: TextStyle;
  readonly glyphs: Glyphs;
}

/**
 * `noColor` and `mono` use bold, inverse and dim only, and underline what is wrong in a text.
 */
export function createTheme(options: {
  readonly name: ThemeName;
  readonly noColor: boolean;
  readonly ascii: boolean;
}): Theme {
  const name = options.noColor ? 'mono' : options.name;
  const look = looks[name];
  return {
    name,
    ascii: options.ascii,
    props: (tone) => look.tones[tone],
    selected: look.selected,
    glyphs: options.ascii ? ascii : unicode,
  };
}
