import { endpoints } from '../../api/all-endpoints.ts';
import { implicit } from '../kinds/permissions.ts';
import type { StoredPermission } from '../server/access.ts';
import type { ServiceWorld } from '../server/handler.ts';
import { createRandom } from '../server/random.ts';
import groups from './permissions.json' with { type: 'json' };

const kinds = { r: 'read', w: 'write', o: 'other' } as const;
const verbs = { read: 'See', write: 'Make and change', other: 'Use' } as const;
/** 2019-03-01, the creation date of the oldest entries. */
const first = Date.UTC(2019, 2, 1);
const month = 30 * 86_400_000;
const abbreviations = new Set(['apm', 'rum', 'ci', 'cd', 'dbm']);

/**
 * Fills the permission catalog from names with marks: `d` for a default, then `r` (read), `w` (write) or `o` (other). Permissions
 * that an operation requires and the list does not have are added.
 */
export function seedPermissions({ org }: ServiceWorld): void {
  const random = createRandom(org.seed + 3);
  const keep = (group: string, name: string, marks: string): void => {
    const number = org.permissions.size;
    const kind: StoredPermission['kind'] = kinds[marks.replace('d', '') as keyof typeof kinds];
    const object = name.replace(/_(read|write|manage|edit)$/, '').replaceAll('_', ' ');
    const description = `${verbs[kind]} ${object}${kind === 'read' ? ' and their settings' : ''}.`;
    org.permissions.set(name, {
      id: random.uuid(),
      name,
      display: name.split('_').map(titled).join(' '),
      description: number % 41 === 40 ? `Deprecated, and without effect since last year. ${description}` : description,
      group,
      kind,
      restricted: marks.startsWith('d'),
      created: first + Math.floor(number / 3) * month,
    });
  };
  for (const [group, list] of Object.entries(groups))
    for (const entry of list.split(', ')) {
      const [name = '', marks = 'o'] = entry.split(' ');
      keep(group, name, marks);
    }
  for (const name of [...new Set(endpoints.flatMap((endpoint) => endpoint.permission))].sort())
    if (!org.permissions.has(name) && !implicit.has(name)) keep('Other', name, name.endsWith('read') ? 'r' : 'w');
}

const titled = (word: string): string =>
  word === 'slos'
    ? 'SLOs'
    : abbreviations.has(word)
      ? word.toUpperCase()
      : word.charAt(0).toUpperCase() + word.slice(1);
