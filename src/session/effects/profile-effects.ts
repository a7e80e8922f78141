import { present } from '../../lib/present-members.ts';
import { type Doers, type EffectPorts, say, sayProblem } from './ports.ts';

type ProfileEffect =
  | 'profileNames'
  | 'profiles'
  | 'useProfile'
  | 'giveKeys'
  | 'testProfile'
  | 'removeProfile'
  | 'addProfile'
  | 'editProfile';

/** Lists, opens, tests and changes the profiles of this machine. */
export function createProfileEffects(ports: EffectPorts): Doers<ProfileEffect> {
  const { outside, send } = ports;
  const failed = (text: string) => send({ type: 'profileFailed', text });
  /** Lists the profiles, with the cursor on this one. */
  const showProfiles = async (at?: string) =>
    send({ type: 'profilesRead', items: await outside.profiles(), ...present({ at }) });

  return {
    profileNames: async () => send({ type: 'profileNamesRead', items: await outside.profiles() }),
    profiles: () => showProfiles(),
    async useProfile({ name }) {
      const opening = openingOf(ports);
      const problem = await outside.switchProfile(name, opening.isWanted);
      if (!opening.ended() || !problem) return;
      if (problem.needsKeys) send({ type: 'askKeys', name });
      else sayProblem(ports, problem.text);
    },
    async giveKeys({ name, values }) {
      const problem = await outside.giveKeys(name, values);
      if (problem !== undefined) failed(problem);
    },
    async testProfile({ name }) {
      const lines = await outside.testProfile(name);
      // No layer opens over a form or a list that a person is in by now: a message says it ended.
      if (ports.state().layers.at(-1)?.kind === 'profiles') send({ type: 'showText', title: `Test of ${name}`, lines });
      else say(ports, `Test of ${name} ended · P t runs it again`, 'info');
    },
    async removeProfile({ name }) {
      const problem = await outside.removeProfile(name);
      await showProfiles();
      if (problem === undefined) say(ports, `Removed profile ${name}`, 'good');
      else sayProblem(ports, problem);
    },
    async addProfile({ values }) {
      const problem = await outside.addProfile(values);
      if (problem !== undefined) return failed(problem);
      await showProfiles(String(values.name ?? ''));
      say(ports, 'Profile saved · t tests it, Enter uses it', 'good');
    },
    async editProfile({ name, values }) {
      const { ok, text } = await outside.editProfile(name, values);
      if (!ok) return failed(text);
      await showProfiles(String(values.name ?? name));
      say(ports, `${text} · takes effect when it is opened again: Enter`, 'good');
    },
  };
}

/** A profile that is being opened is wanted until its waiting layer is left. */
function openingOf({ state, send }: EffectPorts) {
  const layer = state().layers.at(-1);
  const isWaiting = layer?.kind === 'wait';
  const isWanted = () => !isWaiting || state().layers.at(-1) === layer;
  return {
    isWanted,
    /** Closes that layer; false where it was left. */
    ended() {
      const was = isWanted();
      if (isWaiting && was) send({ type: 'closeLayer' });
      return was;
    },
  };
}
