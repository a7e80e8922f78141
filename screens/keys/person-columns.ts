import { type Column, plainColumn, type Tone } from '../../src/describe/column.ts';
import { ageColumn, textColumn } from '../../src/describe/standard-columns.ts';
import { readNullableMoment } from './key-columns.ts';
import { isService, type PersonRow, people, userRoles, userStatus } from './person-kind.ts';

const { nameOf } = people;

/** Colors of the statuses. */
const tones = new Map<string, Tone>(Object.entries({ Active: 'good', Pending: 'warn', Disabled: 'dim' }));

/** The color of a person's status. */
export const statusTone = (row: PersonRow): Tone => tones.get(userStatus(row)) ?? 'plain';

/** Columns of people and service accounts. */
export const personColumns: readonly Column<PersonRow>[] = [
  textColumn({
    id: 'status',
    min: 8,
    widest: 'Disabled',
    priority: 2,
    text: userStatus,
    tone: statusTone,
  }),
  textColumn({
    id: 'name',
    min: 16,
    max: 40,
    priority: 1,
    text: nameOf,
  }),
  plainColumn({
    id: 'kind',
    firsts: ['people first', 'service accounts first'],
    min: 7,
    priority: 3,
    text: (row) => (isService(row) ? 'service' : 'person'),
    tone: (row) => (isService(row) ? 'info' : 'dim'),
    sort: (row) => (isService(row) ? 1 : 0),
  }),
  textColumn({
    id: 'email',
    min: 18,
    max: 50,
    priority: 4,
    text: (row) => row.attributes.email ?? '',
  }),
  plainColumn({
    id: 'roles',
    firsts: ['fewest first', 'most first'],
    min: 12,
    flex: true,
    priority: 5,
    text: (row) =>
      userRoles(row)
        .map((role) => role.name)
        .join(', ') || 'none',
    tone: (row) => (userRoles(row).length === 0 ? 'dim' : 'plain'),
    sort: (row) => userRoles(row).length,
  }),
  ageColumn({ id: 'created', min: 7, priority: 6 }, (row) => readNullableMoment(row.attributes.created_at)),
];
