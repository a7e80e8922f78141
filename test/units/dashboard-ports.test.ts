import { expect, test } from 'vitest';
import { type Dashboard, sessionPorts } from '../../src/cli/dashboard.ts';

/** What a dashboard gives the session of an organization to work with, and what the terminal and the profiles were told. */
function portsOf(start: object = {}, more: object = {}, profile: object | undefined = { name: 'acme' }) {
  const did: unknown[] = [];
  const terminal = {
    copy: async (way: string) => ({ ok: way !== '', way }),
    notify: (...told: unknown[]) => did.push(told),
    leave: (code: number) => did.push(code),
    suspend: () => did.push('suspended'),
  };
  const profiles = {
    list: async () => {},
    update: async (...given: unknown[]) => {
      did.push(given);
      return { ok: true, value: { says: 'profile acme saved' } };
    },
  };
  const settings = { plain: false, notify: 'osc9', profile };
  const dashboard = { start: { settings, profiles, env: {}, ...start }, terminal, able: { color: true }, ...more };
  const connection = { settings, client: {}, journal: {} };
  const left = { now: () => [], look: async () => did.push('looked') };
  const given = [dashboard, connection, {}, left] as unknown as Parameters<typeof sessionPorts>;
  return { ports: sessionPorts(...given), did, dashboard: dashboard as unknown as Dashboard };
}

const job = { kind: 'abandon-upload', title: 'discard it', values: {} } as const;
const how = { signal: new AbortController().signal, progress() {} };

test('a kiosk opens no link, reads no file and runs no work', async () => {
  const env = { BROWSER: 'firefox' };
  const { ports, did } = portsOf({ isKiosk: true, env });
  expect([ports.browse, ports.files]).toEqual([undefined, undefined]);
  const off = expect.stringContaining('kiosk');
  expect(await ports.readFile('package.json', 9e9)).toMatchObject({ ok: false, text: off });
  expect(await ports.job(job, how)).toMatchObject({ ok: false, text: off });
  expect(did).toEqual([]);
  const { ports: all } = portsOf({ env });
  expect([typeof all.browse, typeof all.files]).toEqual(['function', 'object']);
  expect(portsOf({ env: { BROWSER: ' ' } }).ports.browse).toBeUndefined();
  expect(await all.readFile('package.json', 9e9)).toMatchObject({ ok: true });
});

test('work is looked for again when it has ended, and texts go where the terminal takes them', async () => {
  const { ports, did } = portsOf();
  expect(await ports.job(job, how)).toEqual({ ok: false, text: 'nothing left to discard' });
  expect(await Promise.all(['tmux', 'terminal', ''].map((text) => ports.copy(text)))).toEqual([
    'to the tmux buffer',
    'to the clipboard',
    undefined,
  ]);
  ports.ring('CPU high');
  ports.quit(0);
  // Nothing is suspended, and no text edited, before the dashboard is drawn.
  ports.suspend();
  expect(did).toEqual(['looked', ['osc9', 'CPU high'], 0]);
  expect(await ports.edit('', '.txt')).toMatchObject({ ok: false });
});

test('a theme is chosen for the run, and saved where there is a profile', async () => {
  const { ports, did, dashboard } = portsOf();
  expect(await ports.theme?.('light', false)).toEqual({ ok: true, text: 'Theme light' });
  expect([dashboard.isThemed, did]).toEqual([true, []]);
  expect(await ports.theme?.('mono', true)).toEqual({ ok: true, text: 'Theme mono: profile acme saved' });
  expect(did).toEqual([['acme', { theme: 'mono' }]]);
  const { ports: colorless } = portsOf({}, { able: { color: false } });
  const dull = 'Theme light, but this terminal shows no colors';
  expect(await colorless.theme?.('light', false)).toEqual({ ok: true, text: dull });
  const { ports: none } = portsOf({ settings: { plain: true } });
  expect(await none.theme?.('light', false)).toEqual({ ok: false, text: 'lines have no colors (--plain)' });
});
