import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { expect, test } from 'vitest';
import { runSimulator } from '../../../src/simulator/command.ts';
import {
  type FaultPlan,
  type FaultRule,
  faultNames,
  readFaultPlan,
} from '../../../src/simulator/faults/read-fault-plan.ts';
import { plannedFaults } from '../../../src/simulator/simulator.ts';
import { createMachine } from '../../support/commands.ts';
import { type Simulated, simulated } from '../../support/simulated.ts';

const monitor = '/api/v1/monitor/31';
const rename = JSON.stringify({ name: 'ours' });

/** Sends one rename under a fault: what came, and the monitor's name after it. */
async function under(fault: FaultRule, { service, at }: Simulated) {
  service.has('monitor', { id: 31, name: 'before' });
  service.plans({ seed: 1, faults: [fault] });
  const dispatcher = new Agent({ headersTimeout: 300, bodyTimeout: 300 });
  const headers = { 'SERVICE-API-KEY': at.apiKey, 'SERVICE-APPLICATION-KEY': at.appKey };
  const came = await request(at.url + monitor, { method: 'PUT', headers, body: rename, dispatcher })
    .then(async ({ statusCode, headers, body }) => {
      const bytes = Buffer.from(await body.arrayBuffer());
      return { status: statusCode, headers, length: bytes.length, text: bytes.subarray(0, 300).toString() };
    })
    .catch((error: { code?: string }) => ({ error: error.code }));
  await dispatcher.destroy();
  const { name } = service.org.monitors.get('31') ?? {};
  return { ...came, name };
}

/** Every fault, what a plain client sees, and whether the edit was applied. */
const expected: readonly (readonly [FaultRule, object])[] = [
  [{ fault: 'drop' }, { error: 'ECONNRESET', name: 'before' }],
  [
    { fault: 'drop', when: 'after' },
    { error: 'ECONNRESET', name: 'ours' },
  ],
  [{ fault: 'hang' }, { error: 'UND_ERR_HEADERS_TIMEOUT', name: 'before' }],
  [
    { fault: 'hang', when: 'after' },
    { error: 'UND_ERR_HEADERS_TIMEOUT', name: 'ours' },
  ],
  [
    { fault: 'delay', ms: [1, 20] },
    { status: 200, name: 'ours' },
  ],
  [
    { fault: 'drip', ms: 1 },
    { status: 200, name: 'ours' },
  ],
  [{ fault: 'truncate' }, { error: 'UND_ERR_SOCKET', name: 'ours' }],
  [{ fault: 'reset-on-reuse' }, { status: 200, name: 'ours' }],
  [
    { fault: 'lie', about: 'length' },
    { status: 200, text: expect.not.stringMatching(/\}$/), name: 'ours' },
  ],
  [{ fault: 'lie', about: 'type' }, { headers: expect.objectContaining({ 'content-type': 'text/html' }) }],
  [
    { fault: 'lie', about: 'encoding' },
    { text: expect.stringMatching(/^\{"id":31/), name: 'ours' },
  ],
  [{ fault: 'page' }, { status: 502, text: expect.stringContaining('<h1>Bad Gateway'), name: 'before' }],
  [
    { fault: 'page', status: 200, when: 'after' },
    { status: 200, name: 'ours' },
  ],
  [{ fault: 'empty' }, { status: 200, text: '', name: 'before' }],
  [
    { fault: 'envelope', when: 'after' },
    { status: 200, text: expect.not.stringContaining('ours'), name: 'ours' },
  ],
  [
    { fault: 'status', status: 504 },
    { status: 504, text: '{"errors":["Gateway Timeout"]}', name: 'before' },
  ],
  [{ fault: 'rate-limit' }, { status: 429, headers: expect.objectContaining({ 'retry-after': '2' }) }],
  [{ fault: 'rate-limit', headers: 'none' }, { headers: expect.not.objectContaining({ 'x-ratelimit-reset': '2' }) }],
  [{ fault: 'rate-limit', headers: 'lying' }, { headers: expect.not.objectContaining({ 'retry-after': '2' }) }],
  [{ fault: 'unauthorized' }, { status: 401, name: 'before' }],
  [
    { fault: 'other-operator', body: { name: 'theirs' } },
    { error: 'ECONNRESET', name: 'theirs' },
  ],
  [
    { fault: 'other-operator', when: 'after' },
    { error: 'ECONNRESET', name: 'ours' },
  ],
  [
    { fault: 'redirect', to: 'https://a.test/' },
    { status: 307, headers: { location: 'https://a.test/' } },
  ],
  [{ fault: 'huge' }, { status: 200, length: 9 * 1024 * 1024, name: 'before' }],
  [
    { fault: 'huge', packed: true, when: 'after' },
    { headers: { 'content-encoding': 'gzip' }, name: 'ours' },
  ],
];

test('each fault does to a request what the plan says', () =>
  simulated(
    async (client) => {
      for (const [fault, seen] of expected)
        expect(await under(fault, client), JSON.stringify(fault)).toMatchObject(seen);
      expect(new Set(expected.map(([{ fault }]) => fault))).toEqual(new Set(faultNames));
    },
    { rate: 0 },
  ));

test('what was refused is not answered as if it had been done', () =>
  simulated(async ({ service, ask }) => {
    service.plans({ seed: 1, faults: [{ fault: 'empty', when: 'after' }] });
    expect((await ask('PUT', '/api/v1/monitor/99', { name: 'x' })).status).toBe(404);
  }));

test('a connection that is used again is reset where the plan says so', () =>
  simulated(async ({ service, at }) => {
    service.has('monitor', { id: 31 });
    service.plans({ seed: 1, faults: [{ fault: 'reset-on-reuse' }] });
    const dispatcher = new Agent({ connections: 1 });
    const headers = { 'SERVICE-API-KEY': at.apiKey, 'SERVICE-APPLICATION-KEY': at.appKey };
    const read = async () => (await request(at.url + monitor, { headers, dispatcher })).body.text();
    await read();
    await expect(read()).rejects.toMatchObject({ code: 'ECONNRESET' });
    await dispatcher.destroy();
  }));

/** What happens to `count` requests: a letter each. */
const drawn = (seed: number, faults: readonly FaultRule[], operation = 'monitors.get', count = 400) => {
  const source = plannedFaults({ seed, faults });
  const isRead = operation.endsWith('get');
  return Array.from({ length: count }, () => source.take(operation, isRead)?.does.fault[0] ?? '.').join('');
};

test('a plan does the same to the same requests, and something else with another seed', () => {
  const faults: FaultRule[] = [
    { fault: 'drop', share: 0.2 },
    { fault: 'hang', share: 0.1 },
  ];
  const one = drawn(7, faults);
  expect(drawn(7, faults)).toBe(one);
  expect(drawn(8, faults)).not.toBe(one);
  expect(drawn(7, faults, 'roles.get')).not.toBe(one);
  expect(one.split('d').length - 1).toBeGreaterThan(50);
  expect(one.split('d').length - 1).toBeLessThan(110);
  // The first that applies decides: hangs are what drops leave over.
  expect(one).toContain('h');
});

test('a fault keeps to its requests: reads, edits, operations, a first and a last one, storms', () => {
  expect(drawn(1, [{ fault: 'drop', of: 'reads' }], 'monitors.get', 2)).toBe('dd');
  expect(drawn(1, [{ fault: 'drop', of: 'edits' }], 'monitors.get', 2)).toBe('..');
  expect(drawn(1, [{ fault: 'drop', of: 'edits' }], 'monitors.mute', 2)).toBe('dd');
  expect(drawn(1, [{ fault: 'drop', of: ['roles.get'] }], 'monitors.get', 2)).toBe('..');
  expect(drawn(1, [{ fault: 'drop', first: 2, last: 3 }], 'monitors.get', 5)).toBe('.dd..');
  const storms = drawn(3, [{ fault: 'rate-limit', requests: 5, share: 0.02 }]).split('.');
  const lengths = storms.filter((one) => one !== '').map((one) => one.length);
  expect(lengths.length).toBeGreaterThan(2);
  expect(Math.min(...lengths)).toBe(5);
});

const faultsOf = (text: string) => {
  const read = readFaultPlan(text);
  return read.ok ? [] : read.faults;
};
const one = (settings: object) => JSON.stringify({ faults: [{ fault: 'drop' }, settings] });

test.each([
  ['{', 'it is not JSON'],
  ['[]', 'it is not an object with "faults"'],
  ['{}', 'faults is missing'],
  ['{"faults":{}}', 'faults is not a list'],
  ['{"faults":[],"sed":1}', 'sed is not a setting of a plan'],
  ['{"faults":[],"seed":1.5}', 'seed is not a whole number from 0 to 4294967295'],
  [one({}), `fault 2 has no fault among ${faultNames.join(', ')}`],
  [one({ fault: 'drops' }), `fault 2 has no fault among ${faultNames.join(', ')}`],
  [one({ fault: 'drop', ms: 3 }), 'ms of fault 2 is not a setting of this fault'],
  [one({ fault: 'drop', share: 2 }), 'share of fault 2 is not a number from 0 to 1'],
  [one({ fault: 'drop', when: 'now' }), 'when of fault 2 is neither before nor after'],
  [one({ fault: 'drop', of: ['nope'] }), 'of of fault 2 is neither reads, edits nor a list of operations'],
  [one({ fault: 'drop', first: 0 }), 'first of fault 2 is not a whole number from 1 to'],
  [one({ fault: 'drop', first: 3, last: 2 }), 'fault 2: last is before first'],
  [one({ fault: 'delay' }), 'ms of fault 2 is missing'],
  [one({ fault: 'delay', ms: [9, 2] }), 'ms of fault 2 has the larger number first'],
  [one({ fault: 'lie', about: 'x' }), 'about of fault 2 is neither length, type nor encoding'],
  [one({ fault: 'status', status: 200 }), 'status of fault 2 is not a whole number from 400 to 599'],
  [one({ fault: 'rate-limit', headers: 'x' }), 'headers of fault 2 is neither right, none nor lying'],
])('a plan that cannot be used is refused with a sentence: %s', (text, sentence) => {
  expect(faultsOf(text)).toEqual([expect.stringContaining(sentence)]);
});

test('every mistake of a plan is told', () => {
  expect(faultsOf(JSON.stringify({ faults: [{ fault: 'drop', share: 2 }, { fault: 'x' }] }))).toHaveLength(2);
});

test('the plan in docs/simulator.md can be used, and the page has a line for each fault', () => {
  const page = readFileSync('docs/simulator.md', 'utf8');
  const example = /```json\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  const read = readFaultPlan(example);
  expect(read).toMatchObject({ ok: true, value: { seed: 7 } });
  if (read.ok) expect(drawn(7, read.value.faults, 'monitors.mute', 3).at(2)).toBe('o');
  expect([...page.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name]) => name)).toEqual(
    expect.arrayContaining([...faultNames]),
  );
});

test('`orgdeck simulator --faults` takes the plan, gives it a seed where it has none, and refuses a wrong one', async () => {
  const machine = createMachine();
  const plans: (FaultPlan | undefined)[] = [];
  const elsewhere = {
    simulator: async ({ faults }: { readonly faults?: FaultPlan }) => {
      plans.push(faults);
      return 0;
    },
  };
  const serves = async (text: string) => {
    writeFileSync(join(machine.directory, 'plan.json'), text);
    const words = ['simulator', '--faults', join(machine.directory, 'plan.json')];
    return machine.orgdeck(words, { elsewhere, io: { random: () => 0.5 } });
  };
  expect(await serves('{"seed":7,"faults":[{"fault":"drop"}]}')).toMatchObject({ exit: 0, err: '' });
  expect(await serves('{"faults":[]}')).toMatchObject({ exit: 0 });
  expect(plans).toEqual([
    { seed: 7, faults: [{ fault: 'drop' }] },
    { seed: 2 ** 31, faults: [] },
  ]);
  const wrong = await serves('{"seed":-1,"faults":[{"fault":"x"}]}');
  expect(wrong).toMatchObject({ exit: 2, err: expect.stringMatching(/seed is not a whole.*\n.*fault 1 has no fault/) });
  const missing = await machine.orgdeck(['simulator', '--faults', '/nowhere.json'], { elsewhere });
  expect(missing).toMatchObject({
    exit: 2,
    err: expect.stringContaining('plan of faults /nowhere.json does not exist'),
  });
  expect(plans).toHaveLength(2);
});

test('the simulator prints the seed of its plan', async () => {
  const lines: string[] = [];
  const options = { monitors: 1, issues: 1, faults: { seed: 7, faults: [{ fault: 'drop' } as const] } };
  await runSimulator(options, (line) => lines.push(line), Promise.resolve());
  expect(lines).toContain('faults           1 by the plan, seed 7');
});
