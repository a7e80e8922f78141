/** What the terminal and the person's environment allow. */
export interface TerminalCapabilities {
  /** Whether a full-screen dashboard can run at all; if not, `reason` says why in one sentence. */
  readonly interactive: boolean;
  readonly reason?: string;
  /** False for NO_COLOR (any value but the empty one) and for terminals without colors. */
  readonly color: boolean;
  /** Only ASCII may be drawn: the locale is not UTF-8, or the terminal's font cannot be trusted with more. */
  readonly ascii: boolean;
  readonly columns: number;
  readonly rows: number;
}

interface Streams {
  readonly stdin: { readonly isTTY?: boolean };
  readonly stdout: { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number };
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Decides before anything is rendered, because a render without a terminal on standard input throws
 * (docs/design/screens.md#terminals). Ignores `CI`: a terminal on both ends means a person.
 */
export function terminalCapabilities(env: Environment, streams: Streams): TerminalCapabilities {
  const { columns, rows } = streams.stdout;
  const reason = refusal(env, streams);
  return {
    interactive: reason === undefined,
    ...(reason === undefined ? {} : { reason }),
    color: !env.NO_COLOR && env.TERM !== 'dumb' && !/mono|^vt\d/.test(env.TERM ?? ''),
    ascii: env.TERM === 'dumb' || env.TERM === 'linux' || !isUtf8(env),
    columns: columns || 80,
    rows: rows || 24,
  };
}

function refusal(env: Environment, { stdin, stdout }: Streams): string | undefined {
  if (!stdin.isTTY) return 'standard input is not a terminal';
  if (!stdout.isTTY) return 'standard output is not a terminal';
  if (env.TERM === 'dumb') return 'TERM=dumb: this terminal cannot move its cursor';
  return undefined;
}

/** The first of LC_ALL, LC_CTYPE and LANG that is set decides. None set says nothing, and terminals speak UTF-8. */
function isUtf8(env: Environment): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  return locale === undefined || locale === '' || /utf-?8/i.test(locale);
}
