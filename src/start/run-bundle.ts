import { join } from 'node:path';
import { Script } from 'node:vm';
import { type Compiler, keepCode, readCode, readFileBytes } from './compiled-code.ts';
import { collectFirst } from './heap-flags.ts';

/**
 * Keeps the code that has been compiled until now for the next start, unless this one began with it. `under` calls its argument under the
 * flags of V8 with which the process began: code that was written under others is not read.
 */
export type Keep = (by: Compiler, under?: <T>(work: () => T) => T) => Promise<void>;

/** Runs the bundle beside this file with the code that an earlier run has compiled. Rejects where the program cannot start. */
export async function runBundle(): Promise<void> {
  await evaluate();
}

/** Not async, so that the code that was read does not live as long as the program runs. */
function evaluate(): Promise<void> | undefined {
  // The dashboard is started without a command.
  const wanted: Compiler = /^(-|$)/.test(process.argv[2] ?? '') ? 'dashboard' : 'command';
  if (wanted === 'dashboard') collectFirst();
  const main = join(__dirname, 'main.js');
  const code = readCode(wanted) ?? readCode(wanted === 'dashboard' ? 'command' : 'dashboard');
  const script = new Script(readFileBytes(main).toString('latin1'), {
    filename: main,
    ...(code ? { cachedData: code.code } : {}),
  });
  const keptBy = script.cachedDataRejected ? undefined : code?.by;
  const keep: Keep = async (by, under = (work) => work()) => {
    // A command adds little to what a dashboard has kept.
    if (keptBy === by || (keptBy && by === 'command')) return;
    await keepCode(() => under(() => script.createCachedData()), by);
  };
  const bundle: { exports: { started?: Promise<void> } } = { exports: {} };
  script.runInThisContext()(require, bundle, keep);
  return bundle.exports.started;
}
