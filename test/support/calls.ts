import * as v from 'valibot';
import { type Endpoint, endpoint } from '../../src/api/endpoint.ts';
import { fields, flag, int, many, nothing, one, resource, text } from '../../src/api/envelope.ts';
import { type CallOutcome, type ClientOptions, createClient, type Recorder } from '../../src/client/client.ts';
import { keyWatch } from './key-watch.ts';
import { fastClock } from './scripted-server.ts';

/** A neutral resource with one endpoint of each repeat class, for tests of the client. */
export const thing = resource('thing', { name: text, count: int, on: flag, tags: v.array(text) });

const of = { of: 'thing', permission: ['things_write'], origin: 'addition', source: 'test' } as const;
const reading = { ...of, permission: ['things_read'] } as const;

export const listThings = endpoint({
  ...reading,
  id: 'things.list',
  title: 'List things',
  verb: 'list',
  path: '/api/v2/things',
  query: fields({ filter: text, ids: v.array(int), 'page[size]': int }),
  response: many(thing),
});
export const getThing = endpoint({
  ...reading,
  id: 'things.get',
  title: 'Read one thing',
  verb: 'get',
  path: '/api/v2/things/{thing_id}',
  response: one(thing),
});
export const setThing = endpoint({
  ...of,
  id: 'things.set',
  title: 'Change a thing',
  verb: 'update',
  method: 'PATCH',
  repeat: 'settable',
  readBack: 'things.get',
  path: '/api/v2/things/{thing_id}',
  body: v.looseObject({ data: v.looseObject({ attributes: v.looseObject({}) }) }),
  response: one(thing),
});
export const addThing = endpoint({
  ...of,
  id: 'things.add',
  title: 'Create a thing',
  verb: 'create',
  path: '/api/v2/things',
  body: v.looseObject({}),
  response: one(thing),
  secrets: ['data.attributes.secret'],
});
export const dropThing = endpoint({
  ...of,
  id: 'things.drop',
  title: 'Delete a thing',
  verb: 'delete',
  path: '/api/v2/things/{thing_id}',
  response: nothing,
});
export const orderThings = endpoint({
  ...of,
  id: 'things.order',
  title: 'Order the things',
  verb: 'update',
  method: 'PUT',
  repeat: 'replace',
  readBack: 'things.list',
  path: '/api/v2/things/order',
  body: v.looseObject({}),
  response: nothing,
});

const all: readonly Endpoint[] = [listThings, getThing, setThing, addThing, dropThing, orderThings];

/** Keys that must not appear in any output. */
export const keys = {
  apiKey: 'fake-api-a0b1c2d3e4f5a6b7c8d9e0f1',
  appKey: 'fake-app-00112233445566778899aabbccddeeff',
};

/** A journal in memory that records the order of its calls. No key may be in what it is told beside the call itself, which the real one masks. */
export function memoryRecorder(): Recorder & { readonly lines: string[]; readonly outcomes: CallOutcome[] } {
  const lines: string[] = [];
  const outcomes: CallOutcome[] = [];
  const told = (what: unknown) => keyWatch().sees('a journal in memory', JSON.stringify(what));
  return {
    lines,
    outcomes,
    async intent(call, purpose) {
      told(purpose);
      lines.push(`intent ${call.endpoint.id}`);
      return { ok: true, value: `entry-${lines.length}`, status: 0, unread: [] };
    },
    async outcome(entry, outcome) {
      told(outcome);
      lines.push(`outcome ${entry} ${outcome.state}`);
      outcomes.push(outcome);
    },
  };
}

/** A deterministic client with a fast clock and a journal in memory. */
export function clientOf(origin: string, more: Partial<ClientOptions> = {}) {
  const clock = fastClock();
  const recorder = memoryRecorder();
  const client = createClient({
    origin,
    keys,
    readOnly: false,
    clock,
    recorder,
    random: () => 0.5,
    find: (id) => all.find((endpoint) => endpoint.id === id),
    ...more,
  });
  return { client, clock, recorder };
}
