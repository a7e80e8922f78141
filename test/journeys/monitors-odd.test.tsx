import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { journey } from '../support/journey.tsx';
import { hasDisk, hasSimple } from '../support/monitors.ts';
import { receiptOf } from '../support/receipts.ts';
import { over } from '../support/scripted-deployment.ts';
import { stories } from '../support/stories.ts';

const mine = { columns: 80, rows: 24, monitors: 0 } as const;
const story = stories(journey, mine);

story(
  'a monitor without name, message, options or tags has a row, a detail and a mute',
  {
    before: (service) =>
      void hasDisk(service, { id: 77, name: null, message: null, options: null, tags: null, creator: null }),
  },
  async (user, service) => {
    await user.opens('monitors');
    await user.sees('(no name) #77');
    await user.presses('return');
    await user.sees('No message');
    await user.presses('G');
    await user.sees(/ID +77/);
    await user.sees('No options');
    await user.presses('m', '1');
    // The monitor's options stay null, so the response cannot show the mute, and the receipt says so.
    await user.sees(/! the answer does not show the mute until .* check the/);
    expect(service.received('POST', '/monitor/77/mute')).toHaveLength(1);
  },
);

story(
  'an unknown state and an unknown type are shown as received',
  {
    before: (service) =>
      void hasSimple(service, 'Strange', { type: 'quantum alert', overall_state: 'Sleeping', query: '|ψ> > 1' }),
  },
  async (user) => {
    await user.opens('monitors');
    expect(await user.line('Strange')).toMatch(/SLEEPI\S* +– +Strange /);
    await user.presses('return');
    await user.sees(/State +Sleeping/);
    await user.sees('quantum (quantum alert)');
  },
);

test(
  'with every oddity of other deployments, each row is drawn and each detail opens',
  journey(
    async (user, service) => {
      await user.presses('2');
      await user.sees(/Monitors 40\b/);
      for (let at = 0; at < 12; at += 1) {
        await user.presses('return');
        await user.sees('[Overview]');
        await user.presses('G');
        await user.sees(/ID +\d/);
        await user.presses(']', ']', ']', 'q', 'j');
      }
      expect(service.received().every((call) => call.method === 'GET' || call.path.endsWith('/search'))).toBe(true);
    },
    {
      ...mine,
      monitors: 40,
      before: (service) => {
        for (const name of [
          'nullCreatorName',
          'missingOptions',
          'floatInts',
          'unknownWords',
          'noDraftStatus',
          'staleSilences',
          'unreadableQueries',
          'trailingNewline',
          'noRateHeaders',
          'ignoresPages',
        ] as const)
          service.switches[name] = true;
      },
    },
  ),
  15_000,
);

story(
  'a composite shows the states of its members and is muted as a whole',
  {
    before: (service) => {
      const id = hasDisk(service);
      const query = `${id} && ${hasSimple(service, 'Load')}`;
      service.has('monitor', { name: 'Both', type: 'composite', query });
    },
  },
  async (user, service) => {
    await user.opens('monitors');
    expect(await user.line('Both')).toMatch(/ALERT +– +Both /);
    await user.presses('/', 'both', 'return', 'm');
    await user.sees('Mute Both');
    await user.neverSees('scope');
    await user.presses('1');
    await user.sees(new RegExp(`✓ ${receiptOf.mute('Both')} \\d\\d:\\d\\d`));
    expect(service.received('POST', '/mute').at(-1)?.body).not.toHaveProperty('scope');
  },
);

story(
  'wide, combining and hostile characters do not move the columns',
  {
    before: (service) => {
      const names = [
        '決済サービスの遅延が大きい 🚨 とても長い名前のモニター',
        '👩‍🚒👩‍🚒👩‍🚒 Checkout on fire',
        'Re\u0301gion indisponible cafe\u0301',
        '\x1b]0;owned\x07\x1b[2J\x1b[31mred',
        '\u202edetrevni\u202c \u200b\u200b zero',
        'plain',
      ];
      for (const name of names) hasSimple(service, name, { query: `avg(last_5m):avg:n${names.indexOf(name)}{*} > 4` });
    },
  },
  async (user) => {
    await user.opens('monitors');
    await user.sees(/Monitors 6\b/);
    const rows = (await user.screen()).split('\n').filter((line) => /^│.{3}ALERT/.test(line));
    expect(rows).toHaveLength(6);
    for (const row of rows) {
      expect(stringWidth(row), row).toBe(80);
      expect(row.endsWith('│'), row).toBe(true);
      expect(stringWidth(row.slice(0, row.indexOf('2/3'))), row).toBe(
        stringWidth(rows[0]?.slice(0, rows[0].indexOf('2/3')) ?? ''),
      );
    }
    await user.sees('決済サービスの遅延');
    await user.sees('␛]0;owned␇');
    await user.presses('G', 'm', '1');
    await user.sees('✓ Muted');
  },
);

/** A monitor with variants of variables that the specification lacks. */
const variant = {
  id: 77,
  name: 'Ratio',
  type: 'log alert',
  query: 'formula("a / b").last("5m") > 0.5',
  message: 'look',
  tags: ['team:core'],
  overall_state: 'OK',
  options: {
    thresholds: { critical: 0.5 },
    variables: [
      {
        name: 'a',
        data_source: 'logs',
        compute: [{ aggregation: 'count' }, { aggregation: 'pc99', metric: '@duration' }],
        search: { query: 'status:error' },
        group_by: ['host', 'env'],
        later: { deep: [null, 12_345_678_901] },
      },
      { name: 'b', data_source: 'reference', base_query: { any: [[1]] }, group_by: [{ facet: 'host' }, 'env'] },
    ],
    scheduling_options: { custom_schedule: [{ rrule: 'FREQ=DAILY' }] },
  },
  restriction_policy: { bindings: [] },
};

test('copying and checking unknown variants sends every leaf; the copy names what it omits', () =>
  over(
    {
      'GET /api/v1/monitor': (_, nth) => ({ body: nth % 2 === 1 ? [variant] : [] }),
      'GET /api/v1/monitor/77': { body: variant },
      'POST /api/v1/monitor/validate': { body: {} },
      'POST /api/v1/monitor/77/validate': { body: {} },
      'POST /api/v1/monitor': { body: { ...variant, id: 78, name: 'Ratio (copy)' } },
    },
    async (user, service) => {
      const optionsOf = (line: string) =>
        (JSON.parse(service.asked(line).at(-1)?.body ?? '{}') as { options?: unknown }).options;
      await user.opens('monitors');
      await user.sees('Ratio');
      await user.presses(':', 'check', 'return');
      await user.sees('the service accepts Ratio as it is');
      expect(optionsOf('POST /api/v1/monitor/77/validate')).toEqual(variant.options);
      await user.presses('c');
      await user.sees('Ratio (copy)');
      await user.presses('ctrl+s');
      await user.sees('· Review');
      await user.presses('return');
      await user.sees('✓ Copied to monitor 78 Ratio (copy)');
      await user.sees('not copied: restriction policy');
      expect(optionsOf('POST /api/v1/monitor')).toEqual(variant.options);
    },
  ));
