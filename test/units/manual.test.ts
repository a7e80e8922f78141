import { expect, onTestFinished, test } from 'vitest';
import { createMachine } from '../support/commands.ts';

/** A page without its roff: a command or an option and its text in a line. */
const plain = (page: string): string =>
  page
    .replaceAll('\\-', '-')
    .replaceAll(/^\.TP\n\.B (.*)\n/gm, '  $1: ')
    .replaceAll(/^\.SS (.*)\n/gm, '$1: ')
    .replaceAll(/^\.SH /gm, '\n')
    .replaceAll(/^\.nf\n|^\.fi\n/gm, '');

test('the manual has every command, its operands and its options', async () => {
  const machine = createMachine();
  onTestFinished(() => machine.remove());
  const { exit, out, err } = await machine.orgdeck(['man', '--all']);
  expect([exit, err]).toEqual([0, '']);
  const [whole = '', ...groups] = out.split(/^(?=\.TH )/m);
  expect((await machine.orgdeck(['man', 'roles'])).out).toBe(groups.find((page) => page.includes('ORGDECK-ROLES ')));
  // A command without commands of its own is in the page of the program.
  for (const words of [['man'], ['man', 'call']]) expect((await machine.orgdeck(words)).out).toBe(whole);
  expect(await machine.orgdeck(['man', 'nope'])).toMatchObject({ exit: 2, out: '' });
  const sections = (page: string) => page.split(/^(?=\.SH )/m);
  const shared = sections(whole).filter((section) => /^\.SH (EXIT|ENVIRONMENT|FILES)/.test(section));
  const own = groups.map((page) => {
    expect(sections(page)).toEqual(expect.arrayContaining(shared));
    return sections(page)
      .filter((section) => !shared.includes(section))
      .join('');
  });
  await expect([whole, ...own].map(plain).join('\n\n')).toMatchFileSnapshot('../support/stored/manual.txt');
});
