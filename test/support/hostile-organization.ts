import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import headless from '@xterm/headless';
import { PROGRAM } from './dashboard.ts';
import { put } from './fixtures/put.ts';
import { createHostileTexts, withHostileTexts } from './hostile.ts';
import { createSimulator } from './simulator.ts';

/** Where a dashboard or a command meets an organization in which every free text of every answer is a hostile one. */
interface Place {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Kinds of which an organization has more rows than its seed. */
const kinds = ['users', 'roles', 'api_keys', 'application_keys', 'authn_mappings', 'apm_retention_filter'];

/** Runs a story against such an organization, with so many rows of each kind; the seed is printed, and `TEST_SEED` repeats it. */
export async function hostile(rows: number, story: (place: Place) => Promise<void>) {
  const seed = Number(process.env.TEST_SEED ?? 20_261_122);
  process.stdout.write(`seed ${seed}\n`);
  const texts = createHostileTexts(seed);
  const service = createSimulator({
    seed: 7,
    monitors: rows,
    issues: 60,
    lively: false,
    rate: 0,
    around(incoming, _world, next) {
      const answer = next(incoming);
      return { ...answer, body: withHostileTexts(answer.body, texts) };
    },
  });
  for (const kind of kinds)
    for (let row = 0; row < rows; row += 1) put(service.world, kind, { name: `${kind} ${row}` }, service.now());
  const { url, apiKey, appKey } = await service.start();
  const folder = mkdtempSync(join(tmpdir(), 'orgdeck-hostile-'));
  // The program itself rings the bell.
  writeFileSync(join(folder, 'config.json'), '{"version":1,"notify":"off"}', { mode: 0o600 });
  const env = { ORGDECK_CONFIG_DIR: folder, ORGDECK_API_KEY: apiKey, ORGDECK_APP_KEY: appKey, TZ: 'UTC', PAGER: 'cat' };
  try {
    await story({ env, args: [PROGRAM, '--base-url', url] });
  } finally {
    await service.stop();
    // A program inside tmux may still be leaving.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** What a terminal emulator does at these bytes besides drawing. */
export async function eventsOf(bytes: string, columns: number, rows: number): Promise<readonly string[]> {
  const terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 0 });
  const events: string[] = [];
  const notes = (what: string) => (data: unknown) => {
    events.push(`${what} ${JSON.stringify(data)}`);
    return false;
  };
  terminal.onBell(() => void events.push('bell'));
  terminal.onTitleChange(notes('title'));
  terminal.onData(notes('reply'));
  for (const code of [0, 1, 2, 4, 7, 9, 10, 12, 52, 104, 133, 777, 1337])
    terminal.parser.registerOscHandler(code, notes(`OSC ${code}`));
  for (const final of ['t', 'n', 'c', 'q', 'p'])
    terminal.parser.registerCsiHandler({ final }, (of) => notes(`CSI ${final}`)(of));
  for (const final of ['q', 'p', 'r', '|']) terminal.parser.registerDcsHandler({ final }, notes(`DCS ${final}`));
  // The frames set margins to scroll a window, and take them back.
  const margins = { last: '0' };
  terminal.parser.registerCsiHandler({ final: 'r' }, (of) => {
    margins.last = of.join(';');
    return false;
  });
  await new Promise<void>((done) => terminal.write(bytes, done));
  terminal.dispose();
  if (margins.last !== '0') events.push(`margins ${margins.last} are left`);
  return events;
}
