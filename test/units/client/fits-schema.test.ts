import fc from 'fast-check';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { endpoints } from '../../../src/api/all-endpoints.ts';
import { decimal, fields, id, includes, int, many, placed, searchTerms, text } from '../../../src/api/envelope.ts';
import { monitor } from '../../../src/api/monitor-schema.ts';
import { fitsSchema } from '../../../src/client/read-response.ts';
import { showMonitor } from '../../../src/simulator/kinds/monitor-view.ts';
import { createSimulator } from '../../../src/simulator/simulator.ts';
import { thing } from '../../support/calls.ts';
import { runs } from '../../support/runs.ts';

test('what needs no reading is told from what valibot would read as another value', () => {
  const item = fields({ id, count: int, share: placed('a.share', decimal), kind: searchTerms('a', 'b') });
  const table: readonly (readonly [schema: v.GenericSchema, value: unknown, fits: boolean])[] = [
    [item, { id: 5, count: 5, share: 0.5, kind: 'other', more: { any: [1] } }, true],
    [item, { count: null }, true],
    [item, { count: '5' }, false],
    [item, { share: '0.5' }, false],
    [item, { id: true }, false],
    [item, { constructor: 1 }, false],
    [item, [], false],
    [item, null, false],
    [placed('a.count', v.pipe(text, v.trim())), ' a', false],
    [v.union([v.pipe(text, v.trim()), text]), ' a', false],
    [v.record(text, int), { a: 1 }, true],
    [v.record(text, int), { a: '1' }, false],
    [v.record(text, int), { prototype: 1 }, false],
    [v.looseObject({ id }), {}, false],
    [many(thing), { data: [{ id: 'a' }] }, true],
    [many(thing), { data: null }, false],
    [many(thing), {}, false],
    [
      includes({ thing }),
      [
        { type: 'thing', attributes: { count: 1 } },
        { type: 'other', attributes: { count: '1' } },
      ],
      true,
    ],
    [includes({ thing }), [{ type: 'thing', attributes: { count: '1' } }], false],
  ];
  for (const [schema, value, fits] of table) expect([value, fitsSchema(schema, value)]).toEqual([value, fits]);
});

test('of no response of the contract is a value taken as it came that valibot would read as another one', () => {
  const value = fc.jsonValue({ maxDepth: 1 });
  const ids = fc.constantFrom(1, 'a', '5', null);
  const row = fc.dictionary(
    fc.constantFrom('id', 'type', 'name', 'attributes', 'created', 'options', 'tags', 'query'),
    value,
  );
  const envelope = fc.record(
    { data: fc.oneof(value, fc.array(row)), included: fc.array(row), id: ids },
    { requiredKeys: [] },
  );
  let taken = 0;
  fc.assert(
    fc.property(fc.constantFrom(...endpoints), fc.oneof(envelope, fc.array(row)), ({ response }, answer) => {
      if (!fitsSchema(response, answer)) return;
      taken += 1;
      expect(v.safeParse(response, answer)).toMatchObject({ success: true, output: answer });
    }),
    { numRuns: runs(600) },
  );
  expect(taken).toBeGreaterThan(runs(600) / 50);
});

test('monitors as the service writes them need no reading', () => {
  const { org, world, now } = createSimulator({ seed: 5, monitors: 200, issues: 0 });
  const view = { creator: true, downtimes: true, groups: new Set(['alert', 'ok']) };
  const shown = [...org.monitors.values()].map((one) => showMonitor(world, one, view, now()));
  expect(JSON.parse(JSON.stringify(shown)).filter((row: unknown) => !fitsSchema(monitor, row))).toEqual([]);
});
