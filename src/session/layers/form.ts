import type { Field } from '../../describe/field.ts';
import { attempt } from '../../lib/function-results.ts';
import { commaWords } from '../../lib/text.ts';
import { present } from '../../lib/values.ts';
import { askOrSend } from '../edit/begin-edit.ts';
import { formBindings, scrollForm, whyBusy } from '../form/bindings.ts';
import { resumedDraft, withoutDraft } from '../form/drafts.ts';
import { formPane } from '../form/form-pane.ts';
import { closed, isWaiting, refusedAt, saveStoppedBy } from '../form/query.ts';
import { contents, differences, isNew, isReviewed, previewRequest, readFields } from '../form/request.ts';
import {
  editorEffect,
  focus,
  nextDiagnostic,
  offer,
  stepRow,
  tookOffer,
  typedInto,
  withPath,
  withText,
} from '../form/typing.ts';
import { editedLine } from '../keyboard/editor.ts';
import { saveView } from '../list/menus.ts';
import type { LayerKind } from '../stack/kind.ts';
import {
  fieldLine,
  fieldNames,
  fieldTexts,
  focused,
  isFurther,
  isTyped,
  judged,
  type OpenForm,
  settled,
} from '../state/form-layer.ts';
import type { MessageOf } from '../state/message.ts';
import type { Moment, Next } from '../state/moment.ts';
import type { State } from '../state/state.ts';
import { asking, flash, pop, push, swap } from '../state/state-changes.ts';
import { recalledSearch, withSearch } from './filter.ts';

/** Selects another option of a choice, or toggles one of several. */
export function option(form: OpenForm, by: number): OpenForm {
  const focusPlace = focused(form);
  const options = focusPlace?.field.options ?? [];
  if (!focusPlace || options.length === 0) return form;
  const before = form.lines[focusPlace.name] ?? editedLine();
  if (focusPlace.field.kind !== 'many') {
    const place = options.findIndex((option) => option.value === before.text);
    const text = options[(place + by + options.length) % options.length]?.value ?? before.text;
    return withText(form, focusPlace.name, fieldLine(focusPlace.field, text));
  }
  const place = Math.max(0, Math.min(options.length - 1, before.cursor));
  if (by !== 0)
    return withText(form, focusPlace.name, { ...before, cursor: (place + by + options.length) % options.length });
  const value = options[place]?.value ?? '';
  const taken = commaWords(before.text);
  const now = taken.includes(value) ? taken.filter((other) => other !== value) : [...taken, value];
  const text = options.map((option) => option.value).filter((option) => now.includes(option));
  return withText(form, focusPlace.name, { cursor: place, text: text.join(',') });
}

/** Handles Return: opens a pick list, else goes to the next field; on the last one it submits. */
export function entered(state: State, form: OpenForm, world: Moment): Next {
  if (form.review) return submit(state, form, world);
  const at = focused(form);
  if (at && (at.field.kind === 'pick' || at.field.kind === 'checks')) return { state: opened(state, form, at) };
  if (at && isFurther(at.field)) return { state: swap(state, option(form, 1)) };
  if (form.focus < fieldNames(form).length - 1) return { state: swap(state, focus(form, 1)) };
  return submit(state, form, world);
}

/** Opens the pick list of a field. */
function opened(state: State, form: OpenForm, focusPlace: { name: string; field: Field }): State {
  const { picks } = focusPlace.field;
  if (!picks) return state;
  const taken = commaWords(form.lines[focusPlace.name]?.text);
  return push(state, {
    kind: 'take',
    name: focusPlace.name,
    title: focusPlace.field.label,
    several: focusPlace.field.kind === 'checks',
    free: focusPlace.field.free === true,
    picks,
    taken: taken.map((id) => ({ id, label: form.labels[focusPlace.name]?.[id] ?? id })),
    opened: taken,
    query: editedLine(),
    asked: '',
    typing: false,
    cursor: 0,
  });
}

/** Writes the choice of a pick list into its field. */
export function took(
  form: OpenForm,
  name: string,
  taken: readonly { readonly id: string; readonly label: string }[],
): OpenForm {
  const labels = {
    ...form.labels,
    [name]: { ...form.labels[name], ...Object.fromEntries(taken.map((pick) => [pick.id, pick.label])) },
  };
  return withText({ ...form, labels }, name, editedLine(taken.map((pick) => pick.id).join(',')));
}

/** Reads every field; the first invalid one gets the focus and its error. A valid form is reviewed or sent. */
export function submit(state: State, given: OpenForm, world: Moment): Next {
  if (given.busy) return { state };
  const form = settled(closed(given));
  const names = fieldNames(form);
  const wanted = names.find((name) => form.fields[name]?.kind === 'file' && needsFile(form, name));
  if (wanted !== undefined) {
    const path = form.lines[wanted]?.text.trim() ?? '';
    return {
      state: swap(state, { ...form, busy: true }),
      effects: [{ ask: 'readFile', of: form.for, name: wanted, path, limit: form.fields[wanted]?.limit ?? 0 }],
    };
  }
  const { values, errors } = readFields(form);
  const first = names.findIndex((name) => errors[name] !== undefined);
  if (first >= 0) {
    // A refused file may be corrected under the same path: it is read again.
    const files = Object.fromEntries(Object.entries(form.files).filter(([name]) => errors[name] === undefined));
    return { state: swap(state, { ...form, files, errors, focus: first, problem: undefined, review: undefined }) };
  }
  if (isWaiting(form)) return { state: swap(state, { ...form, busy: true, isChecking: true }) };
  const refused = form.review ? undefined : refusedAt(form);
  if (refused) return { state: swap(state, { ...refused, errors: {}, problem: undefined }) };
  const ready = { ...form, errors: {}, problem: undefined, leaving: false };
  switch (form.for.kind) {
    case 'search': {
      const { list, listState } = world.view;
      const search = fieldTexts(form);
      return { state: asking(withSearch(pop(state), list, search), list, { ...listState.asked, search }) };
    }
    case 'view':
      return { state: saveView(state, String(values.name), world.screens, world.context.now) };
    case 'profile': {
      const { for: profile } = form;
      return {
        state: swap(state, { ...ready, busy: true }),
        effects: [
          profile.name === undefined
            ? { ask: 'addProfile', of: profile, values }
            : { ask: 'editProfile', of: profile, name: profile.name, values },
        ],
      };
    }
    case 'keys':
      return {
        state: swap(state, { ...ready, busy: true }),
        effects: [{ ask: 'giveKeys', of: form.for, name: form.for.name, values }],
      };
    case 'action': {
      if (isReviewed(form) && !form.review)
        return {
          state: swap(state, {
            ...ready,
            review: isNew(form) ? contents(form) : differences(form),
            // One that cannot be made is told, and does not stop the review.
            request: attempt(
              () => previewRequest(form, world.context),
              (fault) => [`this cannot be shown: ${fault}`],
            ),
            reviewTop: 0,
          }),
        };
      if (form.review?.length === 0)
        return { state: flash(pop(state), 'Nothing was changed, nothing was sent', 'info', world.context.now) };
      return askOrSend(swap(state, ready), { ...form.for.pending, values, isOfForm: true }, world);
    }
  }
}

/** A field's language was loaded, or failed to load. A form that waits for it to be saved goes on. */
export function languageRead(state: State, form: OpenForm, message: MessageOf<'languageRead'>, world: Moment): Next {
  const { name, language, trouble } = message;
  const before = form.written[name];
  if (!before) return { state };
  const now = { ...before, ...present({ language, trouble }) };
  const next = judged({ ...form, written: { ...form.written, [name]: now } });
  if (!next.isChecking || isWaiting(next)) return { state: swap(state, next) };
  return submit(state, { ...next, busy: false, isChecking: false }, world);
}

/** A file was read: keeps its content with its path, and submits the form. */
export function fileRead(
  state: State,
  form: OpenForm,
  message: Omit<MessageOf<'fileRead'>, 'of'>,
  world: Moment,
): Next {
  const calm = { ...form, busy: false };
  if (message.content === undefined) {
    const errors = { ...form.errors, [message.name]: message.problem ?? 'the file could not be read' };
    return { state: swap(state, { ...calm, errors, focus: Math.max(0, fieldNames(form).indexOf(message.name)) }) };
  }
  const files = { ...form.files, [message.name]: { path: message.path, content: message.content } };
  return submit(state, { ...calm, files }, world);
}

const needsFile = (form: OpenForm, name: string): boolean => {
  const path = form.lines[name]?.text.trim() ?? '';
  return path !== '' && form.files[name]?.path !== path;
};

/** A form; what its fields do is in the room of forms. */
export const form: LayerKind<OpenForm> = {
  keys: (layer, state, _, context) => formBindings(layer, { state, context }),
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
      return { state: withoutDraft(swap(state, open), layer) };
    },
    moveInLayer: (state, layer, { by }, world) => ({
      state: layer.review ? swap(state, scrollForm(layer, by, world)) : state,
    }),
    moveField: (state, layer, { by }) => ({ state: swap(state, focus(layer, by)) }),
    moveInputRow: (state, layer, { by }) => ({ state: swap(state, stepRow(layer, by, state.size.columns)) }),
    moveOption: (state, layer, { by }) => ({ state: swap(state, option(layer, by)) }),
    moveOffer: (state, layer, { by }) => ({ state: swap(state, offer(layer, by)) }),
    completePath: (state, layer) => ({ state: swap(state, withPath(layer)) }),
    takeOffer: (state, layer) => ({ state: swap(state, tookOffer(layer)) }),
    nextDiagnostic: (state, layer) => ({ state: swap(state, nextDiagnostic(layer)) }),
    openEditor: (state, layer) => ({ state, effects: [editorEffect(layer)] }),
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
