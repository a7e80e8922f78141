import {
  type Column,
  gap,
  head,
  type Line,
  pair,
  type SubRow,
  subColumn,
  type Tab,
  type Tone,
  text,
} from '../../src/describe/column.ts';
import type { Context } from '../../src/describe/context.ts';
import type { Detail } from '../../src/describe/screen.ts';
import { age } from '../../src/lib/time.ts';
import { scopesSay } from './appkey.ts';
import type { PersonRow } from './person.ts';
import { type WholePerson, wholePerson } from './personload.ts';
import { ageColumn, ending, momentPair, rawLines } from './shared.ts';

const tones = new Map<string, Tone>(Object.entries({ Active: 'good', Pending: 'warn', Disabled: 'dim' }));

/** Columns of people and service accounts. */
export const personColumns: readonly Column<PersonRow>[] = [
  {
    id: 'status',
    title: 'STATUS',
    min: 8,
    priority: 2,
    text: (row) => row.status,
    tone: (row) => tones.get(row.status) ?? 'plain',
    sort: (row) => row.status,
  },
  {
    id: 'name',
    title: 'NAME',
    min: 16,
    share: 2,
    max: 40,
    priority: 1,
    text: (row) => row.name,
    sort: (row) => row.name.toLowerCase(),
  },
  {
    id: 'kind',
    title: 'KIND',
    min: 7,
    priority: 3,
    text: (row) => (row.service ? 'service' : 'person'),
    tone: (row) => (row.service ? 'info' : 'dim'),
    sort: (row) => (row.service ? 1 : 0),
  },
  {
    id: 'email',
    title: 'E-MAIL',
    min: 18,
    share: 2,
    max: 50,
    priority: 4,
    text: (row) => row.email,
    sort: (row) => row.email,
  },
  {
    id: 'roles',
    title: 'ROLES',
    min: 12,
    share: 1,
    max: 40,
    priority: 5,
    text: (row) => (row.roles.length === 0 ? 'none' : row.roles.map((it) => it.name).join(', ')),
    tone: (row) => (row.roles.length === 0 ? 'dim' : 'plain'),
    sort: (row) => row.roles.length,
  },
  ageColumn({ id: 'created', title: 'CREATED', priority: 6 }, (row) => row.created),
];

/** What Enter shows of a person. */
export const personDetail: Detail<PersonRow> = {
  load: wholePerson,
  inside: { get: (whole: WholePerson) => whole.row, set: (whole: WholePerson, row) => ({ ...whole, row }) },
  tabs: (row, whole: WholePerson | undefined, context) => [
    {
      kind: 'lines',
      id: 'person',
      title: row.service ? 'account' : 'person',
      lines: overview(whole?.row ?? row, context),
    },
    keysTab(whole, context),
    { kind: 'lines', id: 'permissions', title: 'permissions', lines: permissions(whole) },
    { kind: 'lines', id: 'raw', title: 'raw', lines: rawLines(whole?.raw) },
  ],
  preview: (row, context) => [head(row.name), ...overview(row, context)],
};

function overview(row: PersonRow, context: Context): Line[] {
  return [
    ...(row.id === context.me?.id ? [text('the owner of the key that this dashboard uses', 'info')] : []),
    pair('name', row.named),
    pair('e-mail', row.email),
    pair('handle', row.handle === row.email ? '' : row.handle),
    pair('title', row.title),
    pair('status', row.status, tones.get(row.status)),
    pair('kind', row.service ? 'service account' : 'person'),
    momentPair('created', row.created, context),
    momentPair('last sign-in', row.seen, context),
    pair('id', row.id),
    gap,
    head('roles'),
    ...(row.roles.length === 0 ? [text('none: nothing is allowed', 'dim')] : row.roles.map((it) => text(it.name))),
  ];
}

function permissions(whole: WholePerson | undefined): Line[] {
  if (!whole) return [text('reading', 'dim')];
  if (whole.missing.permissions !== undefined) return [text(`not read: ${whole.missing.permissions}`, 'warn')];
  if (whole.permissions.length === 0) return [text('none', 'dim')];
  const groups = new Map<string, string[]>();
  for (const it of whole.permissions) groups.set(it.group, [...(groups.get(it.group) ?? []), it.name]);
  return [...groups].flatMap(([group, names], at): Line[] => [
    ...(at > 0 ? [gap] : []),
    ...(group === '' ? [] : [head(group)]),
    ...names.map((it) => text(it)),
  ]);
}

function keysTab(whole: WholePerson | undefined, context: Context): Tab {
  const rows = (whole?.keys ?? []).map((it): SubRow => {
    const used = it.used === undefined ? '' : it.used === null ? 'never' : age(it.used, context.now);
    return {
      id: it.id,
      cells: {
        state: it.leak ? 'LEAKED' : '',
        name: it.name,
        last4: ending(it.last4),
        scopes: scopesSay(it.scopes),
        used,
      },
      tones: {
        state: 'bad',
        name: it.leak ? 'bad' : 'plain',
        scopes: it.scopes === null ? 'warn' : 'plain',
        used: 'dim',
      },
    };
  });
  const missing = whole?.missing.keys;
  return {
    kind: 'rows',
    id: 'keys',
    title: rows.length === 0 ? 'keys' : `keys ${rows.length}`,
    empty: !whole ? 'reading' : missing === undefined ? 'no application keys' : `not read: ${missing}`,
    columns: [
      subColumn({ id: 'state', title: 'STATE', min: 6, priority: 3 }),
      subColumn({ id: 'name', title: 'NAME', min: 16, share: 2, priority: 1 }),
      subColumn({ id: 'last4', title: 'ENDS', min: 5, priority: 2 }),
      subColumn({ id: 'scopes', title: 'SCOPES', min: 18, share: 3, priority: 4 }),
      subColumn({ id: 'used', title: 'USED', min: 7, align: 'right', priority: 5 }),
    ],
    rows,
  };
}
