import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { contract } from '../../src/api/vocabulary/contract.ts';
import { readVocabulary, vocabularySchema } from '../../src/api/vocabulary/vocabulary-file.ts';
import { configJsonSchema, fileSchema, jsonSchema } from '../../src/cli/json-schema.ts';
import { readConfig } from '../../src/profiles/config-file.ts';
import { createMachine } from '../support/commands.ts';
import { schemaLines } from '../support/schema-lines.ts';

test.each(['config', 'vocabulary'])('the schema of a %s is printed by a command', async (kind) => {
  const machine = createMachine();
  const { exit, out, err } = await machine.orgdeck([kind, 'schema']);
  expect([exit, err]).toEqual([0, '']);
  await expect(`${schemaLines(JSON.parse(out)).join('\n')}\n`).toMatchFileSnapshot(
    `../support/stored/schema-of-${kind}.txt`,
  );
});

const validator = (schema: object) => new Ajv2020({ strict: false }).compile(schema);

const command = { key: 'L', title: 'logs', argv: ['logs'] };
test.each<[object, boolean]>([
  [{ version: 1 }, true],
  [{ version: 1, $schema: './x.json' }, true],
  [{ version: 1, theme: 'light', notify: 'osc9', mouse: true, notifyPriority: 3, notifyIssues: 0 }, true],
  [{ version: 1, keys: { a: 'R' }, columns: { monitors: ['name'] }, commands: [command] }, true],
  [{ version: 2 }, false],
  [{ version: 1, color: 'red' }, false],
  [{ version: 1, theme: 'pink' }, false],
  [{ version: 1, mouse: 'on' }, false],
  [{ version: 1, notifyPriority: 6 }, false],
  [{ version: 1, notifyPriority: 1.5 }, false],
  [{ version: 1, columns: { monitors: 'name' } }, false],
  [{ version: 1, commands: [{ key: 'L', title: 'logs' }] }, false],
  [{ version: 1, commands: [{ ...command, output: 'all' }] }, false],
])('the schema of config.json says of %j what the program says', (config, isRight) => {
  expect(validator(configJsonSchema())(config)).toBe(isRight);
  expect(readConfig(JSON.stringify(config)).mistakes.length === 0).toBe(isRight);
});

test.each<[object, boolean]>([
  [{ $schema: './x.json', service: 'ACME', roles: 'Acme', words: { provider_a: 'nimbus' } }, true],
  [{ labels: { provider_a: 'Nimbus Cloud' }, values: { 'monitors.host_check': { 'host.up': 'acme.host.up' } } }, true],
  [{ words: { provider_a: 'Nimbus' } }, false],
  [{ words: { provider_z: 'nimbus' } }, false],
  [{ words: { provider_a: 'x'.repeat(61) } }, false],
  [{ service: '' }, false],
])('the schema of a vocabulary says of %j what the program says', (vocabulary, isRight) => {
  const schema = fileSchema('a vocabulary', jsonSchema(vocabularySchema(contract)));
  expect(validator(schema)(vocabulary)).toBe(isRight);
  expect(readVocabulary(vocabulary).ok).toBe(isRight);
});
