import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { mistakesText } from '../../src/cli/config.ts';
import { readJsonLines } from '../../src/lib/json-lines.ts';
import { emptyConfig, openConfigFile, readConfig } from '../../src/profiles/config-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let room = '';
beforeEach(() => {
  room = temporaryFolder();
});

const told = (text: string) => readConfig(text).mistakes.map(({ line, text }) => `${line}: ${text}`);

test('what is right is read', () => {
  const settings = { theme: 'light', notify: 'osc9', mouse: true, notifyPriority: 3, notifyIssues: 50 };
  const columns = { monitors: ['state', 'name'] };
  const command = { key: 'L', title: 'logs', argv: ['logs', '--of={name}'] };
  const keys = { 'issues.resolve': 'R', 'issues.assign': 'Ctrl-E' };
  const { config, mistakes } = readConfig(
    JSON.stringify({ version: 1, ...settings, keys, columns, commands: [command] }),
  );
  expect(mistakes).toEqual([]);
  expect(config).toEqual({
    ...{ ...settings, columns, keys: { ...keys, 'issues.assign': 'ctrl+e' } },
    commands: [{ ...command, confirm: false, output: 'view', at: 0 }],
  });
});

test('comments are read over, and what is behind them keeps its line; $schema is no mistake', () => {
  const text = `// mine
{
  "$schema": "./config.schema.json", /* two
  lines */ "version": 1,
  "columns": { "monitors": ["// no comment", "/* nor */ this"] }, // why
  "theme": "pink"
}`;
  expect(told(text)).toEqual([expect.stringMatching(/^6: theme: the theme is one of /)]);
  expect(readConfig(text).config.columns).toEqual({ monitors: ['// no comment', '/* nor */ this'] });
  expect(told('{"version": 1 /* no end')).toEqual([expect.stringMatching(/^1: this is not JSON/)]);
});

test('each mistake has its line and what to write, and only that entry is left out', () => {
  const text = `{
  "version": 1,
  "theme": "dark",
  "color": "red",
  "keys": {
    "issues.resolve": "R",
    "issues.ignore": "F5",
    "issues.assign": "Ctrl-I"
  },
  "columns": {
    "monitors": ["state"],
    "issues": "state"
  },
  "commands": [
    { "key": "L", "title": "logs",
      "argv": ["logs", "{nam}"] },
    { "key": "K", "argv": [],
      "shell": true },
    { "key": "B", "title": "book", "argv": ["book", "{name}"] },
    { "key": "D", "title": "drop", "argv": ["{name}"] }
  ],
  "notifyPriority": 9,
  "theme": "mono"
}`;
  expect(told(text)).toEqual([
    '4: color: there is no such member: there are version, theme, notify, mouse, notifyPriority, notifyIssues, keys, columns, commands',
    '7: keys["issues.ignore"]: write one character, or Ctrl-E or Alt-E',
    '8: keys["issues.assign"]: Ctrl-I is Tab for a terminal',
    '12: columns.issues: write a list of columns, such as ["state", "name"]',
    '16: commands[0].argv: the placeholders are {id}, {name}, {link} and {service}',
    '17: commands[1].title: this is missing: write "title": "logs"',
    '17: commands[1].argv: write the program first',
    '18: commands[1].shell: is not a member of a command: key, title, argv, screens, confirm and output are',
    '20: commands[3].argv: the program cannot be a placeholder',
    '22: notifyPriority: the priority to notify of is a whole number from 1, the most urgent, to 5',
    '23: theme is there twice: this one is used',
  ]);
  const { config } = readConfig(text);
  expect(config.theme).toBe('mono');
  expect(config.keys).toEqual({ 'issues.resolve': 'R' });
  expect(config.columns).toEqual({ monitors: ['state'] });
  expect(config.commands.map(({ title, at }) => [title, at])).toEqual([['book', 2]]);
});

test('a text that is no JSON is told where it stops being JSON', () => {
  expect(told('{\n  "version": 1,\n  "keys": {}\n  "columns": {}\n}')).toEqual([
    '4: this is not JSON: a comma or } is missing before "columns": {}',
  ]);
  expect(told('{\n  "version": 1,\n}')).toEqual(['3: this is not JSON: a name in double quotes is missing before }']);
  expect(told('{ "version": 1,\n  "theme": light }')).toEqual([
    '2: this is not JSON: a value is missing before light }',
  ]);
  expect(told('{ "version": 1')).toEqual(['1: this is not JSON: a comma or } is missing here']);
  expect(told('')).toEqual(['1: this is not JSON: a value is missing here']);
  expect(told('\ufeff{ "version": 1 }')).toEqual([]);
  expect(told('[]')).toEqual(['1: the file is one object: {"version": 1, "keys": {…}}']);
});

test('a version that is missing is told and the rest is used; of a newer one nothing is', () => {
  const without = readConfig('{\n\n"theme": "mono" }');
  expect(without.mistakes).toEqual([{ line: 1, text: 'version: write "version": 1' }]);
  expect(without.config.theme).toBe('mono');
  const newer = readConfig('{ "theme": "mono",\n"version": 2 }');
  expect(newer.mistakes.map(({ line }) => line)).toEqual([2]);
  expect(newer.config).toEqual(emptyConfig);
});

test('a file that others may write in is not used, one that they may read or run is', async () => {
  const path = join(room, 'config.json');
  expect(await openConfigFile(room)).toMatchObject({ exists: false, config: emptyConfig, mistakes: [] });
  writeFileSync(path, '{ "version": 1, "theme": "mono" }');
  chmodSync(path, 0o755);
  expect(await openConfigFile(room)).toMatchObject({ exists: true, config: { theme: 'mono' }, mistakes: [] });
  chmodSync(path, 0o664);
  const refused = await openConfigFile(room);
  expect(refused.config).toEqual(emptyConfig);
  expect(refused.mistakes[0]?.text).toContain('chmod go-w');
});

test('any JSON is read as JSON.parse reads it, and any other text is refused as that refuses it', () => {
  const mangled = fc
    .tuple(fc.json({ maxDepth: 6 }), fc.nat(), fc.constantFrom('', '"', ',', '}', ']', '\n', '\\', '0', 'x'))
    .map(
      ([text, at, piece]) => text.slice(0, at % (text.length + 1)) + piece + text.slice((at % (text.length + 1)) + 1),
    );
  fc.assert(
    fc.property(fc.oneof(fc.json({ maxDepth: 6 }), mangled), (text) => {
      let expected: unknown;
      try {
        expected = { ok: true, value: JSON.parse(text) };
      } catch {
        expected = { ok: false };
      }
      expect(readJsonLines(text)).toMatchObject(expected as object);
    }),
  );
});

test('a file in a directory that others may write in is not used, and no link leads there', async () => {
  const shared = temporaryFolder();
  writeFileSync(join(shared, 'config.json'), '{"version":1,"theme":"default"}');
  const linked = temporaryFolder();
  symlinkSync(join(shared, 'config.json'), join(linked, 'config.json'));
  for (const folder of [shared, linked]) expect((await openConfigFile(folder)).mistakes).toEqual([]);
  chmodSync(shared, 0o777);
  for (const folder of [shared, linked])
    expect((await openConfigFile(folder)).mistakes).toEqual([{ line: 1, text: expect.stringContaining('chmod go-w') }]);
});

test('a start says how many mistakes there are, and the first', () => {
  const mistakes = [2, 5].map((line) => ({ line, text: `no color ${line}` }));
  const advice = '· orgdeck config check';
  expect(mistakesText({ mistakes })).toBe(`config.json: 2 mistakes, the first on line 2: no color 2 ${advice}`);
  expect(mistakesText({ mistakes: mistakes.slice(1) })).toBe(`config.json: line 5: no color 5 ${advice}`);
});
