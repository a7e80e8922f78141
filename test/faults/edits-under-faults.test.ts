import { expect, test } from 'vitest';
import { performUnderFaults } from '../support/faulty-edits.ts';
import type { Tally } from '../support/judge-edits.ts';

/** Of the runs here; `TEST_SEED` tries others. */
const seed = Number(process.env.TEST_SEED ?? 20_261_122);

function expectPromises(tally: Tally, count: number): void {
  process.stdout.write(`seed ${seed}: ${JSON.stringify({ ...tally, wrong: tally.wrong.length })}\n`);
  expect(tally.wrong).toEqual([]);
  const { edits, told } = tally;
  expect(told.applied + told.refused + told.unknown).toBeGreaterThanOrEqual(count);
  for (const repeat of ['settable', 'once', 'delete', 'replace', 'part'] as const)
    expect(edits[repeat], repeat).toBeGreaterThan(0);
  expect(tally.plans).toBeGreaterThan(0);
  // A run in which nothing works, or nothing fails, proves nothing.
  expect(told.applied).toBeGreaterThan(count / 2);
  expect(told.unknown).toBeGreaterThan(0);
}

test('edits under random faults: none is lost, doubled or wrongly reported', async () => {
  expectPromises(await performUnderFaults(seed, 200), 200);
});

test('10,000 edits under random faults: none is lost, doubled or wrongly reported', {
  timeout: 900_000,
  tags: ['long', 'faults'],
}, async () => {
  expectPromises(await performUnderFaults(seed + 1, 10_000), 10_000);
});
