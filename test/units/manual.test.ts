import { expect, test } from 'vitest';
import { createMachine } from '../support/commands.ts';

/** A page without its roff: a command or an option and its text in a line. */
const plain = (page: string): string =>
  page
    .replaceAll('\\-', '-')
    .replaceAll(/^\.TP\n\.B (.*)\n/gm, '  $1: ')
    .replaceAll(/^\.SS (.*)\n/gm, '$1: ')
    .replaceAll(/^\.SH /gm, '\n')
    .replaceAll(/^\.nf\n|^\.fi\n/gm, '');

/** The pages, where an option that reads like one before stands by its name, several in a line. */
function withoutRepeats(pages: string): string {
  const lines: string[] = [];
  const seen = new Set<string>();
  for (const line of pages.split(/\n+/)) {
    const [name] = line.trim().split(': ');
    if (!line.startsWith('  -') || !seen.has(line)) lines.push(line);
    else if (lines.at(-1)?.startsWith('  also ')) lines.push(`${lines.pop()}, ${name}`);
    else lines.push(`  also ${name}`);
    seen.add(line);
  }
  return lines.join('\n');
}

async function printed(...words: readonly string[]) {
  const machine = createMachine();
  return machine.orgdeck(['man', ...words]);
}

test('the manual has every command, its operands and its options', async () => {
  const { exit, out, err } = await printed('--all');
  expect([exit, err]).toEqual([0, '']);
  const [whole = '', ...groups] = out.split(/^(?=\.TH )/m);
  const sections = (page: string) => page.split(/^(?=\.SH )/m);
  const shared = sections(whole).filter((section) => /^\.SH (EXIT|ENVIRONMENT|FILES)/.test(section));
  const own = groups.map((page) => {
    expect(sections(page)).toEqual(expect.arrayContaining(shared));
    return sections(page)
      .filter((section) => !shared.includes(section))
      .join('');
  });
  await expect(withoutRepeats([whole, ...own].map(plain).join('\n\n'))).toMatchFileSnapshot(
    '../support/stored/manual.txt',
  );
});

test('a group of commands has a page of its own; any other command is in that of the program', async () => {
  expect((await printed('roles')).out).toMatch(/^\.TH ORGDECK-ROLES 1 /);
  expect((await printed('call')).out).toMatch(/^\.TH ORGDECK 1 /);
  expect(await printed('nope')).toMatchObject({ exit: 2, out: '' });
});
