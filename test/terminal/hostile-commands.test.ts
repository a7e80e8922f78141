import { expect, test } from 'vitest';
import { foreignBytes, tailsOf } from '../support/hostile.ts';
import { eventsOf, hostile } from '../support/hostile-organization.ts';
import { openTerminal } from '../support/terminal.ts';

const lists = [
  ...['home', 'issues', 'monitors', 'mutes', 'keys-own', 'keys-org', 'api-keys', 'api-keys-v1', 'people', 'roles'],
  ...['permissions', 'role-templates', 'mappings', 'integrations a', 'integrations b', 'integrations b-v1'],
  ...['tables', 'retention', 'archives', 'hygiene'],
];
const formats = ['table', 'wide', 'json', 'jsonl', 'yaml', 'csv', 'tsv'];
const others = [
  'call users.list',
  'call monitors.get --monitor_id 1',
  'call monitors.list',
  'issues get nobody',
  'monitors mute nobody --for 1h --yes',
  'info',
  'doctor',
  'journal',
  'undo --dry-run',
];

/** Runs command lines one after the other in one terminal, wide enough that tables cut little. */
const inCommands = (monitors: number, wanted: number, lines: readonly string[]) => () =>
  hostile(monitors, async ({ env, args }) => {
    const [columns, rows] = [400, 50];
    const script = `${lines.map((line) => `"$0" "$@" ${line} </dev/null`).join('\n')}\necho all of it is done`;
    const pty = openTerminal({
      command: '/bin/sh',
      args: ['-c', script, process.execPath, ...args],
      env,
      columns,
      rows,
      hasWideEmoji: true,
    });
    try {
      await pty.ends({ within: 400_000 });
      await pty.settles();
      const output = pty.outputSince(0);
      expect(output).toContain('all of it is done');
      expect(output).not.toContain('unknown command');
      // The program itself writes tabs between the cells of tsv.
      expect(foreignBytes(Buffer.from(output.replaceAll('\t', ' ')))).toEqual([]);
      expect(await eventsOf(output, columns, rows)).toEqual([]);
      const { seen, lost } = tailsOf(output.split('\n'), 50);
      expect(lost.slice(0, 5)).toEqual([]);
      expect(new Set(seen).size).toBeGreaterThan(wanted);
    } finally {
      await pty.close();
    }
  });

test(
  'no text of the service drives the terminal from the output of a command, and none loses its tail',
  inCommands(60, 300, ['monitors list --output json', 'issues list', 'call monitors.get --monitor_id 1']),
);

test(
  '200,000 hostile texts in the output of every command: the same',
  { tags: ['long', 'faults'], timeout: 480_000 },
  inCommands(3000, 200_000, [
    ...lists.flatMap((list) => formats.map((format) => `${list} list --output ${format}`)),
    ...others,
  ]),
);
