import { continued } from '../../lib/text.ts';
import type { Effect } from '../state/message.ts';
import { createEditEffects } from './edit-effects.ts';
import { createJobEffects } from './job-effects.ts';
import { createJournalEffects } from './journal-effects.ts';
import { type Doers, type EffectPorts, say, sayDone } from './ports.ts';
import { createProfileEffects } from './profile-effects.ts';

/** Runs the session's effects. Every result comes back as a message. */
export function createEffects(ports: EffectPorts): (effect: Effect) => void {
  const { cache, clock, outside, send } = ports;
  const doers: Doers<Effect['ask']> = {
    ...createEditEffects(ports),
    ...createJobEffects(ports),
    ...createJournalEffects(ports),
    ...createProfileEffects(ports),
    later({ ms, message }) {
      if (ms <= 0) send(message);
      else clock.after(ms, () => send(message));
    },
    refresh: () => cache.refresh('whole'),
    pause: ({ on }) => cache.pause(on),
    async copy({ text, what }) {
      const where = await outside.copy(text);
      if (where !== undefined) say(ports, `Copied ${what} ${where}`, 'good');
      else send({ type: 'showText', title: `Copy ${what} by hand`, lines: text.split('\n') });
    },
    async browse({ name, url }) {
      const problem = await outside.browse?.(url);
      if (problem === undefined) say(ports, `Opened ${continued(name)} in the browser`, 'good');
      else send({ type: 'showText', title: `Not opened: ${problem}`, lines: [url] });
    },
    edit: async ({ text, ending, name }) => send({ type: 'editorDone', text: await outside.edit(text, ending), name }),
    async readFile({ name, path, limit }) {
      const read = await outside.readFile(path, limit);
      send({ type: 'fileRead', name, path, ...(read.ok ? { content: read.value } : { problem: read.text }) });
    },
    theme: ({ name, isSaved }) => outside.theme?.(name, isSaved).then((done) => sayDone(ports, done)),
    redraw: () => outside.redraw(),
    suspend: () => outside.suspend(),
    quit: ({ code }) => outside.quit(code),
  };

  return (effect) => {
    // Each entry takes the effect of its own name; the compiler cannot follow that through a union.
    const act = doers[effect.ask] as (effect: Effect) => unknown;
    void act(effect);
  };
}
