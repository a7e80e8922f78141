import { expect } from 'vitest';
import { hasIssue, hasIssues, issueId } from '../support/issues.ts';
import { journey } from '../support/journey.tsx';
import { receiptOf } from '../support/receipts.ts';
import { stories } from '../support/stories.ts';

const bare = { monitors: 0, issues: 0, columns: 80, rows: 24 } as const;
const story = stories(journey, bare);
const long = Array.from({ length: 50 }, (_, at) => `line ${at + 1} of the message`).join('\n');

story(
  'the detail is one page of sections; the object is a tab, and actions work in both',
  {
    before(service) {
      hasIssue(service, 1);
      hasIssue(service, 2, {
        error_type: 'CheckoutError',
        error_message: 'Checkout of basket failed',
        file_path: 'src/basket.ts',
        function_name: 'pay',
        languages: ['TYPESCRIPT'],
        first_seen_version: '1.4.0',
        last_seen_version: '1.5.2',
      });
    },
  },
  async (user, service) => {
    await user.presses('j', 'return');
    await user.sees('CheckoutError in web  2 of 2');
    await user.sees('Checkout of basket failed');
    await user.sees(`ID          ${issueId(2)}`);
    expect(service.received('GET', issueId(2))).toHaveLength(1);
    await user.sees('Location ─');
    await user.sees(/File +src\/basket\.ts/);
    await user.sees(/Function +pay/);
    await user.presses('ctrl+d');
    await user.sees(/Languages +TYPESCRIPT/);
    await user.presses('G');
    await user.sees(/First seen +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC \(2h\)/);
    await user.sees(/In version +1\.4\.0/);
    await user.sees('No team');
    await user.sees('Case ─');
    await user.presses(']');
    await user.sees('[Raw]');
    await user.sees('"total_count": 980');
    await user.presses('ctrl+d');
    await user.sees('"error_type": "CheckoutError"');
    await user.presses('A');
    await user.sees(receiptOf.acknowledge('CheckoutError in web'));
    await user.sees('[Raw]');
    await user.presses('h');
    await user.sees('[Overview]');
    await user.sees(/State +ACKNOWLEDGED/);
    await user.presses('u');
    await user.sees(receiptOf.undo(''));
    await user.sees(/State +OPEN/);
    await user.presses('q');
    await user.sees(/│.> OPN .*CheckoutErr/);
  },
);

story(
  'a long message scrolls to its end and back, a line at a time',
  { before: (service) => void hasIssue(service, 1, { error_message: long }) },
  async (user) => {
    await user.presses('return');
    await user.sees('line 1 of the message');
    await user.neverSees('line 30 of the message');
    await user.presses('G');
    await user.sees('No case');
    await user.loses(/line 40 of/);
    // Keys past the end do not count: one step back scrolls by one line.
    const top = Number(/(\d+)-\d+\/\d+ ┘/.exec(await user.screen())?.[1]);
    await user.presses('jjj', 'k');
    await user.sees(`${top - 1}-`);
    await user.presses('g', 'j');
    await user.sees(/ 2-\d+\/\d+ ┘/);
    await user.neverSees(/E01 *│$/m);
    await user.presses('ctrl+d', 'ctrl+d', 'ctrl+u', 'ctrl+u', 'k');
    await user.sees(/ 1-\d+\/\d+ ┘/);
  },
);

story(
  'going back from a detail restores filter and cursor, also when the issue has left the list',
  { before: (service) => hasIssues(service, 12) },
  async (user, service) => {
    await user.presses('/e0', 'return', 'j', 'j');
    await user.sees(/<\/e0> 9 of 12\b/);
    await user.presses('return');
    await user.sees(/┌ E03 in web/);
    await user.presses('backspace');
    await user.sees(/<\/e0> 9 of 12\b/);
    await user.sees(/│.> .*E03/);

    await user.presses('return');
    await user.sees(/┌ E03 in web/);
    service.org.issues.delete(issueId(3));
    await user.polls();
    await user.sees('No longer in the list');
    await user.sees('message of E03');
    await user.presses('q');
    // A deleted row stays until the cursor leaves it, so that no other row takes its place.
    await user.sees(/│.> .*E03/);
    await user.presses('j');
    await user.loses('E03');
    await user.sees(/│.> .*E04/);
    await user.sees(/<\/e0> 8 of 11\b/);
    await user.presses('q');
    await user.sees(/Issues 11\b/);
  },
);

story(
  'a detail that could be read only in part says so and shows the rest',
  { before: (service) => hasIssues(service, 2) },
  async (user, service) => {
    service.refuses(404, { match: 'issues.get', body: { errors: [{ detail: 'issue not found' }] } });
    await user.presses('return');
    await user.sees('issue not found');
    await user.sees('message of E01');
  },
);

story(
  '/ finds a text in the detail, n and N go to its matches, J and K to the issues beside; footer and help say so',
  {
    before: (service) => {
      for (const at of [1, 2, 3]) hasIssue(service, at, { error_message: long });
    },
  },
  async (user, service) => {
    await user.presses('/e0', 'return', 'j', 'return');
    await user.sees('E02 in web  2 of 3');
    await user.sees('J next item');
    await user.neverSees('next match');
    await user.presses('/', 'line 4');
    await user.sees('line 4 of the message');
    await user.sees('/line 4 1 of 11');
    await user.presses('return');
    await user.sees('n next match');
    await user.presses('n');
    await user.sees('/line 4 2 of 11');
    await user.presses('N', 'N');
    await user.sees('/line 4 11 of 11');
    await user.sees('line 49 of the message');

    expect(service.received('GET', issueId(3))).toHaveLength(0);
    await user.presses('J');
    await user.sees('E03 in web  3 of 3');
    await user.sees('/line 4 11 ');
    await user.sees('line 49 of the message');
    expect(service.received('GET', issueId(3))).toHaveLength(1);
    await user.presses('J');
    await user.sees('Next item: this is the last one');
    await user.presses('K');
    await user.sees('E02 in web  2 of 3');
    await user.presses('?', '/', 'match');
    await user.sees(/N +Previous match/);
    await user.presses('esc', 'esc');

    await user.presses('q');
    await user.loses('/line 4');
    await user.sees('E02 in web  2 of 3');
    await user.presses(']', '/', 'error_type', 'return');
    await user.sees('"error_type": "E02"');
    await user.presses('J', 'q', 'q');
    await user.sees(/│.> .*E03/);
    await user.sees('</e0> 3');
  },
);
