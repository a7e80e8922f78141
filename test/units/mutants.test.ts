import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { findSites, withSites } from '../mutants/sites.ts';

const code = `
function price(count, isMember) {
  if (count < 1 || count === 13) return 0;
  let total = 0;
  for (let each = 0; each < count; each += 1) total += 10;
  if (isMember) { total -= 1; }
  return isMember && total > 50 ? total - 5 : total;
}`;

const changes = () => findSites('price.ts', code);

/** The function with the change of this number. */
const changed = (active: number) =>
  new Function('__orgdeckMutant', `${withSites(code, changes(), 0)}; return price;`)(
    (number: number) => number === active,
  ) as (count: number, isMember: boolean) => number;

test('each kind of change is found, with its line', () => {
  expect(changes().map(({ line, change }) => `${line} ${change}`)).toEqual([
    '3 return early',
    '3 negate',
    '3 || → &&',
    '3 < → <=',
    '3 1 → 2',
    '3 === → !==',
    '3 13 → 14',
    '3 0 → 1',
    '4 0 → 1',
    '5 negate',
    '5 0 → 1',
    '5 < → <=',
    '5 1 → 2',
    '5 drop',
    '5 10 → 11',
    '6 negate',
    '6 drop',
    '6 1 → 2',
    '7 negate',
    '7 && → ||',
    '7 > → >=',
    '7 50 → 51',
    '7 5 → 6',
  ]);
});

test('without a change the code does as before, and each change alone is noticed where inputs suffice', () => {
  const inputs = [0, 1, 2, 5, 6, 13, 14].flatMap((count) =>
    [true, false].map((isMember) => [count, isMember] as const),
  );
  const outputs = (active: number) => inputs.map(([count, isMember]) => changed(active)(count, isMember)).join();
  const before = outputs(-1);
  expect(before).toBe('0,0,9,10,19,20,49,50,54,60,0,0,134,140');
  const unnoticed = changes().filter((_, number) => outputs(number) === before);
  expect(unnoticed.map(({ line, change }) => `${line} ${change}`)).toEqual(['7 > → >=', '7 50 → 51']);
});

test('types are no code, and code in an assertion of a type is', () => {
  const typed = 'type One = 1; const a = { 7: 2 as const, ...(b! satisfies 3) }; const c = (d: 4) => d !== 5;';
  expect(findSites('typed.ts', typed).map(({ change, onLoad }) => [change, onLoad])).toEqual([
    ['2 → 3', true],
    ['return early', false],
    ['!== → ===', false],
    ['5 → 6', false],
  ]);
});

/** What the tool says, which ends with 1 where a change survives. */
async function mutants(...flags: readonly string[]): Promise<string> {
  // Vitest tells its workers that they are workers.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')));
  const run = promisify(execFile)(process.execPath, ['test/mutants/mutants.ts', ...flags], { env });
  const { stdout, stderr } = await run.catch((failed: { stdout: string; stderr: string; signal?: string }) => ({
    stdout: `${failed.stdout}${failed.signal ?? ''}`,
    stderr: failed.stderr,
  }));
  return `${stdout}${stderr}`;
}

test.concurrent('ten changes to the product, drawn by the seed, are each noticed by a unit test', async () => {
  expect(await mutants('--ten')).toMatch(/^10 of 10 changes noticed; seed \d+\n$/);
}, 180_000);

test.concurrent('a file outside the rooms is refused before any test is run', async () => {
  expect(await mutants('--file', 'test/support')).toMatch(/^there is nothing to change: .*\n$/);
});
