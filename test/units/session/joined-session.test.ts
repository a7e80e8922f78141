import { describe, expect, test } from 'vitest';
import { call } from '../../../src/api/endpoint.ts';
import { resultOf } from '../../../src/api/problem.ts';
import { action } from '../../../src/describe/action.ts';
import type { Context, Person } from '../../../src/describe/context.ts';
import { list, type Screen } from '../../../src/describe/screen.ts';
import type { Single } from '../../../src/describe/source.ts';
import { joinJournals } from '../../../src/session/organisations/join-journals.ts';
import { joinOrganisations } from '../../../src/session/organisations/organisations.ts';
import type { Profile } from '../../../src/session/outside.ts';
import { bareSession, heldCache, heldSource, notedClient, notedOutside } from '../../support/bare-session.ts';
import { setThing } from '../../support/calls.ts';
import { createSteppedClock } from '../../support/steppedclock.ts';

/** A session of two organisations: what is one there, and what each has of its own. */

interface Thing {
  readonly id: string;
}
const rows: Readonly<Record<string, readonly Thing[]>> = {
  acme: [{ id: 'a' }, { id: 'same' }],
  beta: [{ id: 'same' }],
};
const contexts = new Map<string, Context>();
const things = list<Thing>({
  ...{ id: 'things', title: 'Things', empty: '', columns: [] },
  load: (_, { profile }) => heldSource('things', () => rows[profile.name] ?? []),
  idOf: (row) => row.id,
  nameOf: (row) => row.id,
  words(row, context) {
    contexts.set(`${context.profile.name} ${row.id}`, context);
    return '';
  },
  trend: (row) => row.id.length,
  openEnds: (rows) => rows.map(({ id }) => ({ lead: id })),
  actions: [
    action<Thing>({
      ...{ id: 'turn', key: 't', title: 'turn on', help: '', uses: [setThing] },
      send: (row) => call(setThing, { thing_id: row.id, body: { data: { attributes: {} } } }),
      done: () => 'done',
      undo: (row) => [call(setThing, { thing_id: row.id, body: { data: { attributes: {} } } })],
    }),
  ],
});
const screens: readonly Screen[] = [
  { id: 'things', title: 'Things', key: '1', isCombined: true, lists: [things] },
  { id: 'alone', title: 'Alone', key: '2', lists: [{ ...things, id: 'alone' }] },
];
const profileOf = (name: string, more: Partial<Profile> = {}): Profile => ({
  ...{ name, environment: name, production: false, readOnly: false, pollMs: 15_000 },
  ...more,
});
const me = (name: string): Single<Person> => ({
  key: 'who',
  of: [],
  // biome-ignore lint/correctness/useYield: it calls nothing
  *plan({ profile }) {
    return resultOf({ id: name, name: `${name} of ${profile.name}` });
  },
});

/** Answers what a person's roles hold, which is nothing, and then everything there is. */
const rightsOf = (...names: readonly string[]) => {
  const asked: string[] = [];
  return () => resultOf({ data: asked.push('') % 2 === 1 ? [] : names.map((name) => ({ attributes: { name } })) });
};

/** Opens `acme` and `beta` together. */
async function opened(first: Partial<Profile> = {}, second: Partial<Profile> = {}, ...rights: readonly string[]) {
  contexts.clear();
  const beta = { ...notedOutside(), ...notedClient() };
  const other = {
    client: beta.client,
    cache: heldCache(createSteppedClock(), rightsOf(...rights)),
    profile: profileOf('beta', second),
    outside: beta.outside,
    whoAmI: me('b'),
  };
  const acme = await bareSession(
    screens,
    { profile: profileOf('acme', first), others: { parts: [other], join: joinOrganisations }, whoAmI: me('a') },
    {},
    rightsOf(),
  );
  await acme.clock.passes(0);
  return { ...acme, beta };
}

test.each<[Partial<Profile>, Partial<Profile>, Partial<Profile>]>([
  [
    {},
    {},
    {
      name: 'acme + beta',
      environment: 'acme + beta',
      production: false,
      readOnly: false,
      pollMs: 15_000,
      isNotified: false,
    },
  ],
  [{}, { production: true }, { environment: 'prod', production: true }],
  [{ environment: 'dev' }, { environment: 'dev' }, { environment: 'dev' }],
  [{ environment: '' }, {}, { environment: 'beta' }],
  [{ readOnly: true }, {}, { readOnly: false }],
  [{ readOnly: true }, { readOnly: true }, { readOnly: true }],
  [{ pollMs: 20_000 }, { pollMs: 30_000 }, { pollMs: 30_000 }],
  [{}, { isNotified: true }, { isNotified: true }],
  [{ notifyPriority: 1 }, { notifyPriority: 2 }, { notifyPriority: 1 }],
  [{ web: 'https://example.com' }, {}, { web: undefined }],
])('profiles %j and %j are one as %j', async (first, second, expected) => {
  const { session } = await opened(first, second);
  expect({
    web: undefined,
    ...session.profile,
    ...(session.profile.web ? { web: session.profile.web } : {}),
  }).toMatchObject(expected);
  expect([session.profiles, session.firstProfile?.name]).toEqual([2, 'acme']);
});

test('each row is described with what is known of its own organisation', async () => {
  const { session } = await opened({}, { production: true }, 'things_write');
  const { view } = session.now();
  expect(view.ids).toEqual(['acme/a', 'acme/same', 'beta/same']);
  const found = session.now().world.find('things', 'beta/same');
  expect([found?.list.organisation?.name, found?.row]).toEqual(['beta', { id: 'same' }]);
  const recent = ['acme', 'beta'].map((name) => ({ id: `p of ${name}`, label: '', profile: name }));
  session.store.setState({ state: { ...session.store.getState().state, recent } });
  session.send({ do: 'filter' });
  session.paste('x');
  session.now();
  const [acme, beta] = [contexts.get('acme same'), contexts.get('beta same')];
  expect([acme?.me?.name, beta?.me?.name, beta?.asksMe]).toEqual(['a of acme', 'b of beta', false]);
  expect([acme?.recent, beta?.recent]).toMatchObject([[{ id: 'p of acme' }], [{ id: 'p of beta' }]]);
  expect([acme?.lacks?.(setThing), beta?.lacks?.(setThing)]).toEqual([undefined, 'things_write']);
  expect([acme?.profile.production, beta?.profile.production]).toEqual([false, true]);
  expect([acme?.rows?.(), beta?.rows?.()]).toEqual([rows.acme, rows.beta]);
  expect([acme?.trend('a'), beta?.trend('same'), beta?.trend('a')]).toEqual([[1], [4], []]);
});

test('an edit goes to the organisation of its row, and its undo too; a screen of one shows the first', async () => {
  const { session, sent, beta, clock, asked } = await opened();
  session.send({ do: 'end', last: true });
  session.send({ do: 'action', id: 'turn' });
  await clock.passes(0);
  const ids = () => [sent, beta.sent].map((one) => one.map(({ call }) => call.params.thing_id));
  expect(ids()).toEqual([[], ['same']]);
  expect([asked, beta.asked].map((one) => one.filter(([name]) => name === 'remember').length)).toEqual([0, 1]);
  session.send({ do: 'undo' });
  await clock.passes(0);
  expect(ids()).toEqual([[], ['same', 'same']]);
  session.send({ do: 'screen', id: 'alone' });
  await clock.passes(0);
  expect(session.now().view.ids).toEqual(['a', 'same']);
});

test('a hand-over is made of the rows of each organisation; lists of one are of the first', async () => {
  const { session, asked, beta } = await opened();
  session.send({ do: 'screen', id: 'alone' });
  session.send({ do: 'screen', id: 'things' });
  asked.length = 0;
  session.send({ do: 'journal' });
  await new Promise((done) => setImmediate(done));
  const facts = [asked, beta.asked].map((one) => one.find(([name, given]) => name === 'journal' && given)?.[1]);
  const leads = (of: unknown) =>
    (of as { openEnds: readonly { lead: string; list: string }[] }).openEnds.map(({ lead, list }) => `${list} ${lead}`);
  expect(facts.map((of) => (of as { profile: string }).profile)).toEqual(['acme', 'beta']);
  expect(leads(facts[1])).toEqual(['things same']);
  expect(leads(facts[0])).toContain('things a');
});

describe('several journals', () => {
  const entry = (id: string, at: number, profile?: string) => ({
    id,
    at,
    ...(profile ? { profile: { name: profile, production: false } } : {}),
  });
  const part = (name: string, journal: object, unsettled: object = { entries: [] }) => {
    const { outside, asked } = notedOutside({ journal, unsettled, entry: `checked by ${name}` });
    return {
      profile: { name, production: name === 'beta' },
      outside,
      asked,
      facts: (shift: object) => ({ of: name, shift }) as never,
    };
  };

  test('are one, the newest first, each entry once with the profile that it is of', async () => {
    // Two profiles of one address share a journal.
    const shared = [entry('1', 1, 'acme'), entry('2', 3, 'beta'), entry('3', 2, 'gone'), entry('4', 4)];
    const parts = [part('acme', { entries: shared, reports: ['A'] }), part('beta', { entries: shared.slice(0, 3) })];
    const joined = joinJournals(parts);
    const { entries, ...rest } = await joined.journal();
    expect(entries.map(({ id, profile }) => `${id} ${profile?.name} ${profile?.production}`)).toEqual([
      ...['4 acme false', '2 beta true', '3 gone false', '1 acme false'],
    ]);
    expect(rest).toEqual({ reports: ['A'] });
    expect(parts.map(({ asked }) => asked)).toEqual([[['journal', undefined]], [['journal', undefined]]]);
    expect(await joined.entry('2', 'check', 'n')).toBe('beta: checked by beta');
    expect(await joined.entry('1', 'check', 'n')).toBe('acme: checked by acme');
    expect(parts[0]?.asked.at(-1)).toEqual(['entry', '1', 'check', 'n']);
    expect(await joined.entry('9', 'check', 'n')).toBe('that edit is no longer in the journal');
  });

  test('have a report each, of the same shift, and say which cannot be read', async () => {
    const parts = [part('acme', { entries: [], trouble: 'mode 0644' }), part('beta', { entries: [], trouble: 'gone' })];
    const joined = await joinJournals(parts).journal({ since: 5 } as never);
    expect(joined).toEqual({ entries: [], trouble: 'acme: mode 0644 · beta: gone' });
    expect(parts[1]?.asked).toEqual([['journal', { of: 'beta', shift: { since: 5 } }]]);
    expect(await joinJournals([part('acme', { entries: [] })]).journal()).toEqual({ entries: [] });
  });

  test('list edits without an outcome from the oldest on', async () => {
    const late = part('acme', {}, { entries: [entry('2', 2)], trouble: 'no' });
    const joined = await joinJournals([late, part('beta', {}, { entries: [entry('1', 1)] })]).unsettled();
    expect([joined.entries.map(({ id }) => id), joined.trouble]).toEqual([['1', '2'], 'acme: no']);
  });
});
