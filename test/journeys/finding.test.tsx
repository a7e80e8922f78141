import { expect } from 'vitest';
import { hasIssue, hasIssues, knowsMe, searches } from '../support/issues.ts';
import { journey } from '../support/journey.tsx';
import { stories } from '../support/stories.ts';

const bare = { monitors: 0, issues: 0, columns: 80, rows: 24 } as const;
const story = stories(journey, bare);

story(
  'typing part of its text filters an issue in eight keys, without a request',
  {
    before(service) {
      hasIssues(service, 17);
      hasIssue(service, 18, { error_type: 'PaymentError', error_message: 'Gateway Timeout after 30 s' });
    },
  },
  async (user, service) => {
    service.forgets();
    await user.presses('/timeout');
    await user.sees(/<\/timeout> 1 of 18\b/);
    await user.sees(/> OPN .*PaymentError/);
    expect(service.received()).toEqual([]);
  },
);

story(
  'the filter stays through polls and other screens; arrows move while typing; q clears it',
  {
    before(service) {
      for (const n of [1, 2, 3, 4, 5, 6, 7, 8, 10, 11]) hasIssue(service, n);
    },
  },
  async (user, service) => {
    await user.presses('/e0', 'down', 'down');
    await user.sees(/> OPN .*E03/);
    await user.presses('return');
    hasIssue(service, 9, { error_type: 'E0X' });
    await user.polls();
    await user.sees(/<\/e0> 8 of 11.* 1 new ▲/);
    await user.presses('2');
    await user.sees(/Monitors \d/);
    await user.presses('1');
    await user.sees(/<\/e0> 9 of 11\b/);
    await user.sees(/> OPN .*E03/);
    await user.presses('q');
    await user.sees(/Issues 11\b.* 1 new/);
    await user.sees(/> OPN .*E03/);
  },
);

story(
  'the search form sends its query to the service',
  {
    columns: 120,
    before(service) {
      hasIssues(service, 3);
      hasIssue(service, 4, { service: 'api', state: 'RESOLVED' });
    },
  },
  async (user, service) => {
    await user.presses('ps');
    // The list stays in sight above the form.
    await user.sees('Search issues');
    await user.sees(/Issues \d+ /);
    await user.presses('service:api', 'tab', 'right', 'right', 'right', 'tab', 'right', 'tab');
    await user.presses('right', 'right', 'space', 'ctrl+s');
    await user.sees(/Issues 1 .* state:OPEN,ACKNOWLEDGED,RESOLVED persona:BACKEND "service:api" by first/);
    expect(searches(service).at(-1)).toMatchObject({
      query: 'service:api',
      persona: 'BACKEND',
      order_by: 'FIRST_SEEN',
    });
    // The form opens with the last search; a track replaces the persona.
    await user.presses('s');
    await user.sees('service:api');
    await user.presses('tab', 'right', 'ctrl+s');
    await user.sees('track:rum');
    expect(searches(service).at(-1)).toMatchObject({ track: 'rum' });
    expect(searches(service).at(-1)).not.toHaveProperty('persona');
    await user.sees(/No match for .*track:rum.* in 24h\. s: change the search/);
  },
);

story('the assignee filter offers nobody and me', { before: (service) => hasIssues(service, 3) }, async (user) => {
  await knowsMe(user);
  await user.presses('ja', 'return');
  await user.sees('to you');
  await user.presses('s', 'shift+tab', 'shift+tab', 'right', 'ctrl+s');
  await user.sees('assignee:me');
  await user.sees(/Issues 1\b/);
  await user.sees(/> ACK .*E02/);
  await user.presses('s', 'shift+tab', 'shift+tab', 'right', 'ctrl+s');
  await user.sees('assignee:none');
  await user.sees(/Issues 2\b/);
});

story(
  'a query that the service refuses shows the reason and stays in the form',
  { before: (service) => hasIssues(service, 3) },
  async (user, service) => {
    await user.presses('s');
    await user.sees('Query');
    await user.presses('service:(web', 'ctrl+s');
    await user.sees('invalid query');
    await user.sees('"service:(web"');
    await user.presses('s');
    await user.sees(/Query +\[ service:\(web/);
    await user.presses('end', 'backspace', 'backspace', 'backspace', 'backspace', 'web', 'return');
    await user.presses('ctrl+s');
    await user.sees(/Issues 3\b/);
    expect(searches(service).at(-1)).toMatchObject({ query: 'service:web' });
  },
);

story(
  'leaving a form with typed text asks for confirmation',
  { before: (service) => hasIssues(service, 3) },
  async (user, service) => {
    service.forgets();
    await user.presses('s');
    await user.sees('Query');
    await user.presses('words of mine', 'esc');
    await user.sees('Esc again closes, loses Query');
    await user.sees('words of mine');
    await user.presses('!', 'return');
    await user.sees('words of mine!');
    await user.loses('Esc again');
    await user.presses('esc', 'esc');
    await user.sees(/Issues 3\b/);
    expect(searches(service)).toEqual([]);
  },
);

story(
  'sorting by a column, and again by the same column, reverses the order',
  { before: (service) => hasIssues(service, 3) },
  async (user) => {
    await user.presses('S');
    await user.sees('Sort by');
    await user.presses('/');
    await user.neverSees('</');
    await user.sees(/\d +state +open first/);
    await user.sees(/\d +last seen +newest first/);
    const key = /(\d) +error +A to Z/.exec(await user.screen())?.[1] ?? '';
    await user.presses(key);
    await user.sees('TYPE: MESSAGE▲');
    await user.presses('S');
    await user.sees(/error +current, A to Z; again: Z to A/);
    await user.presses(key);
    await user.sees('TYPE: MESSAGE▼');
    await user.presses('g');
    await user.sees(/> OPN .*E03/);
  },
);
