import * as v from 'valibot';
import { expect, test } from 'vitest';
import { endpoint } from '../../../src/api/endpoint.ts';
import { createBody, many, name, nothing, one, resource, text, updateBody } from '../../../src/api/envelope.ts';
import { simulated } from '../../support/simulated.ts';

/** A kind that the service does not have: what a new domain gets for nothing. */
const shelf = resource('shelves', { name: text });
const path = '/api/v2/shelves';
const single = `${path}/{shelf_id}` as const;
const shared = { of: 'shelves', permission: [], origin: 'addition', source: 'made up' } as const;
const list = endpoint({
  ...shared,
  id: 'shelves.list',
  title: 'List shelves',
  verb: 'list',
  path,
  response: many(shelf),
});
const get = endpoint({
  ...shared,
  id: 'shelves.get',
  title: 'Show a shelf',
  verb: 'get',
  path: single,
  response: one(shelf),
});
const create = endpoint({
  ...shared,
  id: 'shelves.create',
  title: 'Make a shelf',
  verb: 'create',
  path,
  body: createBody('shelves', { name, depth: v.optional(v.number()) }),
  response: one(shelf),
});
const update = endpoint({
  ...shared,
  id: 'shelves.update',
  title: 'Change a shelf',
  verb: 'update',
  method: 'PATCH',
  path: single,
  repeat: 'settable',
  readBack: 'shelves.get',
  body: updateBody('shelves', { name: v.optional(name), depth: v.optional(v.number()) }),
  response: one(shelf),
});
const remove = endpoint({
  ...shared,
  id: 'shelves.delete',
  title: 'Delete a shelf',
  verb: 'delete',
  path: single,
  response: nothing,
});

test('a kind without rules is made, listed, read, changed and removed by verb alone', () =>
  simulated(
    async ({ service, get: read, ask }) => {
      const sent = (attributes: object, id?: string) => ({
        data: { type: 'shelves', ...(id ? { id } : {}), attributes },
      });
      const made = await ask('POST', path, sent({ name: 'top', depth: 30 }));
      expect(made.status).toBe(200);
      const { id } = made.body.data;
      const fixture = service.has(shelf, { id: 'f1', type: 'shelves', attributes: { name: 'lower', color: 'red' } });
      expect((await read(path)).body.data.map((entry: { id: string }) => entry.id)).toEqual([id, fixture]);
      expect((await read(`${path}?page[size]=1&page[number]=1`)).body.data).toHaveLength(1);
      const changed = await ask('PATCH', `${path}/${id}`, sent({ name: 'upper' }, id));
      expect(changed.body.data.attributes).toEqual({ name: 'upper', depth: 30 });
      expect((await read(`${path}/${fixture}`)).body.data.attributes).toEqual({ name: 'lower', color: 'red' });
      expect((await ask('DELETE', `${path}/${id}`)).status).toBe(204);
      expect([(await read(`${path}/${id}`)).status, (await read(`${path}/${id}`)).body]).toEqual([
        404,
        { errors: ['Not found'] },
      ]);
      const unfit = await ask('POST', path, sent({ depth: 'deep' }));
      expect([unfit.status, unfit.body.errors[0]]).toEqual([400, expect.stringContaining('data.attributes.')]);
    },
    { more: [list, get, create, update, remove] },
  ));
