import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { screens } from '../../screens/index.ts';
import { configPath, readConfig } from '../../src/profiles/config-file.ts';
import { customized } from '../../src/session/custom/customized.ts';
import { machineOfEach } from '../support/commands.ts';

const page = readFileSync(new URL('../../docs/config.md', import.meta.url), 'utf8');
const example = /```json\n([\s\S]*?)```/.exec(page)?.[1] ?? '';

const machine = machineOfEach();
const writes = (text: string) => writeFileSync(configPath(machine.directory), text, { mode: 0o600 });

test('the example of the page has no mistake, all of it is used, and every member of it is explained', () => {
  const { config, mistakes } = readConfig(example);
  expect(mistakes).toEqual([]);
  const { unused, screens: made } = customized(screens, config);
  expect(unused).toEqual([]);
  const actions = made.flatMap(({ lists }) => lists).flatMap((list) => list.actions);
  expect(actions.find(({ id }) => id === 'issues.resolve')?.key).toBe('R');
  expect(actions.filter(({ id }) => id.startsWith('command.'))).toHaveLength(5);
  const { commands, ...others } = JSON.parse(example) as { commands: object[] };
  for (const member of [...Object.keys(others), 'commands', ...commands.flatMap((command) => Object.keys(command))])
    expect(page).toContain(`| \`${member}\` |`);
});

describe('orgdeck config', () => {
  test('path prints where the file belongs, check says when there is none', async () => {
    const { out, exit } = await machine.orgdeck(['config', 'path']);
    expect([out, exit]).toEqual([`${join(machine.directory, 'config.json')}\n`, 0]);
    expect(await machine.orgdeck(['config', 'check'])).toMatchObject({
      exit: 0,
      out: expect.stringContaining('nothing to check'),
    });
  });

  test('check ends with 0 without mistakes, and with 1 and a line for each of them', async () => {
    writes(example);
    expect(await machine.orgdeck(['config', 'check'])).toMatchObject({
      exit: 0,
      out: expect.stringContaining('no mistakes'),
      err: '',
    });
    writes(
      '{ "version": 1,\n"columns": { "monitors": ["state",\n"color"] },\n"keys": {"issues.resolve": "/"}, "theme": 1 }',
    );
    const { exit, err, out } = await machine.orgdeck(['config', 'check']);
    expect([exit, out]).toEqual([1, '']);
    const lines = err.trim().split('\n');
    expect(lines.map((line) => line.slice(machine.directory.length + 1))).toEqual([
      expect.stringMatching(/^config\.json:3: monitors has no column color/),
      expect.stringMatching(/^config\.json:4: theme: the theme is one of/),
      expect.stringMatching(/^config\.json:4: issues\.resolve cannot be on \/: on Issues that key is "filter"/),
    ]);
  });

  test('theme, notify and mouse hold for what names none: a flag and a profile win', async () => {
    writes('{ "version": 1, "theme": "mono", "notify": "osc9", "mouse": true }');
    const told = async (...flags: string[]) => (await machine.orgdeck(['info', ...flags])).out;
    expect(await told('--demo')).toMatch(/theme +mono +\(config\.json\)/);
    expect(await told('--demo')).toMatch(/notify +osc9 +\(config\.json\)/);
    expect(await told('--demo')).toMatch(/mouse +on +\(config\.json\)/);
    expect(await told('--demo', '--theme', 'light')).toMatch(/theme +light +\(flag: --theme\)/);
    expect(await told('--demo', '--read-only')).toMatch(/read-only +yes +\(flag: --read-only\)/);
    await machine.orgdeck('profiles add acme --base-url https://api.acme.test --notify off --mouse off'.split(' '));
    expect(await told('--profile', 'acme')).toMatch(/notify +off +\(profile acme\)/);
    expect(await told('--profile', 'acme')).toMatch(/mouse +off +\(profile acme\)/);
    expect(await told('--profile', 'acme')).toMatch(/theme +mono +\(config\.json\)/);
  });

  test('a mistake stops no command', async () => {
    writes('{ "version": 1, ');
    expect(await machine.orgdeck(['info', '--demo'])).toMatchObject({ exit: 0, err: '' });
  });
});
