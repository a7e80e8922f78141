import type { FormFor } from '../state/form-layer.ts';
import type { Message } from '../state/message.ts';
import type { State } from '../state/state.ts';

/** Loads the languages of each form once, when it is opened. Every result comes back as a message. */
export function createLanguages(send: (message: Message) => void): (state: State) => void {
  const requested = new WeakSet<FormFor>();
  return (state) => {
    for (const layer of state.layers) {
      if (layer.kind !== 'form' || requested.has(layer.for)) continue;
      const subject = layer.for;
      requested.add(subject);
      for (const [name, field] of Object.entries(layer.fields)) {
        if (!field.language) continue;
        const failed = (why: unknown) =>
          send({ type: 'languageRead', of: subject, name, trouble: why instanceof Error ? why.message : String(why) });
        field.language().then((language) => send({ type: 'languageRead', of: subject, name, language }), failed);
      }
    }
  };
}
