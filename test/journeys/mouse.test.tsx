import { expect, test } from 'vitest';
import { hasIssue } from '../support/issues.ts';
import { journey } from '../support/journey.tsx';
import { hasDisk, hasMute, hasSimple } from '../support/monitors.ts';
import type { User } from '../support/person.ts';
import { receiptOf } from '../support/receipts.ts';

const minute = 60_000;

/** Clicks the first cell of a text on the screen; of several lines the last one that has it. */
async function clicks(user: User, text: RegExp): Promise<void> {
  const lines = (await user.screen()).split('\n');
  const row = lines.findLastIndex((line) => text.test(line));
  const line = lines[row] ?? '';
  expect(line, `${text} on the screen:\n${lines.join('\n')}`).not.toBe('');
  const column = line.search(text);
  await user.sends(`\u001B[<0;${column + 1};${row + 1}M\u001B[<0;${column + 1};${row + 1}m`);
}

const place = { monitors: 0, issues: 0, columns: 120, rows: 40 } as const;

test(
  'a click moves the cursor to a line of Home and opens it there; in a detail it turns tabs and picks rows',
  journey(
    async (user) => {
      await user.sees(/Now 3 ALERT/);
      await user.presses(':', 'mouse', 'return');
      await user.sees('Mouse on');
      await clicks(user, /Queue/);
      await user.sees(/> +ALERT +P2.*Queue/);
      await clicks(user, /30m █+░+ Disk/);
      await user.sees(/> 30m █+░+ Disk/);
      await user.sends('\u001B[<64;5;5M');
      await user.sees(/> +ALERT +P1.*Login/);
      await clicks(user, /2\/3 .*Disk .*left/);
      await user.sees(/> +alert.*Disk/);
      await clicks(user, /2\/3 .*Disk .*left/);
      await user.sees('[Overview]');
      // A tab ends one cell behind its title.
      await clicks(user, /(?<=Groups 3) /);
      await user.sees('[Groups 3]');
      await clicks(user, /host:web-3/);
      await user.sees(/> .*host:web-3/);
      await user.presses('q');
      await user.sees('Mutes that end next');
    },
    {
      ...place,
      screen: 'home',
      before(service) {
        service.org.issues.clear();
        hasSimple(service, 'Queue', { id: 70, priority: 2 });
        hasSimple(service, 'Login', { id: 71, priority: 1 });
        hasDisk(service, { id: 77, priority: 1 });
        hasMute(service, '77', '*', 30 * minute);
      },
    },
  ),
);

test(
  'a click in a menu moves the cursor, a second one chooses what only shows; nothing that a click does sends an edit',
  journey(
    async (user, service) => {
      await user.sees('E03');
      await user.presses(':', 'mouse', 'return');
      await user.sees('Mouse on');
      await user.presses('S');
      await clicks(user, /error +A to Z/);
      await user.sees(/> .*error +A to Z/);
      await clicks(user, /error +A to Z/);
      await user.sees('TYPE: MESSAGE▲');
      service.forgets();
      await user.presses('x');
      await clicks(user, /resolve/);
      await user.sees(/> .*resolve/);
      await clicks(user, /resolve/);
      await user.sees('a click never sends an edit');
      await user.presses('esc', 'a');
      await user.sees('Assign');
      await user.sees('Hana');
      await user.settles();
      await clicks(user, /Robin|Ines|Sofia|Timo/);
      await clicks(user, /> .*(Robin|Ines|Sofia|Timo)/);
      await user.sees('a click never sends an edit');
      await user.sends('\u001B[<65;5;5M');
      await user.settles();
      await user.presses('esc', '?');
      await clicks(user, /Sort by a column/);
      await user.sees(/> .*Sort by a column/);
      await clicks(user, /Sort by a column/);
      await user.sees(/error +current, A to Z/);
      await user.presses('esc', '?');
      await clicks(user, /Acknowledge|acknowledge/);
      await clicks(user, /> .*cknowledge/);
      await user.sees('a click never sends an edit');
      expect(service.received('PUT', 'issues')).toEqual([]);

      // In the handover a click chooses a line, and opens its row.
      await user.presses('esc', 'A');
      await user.sees(receiptOf.acknowledge('E01'));
      await user.presses('H');
      await user.sees('Handover of');
      await user.sees(/E03 in web/);
      // A line above a menu is no line of the menu.
      await user.presses('T');
      await clicks(user, /E03 in web/);
      await user.settles();
      await user.sees(/> 1 +last 8h/);
      await user.presses('esc');
      await clicks(user, /acknowledged E01 in web/);
      await user.sees(/> .*acknowledged E01 in web/);
      await clicks(user, /> .*acknowledged E01 in web/);
      await user.sees('[Overview]');
    },
    {
      ...place,
      screen: 'issues',
      before(service) {
        service.org.issues.clear();
        for (const n of [1, 2, 3]) hasIssue(service, n);
      },
    },
  ),
);
