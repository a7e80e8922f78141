/** Which characters of one cell the terminal repeats after `REP` (`CSI n b`). */
export type Repeats = 'none' | 'ascii' | 'all';

/** Terminals within a terminal, whose variables they pass on; which of them know REP is not known. */
const within = ['STY', 'ZELLIJ', 'VIM_TERMINAL', 'NVIM', 'INSIDE_EMACS'] as const;

const programs = ['vscode', 'WezTerm', 'iTerm.app', 'ghostty'];

/**
 * What is known of the terminal by its variables. `TERM=xterm-256color` alone says nothing: mosh has it, which does not know REP. tmux
 * repeats ASCII from 2.6 on (it names itself from 3.2 on), and 3.3 nothing else.
 */
export function repeatsIn(env: Readonly<Record<string, string | undefined>>): Repeats {
  const { TERM = '', TERM_PROGRAM = '', VTE_VERSION, XTERM_VERSION, WT_SESSION } = env;
  if (within.some((name) => env[name])) return 'none';
  if (/^(screen|tmux)/.test(TERM)) return TERM_PROGRAM === 'tmux' ? 'ascii' : 'none';
  if (/^(foot|alacritty|wezterm|xterm-kitty|xterm-ghostty)/.test(TERM)) return 'all';
  const isNamed = XTERM_VERSION || WT_SESSION || Number(VTE_VERSION) >= 6000 || programs.includes(TERM_PROGRAM);
  return isNamed && /^xterm/.test(TERM) ? 'all' : 'none';
}
