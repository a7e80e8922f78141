import { makeUser, storeUser } from '../kinds/users.ts';
import type { Team } from '../server/access.ts';
import type { World } from '../server/handler.ts';
import { createRandom } from '../server/random.ts';
import { seedCatalogue } from './catalogue.ts';
import { seedRoles } from './roles.ts';
import { teams } from './words.ts';

const day = 86_400_000;

const given = [
  'Robin',
  'Mira',
  'Tomas',
  'Ines',
  'Jonas',
  'Leila',
  'Oskar',
  'Priya',
  'Noor',
  'Elio',
  'Hana',
  'Kofi',
  'Marta',
  'Nils',
  'Yara',
  'Emil',
  'Aiko',
  'Dario',
  'Greta',
  'Ravi',
  'Sofia',
  'Timo',
  'Wanda',
  'Ximena',
  'Bela',
  'Cleo',
  'Dunya',
  'Enzo',
];
const family = ['Vale', 'Holm', 'Marsh', 'Brook', 'Alder', 'Stone', 'Field', 'Moor', 'Lake', 'Birch', 'Dale', 'Frost'];
const titles = [
  'Engineer',
  'Senior engineer',
  'Engineer on call',
  'Team lead',
  'Site reliability engineer',
  null,
  null,
];

/** People whose names are hard to display: missing, empty, wide, right to left, decomposed, with an emoji. */
const unusual: readonly (readonly [name: string | null, handle: string])[] = [
  [null, 'quiet.person@example.test'],
  ['', 'empty.name@example.test'],
  ['山田 花子', 'hanako.yamada@example.test'],
  ['Zoë Åkerström-Nuñez', 'zoe.akerstrom@example.test'],
  ['נועה כרמי', 'noa.carmi@example.test'],
  ['Jose\u0301 I\u0307nce', 'jose.ince@example.test'],
  ['Sam 🦊 Fox', 'sam.fox@example.test'],
];

/** Roles, permissions, teams and at least 35 people (contract/users.md section 4). The first is an administrator. */
export function seedPeople(world: World, now: number, roleName: (name: string) => string): void {
  const { org, random } = world;
  const names = createRandom(org.seed + 1);
  seedCatalogue(world);
  const { admin, standard, reader, own } = seedRoles(world, now, roleName);
  for (const [handle, name, summary] of teams) {
    const overrides = handle === 'platform' ? { avatar: null } : {};
    const team: Team = { id: random.uuid(), handle, name, summary, overrides };
    org.teams.set(team.id, team);
  }
  let number = 1200;
  const person = (
    name: string | null,
    email: string,
    roles: string[],
    more: Partial<Parameters<typeof makeUser>[2]> = {},
  ): void => {
    number += names.between(1, 9);
    const created = now - names.between(60, 1400) * day;
    const modified = created + names.between(0, 50) * day;
    const title = names.pick(titles);
    storeUser(org, { ...makeUser(random.uuid(), number, { name, email, roles, title, ...more }, created), modified });
  };
  given.forEach((first, at) => {
    const last = family[(at * 5) % family.length] as string;
    const status = at > 0 && at % 11 === 7 ? 'Pending' : at > 0 && at % 9 === 8 ? 'Disabled' : 'Active';
    const roles =
      at === 0
        ? [admin]
        : at % 7 === 3
          ? [reader]
          : at === 5
            ? [admin, standard]
            : status === 'Pending'
              ? []
              : at % 3 === 0
                ? [standard, ...names.some(own, names.between(1, 3))]
                : [standard];
    const email = `${first}.${last}@example.test`.toLowerCase();
    person(`${first} ${last}`, email, roles, {
      status,
      disabled: status === 'Disabled',
      verified: status !== 'Pending',
    });
  });
  for (const [name, handle] of unusual) person(name, handle, [standard, ...names.some(own, 1)]);
  for (const name of ['deploy robot', 'report exporter']) {
    person(name, `${name.replace(' ', '-')}@robots.example.test`, [reader], {
      handle: random.uuid(),
      service: true,
      title: null,
    });
  }
}
