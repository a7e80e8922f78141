import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../src/api/all-endpoints.ts';
import { type AnySchema, type Endpoint, pathNames } from '../../src/api/endpoint.ts';
import { answersSecret } from '../../src/api/vocabulary/schema-shape.ts';
import { machineOfEach } from '../support/commands.ts';
import { foreign } from '../support/scripted-deployment.ts';
import { createSimulator, type Simulator, type Started } from '../support/simulator.ts';

let service: Simulator;
let at: Started;
const machine = machineOfEach();

beforeAll(async () => {
  service = createSimulator({ seed: 9, monitors: 6, issues: 4, lively: false, rate: 0 });
  at = await service.start();
});
afterAll(() => service.stop());

/** `orgdeck call …` with keys in the environment; a secret path parameter comes from a variable. */
const orgdeck = (line: readonly string[], env: Record<string, string> = {}, stdin = '') =>
  machine.orgdeck(['--base-url', at.url, 'call', ...line], {
    env: { ORGDECK_API_KEY: at.apiKey, ORGDECK_APP_KEY: at.appKey, THE_KEY: 'f'.repeat(32), ...env },
    stdin,
    io: { random: () => 0 },
  });

/** The smallest value that a schema accepts. */
function sample(schema: AnySchema): unknown {
  const description = schema as {
    type: string;
    entries?: Record<string, AnySchema>;
    literal?: unknown;
    options?: AnySchema[];
  };
  if (v.safeParse(schema, undefined).success) return undefined;
  switch (description.type) {
    case 'literal':
      return description.literal;
    case 'object':
    case 'loose_object':
      return Object.fromEntries(
        Object.entries(description.entries ?? {}).map(([name, inner]) => [name, sample(inner)]),
      );
    case 'union':
      return sample(description.options?.[0] as AnySchema);
    case 'array':
      return [];
    case 'number':
      return 1;
    case 'boolean':
      return true;
    default:
      return 'x';
  }
}

const params = (endpoint: Endpoint) => [
  ...pathNames(endpoint.path).flatMap((name) => [
    `--${name}`,
    endpoint.secrets?.includes(`{${name}}`) ? 'env:THE_KEY' : /monitor|filter/.test(name) ? '1' : unknownId,
  ]),
  ...(endpoint.id === 'tables.rows' ? ['--row_id', 'x'] : []),
  ...(answersSecret(endpoint) ? ['--reveal'] : []),
];
const unknownId = '00000000-0000-4000-8000-00000000000f';
const body = (endpoint: Endpoint) => (endpoint.body ? ['--body', '-'] : []);
const stdin = (endpoint: Endpoint) => (endpoint.body ? JSON.stringify(sample(endpoint.body) ?? {}) : '');
const ids = endpoints.map((endpoint) => [endpoint.id, endpoint] as const);

describe('every operation of the contract by `orgdeck call`', () => {
  test.each(ids)('%s: a response on stdout, or one problem on stderr', async (_, endpoint) => {
    const { exit, out, err } = await orgdeck(
      [endpoint.id, ...params(endpoint), ...body(endpoint)],
      {},
      stdin(endpoint),
    );
    // 3: the first page of more.
    expect([0, 1, 3], err).toContain(exit);
    expect(err).not.toContain('its own mistake');
    if (exit !== 1 && out !== '') expect(() => JSON.parse(out)).not.toThrow();
    if (exit !== 1) return;
    expect(out).toBe('');
    expect(err.trim()).not.toBe('');
    expect(err).not.toMatch(/\[object |undefined|NaN|at .*\.ts:\d/);
  });

  test.each(ids)('%s: refused keys give exit code 4 and are not shown', async (_, endpoint) => {
    const stolen = {
      ORGDECK_API_KEY: 'revoked-api-key-0123456789abcdef',
      ORGDECK_APP_KEY: 'revoked-app-key-0123456789',
    };
    const { exit, out, err } = await orgdeck(
      [endpoint.id, ...params(endpoint), ...body(endpoint)],
      stolen,
      stdin(endpoint),
    );
    const served = !/does not offer/.test(err);
    if (served) expect({ exit, out }, err).toEqual({ exit: 4, out: '' });
    for (const key of Object.values(stolen)) expect(out + err).not.toContain(key);
  });

  test.each(ids)('%s: wrong usage gives exit code 2 and sends nothing', async (_, endpoint) => {
    service.forgets();
    const lines = [
      [endpoint.id, ...params(endpoint), '--no-such-name', 'x'],
      ...(pathNames(endpoint.path).length > 0 ? [[endpoint.id, ...body(endpoint)]] : []),
      endpoint.body
        ? [endpoint.id, ...params(endpoint), '--body', '{"half']
        : [endpoint.id, ...params(endpoint), '--body', '{}'],
      ...(endpoint.secrets ?? [])
        .filter((place) => place.startsWith('{'))
        .map(() => [endpoint.id, '--key', 'in-the-open']),
    ];
    for (const line of lines) {
      const { exit, out, err } = await orgdeck(line);
      expect({ exit, out }, `${line.join(' ')}: ${err}`).toEqual({ exit: 2, out: '' });
      expect(err.trim()).not.toBe('');
    }
    expect(service.received()).toHaveLength(0);
  });
});

describe('secrets in answers', () => {
  const secret = 'a-secret-that-must-not-be-seen-9f3c';
  const holding = endpoints.filter((endpoint) => endpoint.secrets?.some((place) => !place.startsWith('{')));

  /** A response with the secret at each declared place; a list has it twice. */
  const answerOf = (endpoint: Endpoint) => {
    const answer: Record<string, unknown> = {};
    for (const place of (endpoint.secrets ?? []).filter((one) => !one.startsWith('{'))) {
      const [first = '', ...rest] = place.split('.');
      const value = place.endsWith('urls') ? [secret] : secret;
      const inner = rest.reduceRight<unknown>((inside, name) => ({ [name]: inside }), value);
      answer[first] = endpoint.verb === 'list' && rest.length > 0 ? [inner, inner] : inner;
    }
    // A list without an envelope.
    const isBare = endpoint.verb === 'list' && Object.values(answer).every((value) => value === secret);
    return isBare ? [answer, answer] : answer;
  };

  test.each(holding.map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s: masked unless asked for',
    async (_, endpoint) => {
      const line = `${endpoint.method} ${endpoint.path.replace(/\{[^}]+\}/g, '*')}`;
      const there = await foreign({ [line]: { body: answerOf(endpoint) } });
      const ask = (...more: string[]) => {
        const names = params(endpoint).filter((word) => word !== '--reveal');
        const words = ['--base-url', there.url, 'call', endpoint.id, ...names, ...body(endpoint), ...more];
        const env = { ORGDECK_API_KEY: there.apiKey, ORGDECK_APP_KEY: there.appKey, THE_KEY: 'f'.repeat(32) };
        return machine.orgdeck(words, { env, stdin: stdin(endpoint) });
      };
      const outside = mkdtempSync(join(tmpdir(), 'orgdeck-secret-'));
      const plain = await ask(...(answersSecret(endpoint) ? ['--secret-file', join(outside, 'secret')] : []));
      if (answersSecret(endpoint)) expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe(`${secret}\n`);
      rmSync(outside, { recursive: true });
      expect(plain.exit, plain.err).toBe(0);
      expect(plain.out + plain.err).not.toContain(secret);
      expect(plain.out).toContain('(hidden, ends in 9f3c)');
      const revealed = await ask('--reveal');
      expect(revealed.exit).toBe(0);
      expect(revealed.out).toContain(secret);
      const texts = readdirSync(machine.directory, { recursive: true, withFileTypes: true })
        .filter((file) => file.isFile())
        .map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'));
      for (const text of texts)
        for (const hidden of [secret, there.apiKey, there.appKey, 'f'.repeat(32)]) expect(text).not.toContain(hidden);
    },
  );
});
