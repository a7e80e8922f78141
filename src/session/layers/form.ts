import { formBindings, whyBusy } from '../form/bindings.ts';
import { resumedDraft, undrafted } from '../form/drafts.ts';
import { editorEffect, withEditorText } from '../form/external-editor.ts';
import { formPane } from '../form/form-pane.ts';
import { closed, saveStoppedBy } from '../form/query.ts';
import { scrollForm } from '../form/scroll.ts';
import { focus, nextDiagnostic, offer, stepRow, tookOffer, typedInto, withPath } from '../form/typing.ts';
import { recalledSearch } from '../list/recall-search.ts';
import type { LayerKind } from '../stack/kind.ts';
import { focused, isTyped } from '../state/fields.ts';
import type { OpenForm } from '../state/form-layer.ts';
import type { State } from '../state/state.ts';
import { pop, swap } from '../state/state-changes.ts';
import { entered, fileRead, option, submit } from './form-steps.ts';

/** A form; what its fields do is in the room of forms. */
export const form: LayerKind<OpenForm> = {
  keys: (layer, { size }) => formBindings(layer, size),
  place: (layer) => (layer.for.kind === 'search' ? 'panel' : 'body'),
  lines: formPane,
  takesText: (layer) => !layer.busy && layer.review === undefined && !layer.draft && isTyped(focused(layer)?.field),
  refuses: whyBusy,
  question: (layer) => layer.review ?? saveStoppedBy(layer),
  typed: (state, layer, { text, key }) => ({ state: swap(state, typedInto(layer, text, key, state.size.columns)) }),
  update: {
    closeLayer: (state, layer) => ({ state: left(state, layer) }),
    answerDraft: (state, layer, { take }) => {
      if (take) return { state: swap(state, resumedDraft(layer)) };
      const { draft: _, ...open } = layer;
      return { state: undrafted(swap(state, open), layer) };
    },
    moveInLayer: (state, layer, { by }) => ({
      state: layer.review ? swap(state, scrollForm(layer, by, state.size)) : state,
    }),
    moveField: (state, layer, { by }) => ({ state: swap(state, focus(layer, by)) }),
    moveInputRow: (state, layer, { by }) => ({ state: swap(state, stepRow(layer, by, state.size.columns)) }),
    moveOption: (state, layer, { by }) => ({ state: swap(state, option(layer, by)) }),
    moveOffer: (state, layer, { by }) => ({ state: swap(state, offer(layer, by)) }),
    completePath: (state, layer) => ({ state: swap(state, withPath(layer)) }),
    takeOffer: (state, layer) => ({ state: swap(state, tookOffer(layer)) }),
    nextDiagnostic: (state, layer) => ({ state: swap(state, nextDiagnostic(layer)) }),
    openEditor: (state, layer) => ({ state, effects: [editorEffect(layer)] }),
    editorDone: (state, layer, message) => ({ state: swap(state, withEditorText(layer, message)) }),
    fileRead: (state, layer, message, world) => fileRead(state, layer, message, world),
    recall: (state, layer, { by }) => ({ state: swap(state, recalledSearch(state, layer, by)) }),
    choose: (state, layer, _, world) => entered(state, layer, world),
    submitForm: (state, layer, _, world) => submit(state, layer, world),
  },
};

/** Esc: ends the check before saving, the completions or the review; else warns once if a person has typed, then leaves. */
function left(state: State, layer: OpenForm): State {
  if (layer.isChecking) return swap(state, { ...layer, busy: false, isChecking: false });
  const shut = closed(layer);
  if (shut !== layer) return swap(state, shut);
  if (layer.review) return swap(state, { ...layer, review: undefined });
  if (layer.touched && !layer.leaving && !layer.busy) return swap(state, { ...layer, leaving: true });
  return pop(state);
}
