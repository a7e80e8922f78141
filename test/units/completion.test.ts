import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Argument, Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { completeLine, completionScripts } from '../../src/cli/completion.ts';
import { WordOption } from '../../src/cli/flags.ts';
import { manualPage, manualPages } from '../../src/cli/manual.ts';
import { splitCommandLine } from '../../src/lib/setting-values.ts';
import { machineOfEach } from '../support/commands.ts';

test('a line is split as a shell does, an open quote included', () => {
  const line = (text: string) => {
    const { words, current, typed } = splitCommandLine(text);
    return [...words, current, typed];
  };
  expect(line('orgdeck  monitors ')).toEqual(['orgdeck', 'monitors', '', '']);
  expect(line('orgdeck mute name:CPU\\ hi')).toEqual(['orgdeck', 'mute', 'name:CPU hi', 'name:CPU\\ hi']);
  expect(line('a "b c" "d e')).toEqual(['a', 'b c', 'd e', '"d e']);
  expect(line("a 'b\\c'd")).toEqual(['a', 'b\\cd', "'b\\c'd"]);
  expect(line('a "b\\" c')).toEqual(['a', 'b" c', '"b\\" c']);
  expect(line('a "b\\n\\$c"')).toEqual(['a', 'b\\n$c', '"b\\n\\$c"']);
  expect(line('')).toEqual(['', '']);
});

/** A program with the kinds of operands and flags that completion tells apart. */
function program(): Command {
  const root = new Command('orgdeck')
    .description("the program's own text")
    .option('--profile <name>', 'whose')
    .option('--screen <name>', 'where')
    .option('--view <name>', 'how');
  const things = root.command('things').description('the things');
  things
    .command('mute <ids...>')
    .description('mute it')
    .option('--for <time>', 'how long')
    .option('--all', 'every one');
  things
    .command('list')
    // A line that begins with a dot would be a request of roff.
    .description('.every one of them')
    .addOption(new WordOption('-o, --output <format>', 'the form', ['table', 'json']))
    .addOption(new WordOption('--json [fields]', 'as JSON', ['id', 'name', 'state'], true));
  things.command('check [query]').description('check one').option('--type <type>', 'its type');
  things.command('parts').description('parts').command('get <id> [operation]').description('print a part');
  root.command('profiles').description('organizations').command('use <name>').description('use it');
  root.command('call [operation]').description('send one');
  root
    .command('completion')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh']))
    .description('for shells');
  root.command('help [command...]').description('explain');
  root.command('secret', { hidden: true });
  return root;
}

const listsRead: string[] = [];
const words = {
  rows: async (list: string) => {
    listsRead.push(list);
    return [
      { id: '17', name: 'cpu on web' },
      { id: '-1', name: 'disk' },
    ];
  },
  profiles: async () => [{ value: 'acme' }, { value: 'beta' }],
  operations: async () => [{ value: 'things.get' }],
  screens: async () => [{ value: 'home' }, { value: 'things' }],
  views: async () => [{ value: 'mine' }],
  monitorTypes: async () => [{ value: 'log alert' }],
};
const offers = async (line: string) => {
  const { words: before, current } = splitCommandLine(line);
  return (await completeLine(program(), before.slice(1), current, words)).map(({ value }) => value);
};

describe('completion offers', () => {
  test('commands that are shown, by what was typed of them', async () => {
    expect(await offers('orgdeck ')).toEqual(['things', 'profiles', 'call', 'completion', 'help']);
    expect(await offers('orgdeck --profile acme thi')).toEqual(['things']);
    expect(await offers('orgdeck things m')).toEqual(['mute']);
    expect(await offers('orgdeck help pro')).toEqual(['profiles']);
  });

  test('flags of the command, and values of a flag', async () => {
    expect(await offers('orgdeck things mute 17 --')).toEqual(['--for', '--all', '--help']);
    expect(await offers('orgdeck things list -o ')).toEqual(['table', 'json']);
    expect(await offers('orgdeck things list --output=j')).toEqual(['--output=json']);
    expect(await offers('orgdeck things list --json ')).toEqual(['id', 'name', 'state']);
    expect(await offers('orgdeck things list --json name,s')).toEqual(['name,state']);
    expect(await offers('orgdeck things list --json -')).toEqual(['--output', '--json', '--help']);
    expect(await offers('orgdeck --profile b')).toEqual(['beta']);
    expect(await offers('orgdeck --screen t')).toEqual(['things']);
    expect(await offers('orgdeck --view ')).toEqual(['mine']);
    expect(await offers('orgdeck things check --type l')).toEqual(['log alert']);
    expect(await offers('orgdeck --profile=b')).toEqual(['--profile=beta']);
    expect(await offers('orgdeck things mute --for ')).toEqual([]);
  });

  test('ids and names of the rows of the list that the command belongs to', async () => {
    listsRead.length = 0;
    expect(await offers('orgdeck things mute --for 1h 17 ')).toEqual(['17', 'id:-1']);
    expect(await offers('orgdeck things mute name:')).toEqual(['name:cpu on web', 'name:disk']);
    expect(await offers('orgdeck things parts get 1')).toEqual(['17']);
    expect(listsRead).toEqual(['things', 'things', 'things.parts']);
    expect(await offers('orgdeck things parts get 17 ')).toEqual(['things.get']);
  });

  test('profiles, operations and fixed words', async () => {
    expect(await offers('orgdeck profiles use ')).toEqual(['acme', 'beta']);
    expect(await offers('orgdeck call th')).toEqual(['things.get']);
    expect(await offers('orgdeck completion z')).toEqual(['zsh']);
  });
});

test('the manual page has every command that does something, and escapes what roff would read', () => {
  const root = program();
  const closing = '\nSettings come from a flag.\nExit: 0 done\n  orgdeck --demo \\ all';
  const page = manualPage(root, '1.2.3', closing);
  expect(page).toContain('.TH ORGDECK 1 "" "orgdeck 1.2.3"');
  expect(page.match(/^\.SS .*$/gm)).toEqual([
    '.SS orgdeck things mute <ids...>',
    '.SS orgdeck things list',
    '.SS orgdeck things check [query]',
    '.SS orgdeck things parts get <id> [operation]',
    '.SS orgdeck profiles use <name>',
    '.SS orgdeck call [operation]',
    '.SS orgdeck completion <shell>',
    '.SS orgdeck help [command...]',
  ]);
  expect(page).toContain('\n\\&.every one of them\n');
  expect(page).toContain('.SH SETTINGS\nSettings come from a flag.\n.SH EXIT STATUS\n.TP\n.B 0\ndone, or so already\n');
  expect(page).toContain('.SH EXAMPLES\n.nf\n  orgdeck \\-\\-demo \\e all\n.fi\n');
  expect(page).toContain('.SH SEE ALSO\norgdeck\\-things(1), orgdeck\\-profiles(1); ');
  // The flags of a command of a group stand in the page of the group.
  expect(page).not.toContain('how long');
  const things = root.commands.find((command) => command.name() === 'things');
  const own = manualPage(root, '1.2.3', closing, things);
  expect(own).toContain('.TH ORGDECK-THINGS 1 ');
  expect(own).toContain('\n.TP\n.B \\-\\-for <time>\nhow long\n');
  expect(own).toContain('.SH EXAMPLES\n.nf\n  orgdeck things list\n  orgdeck things list \\-o json\n.fi\n');
  expect(own).toContain('.SH SEE ALSO\norgdeck(1), orgdeck\\-profiles(1); ');
  expect(manualPages(root, '1.2.3', closing)).toEqual([page, own, expect.stringContaining('.TH ORGDECK-PROFILES 1 ')]);
});

describe('what the completion of a shell is told', () => {
  const machine = machineOfEach();
  const told = async (line: string) => {
    const { out, exit } = await machine.orgdeck(['__complete', line]);
    expect(exit).toBe(0);
    return out.replace(/\n$/, '').split('\n');
  };

  test('the word as it was typed, then a value and its meaning on each line', async () => {
    expect(await told('orgdeck completion ')).toEqual(['', 'bash\t', 'zsh\t', 'fish\t']);
    expect(await told('orgdeck --theme d')).toEqual(['d', 'default\t']);
    expect(await told('orgdeck monitors list --theme h')).toEqual(['h', 'high-contrast\t']);
    expect(await told('orgdeck query check --type "service')).toEqual(['"service', 'service check\t']);
    expect(await told('orgdeck --screen mon')).toEqual(['mon', 'monitors\tMonitors']);
    expect(await told("orgdeck --demo monitors mute 'name:CPU high on api hosts of ch")).toEqual([
      "'name:CPU high on api hosts of ch",
      'name:CPU high on api hosts of checkout-api\t41001',
    ]);
    expect((await told('orgdeck --demo monitors diff 41005 41001')).at(-1)).toMatch(/^41001\tCPU high/);
    const escaped = 'name:CPU\\ high\\ on\\ api\\ hosts\\ of\\ ch';
    expect(await told(`orgdeck --demo monitors mute ${escaped}`)).toEqual([
      escaped,
      'name:CPU high on api hosts of checkout-api\t41001',
    ]);
    expect((await told('orgdeck monitors mute --')).slice(0, 4)).toEqual([
      '--',
      expect.stringMatching(/^--for\t/),
      expect.stringMatching(/^--from\t/),
      expect.stringMatching(/^--until\t/),
    ]);
    expect(await told('orgdeck call monitors.get --moni')).toEqual(['--moni', '--monitor_id\tan id; required']);
    expect(await told('orgdeck call monitors.ge')).toEqual([
      'monitors.ge',
      'monitors.get\tGET /api/v1/monitor/{monitor_id}',
    ]);
    await machine.orgdeck(['profiles', 'add', 'acme', '--base-url', 'http://127.0.0.1:9']);
    expect(await told('orgdeck profiles use a')).toEqual(['a', 'acme\thttp://127.0.0.1:9']);
    expect(await told('orgdeck --profile a')).toEqual(['a', 'acme\thttp://127.0.0.1:9']);
  });

  test('views and rows that a dashboard has kept', async () => {
    const profile = 'kept';
    await machine.orgdeck(['profiles', 'add', profile, '--base-url', 'https://api.acme.test']);
    const rows = [{ id: 'f1', place: 1, attributes: { name: 'errors' }, unread: [] }, { id: 'odd' }];
    const snapshot = [{ list: 'retention', key: 'retention', at: 1, rows }];
    for (const [what, value] of [['state'], ['snapshot', snapshot]] as const) {
      const file = JSON.parse(readFileSync(`test/support/stored/${what}-v1.json`, 'utf8'));
      const text = JSON.stringify({ ...file, profile, ...(value && { value }) });
      writeFileSync(join(machine.directory, `${what}-${profile}.json`), text, { mode: 0o600 });
    }
    expect(await told('orgdeck --profile kept --view P')).toEqual(['P', 'Payments\tissues']);
    expect(await told('orgdeck --profile kept retention get ')).toEqual(['', 'f1\terrors']);
    expect(await told('orgdeck --profile nobody --view P')).toEqual(['P']);
  });

  test('another shell is told which there are, and what to do', async () => {
    expect(await machine.orgdeck(['completion', 'tcsh'])).toEqual({
      exit: 2,
      out: '',
      err: 'there is no completion for "tcsh", there is one for bash, zsh and fish: in one of these, source <(orgdeck completion bash)\n',
    });
    expect((await machine.orgdeck(['completion', '--help'])).out).toContain('choices: "bash", "zsh", "fish"');
  });

  test('nothing where a file is meant, and nowhere an error', async () => {
    expect(await told('orgdeck tables upload te')).toEqual(['te']);
    expect(await told('orgdeck --base-url nonsense monitors mute ')).toEqual(['']);
  });

  test.each(Object.entries(completionScripts))(
    'the script of %s hands over the line up to the cursor',
    async (shell, script) => {
      expect(await machine.orgdeck(['completion', shell])).toEqual({ exit: 0, out: script, err: '' });
      expect(script).toContain('__complete');
      if (shell === 'bash') expect(spawnSync('bash', ['-n'], { input: script }).status).toBe(0);
      // A word in quotes comes with its quote: without it, its spaces would part it.
      if (shell === 'zsh') expect(script).toContain('$QIPREFIX$PREFIX');
    },
  );
});
