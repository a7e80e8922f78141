import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { screens } from '../../screens/index.ts';
import { keptNamesFile, openSaved } from '../../src/cli/session-files.ts';
import type { Rows } from '../../src/describe/context.ts';
import { type AnyList, initialQuery } from '../../src/describe/screen.ts';
import { parseExact, stringifyExact } from '../../src/lib/json.ts';
import { currentRun } from '../../src/lib/private-file.ts';
import { systemClock } from '../../src/lib/time.ts';
import { openConfigFile } from '../../src/profiles/config-file.ts';
import { createProfiles } from '../../src/profiles/profiles.ts';
import { viewMenu } from '../../src/session/list/menus.ts';
import { createLooks, resumed, savedSession, seedFrom } from '../../src/session/list/resume-session.ts';
import { initial } from '../../src/session/state/state.ts';
import { leftovers } from '../../src/upload/upload-record.ts';
import { clientAt } from '../support/client-at.ts';
import { mutated, mutations } from '../support/mutate.ts';
import { contextOf } from '../support/plans.ts';
import { runs } from '../support/runs.ts';
import { createSimulator } from '../support/simulator.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const seed = 20_261_124;
const origin = 'https://api.acme.test';
const place = { name: 'acme', baseUrl: origin, snapshot: 'on' as const };
const note = {
  version: 1,
  run: { ...currentRun(), pid: 2 ** 30 },
  origin,
  table: { name: 'routes', key: 'service', types: { tier: 'INT32' }, tags: ['a'] },
  file: { path: '/data/routes.csv', size: 11, modified: '1', inode: '1:2' },
  upload: 'u-1',
  parts: [true, false],
  phase: 'sending',
  expires: 2_000_000,
};

let directory = '';
beforeEach(() => {
  directory = temporaryFolder();
});

/** What reads each file at a start; answers with the sentences that it says of it. */
const readers: Readonly<Record<string, { readonly whole: unknown; read(): Promise<readonly (string | undefined)[]> }>> =
  {
    'state-acme.json': {
      whole: JSON.parse(readFileSync('test/support/stored/state-v1.json', 'utf8')),
      async read() {
        const saved = await openSaved({
          connection: { directory, redact: (text) => text, settings: place },
          clock: systemClock,
        });
        const { session, trouble } = saved;
        const fresh = initial(screens, { columns: 100, rows: 30 });
        const state = session ? resumed(fresh, screens, session) : fresh;
        viewMenu(state, screens);
        const looks = createLooks(systemClock, session?.place);
        new Date(looks.last() ?? 0).toISOString();
        for (const { at } of [...state.views, ...Object.values(state.drafts)]) new Date(at).toISOString();
        saved.keep(() => savedSession(state, screens, looks.saved()));
        await saved.close();
        return [trouble];
      },
    },
    'snapshot-acme.json': {
      whole: JSON.parse(readFileSync('test/support/stored/snapshot-v1.json', 'utf8')),
      async read() {
        const connection = { directory, redact: (text: string) => text, settings: place };
        const { snapshot, trouble } = await openSaved({ connection, clock: systemClock });
        for (const { at } of snapshot ?? []) new Date(at).toISOString();
        return [trouble];
      },
    },
    'names-acme.json': {
      whole: JSON.parse(readFileSync('test/support/stored/names-v1.json', 'utf8')),
      async read() {
        const names = await keptNamesFile({ directory, redact: (text) => text, settings: place }).read();
        return [names.ok ? names.note : names.text];
      },
    },
    'profiles.json': {
      whole: JSON.parse(readFileSync('test/support/stored/profiles-v1.json', 'utf8')),
      async read() {
        const listing = await createProfiles({ directory, clock: systemClock }).list();
        return listing.ok ? listing.value.broken.map(({ text }) => text) : [listing.text];
      },
    },
    'config.json': {
      whole: {
        version: 1,
        theme: 'mono',
        keys: { 'issues.resolve': 'R' },
        columns: { monitors: ['state', 'name'] },
        commands: [{ key: 'L', title: 'logs', argv: ['echo', '{id}'] }],
      },
      read: async () => (await openConfigFile(directory)).mistakes.map(({ text }) => text),
    },
    'upload-00000000-0000-4000-8000-000000000000.json': {
      whole: note,
      async read() {
        const { found, trouble } = await leftovers(directory, 0);
        for (const { record } of found) new Date(record.expires).toISOString();
        return [trouble];
      },
    },
  };

test.each(Object.keys(readers))(
  '%s with anything in any place is read at a start, or named in a sentence',
  async (name) => {
    const reader = readers[name];
    const holds = async (changes: Parameters<typeof mutated>[1]) => {
      const lines = changes.slice(0, 3).map((change) => ({ ...change, answer: 0 }));
      writeFileSync(join(directory, name), `${stringifyExact(mutated(reader?.whole, lines, 0))}\n`, { mode: 0o600 });
      for (const said of (await reader?.read()) ?? [])
        expect(said ?? 'a sentence').not.toMatch(/TypeError|RangeError|\bis not a function|undefined|\[object/);
    };
    await fc.assert(fc.asyncProperty(mutations, holds), { seed, numRuns: runs(60) });
  },
);

test('rows of every kept list fit their schema; what does not fit is left out, and the rest can be drawn', async () => {
  const service = createSimulator({ seed: 5, monitors: 40, issues: 20, lively: false, rate: 0 });
  const there = await service.start();
  const client = clientAt(there, { readOnly: true });
  onTestFinished(async () => {
    await client.close();
    await service.stop();
  });
  const context = contextOf({ now: service.now(), origin: there.url });
  const samples: { readonly list: AnyList; readonly rows: readonly unknown[] }[] = [];
  for (const list of screens.flatMap(({ lists }) => lists).filter(({ kept }) => kept)) {
    const read = await client.run(list.load(initialQuery(list), context).plan(context));
    if (!read.ok) throw new Error(read.problem.text);
    const rows = parseExact(stringifyExact((read.value as Rows<unknown>).rows.slice(0, 300))) as unknown[];
    expect(rows.length, list.id).toBeGreaterThan(0);
    samples.push({ list, rows });
  }
  const snapshot = samples.map(({ list, rows }) => ({ list: list.id, key: list.id, at: 1, rows }));
  expect(seedFrom(snapshot, screens, () => {})).toBe(0);

  const seeded = { rows: [] as readonly unknown[] };
  const holds = (at: number, nth: number, changes: Parameters<typeof mutated>[1]) => {
    const { list, rows } = samples[at % samples.length] ?? { list: screens[0]?.lists[0] as AnyList, rows: [] };
    const changed = changes.slice(0, 2).map((change) => ({ ...change, answer: 0 }));
    const row = mutated(rows[nth % rows.length], changed, 0);
    const left = seedFrom([{ list: list.id, key: 'k', at: 1, rows: [row] }], screens, (_, value) => {
      seeded.rows = value.rows;
    });
    expect(left + seeded.rows.length).toBe(1);
    for (const fitting of seeded.rows) {
      expect(`${list.idOf(fitting)}${list.nameOf(fitting)}`).toMatch(/./s);
      for (const column of list.columns) column.text(fitting, context);
      list.words?.(fitting, context);
      list.now?.(fitting, context);
      list.link?.(fitting, context);
      for (const { isIn } of list.states ?? []) isIn(fitting, context);
    }
  };
  fc.assert(fc.property(fc.nat(), fc.nat(), mutations, holds), { seed, numRuns: runs(1500) });
});
