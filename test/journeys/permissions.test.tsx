import { expect, test } from 'vitest';
import { type JourneyOptions, journey, type User } from '../support/journey.tsx';
import { hasDisk } from '../support/monitors.ts';
import { roleNamed } from '../support/roles.ts';
import { here } from '../support/run-vocabulary.ts';
import type { Simulator } from '../support/simulator.ts';
import { stories } from '../support/stories.ts';

/** Keys of a person with this role alone. */
const personWith =
  (role: string) =>
  (service: Simulator): { readonly user: string } => {
    const [user] = [...service.org.users.values()].filter((one) => !one.disabled && !one.roles.includes('admin'));
    if (!user) throw new Error('nobody is active');
    user.roles = [roleNamed(service, here.role(role)).id];
    return { user: user.id };
  };

const one: JourneyOptions = {
  screen: 'monitors',
  monitors: 0,
  issues: 0,
  before(service) {
    hasDisk(service, { id: 77, state: 'Alert' });
  },
};
const reader: JourneyOptions = { ...one, keys: personWith('Service Read Only Role') };
const story = stories(journey, reader);
/** Waits until the service has told what the person may do: two reads. */
async function told(user: User, service: Simulator, reads = 2): Promise<void> {
  await expect
    .poll(() => service.received('GET').filter(({ path }) => path.endsWith('/permissions')).length)
    .toBe(reads);
  await user.sees('● live');
}
const written = (service: Simulator): readonly unknown[] =>
  ['PUT', 'POST', 'PATCH', 'DELETE'].flatMap((method) =>
    service.received(method).filter(({ path }) => !path.includes('search')),
  );

story(
  'what my roles lack is refused with the permission before anything is sent: key, verbs, help and palette',
  async (user, service) => {
    await told(user, service);
    await user.presses('m');
    await user.sees('Mute: needs monitors_write, which your roles lack');
    await user.presses('x');
    await user.sees(/m +mute +needs monitors_write, which your roles lack/);
    await user.presses('q', '?', '/', 'm', 'u', 't', 'e');
    await user.sees(/m +Mute the monitor[\s\S]*?\(needs monitors_write, which your roles lack\)/);
    await user.presses('esc', 'esc', ':', 'm', 'u', 't', 'e');
    await user.sees(/> mute +needs monitors_write, which your roles lack/);
    await user.presses('return');
    await user.sees('Mute: needs monitors_write, which your roles lack');
    expect(written(service)).toEqual([]);
    await told(user, service);
  },
);

story('a permission in the words of the deployment', { screen: 'integrations' }, async (user, service) => {
  await told(user, service);
  await user.presses('n');
  await user.sees(`needs ${here.word('provider_a_configurations_manage')}, which your roles lack`);
});

story('a role that was granted meanwhile counts after Ctrl-R', async (user, service) => {
  await told(user, service);
  await user.presses('m');
  await user.sees('needs monitors_write');
  roleNamed(service, here.role('Service Read Only Role')).permissions.add('monitors_write').add('monitors_downtime');
  await user.presses('ctrl+r');
  await told(user, service, 4);
  await user.presses('m', '1');
  await user.sees('muted');
});

story(
  'a role that has one of several permissions may try',
  {
    async before(service) {
      await one.before?.(service);
      roleNamed(service, here.role('Service Read Only Role')).permissions.add('monitors_downtime');
    },
  },
  async (user, service) => {
    await told(user, service);
    await user.presses('x');
    await user.sees(/m +mute +[^n]/);
    await user.sees(/e +edit +needs monitors_write, which your roles lack/);
  },
);

test(
  'where the service does not tell, nothing is refused before it is tried; afterward the verb is dim and can be tried again',
  journey(
    async (user, service) => {
      await user.sees('> ALERT');
      await user.presses('x');
      await user.loses('lack');
      await user.presses('q', 'm', '1');
      await user.sees(/lack monitors_write/);
      await user.presses('x');
      await user.sees(/m +mute +monitors_write was missing last time/);
      const before = service.received('POST').length;
      await user.presses('q', 'm', '1');
      await user.sees(/lack monitors_write/);
      expect(service.received('POST').length).toBeGreaterThan(before);
    },
    { ...one, keys: { permissions: ['monitors_read', 'user_access_read'] } },
  ),
);

story(
  'a deployment without the read of permissions dims nothing',
  {
    async before(service) {
      await one.before?.(service);
      service.refuses(404, { match: 'users.permissions', times: 9, body: { errors: ['Not found'] } });
    },
  },
  async (user) => {
    await user.sees('> ALERT');
    await user.presses('x');
    await user.sees(/m +mute/);
    await user.loses('lack');
  },
);
