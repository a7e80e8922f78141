import { expect } from 'vitest';
import { hasIssue, hasIssues, issueId, stateOf } from '../support/issues.ts';
import { hasMute, hasSimple, hour, silences } from '../support/monitors.ts';
import { stories } from '../support/stories.ts';
import { type Both, together } from '../support/together.ts';

/** A monitor of the same id in both organisations, and one that is only in each. */
function monitors({ test: one, beta }: Both): void {
  hasSimple(one, 'Checkout', { id: 77 });
  hasSimple(one, 'Search', { id: 78, groups: { '*': 'OK' } });
  hasSimple(beta, 'Payments', { id: 77 });
  hasSimple(beta, 'Mailer', { id: 79 });
}

const place = { columns: 120, rows: 30, before: monitors, screen: 'monitors' } as const;
const story = stories(together, place);

story(
  'Monitors has the rows of both profiles, each with the name of its own, and counts them together',
  async (user) => {
    await user.sees(/Monitors 4 .*ALERT 3/);
    expect(await user.screen()).toMatch(/^ test \+ beta /);
    expect(await user.line('Checkout')).toMatch(/ALERT +test /);
    expect(await user.line('Payments')).toMatch(/ALERT +beta /);
    expect(await user.line('Mailer')).toMatch(/ALERT +beta /);
    expect(await user.line('Search')).toMatch(/OK +test /);
    await user.presses('/beta', 'return');
    await user.sees('Monitors </beta> 2 of 4');
  },
);

story(
  'a mute and its undo go to the host of the row, though both have a monitor of this id; the journal names the profile',
  async (user, both) => {
    await user.sees('Monitors 4');
    await user.presses('/payments', 'return', 'm1');
    await user.sees('Muted Payments');
    expect(silences(both.beta, '77')).toEqual(['* mute']);
    expect(silences(both.test, '77')).toEqual([]);
    expect(both.test.received('POST')).toEqual([]);
    expect(await user.line(/> .*Payments/)).toMatch(/beta.*(59|60)m|beta.*1h/);
    await user.presses('H', 'tab');
    expect(await user.line('applied')).toMatch(/applied +beta +muted Payments/);
    await user.presses('q', 'u');
    await user.sees('Undid: muted Payments');
    expect(silences(both.beta, '77')).toEqual([]);
    expect(both.test.received('POST')).toEqual([]);
    await user.presses('ctrl+y');
    await user.sees('Muted Payments');
    expect(silences(both.beta, '77')).toEqual(['* mute']);
    expect(silences(both.test, '77')).toEqual([]);
  },
);

story(
  'an edit of a row of production asks with the name of its profile; one of the other profile does not',
  { isBetaProduction: true },
  async (user, both) => {
    await user.sees('Monitors 4');
    expect(await user.screen()).toMatch(/^ test \+ beta .{0,3}PROD/);
    await user.presses('/checkout', 'return', 'm1');
    await user.sees('Muted Checkout');
    await user.presses('esc', '/payments', 'return', 'm1');
    await user.sees('in production (beta)?');
    expect(silences(both.beta, '77')).toEqual([]);
    await user.presses('y');
    await user.sees('Muted Payments');
    expect(silences(both.beta, '77')).toEqual(['* mute']);
    await user.presses('u');
    await user.sees('Undo the last edit in production (beta)?');
    await user.presses('y');
    await user.sees('Undid: muted Payments');
    await user.presses('u');
    await user.sees('Undid: muted Checkout');
  },
);

story(
  'one profile that is down says so by its name, while the other stays live and is edited',
  {
    async before(both) {
      monitors(both);
      await both.beta.stop();
    },
  },
  async (user, both) => {
    await user.sees('Monitors 2');
    await user.sees(/beta: /);
    expect(await user.line('test + beta')).toMatch(/beta offline/);
    await user.presses('0');
    await user.sees('beta: monitors cannot be read');
    expect(await user.line('test + beta')).toMatch(/beta offline/);
    await user.presses('H');
    await user.sees('Not read, may have open ends: monitors');
    await user.neverSees('nothing open');
    await user.presses('q', '2');
    await user.sees('Monitors 2');
    await user.presses('/checkout', 'return', 'm1');
    await user.sees('Muted Checkout');
    expect(silences(both.test, '77')).toEqual(['* mute']);
    await user.presses('return');
    await user.sees(/Checkout +test +1 of 1/);
    await both.beta.start();
  },
);

story(
  'marks of both profiles are one edit: asked once with the number of each, sent to each host, undone in each with u',
  async (user, both) => {
    await user.sees('Monitors 4');
    await user.presses('*', 'm');
    await user.sees('Mute 4 monitors');
    await user.presses('1');
    await user.sees('Mute 4 monitors: 2 in test, 2 in beta?');
    expect([...both.test.received('POST'), ...both.beta.received('POST')]).toEqual([]);
    await user.presses('y');
    await user.sees('Muted 4 monitors: 2 in test, 2 in beta');
    const all = () => [
      ...['77', '78'].map((id) => silences(both.test, id)),
      ...['77', '79'].map((id) => silences(both.beta, id)),
    ];
    expect(all()).toEqual([['* mute'], ['* mute'], ['* mute'], ['* mute']]);
    await user.presses('u');
    await user.sees('Undid: muted 4 monitors: 2 in test, 2 in beta');
    expect(all()).toEqual([[], [], [], []]);
    await user.presses('ctrl+y');
    await user.sees('Mute 4 monitors: 2 in test, 2 in beta?');
    await user.presses('y');
    await user.sees('Muted 4 monitors: 2 in test, 2 in beta');
    expect(all()).toEqual([['* mute'], ['* mute'], ['* mute'], ['* mute']]);
  },
);

story(
  'where one profile refuses its part, its rows alone stay marked, r tries them again, and u undoes the others',
  { isBetaProduction: true },
  async (user, both) => {
    await user.sees('Monitors 4');
    both.beta.refuses(403, { match: 'POST', times: 9, body: { errors: ['Forbidden'] } });
    await user.presses('*', 'm1');
    await user.sees('Mute 4 monitors: 2 in test, 2 in beta (production)?');
    await user.presses('y');
    await user.sees('Mute: 2 of 4 failed');
    expect(await user.line(/✗ .*Payments/)).toMatch(/beta +Payments/);
    expect(await user.line(/✓ .*Checkout/)).toMatch(/test +Muted Checkout/);
    expect(silences(both.test, '78')).toEqual(['* mute']);
  },
);

story(
  'what is picked of one profile is asked for by profile, the rows of the other stay marked; what they are is copied of both',
  {
    screen: 'issues',
    before: ({ test: one, beta }) => {
      hasIssues(one, 1);
      hasIssues(beta, 1);
      hasIssue(beta, 2);
    },
  },
  async (user, both) => {
    await user.sees('Issues 3');
    await user.presses('*', 'a');
    await user.sees('Assign: issues of which profile');
    expect(await user.line(/1 +test/)).toContain('1 issue');
    expect(await user.line(/2 +beta/)).toContain('2 issues');
    await user.presses('2', 'return');
    await user.sees('Assigned 2 issues');
    expect(both.test.received('PUT')).toEqual([]);
    const mine = both.beta.org.issues.get(issueId(2))?.assignee ?? '';
    expect(both.beta.org.users.has(mine)).toBe(true);
    // What was picked there is nobody here.
    await user.presses('.');
    await user.sees('nothing to repeat in this profile');
    await user.presses('a', 'return');
    await user.sees('Assigned E01 in web to you');
    expect(both.test.org.users.has(both.test.org.issues.get(issueId(1))?.assignee ?? '')).toBe(true);
    await user.presses('*', '.');
    await user.sees('these issues are of several profiles, mark those of one');
  },
);

story(
  'a question for marks of both profiles names the number of each, and ids are copied of both',
  {
    screen: 'issues',
    before: ({ test: one, beta }) => {
      hasIssues(one, 1);
      hasIssues(beta, 1);
    },
  },
  async (user) => {
    await user.sees('Issues 2');
    await user.presses('*');
    await user.presses('r');
    await user.sees('Resolve 2 issues: 1 in test, 1 in beta?');
    await user.presses('n', 'y');
    await user.sees('Copied 2 ids');
  },
);

story('n asks in which profile; marks of one go to it', async (user, both) => {
  await user.sees('Monitors 4');
  await user.presses('n');
  await user.sees('New monitor: in which profile');
  await user.presses('2');
  await user.sees('> metric');
  await user.presses('return', 'Made here', 'ctrl+s', 'return');
  await user.sees(/Created monitor \d+ Made here/);
  const named = (service: typeof both.beta) => [...service.org.monitors.values()].map(({ name }) => name);
  expect([named(both.test).includes('Made here'), named(both.beta).includes('Made here')]).toEqual([false, true]);
  await user.presses('u');
  await user.sees('Undid');
  expect(named(both.beta)).not.toContain('Made here');
  await user.presses('/beta', 'return', '*', 'm1');
  await user.sees('Muted 2 monitors');
  expect(silences(both.beta, '77')).toEqual(['* mute']);
  expect(silences(both.beta, '79')).toEqual(['* mute']);
  expect(silences(both.test, '77')).toEqual([]);
});

story(
  'a repeated edit stays in the profile that it was made in',
  {
    screen: 'issues',
    before: ({ test: one, beta }) => {
      hasIssues(one, 1);
      hasIssues(beta, 2);
    },
  },
  async (user, both) => {
    await user.sees('Issues 3');
    await user.presses('/beta', 'return', 'r');
    await user.sees('Resolved E01');
    expect(stateOf(both.beta, 1)).toBe('RESOLVED');
    expect(stateOf(both.test, 1)).toBe('OPEN');
    await user.presses('esc', '/test', 'return', '.');
    await user.sees('nothing to repeat in this profile');
    expect(stateOf(both.test, 1)).toBe('OPEN');
    // Each profile repeats what was done last in it.
    await user.presses('i');
    await expect.poll(() => stateOf(both.test, 1)).toBe('IGNORED');
    await user.presses('esc', '/beta E02', 'return', '.');
    await expect.poll(() => stateOf(both.beta, 2)).toBe('RESOLVED');
  },
);

story(
  "me is the owner of the keys of the row's own organisation, and its people are looked up there",
  {
    screen: 'issues',
    before: ({ test: one, beta }) => {
      hasIssues(one, 1);
      hasIssues(beta, 1);
    },
  },
  async (user, both) => {
    await user.sees('Issues 2');
    await user.presses('/beta', 'return', 'a', 'return');
    await user.sees('Assigned E01 in web to you');
    const assignee = both.beta.org.issues.get(issueId(1))?.assignee ?? '';
    expect(both.beta.org.users.has(assignee)).toBe(true);
    expect(both.test.org.users.has(assignee)).toBe(false);
    expect(stateOf(both.test, 1)).toBe('OPEN');
    const searches = both.test.received('GET', '/users').length;
    await user.presses('a', 'zz');
    await expect.poll(() => both.beta.received('GET', '/users').some(({ query }) => query.filter === 'zz')).toBe(true);
    expect(both.test.received('GET', '/users')).toHaveLength(searches);
  },
);

story(
  'Home has what alerts and is muted in both, worst first, and its lines act on their own profile',
  {
    before(both) {
      monitors(both);
      hasSimple(both.beta, 'host Backup', { id: 90, groups: { '*': 'OK' } });
      hasMute(both.beta, '90', '*', hour / 2);
    },
  },
  async (user, both) => {
    await user.presses('0');
    await user.sees(/Now 3 ALERT/);
    expect(await user.line('host Backup')).toMatch(/beta/);
    expect(await user.line(/^.*ALERT.*Payments/)).toMatch(/beta/);
    await user.sees(/Monitors|Now/);
    await user.presses('m1');
    await user.sees('Muted');
    const muted = [...silences(both.test, '77'), ...silences(both.beta, '77'), ...silences(both.beta, '79')];
    expect(muted).toEqual(['* mute']);
  },
);

story(
  'a screen that shows no other profile says whose rows it shows, and the tab Mutes has those of both',
  {
    before(both) {
      monitors(both);
      hasMute(both.test, '77', '*', hour / 2);
      hasMute(both.beta, '79', '*', hour);
    },
  },
  async (user) => {
    await user.sees('Monitors 4');
    await user.presses('tab');
    await user.sees('Mutes 2');
    expect(await user.line('Checkout')).toMatch(/test/);
    expect(await user.line('Mailer')).toMatch(/beta/);
    await user.presses('4');
    await user.sees(/^ test only /);
    await user.presses('2');
    await user.sees(/^ test \+ beta /);
  },
);

story('Enter shows the whole of a row from its own organisation', async (user, both) => {
  await user.sees('Monitors 4');
  await user.presses('/mailer', 'return', 'return');
  await user.sees('mailer.load');
  expect(both.beta.received('GET').some(({ path }) => path.includes('/monitor/79'))).toBe(true);
  expect(both.test.received('GET').some(({ path }) => path.includes('/monitor/79'))).toBe(false);
  await user.presses('m1');
  await user.sees('Muted Mailer');
  expect(silences(both.beta, '79')).toEqual(['* mute']);
});
