import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CustomCommand } from '../../src/session/custom/custom.ts';
import { hasIssues, stateOf } from '../support/issues.ts';
import { journey } from '../support/journey.tsx';
import { hasSimple } from '../support/monitors.ts';
import { receiptOf } from '../support/receipts.ts';
import { stories } from '../support/stories.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const bare = { monitors: 0, issues: 0, columns: 120, rows: 30 } as const;
const story = stories(journey, bare);

story(
  'a rebound key does its action, the old one does nothing, and help and foot show the new one',
  { before: (service) => hasIssues(service, 2), custom: { keys: { 'issues.resolve': 'R' } } },
  async (user, service) => {
    await user.sees('R resolve');
    await user.presses('r');
    await user.sees('r does nothing here');
    expect(stateOf(service, 1)).toBe('OPEN');
    await user.presses('R');
    await user.sees(receiptOf.resolve('E01 in web'));
    expect(stateOf(service, 1)).toBe('RESOLVED');
    await user.presses('?', '/', 'resolve');
    await user.sees(/R +Resolve/);
  },
);

story(
  'a list shows the chosen columns in their order, finds by the others, and scrolls no further',
  {
    before: (service) => void hasSimple(service, 'Disk of web-1', { tags: ['team:core'] }),
    custom: { columns: { monitors: ['name', 'state'] } },
  },
  async (user, service) => {
    await user.opens('monitors');
    await user.sees('Disk of web-1');
    const titles = (await user.line('STATE'))
      .replace(/[│┃|▲▼↑↓]/g, ' ')
      .trim()
      .split(/\s+/);
    expect(titles).toEqual(['NAME', 'STATE']);
    await user.presses('/', 'core', 'return');
    await user.sees('Disk of web-1');
    await user.presses('q', 'l', 'l', 'l', 'l');
    expect(user.session.now().view.listState.hscroll).toBe(0);
    expect(service.received('PUT')).toEqual([]);
  },
);

/** A program that prints its arguments as JSON, and its environment. */
const tells = 'console.log(JSON.stringify(process.argv.slice(1)), "env", Object.keys(process.env).sort().join())';
const command = (more: Partial<CustomCommand> = {}): CustomCommand => ({
  key: 'B',
  title: 'runbook',
  argv: [process.execPath, '-e', tells, '--', '{name}', '--of={service}', 'id {id}'],
  screens: ['monitors'],
  confirm: false,
  output: 'view',
  at: 0,
  ...more,
});
const hostile = '--force; rm -rf / $(id) `id`\nsecond "line"';

story(
  'a name of the service reaches a command as one argument, whatever is in it, and no key is in its environment',
  {
    before: (service) => void hasSimple(service, hostile, { tags: ['service:checkout', 'service:web'] }),
    custom: { commands: [command()] },
    env: { PLAIN: 'yes', ORGDECK_API_KEY: 'x', ORGDECK_CONFIG_DIR: '/x' },
  },
  async (user) => {
    await user.opens('monitors');
    await user.presses('B');
    await user.sees('"--of=checkout","id');
    await user.presses('y');
    const [args = '', env = ''] = (user.copied[0] ?? '').split(' env ');
    expect(JSON.parse(args)).toEqual([hostile, '--of=checkout', expect.stringMatching(/^id \d+$/)]);
    expect(env).toMatch(/^PLAIN\b/);
    expect(env).not.toMatch(/ORGDECK|HIDDEN/);
  },
);

story(
  'what a command prints is painted: no sequence of it reaches the terminal',
  {
    before: (service) => void hasSimple(service, 'Disk'),
    custom: {
      commands: [
        command({
          argv: [
            process.execPath,
            '-e',
            String.raw`process.stdout.write("before \x1b[31mred\x1b[0m after\x1b]0;title\x07\noverwritten\rlast\nleft\tright\nbell \x07 end\n")`,
          ],
        }),
      ],
    },
  },
  async (user) => {
    await user.opens('monitors');
    await user.presses('B');
    await user.sees('before red after');
    const frame = await user.screen();
    expect(frame).not.toContain('overwritten');
    expect(frame).toContain('␇');
    expect(await user.line('left')).toMatch(/left {8}right/);
    await user.presses('q');
    await user.sees(/Monitors 1\b/);
  },
);

story(
  'over several marked rows a command asks, and runs once for each',
  {
    before(service) {
      hasSimple(service, 'Disk', { tags: ['service:a'] });
      hasSimple(service, 'Load', { tags: ['service:b'] });
    },
    custom: { commands: [command()] },
  },
  async (user) => {
    await user.opens('monitors');
    await user.presses('*', 'B');
    await user.sees('runbook: run it 2 times?');
    await user.presses('n');
    await user.presses('B', 'y');
    await user.sees('Disk: has ended');
    await user.sees('Load: has ended');
  },
);

story(
  'a command stands in the menu, the palette and the help; a row without what it needs refuses it',
  { before: (service) => void hasSimple(service, 'Disk'), custom: { commands: [command()] } },
  async (user) => {
    await user.opens('monitors');
    await user.presses('x');
    await user.sees(/B +runbook +this row has no service/);
    await user.presses('q', '?', '/', 'runbook');
    await user.sees(/B +Runbook: run /);
    await user.presses('esc', 'esc', ':', 'runbook');
    await user.sees(/runbook.*this row has no service/);
  },
);

story(
  'a command without output opens nothing, and tells its exit code; one that asks runs after a yes',
  {
    before: (service) => void hasSimple(service, 'Disk'),
    custom: {
      commands: [command({ argv: [process.execPath, '-e', 'process.exit(3)'], output: 'none', confirm: true })],
    },
  },
  async (user) => {
    await user.opens('monitors');
    await user.presses('B');
    await user.sees('runbook: run it?');
    await user.presses('y');
    await user.sees('runbook ended with exit code 3');
    expect(user.session.now().state.layers).toEqual([]);
    expect(user.session.now().state.behind).toEqual([]);
  },
);

/** Goes on until its file is there. No brace: those are for names of the row. */
const waits =
  'const all = setInterval(() => fs.existsSync(process.argv[1]) && (console.log("waited"), clearInterval(all)), 20)';

test('a command that was left goes on: quitting says so, W shows what it printed', () => {
  const mayEnd = join(temporaryFolder(), 'end');
  return journey(
    async (user) => {
      await user.opens('monitors');
      await user.presses('B');
      await user.sees('keep running');
      await user.presses('q', 'Q');
      await user.sees('Still running: runbook');
      expect(user.quit).toEqual([]);
      writeFileSync(mayEnd, '');
      await user.presses('j');
      await user.sees('W output');
      await user.presses('W');
      await user.sees('waited');
    },
    {
      ...bare,
      before: (service) => void hasSimple(service, 'Disk'),
      custom: { commands: [command({ argv: [process.execPath, '-e', waits, mayEnd] })] },
    },
  )();
});

story(
  'a command is canceled',
  {
    before: (service) => void hasSimple(service, 'disk'),
    custom: { commands: [command({ argv: ['/bin/sh', '-c', 'sleep 600 & wait'] })] },
  },
  async (user) => {
    await user.opens('monitors');
    await user.presses('B');
    await user.sees('c cancel');
    // A job that cannot tell how far it is has no bar, and no room for one.
    expect(await user.screen()).toMatch(/▸ disk *│\n│ +\/bin\/sh[^│]*│\n└/);
    await user.presses('c');
    await user.sees('(it was canceled)');
  },
);

story(
  'a kiosk refuses commands, the editor, saving, other profiles and suspending, with the reason',
  {
    before: (service) => void hasSimple(service, 'Disk', { tags: ['service:a'] }),
    custom: { commands: [command()] },
    isKiosk: true,
  },
  async (user) => {
    await user.opens('monitors');
    for (const key of ['B', 'P', 'ctrl+z']) {
      await user.presses(key);
      await user.sees(/(Runbook|Profiles|Suspend): off in kiosk mode/);
      await user.presses('j');
    }
    await user.presses('x');
    await user.sees(/B +runbook +off in kiosk mode/);
    await user.presses('q', 'n');
    await user.presses('return');
    expect(await user.screen()).not.toContain('Ctrl-E');
    await user.presses('ctrl+e');
    await user.sees('off in kiosk mode');
    await user.presses('esc', 'esc', ':', ...'theme mono!');
    await user.sees(/theme mono! .*off in kiosk mode/);
    await user.presses('return', 'esc', 'H');
    await user.sees('Handover of');
    await user.presses('q');
    const command = user.session.now().bindings.find(({ title }) => title === 'runbook');
    expect(command).toMatchObject({ refused: 'off in kiosk mode', hint: undefined });
    user.session.send({ type: 'useProfile', name: 'other' });
    await user.sees('Off in kiosk mode');
  },
);
