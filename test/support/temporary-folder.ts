import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/**
 * An empty folder for the test that runs, also where its `beforeEach` asks for it; it goes when the test has ended. A test that runs
 * beside others gives the hook of its own context.
 */
export function temporaryFolder(ends: (clean: () => void) => void = onTestFinished): string {
  const path = mkdtempSync(join(tmpdir(), 'orgdeck-test-'));
  ends(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
