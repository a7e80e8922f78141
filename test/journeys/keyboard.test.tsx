import { expect, test } from 'vitest';
import { keyHeaders } from '../../src/api/secrets.ts';
import { hasIssues, issueId } from '../support/issues.ts';
import { journey } from '../support/journey.tsx';
import { hasDisk } from '../support/monitors.ts';
import { offering } from '../support/offering.ts';
import { receiptOf } from '../support/receipts.ts';
import { stories } from '../support/stories.ts';

const bare = { monitors: 0, issues: 0, columns: 80, rows: 24 } as const;
const web = 'https://web.test';
const hidesALine = 'disk\nrm -r ~\u202e\u200b\u3164';
const two = { ...bare, before: (service: Parameters<typeof hasIssues>[0]) => hasIssues(service, 2) };
const story = stories(journey, two);

story('ids, a link, the row, a command and a curl line are copied without secrets', { web }, async (user) => {
  const { origin, vocabulary } = user.session.client;
  await user.presses('y');
  await user.sees('Copied the id to the clipboard');
  await user.presses('*', 'y');
  await user.sees('Copied 2 ids');
  await user.presses('esc', 'Y');
  await user.sees('Copy');
  await user.presses('l');
  await user.sees('Copied');
  await user.presses('Y');
  await user.sees(/row as JSON +\{"id":"/);
  await user.presses('r');
  await user.sees('Copied row as JSON');
  await user.presses('Y', 'c');
  await user.sees('Copied command');
  await user.presses('Y', 'u');
  await user.sees('Copied curl');
  await user.presses('*', 'Y', 'm');
  await user.sees('Copied Markdown');
  const bullets = user.copied.at(-1)?.split('\n').slice(2);
  expect(bullets).toHaveLength(2);
  expect(bullets?.[0]).toMatch(/^- \*\*\[E01 in web\]\(https:\S+\)\*\* · .*count/);
  const [id, ids, link, json, command, curl] = user.copied;
  expect(id).toBe(issueId(1));
  expect(ids).toBe(`${issueId(1)}\n${issueId(2)}`);
  expect(link).toBe(`${web}/error-tracking/issue/${issueId(1)}`);
  expect(JSON.parse(json ?? '')).toMatchObject({ id: issueId(1), type: 'E01', state: 'OPEN' });
  expect(command).toBe(`orgdeck call issues.get --issue_id ${issueId(1)}`);
  expect(curl).toContain(`${origin}/api/v2/error-tracking/issues/${issueId(1)}`);
  // A curl line leaves this program, so it has the names of the deployment.
  const { apiKey, appKey } = vocabulary?.headers ?? keyHeaders;
  expect(curl).toContain(`-H "${apiKey}: $ORGDECK_API_KEY" -H "${appKey}: $ORGDECK_APP_KEY"`);
  // Keys are 32 and 40 hexadecimal digits here.
  expect(user.copied.join('\n')).not.toMatch(/fake-new-|[0-9a-f]{32}/);
});

test(
  'a name of several lines is copied as one, without what hides a part of it; a command quotes it',
  journey(
    async (user) => {
      const shown = 'disk␊rm -r ~␦␦␦';
      await user.opens('monitors');
      await user.presses('Y', 'n', 'Y', 'm', 'Y', 'r', 'Y', 'v', 'm');
      await user.sees('Copied mute as a command');
      const [name, markdown = '', json = '', command] = user.copied;
      expect(name).toBe(shown);
      expect(markdown.split('\n')).toHaveLength(3);
      expect(json.split('\n')).toHaveLength(1);
      expect(JSON.parse(json)).toMatchObject({ name: hidesALine });
      for (const text of [markdown, json]) expect(text).not.toMatch(/[\u202e\u200b\u3164]/);
      expect(command).toMatch(/^orgdeck .*monitors/);
      await user.presses('m', '4');
      await user.sees(offering(''));
      await user.presses('H');
      await user.sees('Handover of test');
      await user.presses('y');
      await user.sees('Copied the handover');
      const lines = user.copied.at(-1)?.split('\n') ?? [];
      expect(lines.filter((line) => line.includes('rm -r'))).toEqual([
        expect.stringMatching(/^- (?:\d\d:\d\d muted )?\*\*disk rm -r \\~/),
      ]);
      expect(lines.join()).not.toMatch(/[\u202e\u200b\u3164]/);
    },
    { ...bare, columns: 120, before: (service) => void hasDisk(service, { id: 77, name: hidesALine }) },
  ),
);

story('the link is shown in full over the whole width, and can be copied from there', { web }, async (user) => {
  await user.presses('o');
  await user.sees('Link');
  const shown = await user.line('error-tracking/issue');
  expect(shown.startsWith('https://web.test/')).toBe(true);
  await user.presses('y');
  await user.sees('Copied');
  expect(user.copied).toEqual([shown.trim()]);
  await user.presses('q');
  await user.sees(/Issues 2\b/);
});

story('the menu of actions shows every action with its key, and why one is refused', async (user, service) => {
  await user.presses('x');
  await user.sees('Actions');
  for (const verb of [/a +assign/, /A +acknowledge/, /r +resolve/, /i +ignore/, /E +exclude/]) await user.sees(verb);
  await user.sees(/O +reopen +already OPEN/);
  await user.sees(/X +unassign +not assigned/);
  await user.presses('O');
  await user.sees('Reopen: already OPEN');
  expect(service.received('PUT')).toEqual([]);
  await user.presses('A');
  await user.sees(receiptOf.acknowledge('E01 in web'));
  // Return runs the line under the cursor.
  await user.presses('j', 'x', 'j', 'j', 'return');
  await user.sees(receiptOf.resolve('E02 in web'));
});

story('help lists the keys that work here, can be searched, and Enter runs the selected line', async (user) => {
  await user.presses('?');
  await user.sees('Help · Issues');
  await user.sees('Resolve: Fixed');
  await user.presses('/', 'Someone');
  await user.sees(/> Write +A +Acknowledge: Someone is on it/);
  await user.loses('Resolve: Fixed');
  await user.presses('return');
  await user.sees(receiptOf.acknowledge('E01 in web'));
  await user.presses('?', '/', 'Reopen', 'return');
  await user.sees('Reopened E01 in web');
  await user.presses('?', '?');
  await user.sees(/Issues 2\b/);
});

story('the palette runs every action by name; a refused one says why and keeps the palette open', async (user) => {
  await user.presses(':', 'monit', 'return');
  await user.sees(/Monitors \d/);
  await user.presses('ctrl+p', 'issues', 'return');
  await user.sees(/Issues 2\b/);
  await user.presses(':', 'ackn', 'return');
  await user.sees(receiptOf.acknowledge('E01 in web'));
  await user.presses(':', 'unassign');
  await user.sees('not assigned');
  await user.presses('return');
  await user.sees('Unassign: not assigned');
  await user.sees('Palette');
  await user.presses('ctrl+u', 'backspace');
  await user.loses('Palette');
  await user.presses(':', 'nothing of this name');
  await user.sees('Palette');
  await user.presses('return', 'esc');
  await user.sees(/Issues 2\b/);
});

story('q at the root quits where nothing would be lost, and Esc there does not', async (user) => {
  await user.presses('/', 'E', 'return', 'q');
  await user.sees(/Issues 2\b/);
  await user.presses('esc');
  expect(user.quit).toEqual([]);
  await user.presses('q');
  expect(user.quit).toEqual([0]);
});

story('Ctrl-C quits at once from anywhere with 130; Esc at the root only clears the message', async (user) => {
  await user.presses('~');
  await user.sees('~ does nothing here');
  await user.presses('esc');
  await user.loses('~ does nothing here');
  await user.loses('nothing to close');
  expect(user.quit).toEqual([]);
  await user.presses('?', '/', 'x', 'ctrl+c');
  expect(user.quit).toEqual([130]);
});

story('keys typed ahead all count, but none of them confirms', async (user, service) => {
  await user.sends('jEy');
  await user.sees('y was pressed before the question was drawn: press it again');
  await user.sees('Exclude E02 in web?');
  expect(service.received('PUT')).toEqual([]);
  await user.presses('y');
  await user.sees('Excluded E02 in web');
});

story('pasted text presses no keys, and goes into a field as one line', async (user, service) => {
  service.forgets();
  await user.pastes('rrAEyQ\r:q\r');
  await user.sees('Pasted text is ignored here');
  await user.presses('E');
  await user.pastes('y');
  await user.sees('Exclude E01 in web?');
  await user.presses('esc', '/');
  await user.pastes('e0\n2');
  await user.sees('</e0 2>');
  expect(service.received()).toEqual([]);
  expect(user.quit).toEqual([]);
  // A paste that a slow link delivers in parts is still one paste.
  await user.presses('esc', 's');
  await user.sends('\x1b[200~ser');
  await user.sends('vice:we');
  await user.sends('b\x1b[20');
  await user.sends('1~');
  await user.sees(/Query +\[ service:web/);
});
