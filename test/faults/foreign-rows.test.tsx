import { expect, test } from 'vitest';
import { oddIssues, oddMonitors } from '../support/odd-responses.ts';
import { over } from '../support/scripted-deployment.ts';

const list = 'GET /api/v1/monitor';
const get = 'GET /api/v1/monitor/*';
const search = 'POST /api/v2/error-tracking/issues/search';
const person = '87cb0000-0000-4000-8000-000000000002';

test('monitors of every odd shape: readable fields are shown, unreadable ones are named', async () => {
  const one = (url: string) =>
    oddMonitors().find((oddMonitor) => String((oddMonitor as { id?: unknown })?.id) === url.split(/[/?]/)[4]);
  const script = {
    [list]: { body: oddMonitors() },
    [get]: (request: { url: string }) => ({ body: one(request.url) ?? null }),
  };
  await over(
    script,
    async (user, service) => {
      await user.opens('monitors');
      const rows: readonly (string | RegExp)[] = [
        /ALERT +\S +the same id again +metric/,
        /OK +\S +beyond 2\^53 +log/,
        /WARN +5 +id as text/,
        /UNKNOWN +– +\(no name\) #4214/,
        /UNKNOWN +– +\(no name\) #4215/,
        /UNKNOWN +– +\(no name\) #4216/,
        /ALERT +\S +silenced null +unknown +│/,
        /ALERT +\S +silenced list +unknown +│/,
        /ALERT +\S +silenced past +unknown +│/,
        /ALERT +\S +silenced text +unknown +\d+\w+ left/,
        /ALERT +\S +silenced ms +unknown +\d+\w+ left/,
        /ALERT +\S +silenced word +unknown +forever/,
        /ALERT +\S +downtimes +unknown +forever/,
        /FORETOLD +– +new words +oracle/,
        /__PROTO… +– +constructor +construc/,
        /ALERT +\S +groups +unknown +1\/2/,
        /OK +\S +seconds +unknown +2m *│/,
        /OK +\S +millis +unknown +3m *│/,
        /OK +\S +iso +unknown +4m *│/,
        /OK +\S +never +unknown +│/,
      ];
      for (const row of rows) await user.sees(row);
      await user.sees(/Monitors 20\b/);
      await user.sees(/8 monitors could not be read: without an id, null id, empty id and 5 more · \d+ fields/);

      await user.presses('!', 'return');
      for (const place of ['[5].name: expected text', '[7].options.silenced: expected an object, got a list'])
        await user.sees(`Left out   ${place}`);
      await user.presses('esc', 'esc', 'g');

      // Opens every tab of every detail, then starts each action up to its question.
      for (let row = 0; row < 20; row += 1) {
        await user.sends('\r]]]');
        await user.sees(/\[Raw\]/);
        await user.sends('qyj');
      }
      await user.presses('x', 'esc', 'm', 'esc', '+', 'esc', 'd', 'esc', 'D', 'esc', 'Y', 'esc', 'o', 'esc');
      await user.presses('/', ...'beyond', 'return', 'return');
      await user.sees(/ID +9007199254740993/);
      expect(service.received.some((request) => request.url.startsWith('/api/v1/monitor/9007199254740993?'))).toBe(
        true,
      );
      expect(service.received.every((request) => request.method === 'GET' || request.url.includes('search'))).toBe(
        true,
      );
    },
    { columns: 99, rows: 60 },
  );
});

test('the detail of a monitor names what it could not read, tab by tab', async () => {
  const odd = oddMonitors().find((oddMonitor) => (oddMonitor as { name?: unknown })?.name === 'downtimes');
  const script = {
    [list]: { body: [odd] },
    [get]: { body: odd },
    'GET /api/v2/monitor/*/downtime_matches': {
      body: { data: [null, { id: 'aa', attributes: { scope: 'env:a' } }, {}], meta: [] },
    },
    'GET /api/v1/downtime': { status: 400, body: { errors: [{ title: 'Bad', detail: 'no creators here' }] } },
    'GET /api/v2/downtime': { body: { data: { id: 'not a list' } } },
  };
  await over(script, async (user) => {
    await user.opens('monitors');
    await user.presses('return');
    await user.sees('all groups forever by downtime 7');
    await user.sees(/host:web-1 until \d\d:\d\d UTC by downtime 8/);
    await user.sees(/could not be read: matching_downtimes\[0\]: expected an object/);
    await user.sees('who made the downtimes could not be read: no creators here');
    await user.sees(/who made the downtimes could not be read: the response of \S+ cannot be read: data: expected/);
    await user.presses(']', ']');
    await user.sees(/env:a +forever +downtime aa +maybe more/);
  });
});

test('issues of every odd shape are listed: ids without issues, issues without names, times as text or in a finer unit', async () => {
  await over({ [search]: { type: 'application/vnd.api+json', body: oddIssues() } }, async (user) => {
    const rows: readonly RegExp[] = [
      /OPN +12 .* web +TypeError: x is undefined +user u-no… .*2m *│/,
      /SNO +5 .* – +– +user u-em… .*1m *│/,
      /\? +3 .* a0000000-0000-\S+ +– .*– *│/,
      /OPN +1 .* – +BigId: an id beyond 2\^53 +– .*– *│/,
      /\? +– .* – +– +– .*– *│/,
    ];
    for (const row of rows) await user.sees(row);
    await user.sees(/Issues 7\b/);
    await user.presses('!', 'return');
    await user.sees('3 issues came without details: only id and counts');
    await user.sees('1 result without an id left out');
    for (const place of ['data[9]: expected an object', 'included[7].attributes.error_message: expected text'])
      await user.sees(`Left out   ${place}`);
    await user.presses('esc', 'esc');
    for (let row = 0; row < 7; row += 1) {
      await user.sends('\r]');
      await user.sees(/\[Raw\]/);
      await user.sends('qyj');
    }
    await user.presses('a', 'esc', 'x', 'esc', 'E', 'esc', 'Y', 'esc', 'o', 'esc');
    await user.presses('g', 'return', 'G');
    await user.sees(/First seen +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC \(24h\)/);
    await user.sees('team t-2');
    await user.sees('Created     2025-07-31 06:41:22 UTC');
  });
});

test('searches without `included` and responses without a list leave a readable screen', async () => {
  const bare = { data: [{ id: 'i-1', type: 'error_tracking_search_result', attributes: { total_count: 3 } }] };
  await over({ [search]: { body: bare } }, async (user, service) => {
    await user.sees('1 issue came without details: only id and counts');
    await user.presses('r');
    await user.sees('The current state is unknown, so this cannot be undone');
    await user.presses('n');
    for (const body of [{ data: null }, { data: [] }, {}]) {
      service.answers({ [search]: { body } });
      await user.presses('ctrl+r');
      await user.sees('No issues in this range');
      service.answers({ [search]: { body: bare } });
      await user.presses('ctrl+r');
      await user.sees('i-1');
    }
    for (const [body, said] of [
      [[], 'expected an object, got a list'],
      [{ data: {} }, 'data: expected a list, got an object'],
      [{ data: 'none' }, 'data: expected a list, got text'],
      [null, 'expected an object, got null'],
      [{ errors: [{ detail: 'from must be before to' }] }, 'but reports: from must be before to'],
    ] as const) {
      service.answers({ [search]: { body } });
      await user.presses('ctrl+r');
      await user.settles(said);
      await user.sees('i-1');
    }
  });
});

test('with the operations of the specification alone, issues are found and assigned and a monitor is unmuted by its id', async () => {
  const id = 'c1486d5e-0000-4000-8000-000000000001';
  const issue = { id, type: 'issue', attributes: { error_type: 'TypeError', state: 'OPEN', service: 'web' } };
  const assigned = { ...issue, relationships: { assignee: { data: { id: person, type: 'user' } } } };
  const found = { data: [{ id, attributes: { total_count: 5 } }], included: [issue] };
  const script = {
    [search]: { body: found },
    'PUT /api/v2/error-tracking/issues/*/assignee': { body: { data: assigned } },
    'POST /api/v1/monitor/*/unmute': { body: { id: 4211, name: 'Disk', options: { silenced: { 'host:a': null } } } },
  };
  await over(script, async (user, service) => {
    await user.sees(/OPN +5 .*TypeError/);
    await user.presses('a');
    await user.sees('does not offer "list users of the organization" (404 Not Found); the id of a user works too');
    await user.pastes(person);
    await user.sees(/user 87cb… +by id/);
    await user.presses('return');
    await user.sees('✓ Assigned TypeError in web to user 87cb…');
    expect(service.asked('PUT /api/v2/error-tracking/issues/*/assignee')[0]?.body).toContain(person);

    await user.presses('2');
    await user.sees(
      'does not offer "list monitors" (404 Not Found): in Monitors, s and the ID of a monitor find that one',
    );
    await user.presses('s', ...'disk', 'ctrl+s');
    await user.sees('does not offer "search monitors" (404 Not Found): a search for an ID still finds its monitor');
    await user.presses('s', 'ctrl+u', ...'4211', 'ctrl+s');
    await user.sees('monitor 4211');
    await user.presses('m', '1');
    await user.sees('this deployment offers no way to mute; nothing was changed');
    await user.presses('M');
    await user.sees('Its mutes cannot be read, so this cannot be undone');
    await user.presses('y');
    await user.sees('! STILL MUTED on host:a forever (another mute). Ended its mute on Disk');
    expect(service.asked('POST /api/v1/monitor/*/unmute')).toHaveLength(1);
  });
});

test('a deployment that searches monitors but does not list them', async () => {
  const monitors = [{ id: 7, name: 'found', status: 'Alert', creator: { id: { id: 1, handle: 'h' }, name: null } }];
  const script = { 'GET /api/v1/monitor/search': { body: { monitors, counts: null, metadata: null } } };
  await over(script, async (user) => {
    await user.opens('monitors');
    await user.sees(/ALERT +\S +found/);
    await user.sees('found by search: this deployment does not list monitors');
  });
});
