import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** An empty folder for the test that runs, also where its `beforeEach` asks for it; it goes when the test has ended. */
export function temporaryFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'orgdeck-test-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
