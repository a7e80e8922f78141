import type { Translator } from '../api/vocabulary/translator.ts';
import type { Ports } from './command-ports.ts';

/** The deployment's words for the help that a line asks for; undefined where it asks for none, or there are none. */
export async function wordsOfHelp(ports: Ports, argv: readonly string[]): Promise<Translator | undefined> {
  if (!argv.some((word) => word === '--help' || word === '-h' || word === 'help')) return undefined;
  const settings = await ports.resolve({
    ...given(argv, 'profile'),
    ...given(argv, 'vocabulary'),
    demo: argv.includes('--demo'),
  });
  return settings.ok ? settings.value.words : undefined;
}

/** The value of a flag, read before the line is. */
function given(argv: readonly string[], name: 'profile' | 'vocabulary'): { readonly [N in typeof name]?: string } {
  const at = argv.findIndex((word) => word === `--${name}` || word.startsWith(`--${name}=`));
  const value = argv[at]?.split('=')[1] ?? argv[at + 1];
  return at < 0 || value === undefined ? {} : { [name]: value };
}
