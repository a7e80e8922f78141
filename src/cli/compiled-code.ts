import { open, rename, rm } from 'node:fs/promises';
import type { Script } from 'node:vm';

/** Who has compiled what: a command and the dashboard have little in common. */
type Compiler = 'dashboard' | 'command';

/** The running script, and the code that it was started with. */
export interface CompiledCode {
  readonly script: Script;
  readonly files: Readonly<Record<Compiler, string>>;
  /** Who kept the code that this start runs; undefined when all was compiled afresh. */
  readonly keptBy: Compiler | undefined;
}

/**
 * Keeps the code that has been compiled until now for the next start, unless this one began with it. `under` calls its argument under the
 * flags of V8 with which the process began: code that was written under others is not read. Never rejects.
 */
export async function keepCode(
  compiled: CompiledCode | undefined,
  by: Compiler,
  under: <T>(work: () => T) => T = (work) => work(),
): Promise<void> {
  if (!compiled || compiled.keptBy === by || (by === 'command' && compiled.keptBy)) return;
  const file = compiled.files[by];
  const own = `${file}-${process.pid}`;
  try {
    const code = under(() => compiled.script.createCachedData());
    const handle = await open(own, 'wx', 0o600);
    await handle.writeFile(code);
    // V8 would run what a loss of power has cut.
    await handle.sync();
    await handle.close();
    await rename(own, file);
  } catch {
    // The next start compiles again.
    await rm(own, { force: true }).catch(() => {});
  }
}
