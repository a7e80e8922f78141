import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createOrganisation, type Tagged } from '../../../src/describe/organisation.ts';
import { createRowJoiner, type PartRows } from '../../../src/session/organisations/join-rows.ts';

const organisations = ['acme', 'beta', 'gamma'].map((name) => createOrganisation(name, (base) => base));
const [acme, beta] = organisations as [(typeof organisations)[0], (typeof organisations)[0]];
const rowsOf = (...ids: string[]) => ids.map((id) => ({ id }));
const words = (rows: readonly unknown[]) =>
  (rows as readonly Tagged<{ id: string }>[]).map(({ organisation, row }) => `${organisation.name} ${row.id}`);

test('rows stay where they are while more of any organisation come behind them', () => {
  const join = createRowJoiner();
  const [a, b] = [rowsOf('1', '2'), rowsOf('1')];
  const first = join('key', [
    { organisation: acme, rows: a },
    { organisation: beta, rows: b },
  ]);
  expect(words(first)).toEqual(['acme 1', 'acme 2', 'beta 1']);
  const more = [...a, ...rowsOf('3')];
  const second = join('key', [
    { organisation: acme, rows: more },
    { organisation: beta, rows: b },
  ]);
  expect(words(second)).toEqual(['acme 1', 'acme 2', 'beta 1', 'acme 3']);
  expect(second.slice(0, 3).every((row, at) => row === first[at])).toBe(true);
  expect(
    join('key', [
      { organisation: beta, rows: b },
      { organisation: acme, rows: more },
    ]),
  ).toBe(second);
  const changed = more.with(1, { id: 'two' });
  const third = join('key', [
    { organisation: acme, rows: changed },
    { organisation: beta, rows: b },
  ]);
  expect(words(third)).toEqual(['acme 1', 'acme two', 'beta 1', 'acme 3']);
  expect([third[0] === second[0], third[2] === second[2]]).toEqual([true, true]);
});

test('after rows have gone, or an organisation, the rows are those that are left; reads keep theirs apart', () => {
  const join = createRowJoiner();
  const a = rowsOf('1', '2', '3');
  join('key', [
    { organisation: acme, rows: a },
    { organisation: beta, rows: rowsOf('1') },
  ]);
  expect(words(join('other', [{ organisation: beta, rows: rowsOf('9') }]))).toEqual(['beta 9']);
  expect(
    words(
      join('key', [
        { organisation: acme, rows: a.slice(1) },
        { organisation: beta, rows: [] },
      ]),
    ),
  ).toEqual(['acme 2', 'acme 3']);
  expect(words(join('key', [{ organisation: beta, rows: rowsOf('1') }]))).toEqual(['beta 1']);
  expect(join('key', [])).toEqual([]);
});

test('whatever is read, each organisation has its rows, in their order', () => {
  const reading = fc.array(fc.tuple(fc.constantFrom(0, 1, 2), fc.nat(9), fc.nat(9)), { maxLength: 4 });
  fc.assert(
    fc.property(fc.array(reading, { maxLength: 6 }), (readings) => {
      const join = createRowJoiner();
      for (const reads of readings) {
        const each = new Map<number, PartRows>();
        for (const [at, size, seed] of reads) {
          const organisation = organisations[at] as typeof acme;
          each.set(at, {
            organisation,
            rows: Array.from({ length: size }, (_, id) => `${id % 3}${id % 2 ? seed : ''}`),
          });
        }
        const joined = join('key', [...each.values()]) as readonly Tagged<string>[];
        for (const { organisation, rows } of each.values())
          expect(joined.flatMap((one) => (one.organisation === organisation ? [one.row] : []))).toEqual(rows);
        expect(joined).toHaveLength([...each.values()].reduce((sum, { rows }) => sum + rows.length, 0));
      }
    }),
  );
});
