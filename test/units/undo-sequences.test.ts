import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rowOfIssue } from '../../screens/issues/row.ts';
import type { Rows } from '../../src/describe/context.ts';
import { initialQuery } from '../../src/describe/screen.ts';
import type { UndoOffer } from '../../src/journal/undo-stack.ts';
import { systemClock } from '../../src/lib/time.ts';
import { hasIssue, stateOf } from '../support/issues.ts';
import { contextOf } from '../support/plans.ts';
import { runs } from '../support/runs.ts';
import { createSimulator } from '../support/simulator.ts';
import { actionOf, listOf, undoingDashboard } from '../support/undoing-dashboard.ts';

/**
 * Random edits, undos, redos and restarts on the simulator. After each, what `u` offers, the journal and the service agree
 * with a model; and nothing but the last edit of this run is undone without a question.
 */

const clock = systemClock;
const service = createSimulator({ seed: 3, monitors: 0, issues: 0, lively: false, rate: 0, clock });
const at = {} as Awaited<ReturnType<typeof service.start>>;
beforeAll(async () => void Object.assign(at, await service.start()));
afterAll(() => service.stop());

const [issues, keys] = [listOf('issues'), listOf('api-keys')];

const states = ['OPEN', 'ACKNOWLEDGED', 'RESOLVED', 'IGNORED'] as const;
const settingTo = { OPEN: 'reopen', ACKNOWLEDGED: 'acknowledge', RESOLVED: 'resolve', IGNORED: 'ignore' } as const;

type Step =
  | { readonly do: 'set'; readonly rows: readonly number[]; readonly to: number }
  | { readonly do: 'create' | 'delete' | 'redo' | 'restart' }
  /** What is in the way of the undo: nothing, a refusal of the service, or a disk that takes no more lines of the journal. */
  | { readonly do: 'undo'; readonly fault: 'none' | 'refused' | 'full' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('set' as const),
      rows: fc.uniqueArray(fc.nat({ max: 2 }), { minLength: 1, maxLength: 3 }),
      to: fc.nat({ max: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('create' as const, 'delete' as const, 'redo' as const, 'restart' as const),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('undo' as const),
      fault: fc.constantFrom('none' as const, 'none' as const, 'none' as const, 'refused' as const, 'full' as const),
    }),
  },
);

/** A row of an edit as the model has it; of a key, its name. */
interface ModelRow {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  is: 'done' | 'undone' | 'refused';
}
interface ModelEdit {
  readonly run: number;
  readonly rows: readonly ModelRow[];
  readonly hasWayBack: boolean;
}

interface Model {
  run: number;
  readonly edits: ModelEdit[];
  redo?: ModelEdit | undefined;
  /** The edit whose receipt was told last. */
  told?: ModelEdit | undefined;
  /** How many keys were made. */
  made: number;
}

const isDone = ({ is }: ModelRow) => is === 'done';
const nextOf = (edits: readonly ModelEdit[]) => edits.findLast((edit) => edit.hasWayBack && edit.rows.some(isDone));
/** How many edits stand before the next one, or of all. */
function passedBy(edits: readonly ModelEdit[]): number {
  const edit = nextOf(edits);
  const before = edit ? edits.slice(edits.indexOf(edit) + 1) : edits;
  return before.filter(({ rows }) => rows.some(({ is }) => is !== 'undone')).length;
}

/** One sequence on issues and keys of its own, beside its model. */
async function follow(steps: readonly Step[], sequence: number): Promise<void> {
  const numbers = [1, 2, 3].map((at) => sequence * 3 + at);
  const ids = numbers.map((n) => hasIssue(service, n));
  const directory = mkdtempSync(join(tmpdir(), 'orgdeck-undo-'));
  const context = contextOf({ origin: at.url });
  const held = numbers.map(() => 'OPEN');
  const keyNames = new Set<string>();
  const model: Model = { run: 1, edits: [], made: 0 };
  const disk = { isFull: false };
  let own = undoingDashboard(at, { directory, pid: model.run, clock, disk });
  const edited = (rows: readonly Omit<ModelRow, 'is'>[], hasWayBack = true) => {
    model.redo = undefined;
    const edit: ModelEdit = { run: model.run, hasWayBack, rows: rows.map((row) => ({ ...row, is: 'done' })) };
    model.edits.push(edit);
    model.told = hasWayBack ? edit : undefined;
  };
  const issueRows = (rows: readonly number[]) =>
    rows.map((n) => ({ ...rowOfIssue(ids[n] ?? '', {}, new Map()), type: String(n), state: held[n] ?? '' }));
  const keyRow = async (name: string) => {
    const read = await own.client.run(keys.load(initialQuery(keys), context).plan(context));
    const rows = read.ok ? (read.value as Rows<unknown>).rows : [];
    return rows.find((row) => keys.nameOf(row).startsWith(name));
  };

  const acts: { readonly [K in Step['do']]: (step: Extract<Step, { do: K }>) => Promise<void> } = {
    async set({ rows: asked, to }) {
      const state = states[to] ?? 'OPEN';
      const rows = asked.filter((n) => held[n] !== state);
      if (rows.length === 0) return;
      const action = actionOf(issues, `issues.${settingTo[state]}`);
      await own.edits({ action, list: issues, rows: issueRows(rows), values: {} });
      edited(rows.map((n) => ({ name: String(n), before: held[n] ?? '', after: state })));
      for (const n of rows) held[n] = state;
    },
    async create() {
      model.made += 1;
      const name = `key ${sequence}-${model.made}`;
      const values = { name, remote_config_read_enabled: true };
      await own.edits({ action: actionOf(keys, 'api-keys.create'), list: keys, rows: [undefined], values });
      keyNames.add(name);
      edited([{ name, before: '', after: name }]);
    },
    async delete() {
      const name = [...keyNames].at(-1);
      const row = name === undefined ? undefined : await keyRow(name);
      if (name === undefined || row === undefined) return;
      await own.edits({ action: actionOf(keys, 'api-keys.delete'), list: keys, rows: [row], values: {} });
      keyNames.delete(name);
      // Its creation cannot be undone any more.
      for (const { rows } of model.edits)
        for (const one of rows.filter(isDone)) if (one.name === name) one.is = 'refused';
      edited([{ name, before: name, after: '' }], false);
    },
    async undo({ fault }) {
      const edit = nextOf(model.edits);
      const isTold = edit !== undefined && edit === model.told;
      // Issues are in front, keys are on another screen.
      const isHere = edit?.rows.every(({ name }) => name in held) ?? false;
      const mustAsk = edit !== undefined && (!isTold || !isHere || passedBy(model.edits) > 0);
      const edits = ['issues.set-state', 'api-keys.delete'];
      if (fault === 'refused') for (const match of edits) service.refuses(403, { times: 10, match });
      disk.isFull = fault === 'full';
      const hasAsked = await own.presses('askUndo');
      service.recovers();
      disk.isFull = false;
      expect(hasAsked).toBe(mustAsk);
      if (!edit) return;
      model.redo = undefined;
      const open = edit.rows.filter(isDone);
      for (const row of open) {
        const isKey = !(row.name in held);
        const isConflict = isKey ? false : edit.run !== model.run && held[Number(row.name)] !== row.after;
        // On a full disk nothing is noted, a refusal neither.
        if (fault === 'full') continue;
        if (isConflict) row.is = 'refused';
        else if (fault === 'refused') row.is = 'refused';
        else {
          row.is = 'undone';
          if (isKey) keyNames.delete(row.name);
          else held[Number(row.name)] = row.before;
        }
      }
      if (edit.rows.every(({ is }) => is === 'undone')) model.told = undefined;
      if (edit.run === model.run && open.every(({ is }) => is === 'undone') && open.every(({ name }) => name in held))
        model.redo = { ...edit, rows: open };
    },
    async redo() {
      const { redo } = model;
      if (!redo) return;
      await own.presses('askRedo');
      edited(redo.rows);
      for (const { name, after } of redo.rows) held[Number(name)] = after;
    },
    async restart() {
      await own.closes();
      model.run += 1;
      model.redo = undefined;
      model.told = undefined;
      own = undoingDashboard(at, { directory, pid: model.run, clock, disk });
    },
  };

  try {
    for (const step of steps) {
      const act = acts[step.do] as (step: Step) => Promise<void>;
      await act(step);
      expect(numbers.map((n) => stateOf(service, n))).toEqual(held);
      const offer = await own.journal.undoOffer();
      expect(offer.ok && told(offer.value)).toEqual(offeredBy(model.edits, model.run));
    }
    // With all undone that can be, the organization is as before, but for what was refused or has no way back.
    while (nextOf(model.edits)) await acts.undo({ do: 'undo', fault: 'none' });
    const left = model.edits.flatMap(({ rows }) => rows.filter(({ is }) => is !== 'undone'));
    const isLeft = (name: string) => left.some((row) => row.name === name);
    expect(numbers.map((n, at) => isLeft(String(at)) || stateOf(service, n) === 'OPEN')).toEqual([true, true, true]);
    const keysNow = [...service.org.apiKeys.values()].map(({ name }) => name);
    expect(keysNow.filter((name) => name.startsWith(`key ${sequence}-`) && !isLeft(name))).toEqual([]);
  } finally {
    await own.closes();
    // An organization has room for so many keys.
    for (const [id, { name }] of service.org.apiKeys)
      if (name.startsWith(`key ${sequence}-`)) service.org.apiKeys.delete(id);
    rmSync(directory, { recursive: true, force: true });
  }
}

const told = (offer: UndoOffer) => ({
  kind: offer.kind,
  passed: 'passed' in offer ? offer.passed.length : 0,
  rows: offer.kind === 'undo' ? offer.edit.map(({ target }) => target.name.split(' in ')[0]).toSorted() : [],
  isOwn: offer.kind === 'undo' && offer.isOwn,
});

function offeredBy(edits: readonly ModelEdit[], run: number): ReturnType<typeof told> {
  const edit = nextOf(edits);
  const passed = passedBy(edits);
  const rows = edit?.rows.filter(isDone).map(({ name }) => name) ?? [];
  return {
    kind: edit ? 'undo' : passed > 0 ? 'noWayBack' : 'none',
    passed,
    rows: rows.toSorted(),
    isOwn: edit?.run === run,
  };
}

test('what u offers, the journal and the service agree after any edits, undos, redos and restarts', async () => {
  const sequence = { next: 0 };
  const holds = async (steps: readonly Step[]) => {
    sequence.next += 1;
    await follow(steps, sequence.next);
  };
  const sequences = fc.array(step, { minLength: 3, maxLength: 12 });
  await fc.assert(fc.asyncProperty(sequences, holds), { numRuns: runs(300, 12) });
}, 300_000);
