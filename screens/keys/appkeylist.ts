import { ask, type Plan } from '../../src/api/plan.ts';
import type { Result } from '../../src/api/problem.ts';
import { hideSecrets } from '../../src/api/secrets.ts';
import { type Column, gap, head, type Line, pair, text } from '../../src/describe/column.ts';
import type { Context } from '../../src/describe/context.ts';
import { pickField } from '../../src/describe/field.ts';
import { everyPage, pageSize } from '../../src/describe/pages.ts';
import { nameless, peopleSource } from '../../src/describe/people.ts';
import type { Detail, List, ListQuery, Single, Source } from '../../src/describe/screen.ts';
import { field, items } from '../../src/lib/loose.ts';
import { type AppKeyRow, type Door, isKeyInUse, readAppKey, scopesSay } from './appkey.ts';
import {
  ageColumn,
  endColumn,
  ending,
  leakLines,
  momentPair,
  nameColumn,
  nameSearch,
  rawLines,
  stateColumn,
} from './shared.ts';

/** Every page of a door's list. Leaks and owners come with `include`, which only the organisation's list needs. */
export function loadAppKeys(door: Door): (asked: ListQuery) => Source<AppKeyRow> {
  return ({ search }) => {
    const filter = search.text?.trim() ?? '';
    const owner = search.owner ?? '';
    const narrowed = {
      ...(filter === '' ? {} : { filter }),
      ...(owner === '' ? {} : { 'filter[owned_by]': owner }),
    };
    return {
      key: `application keys ${door.id} ${JSON.stringify(narrowed)}`,
      of: ['application_keys', 'users'],
      plan: () =>
        everyPage({
          page: (number) => door.page({ ...narrowed, 'page[size]': pageSize, 'page[number]': number, sort: 'name' }),
          rows: ({ items: all, included }) =>
            all
              .map((it) => readAppKey(it, included))
              .filter((it) => it !== undefined)
              // A deployment without this filter answers everybody's.
              .filter((it) => owner === '' || it.owner === undefined || it.owner.id === owner),
          notes: ({ items: all }) => {
            const leaked = all.filter((it) => readAppKey(it)?.leak).length;
            return leaked === 0 ? [] : [`${leaked} LEAKED: delete and replace`];
          },
        }),
    };
  };
}

/** What is asked of the list: names, and of the organisation's keys the owner. */
export function appKeySearch(door: Door): NonNullable<List<AppKeyRow>['search']> {
  if (door.id === 'own') return nameSearch;
  return {
    initial: { text: '', owner: '' },
    form: (asked) => ({
      ...nameSearch.form(asked),
      owner: pickField(
        'owned by',
        asked.owner ? { id: asked.owner, label: nameless(asked.owner) } : undefined,
        peopleSource,
        { hint: 'Enter picks a person; Ctrl-U takes it out' },
      ),
    }),
    says: (asked) =>
      [nameSearch.says(asked), asked.owner ? `owner:${nameless(asked.owner)}` : ''].filter(Boolean).join(' '),
  };
}

/** Columns of both lists; the owner only where it can be another. */
export function appKeyColumns(door: Door): readonly Column<AppKeyRow>[] {
  const owner: Column<AppKeyRow> = {
    id: 'owner',
    title: 'OWNER',
    min: 12,
    share: 1,
    max: 30,
    priority: 3,
    text: (row, context) => (row.owner && row.owner.id === context.me?.id ? 'you' : (row.owner?.name ?? '')),
    sort: (row) => row.owner?.name.toLowerCase() ?? '',
  };
  return [
    stateColumn(isKeyInUse),
    nameColumn(),
    endColumn(),
    ...(door.id === 'org' ? [owner] : []),
    {
      id: 'scopes',
      title: 'SCOPES',
      min: 18,
      share: 3,
      priority: 4,
      text: (row) => scopesSay(row.scopes, door.whose),
      tone: (row) => (row.scopes === null ? 'warn' : 'plain'),
      sort: (row) => row.scopes?.length ?? Number.POSITIVE_INFINITY,
    },
    ageColumn({ id: 'used', title: 'USED', priority: 5 }, (row) => row.used),
    ageColumn({ id: 'created', title: 'CREATED', priority: 6 }, (row) => row.created),
  ];
}

/** The key itself, read again, without its secret. */
export interface WholeAppKey {
  readonly row: AppKeyRow;
  readonly raw: unknown;
  /** The service shows the secret to whoever reads the key. */
  readonly tells: boolean;
}

/** Reads one key through its door. */
export function wholeAppKey(door: Door, row: AppKeyRow): Single<WholeAppKey> {
  return {
    key: `application key ${door.id} ${row.id}`,
    of: ['application_keys', 'users'],
    *plan(): Plan<Result<WholeAppKey>> {
      const answer = yield* ask(door.read(row.id));
      if (!answer.ok) return answer;
      const { value, count } = hideSecrets(answer.value, door.get.secrets);
      const read = readAppKey(field(value, 'data'), items(field(value, 'included')));
      // Where this answer says less than the list did, what the list said stays.
      const now = read
        ? { ...read, owner: read.owner ?? row.owner, used: read.used === undefined ? row.used : read.used }
        : row;
      return { ...answer, value: { row: now, raw: field(value, 'data'), tells: count > 0 } };
    },
  };
}

/** What Enter shows of an application key. */
export function appKeyDetail(door: Door): Detail<AppKeyRow> {
  return {
    load: (row) => wholeAppKey(door, row),
    inside: { get: (whole: WholeAppKey) => whole.row, set: (whole: WholeAppKey, row) => ({ ...whole, row }) },
    tabs(row, whole: WholeAppKey | undefined, context) {
      const it = whole?.row ?? row;
      return [
        { kind: 'lines', id: 'key', title: 'key', lines: overview(door, it, context, whole) },
        { kind: 'lines', id: 'raw', title: 'raw', lines: rawLines(whole?.raw) },
      ];
    },
    preview: (row, context) => [head(row.name), ...overview(door, row, context)],
  };
}

function overview(door: Door, row: AppKeyRow, context: Context, whole?: WholeAppKey): Line[] {
  const owner = row.owner ?? (door.id === 'own' ? context.me : undefined);
  const again = `the service shows it again: orgdeck call ${door.get.id} --app_key_id ${row.id} --reveal`;
  return [
    ...leakLines(row.leak, context),
    ...(isKeyInUse(row, context) ? [text('it ends like the key that this dashboard uses', 'info')] : []),
    pair('ends in', ending(row.last4)),
    pair('owner', owner && (owner.id === context.me?.id ? `${owner.name} (you)` : owner.name)),
    momentPair('created', row.created, context),
    momentPair('last used', row.used, context),
    ...(whole?.tells ? [pair('secret', again, 'dim')] : []),
    pair('id', row.id),
    gap,
    head('scopes'),
    ...(row.scopes === undefined
      ? [text('the service does not say', 'dim')]
      : row.scopes === null || row.scopes.length === 0
        ? [text(`none: it may do all that ${door.whose} may`, 'warn')]
        : row.scopes.map((it) => text(it))),
  ];
}
