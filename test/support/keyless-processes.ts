import { readFileSync } from 'node:fs';
import { keyIn } from './key-forms.ts';
import { watchProcesses } from './planted.ts';

/**
 * Set up once for the whole of `npm run test:faults`: no key may stand in the arguments of a program that the tests start, nor
 * in the arguments or the environment of what it starts itself.
 */
export default function setup(): () => void {
  const found = new Set<string>();
  const isOurs = (pid: number): boolean => {
    if (pid === process.pid) return true;
    const parent = parentOf(pid);
    return parent > 1 && isOurs(parent);
  };
  const isProgram = (pid: number, line: string) =>
    /^[^\0]*node\0(?:[^\0]*\0)*?[^\0]*(?:dist\/orgdeck\.js|editing-child\.mjs|uploadchild\.ts)\0/.test(line) &&
    isOurs(pid);
  const watched = watchProcesses(
    isProgram,
    (place, text) => {
      const form = keyIn(text);
      if (form !== undefined) found.add(`${form} in ${place.replaceAll('\0', ' ')}`);
    },
    100,
  );
  return () => {
    watched.stop();
    if (found.size === 0) return;
    process.exitCode = 1;
    throw new Error(`keys of tests were found:\n${[...found].join('\n')}`);
  };
}

function parentOf(pid: number): number {
  try {
    return Number(/\) \S (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
