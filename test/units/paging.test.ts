import { expect, test } from 'vitest';
import { findEndpoint } from '../../src/api/all-endpoints.ts';
import { call } from '../../src/api/endpoint.ts';
import { findItems, findPaging, findTotal, type Paging, withItems } from '../../src/api/paging.ts';
import { listRows } from '../../src/api/tables.ts';
import { everyPage } from '../../src/describe/resource-spec.ts';
import { answered, walk } from '../support/plans.ts';

/** How lists come page by page: what each way asks first and next, and when it ends. */

const pagingOf = (id: string): Paging => {
  const endpoint = findEndpoint(id);
  const found = endpoint && findPaging(endpoint);
  if (!found) throw new Error(`${id} has no pages`);
  return found;
};

type Query = Parameters<Paging['first']>[0];
type Page = Parameters<Paging['next']>[1];
const page = (more: Partial<Page>): Page => ({ answer: {}, items: [], size: 0, seen: 0, total: undefined, ...more });
const token = (text: string) => ({ links: { next: `/rows/list?page[limit]=5&page%5Bcontinuation_token%5D=${text}` } });
const ids = (...all: readonly unknown[]) => all.map((id) => ({ id }));

// biome-ignore format: one row a line
const walks: readonly (readonly [string, Query, Query, Page, Query | undefined])[] = [
  ['roles.list', {}, { 'page[size]': 100, 'page[number]': 0 }, page({ size: 100 }), { 'page[size]': 100, 'page[number]': 1 }],
  ['roles.list', {}, { 'page[size]': 100, 'page[number]': 0 }, page({ size: 99 }), undefined],
  ['roles.list', { 'page[size]': 5, 'page[number]': 7 }, { 'page[size]': 5, 'page[number]': 0 }, page({ size: 5, seen: 5, total: 5 }), { 'page[size]': 5, 'page[number]': 1 }],
  ['roles.list', { sort: 'name' }, { sort: 'name', 'page[size]': 100, 'page[number]': 0 }, page({ size: 50, seen: 50, total: 51 }), { sort: 'name', 'page[size]': 100, 'page[number]': 1 }],
  ['roles.list', {}, { 'page[size]': 100, 'page[number]': 0 }, page({ size: 50, seen: 50, total: 50 }), undefined],
  ['monitors.search', {}, { per_page: 100, page: 0 }, page({ size: 100 }), { per_page: 100, page: 1 }],
  ['downtimes.list', {}, { 'page[limit]': 100, 'page[offset]': 0 }, page({ size: 100 }), { 'page[limit]': 100, 'page[offset]': 100 }],
  ['downtimes.list', {}, { 'page[limit]': 100, 'page[offset]': 0 }, page({ size: 99 }), undefined],
  ['downtimes.list', { 'page[limit]': 30 }, { 'page[limit]': 30, 'page[offset]': 0 }, page({ size: 20, seen: 20, total: 21 }), { 'page[limit]': 30, 'page[offset]': 20 }],
  ['tables.list-rows', {}, { 'page[limit]': 1000 }, page({ answer: token('t2') }), { 'page[limit]': 1000, 'page[continuation_token]': 't2' }],
  ['tables.list-rows', { 'page[limit]': 5 }, { 'page[limit]': 5 }, page({ answer: token('') }), undefined],
  ['tables.list-rows', {}, { 'page[limit]': 1000 }, page({ size: 1000 }), undefined],
  ['monitors.list', {}, { page_size: 1000, id_offset: '0' }, page({ items: ids(5, 9007199254740993n, '7', 'x', null) }), { page_size: 1000, id_offset: '9007199254740993' }],
  ['monitors.list', { page_size: 3 }, { page_size: 3, id_offset: '0' }, page({ items: ids(0, 'x') }), undefined],
];

test.each(walks)('%s with %j asks for %j first (%#)', (id, given, first, answered, next) => {
  const paging = pagingOf(id);
  expect(paging.first(given)).toEqual(first);
  expect(paging.next(first, answered)).toEqual(next);
});

test('a second page follows from the number or the place of the one before', () => {
  const [byNumber, byOffset] = [pagingOf('roles.list'), pagingOf('downtimes.list')];
  expect(byNumber.next({ 'page[number]': 4 }, page({ size: 100 }))).toEqual({ 'page[number]': 5 });
  expect(byNumber.next({}, page({ size: 100 }))).toEqual({ 'page[number]': 1 });
  expect(byOffset.next({ 'page[offset]': 40 }, page({ size: 100 }))).toEqual({ 'page[offset]': 140 });
  expect(byOffset.next({}, page({ size: 100 }))).toEqual({ 'page[offset]': 100 });
  expect(byOffset.next({}, page({ size: 99 }))).toBeUndefined();
  expect(pagingOf('monitors.list').next({ id_offset: '9' }, page({ items: ids(9) }))).toBeUndefined();
});

const total = (of: number) => ({ meta: { page: { total_count: of } } });
const some = (count: number) => Array.from({ length: count }, () => ({}));

test.each<readonly [string, Query, unknown, number, string | undefined]>([
  ['roles.list', {}, {}, 9, undefined],
  ['roles.list', {}, {}, 10, '10, and there may be more'],
  ['roles.list', { 'page[size]': 11 }, {}, 10, undefined],
  ['roles.list', { 'page[size]': 0 }, {}, 0, undefined],
  ['roles.list', { 'page[size]': 1 }, {}, 1, '1, and there may be more'],
  ['roles.list', {}, total(10), 10, undefined],
  ['roles.list', {}, total(11), 10, '10 of 11'],
  ['monitors.search', {}, {}, 29, undefined],
  ['monitors.search', {}, { metadata: { total_count: 31 } }, 30, '30 of 31'],
  ['monitors.search', {}, {}, 30, '30, and there may be more'],
  ['tables.list', {}, {}, 14, undefined],
  ['tables.list', {}, {}, 15, '15, and there may be more'],
  ['downtimes.list', {}, {}, 29, undefined],
  ['downtimes.list', {}, {}, 30, '30, and there may be more'],
  ['tables.list-rows', {}, token('t2'), 3, 'the first 3'],
  ['tables.list-rows', {}, { links: { next: null } }, 3, undefined],
  ['monitors.list', {}, {}, 2000, undefined],
])('one answer of %s with %j, %j and %i objects lacks: %s', (id, given, answer, count, lack) => {
  expect(pagingOf(id).lacks(answer, some(count), given)).toBe(lack);
});

test('the objects of a list are found and put back in every envelope', () => {
  const [one, two] = [[{ id: 1 }], [{ id: 2 }]];
  for (const envelope of [
    (list: unknown) => list,
    ...['data', 'monitors', 'groups'].map((name) => (list: unknown) => ({ [name]: list })),
  ]) {
    expect(findItems(envelope(one))).toBe(one);
    expect(withItems(envelope(one), two)).toEqual(envelope(two));
  }
  expect(withItems({ meta: 1 }, two)).toEqual({ meta: 1, data: two });
  expect([null, {}, { data: {} }].map(findItems)).toEqual([undefined, undefined, undefined]);
});

test('a total is the filtered one, then the whole one, then that of a page before', () => {
  expect(findTotal({ meta: { page: { total_count: 5, total_filtered_count: 3 } } }, 9)).toBe(3);
  expect(findTotal({ ...total(5), metadata: { total_count: 4 } }, 9)).toBe(5);
  expect(findTotal({ metadata: { total_count: '4' } }, 9)).toBe(4);
  expect([findTotal({}, 9), findTotal(null)]).toEqual([9, undefined]);
});

test('a list that comes whole has no pages, and a page that is chosen by hand has a name', () => {
  const [archives] = [findEndpoint('archives.list')].flatMap((endpoint) => endpoint ?? []);
  expect(archives && findPaging(archives)).toBeUndefined();
  expect(
    ['roles.list', 'monitors.search', 'downtimes.list', 'tables.list-rows', 'monitors.list'].map(
      (id) => pagingOf(id).chooses,
    ),
  ).toEqual([['page[number]'], ['page'], ['page[offset]'], ['page[continuation_token]'], ['id_offset', 'page']]);
});

test.each([
  ['the same', ids(1)],
  ['nothing', []],
])('rows whose pages name a next one and bring %s are not all', (_, data) => {
  const { value, calls } = walk(everyPage(call(listRows, { id: 't' }), 9), (_, nth) =>
    answered({ data: nth === 1 ? ids(1) : data, ...token('t2') }),
  );
  expect(value).toMatchObject({ ok: true, value: { items: [{ id: 1 }], end: { pages: 2 } } });
  expect(calls).toHaveLength(2);
});
