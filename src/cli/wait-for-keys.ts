import type { Clock } from '../lib/time.ts';
import type { ResolvedSettings } from '../profiles/resolve-settings.ts';
import { complain } from './command-messages.ts';

/** Milliseconds after which a person wonders. */
const wonderingMs = 1000;

/**
 * The result of `opening`, which reads the keys of these settings. Says after a second which program is waited for: it may take
 * half a minute, or wait for a passphrase somewhere else.
 */
export async function sayingWhatIsAwaited<T>(
  { keyRequest }: Pick<ResolvedSettings, 'keyRequest'>,
  to: { readonly clock: Clock; readonly err: (text: string) => void },
  opening: Promise<T>,
): Promise<T> {
  const programs = Object.values(keyRequest.sources).flatMap((source) =>
    'command' in source ? source.command.slice(0, 1) : [],
  );
  if (programs.length === 0) return opening;
  const names = [...new Set(programs)].join(', ');
  const cancel = to.clock.after(wonderingMs, () =>
    complain(to, `orgdeck: waiting for ${names} to print a key, 30s at most; Ctrl-C ends`),
  );
  return opening.finally(cancel);
}
