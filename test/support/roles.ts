import type { StoredRole, User } from '../../src/simulator/server/store.ts';
import type { Simulator } from './simulator.ts';
import { there } from './there.ts';

/** A role of the organization by its name. */
export const roleNamed = (service: Simulator, name: string): StoredRole =>
  there([...service.org.roles.values()].find((role) => role.name === name));

/** A user of the organization by name. */
export const userNamed = (service: Simulator, name: string): User =>
  there([...service.org.users.values()].find((user) => user.name === name));

/** Names of the users of a role, sorted. */
export function membersOf(service: Simulator, name: string): string[] {
  const { id } = roleNamed(service, name);
  return [...service.org.users.values()]
    .filter((user) => user.roles.includes(id))
    .map((user) => user.name ?? user.email)
    .sort();
}

/** The three built-in roles and one called `On call`, which Aiko Lake and Bela Vale have. */
export function hasOnCall(service: Simulator): void {
  for (const [id, role] of service.org.roles) if (!role.managed) service.org.roles.delete(id);
  for (const user of service.org.users.values()) user.roles = user.roles.filter((role) => service.org.roles.has(role));
  const id = service.has('roles', { name: 'On call', permissions: ['monitors_write', 'monitors_downtime'] });
  for (const name of ['Aiko Lake', 'Bela Vale']) userNamed(service, name).roles.push(id);
}
