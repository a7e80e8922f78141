import type { TmuxOptions } from '../../terminal/programs.ts';
import { clipboardRefusal } from '../../terminal/sequences.ts';
import { type TerminalReplies, terminalCapabilities } from '../../terminal/terminal-capabilities.ts';
import { type DoctorFact, factAbout } from './fact.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What the dashboard needs at least, and what shows all of it. */
const least = { columns: 60, rows: 16 };
const whole = { columns: 80, rows: 24 };

/** The terminal as the environment and its own replies describe it; only `terminal` where there is none. */
export function terminalFacts(
  env: Environment,
  size: { readonly columns: number; readonly rows: number } | undefined,
  replies: TerminalReplies | undefined,
): DoctorFact[] {
  const terminal = factAbout('terminal', 'terminal');
  if (!size)
    return [
      terminal.ok(
        'none: standard input or output is a pipe or a file; commands work, the dashboard needs one (over SSH: ssh -t)',
      ),
    ];
  const able = terminalCapabilities(env, { stdin: { isTTY: true }, stdout: { isTTY: true, ...size } });
  const name = env.TERM ?? '';
  const isKnown = able.interactive && name !== '';
  return [
    isKnown
      ? terminal.ok(name)
      : terminal.bad(
          able.reason ?? 'TERM is not set',
          'set TERM to what your terminal is, such as xterm-256color, or use --plain',
        ),
    sizeFact(size),
    factAbout('colors', 'colors').ok(
      able.color
        ? colorText(env)
        : `none (${env.NO_COLOR ? 'NO_COLOR' : `TERM=${name}`}): marks and words say the same`,
    ),
    characterFact(env, able.ascii),
    repliesFact(replies),
    ...clipboardFacts(env, replies),
  ];
}

function sizeFact({ columns, rows }: { readonly columns: number; readonly rows: number }): DoctorFact {
  const size = `${columns}x${rows}`;
  const fact = factAbout('size', 'size');
  if (columns < least.columns || rows < least.rows)
    return fact.bad(
      `${size} is too small for the dashboard`,
      `make the terminal ${least.columns}x${least.rows} at least; ${whole.columns}x${whole.rows} shows everything`,
    );
  const isWhole = columns >= whole.columns && rows >= whole.rows;
  return isWhole ? fact.ok(size) : fact.warn(`${size} hides some columns and hints`, '80x24 shows everything');
}

const colorText = ({ COLORTERM = '', TERM = '' }: Environment): string =>
  /truecolor|24bit/.test(COLORTERM)
    ? '16 million, of which 16 are used'
    : /256/.test(TERM)
      ? '256, of which 16 are used'
      : '16';

function characterFact(env: Environment, isAscii: boolean): DoctorFact {
  const fact = factAbout('characters', 'characters');
  const name = ['LC_ALL', 'LC_CTYPE', 'LANG'].find((variable) => env[variable]);
  const locale = name === undefined ? 'no locale is set' : `${name}=${env[name]}`;
  if (!isAscii) return fact.ok(`UTF-8 (${locale})`);
  return env.TERM === 'linux' || env.TERM === 'dumb'
    ? fact.ok(`ASCII (TERM=${env.TERM})`)
    : fact.warn(`ASCII only (${locale})`, 'export LC_ALL=C.UTF-8');
}

function repliesFact(replies: TerminalReplies | undefined): DoctorFact {
  const fact = factAbout('replies', 'replies');
  if (!replies) return fact.ok('none: its features are unknown; use --theme light on a light background');
  const { isLight, isSynchronized, hasKittyKeys } = replies;
  const says = (known: boolean | undefined) => (known === undefined ? 'unknown' : known ? 'yes' : 'no');
  const background = isLight === undefined ? 'unknown' : isLight ? 'light' : 'dark';
  return fact.ok(
    `background (OSC 11) ${background}, whole frames (2026) ${says(isSynchronized)}, kitty keys ${says(hasKittyKeys)} (not needed)`,
  );
}

function clipboardFacts(env: Environment, replies: TerminalReplies | undefined): DoctorFact[] {
  const fact = factAbout('clipboard', 'clipboard');
  // tmux takes what is copied, and has a fact of its own.
  if (env.TMUX) return [];
  const why = clipboardRefusal(env);
  if (why !== undefined) return [fact.warn(`none for programs (${why})`, 'y shows the text, to be selected')];
  const text = replies?.hasClipboard
    ? 'the terminal accepts copies (OSC 52)'
    : 'copies are sent (OSC 52); the terminal does not confirm them';
  return [fact.ok(text)];
}

/** The lines of tmux.conf that are missing, each with what it is for. `options`: undefined where tmux does not answer. */
export function tmuxFacts(options: TmuxOptions | undefined, notify: string): DoctorFact[] {
  const fact = factAbout('tmux', 'tmux');
  if (!options)
    return [fact.warn('tmux does not answer: its settings are not known', 'put the directory of tmux into PATH')];
  const {
    'default-terminal': terminal = 'tmux-256color',
    'escape-time': wait = '0',
    'set-clipboard': clipboard = 'on',
  } = options;
  // Before tmux 3.3 there is no such option, and everything passes.
  const passes = options['allow-passthrough'] ?? 'on';
  const lacks = [
    ...(clipboard === 'off' ? [['copies do not reach your clipboard', 'set -g set-clipboard on']] : []),
    ...(passes === 'off' && notify.startsWith('osc')
      ? [[`notifications (${notify}) do not reach your terminal`, 'set -g allow-passthrough on']]
      : []),
    ...(Number(wait) > 50 ? [[`a lone Esc takes ${wait} ms`, 'set -sg escape-time 10']] : []),
    ...(/^(tmux|screen).*256color/.test(terminal)
      ? []
      : [[`colors may be wrong (default-terminal ${terminal})`, 'set -g default-terminal "tmux-256color"']]),
  ];
  if (lacks.length === 0) return [fact.ok('copies, Esc and colors work in it')];
  const lines = lacks.map(([, line = '']) => `  ${line}`);
  return [fact.warn(lacks.map(([says]) => says).join('; '), 'add to tmux.conf:', ...lines)];
}
