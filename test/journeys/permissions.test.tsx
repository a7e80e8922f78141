import { expect, test } from 'vitest';
import { screens } from '../../screens/index.ts';
import type { Spans } from '../../src/scene/scene.ts';
import { createTheme } from '../../src/scene/theme.ts';
import { layerKindOf } from '../../src/session/layers/index.ts';
import { footHints, whyNever } from '../../src/session/state/moment.ts';
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
const theme = createTheme({ name: 'default', noColor: false, ascii: false });
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

story(
  'a permission that my roles lack is named in the words of the deployment',
  { screen: 'integrations' },
  async (user, service) => {
    await told(user, service);
    await user.presses('n');
    await user.sees(`needs ${here.word('provider_a_configurations_manage')}, which your roles lack`);
  },
);

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

/** The lines of the layer on top, with room for all of them. */
function linesOnTop(user: User) {
  const now = user.session.now();
  const layer = now.state.layers.at(-1);
  if (!layer) throw new Error('no layer is open');
  return layerKindOf(layer).lines(layer, now, { width: 400, height: 400, theme });
}

/** Lines that say that roles lack something and are not dim, but for the one under the cursor. */
const bright = (user: User): readonly string[] =>
  linesOnTop(user)
    .lines.filter(({ isCursor }) => !isCursor)
    .map(({ spans }) => spans.filter(({ text }) => text.trim() !== ''))
    .filter((spans) => textOf(spans).includes('your roles lack') && spans.some(({ tone }) => tone !== 'dim'))
    .map(textOf);
const textOf = (spans: Spans): string =>
  spans
    .map(({ text }) => text)
    .join('')
    .trim();

story(
  'on every screen, what my roles lack is dim and says so in hints, actions, help and palette',
  { monitors: 3, issues: 3, rows: 40, columns: 160 },
  async (user, service) => {
    await told(user, service);
    const without: string[] = [];
    for (const { id, lists } of screens)
      for (const tab of lists.keys()) {
        user.session.send({ type: 'openScreen', id });
        for (let step = 0; step < tab; step += 1) user.session.send({ type: 'moveTab', by: 1 });
        await expect
          .poll(() => user.session.now().view.read.value ?? user.session.now().view.read.problem)
          .toBeDefined();
        const { view, context, bindings } = user.session.now();
        const never = view.list.actions.filter((action) => whyNever(action, context)?.includes('your roles lack'));
        const isOrderKept = never.some((action) => action.id === view.list.order?.save);
        const keys = new Set([...never.flatMap(({ key }) => key ?? []), ...(isOrderKept ? ['J', 'K'] : [])]);
        const hints = footHints(user.session.now()).filter((hint) => keys.has(hint.keys) && !hint.disabled);
        without.push(...hints.map(({ title }) => `${view.list.id}: hint ${title}`));
        const loose = bindings.filter(
          ({ keys: [key = ''], group, refused }) => group === 'write' && keys.has(key) && !refused,
        );
        without.push(...loose.map(({ title }) => `${view.list.id}: key ${title}`));
        for (const open of [{ type: 'openActionMenu' }, { type: 'openHelp' }, { type: 'openPalette' }] as const) {
          user.session.send(open);
          if (user.session.now().state.layers.length === 0) continue;
          without.push(...bright(user).map((text) => `${view.list.id}: ${open.type} ${text}`));
          user.session.send({ type: 'closeLayer' });
        }
      }
    expect(without).toEqual([]);
  },
);
