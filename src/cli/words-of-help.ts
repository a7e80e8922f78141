import type { Translator } from '../api/vocabulary/translator.ts';
import type { Ports } from './command-ports.ts';

/** The deployment's words for the help that a line asks for; undefined where it asks for none, or there are none. */
export async function wordsOfHelp(ports: Ports, argv: readonly string[]): Promise<Translator | undefined> {
  if (!argv.some((word) => word === '--help' || word === '-h' || word === 'help')) return undefined;
  const settings = await ports.resolve({
    ...given<'profile'>(argv, 'profile'),
    ...given<'vocabulary'>(argv, 'vocabulary'),
    ...given(argv, 'base-url', 'baseUrl'),
    demo: argv.includes('--demo'),
  });
  return settings.ok ? settings.value.words : undefined;
}

/** The value of a flag, read before the line is; `member` is what the settings call it. */
function given<const N extends string>(
  argv: readonly string[],
  flag: string,
  member = flag as N,
): { readonly [K in N]?: string } {
  const at = argv.findIndex((word) => word === `--${flag}` || word.startsWith(`--${flag}=`));
  const value = argv[at]?.split('=')[1] ?? argv[at + 1];
  return (at < 0 || value === undefined ? {} : { [member]: value }) as { readonly [K in N]?: string };
}
