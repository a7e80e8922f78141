import { oncePer } from '../../lib/function-results.ts';
import { stringifyExact } from '../../lib/json.ts';
import { commaWords, shortened } from '../../lib/text.ts';
import { present } from '../../lib/values.ts';
import type { Drafts, SavedDraft } from '../outside/saved-session.ts';
import { fieldLine, fieldNames, fieldTexts, type OpenForm, settled } from '../state/form-layer.ts';
import type { State } from '../state/state.ts';

/** How many drafts are kept, and for how long in milliseconds. */
const maxDrafts = 50;
const maxAgeMs = 14 * 86_400_000;

/** The name of a form that keeps drafts: its action, its row and what was picked. Undefined for a form of no action: it keeps none. */
export function draftKey({ for: to }: Pick<OpenForm, 'for'>): string | undefined {
  if (to.kind !== 'action') return undefined;
  const { action, list, rows, picked } = to.pending;
  const row = rows[0] === undefined ? '' : list.idOf(rows[0]);
  return `${action.id} ${row} ${stringifyExact(picked)}`.trim();
}

/** The draft of this form; undefined where it has none with a field of the form. */
export function draftFor(state: State, form: OpenForm): SavedDraft | undefined {
  const key = draftKey(form);
  const draft = key === undefined ? undefined : state.drafts[key];
  return draft && Object.keys(draft.texts).some((name) => form.fields[name]) ? draft : undefined;
}

/** The labels of fields that were typed into and that no draft keeps. */
export function unkeptLabels(form: OpenForm): readonly string[] {
  const texts = fieldTexts(form);
  const keepsNone = draftKey(form) === undefined;
  return fieldNames(form).flatMap((name) => {
    const field = form.fields[name];
    if (!field || field.aside || texts[name] === field.initial) return [];
    return keepsNone || isPrivate(form, name) ? [field.label] : [];
  });
}

/** The labels of fields that a draft keeps. */
export function keptLabels(form: OpenForm): readonly string[] {
  return Object.keys(draftContent(form)?.texts ?? {}).map((name) => form.fields[name]?.label ?? name);
}

/** Whether a field may hold a secret, whatever the other fields of its form say. */
function isPrivate(form: OpenForm, name: string): boolean {
  const field = form.fields[name];
  const settings = form.for.kind === 'action' ? form.for.pending.action.settings : undefined;
  return !field || Boolean(field.secret) || settings?.[name]?.writeOnly === true;
}

/** What a draft of this form keeps; undefined where that is nothing. Computed once for each state of a form: step, keys and frame ask. */
const draftContent = oncePer((form: OpenForm): Pick<SavedDraft, 'texts' | 'labels'> | undefined => {
  if (!form.touched || draftKey(form) === undefined) return undefined;
  const changed = Object.entries(form.fields).filter(
    ([name, field]) => !isPrivate(form, name) && form.lines[name]?.text !== field.initial,
  );
  if (changed.every(([, field]) => field.aside)) return undefined;
  const texts = changed.map(([name, field]) => [name, { text: form.lines[name]?.text ?? '', from: field.initial }]);
  const labels = changed.flatMap(([name]) => (form.labels[name] ? [[name, form.labels[name]]] : []));
  return {
    texts: Object.fromEntries(texts),
    ...present({ labels: labels.length > 0 ? Object.fromEntries(labels) : undefined }),
  };
});

/** The state after a step that changed the layers, with new drafts of the forms among them. */
export function withDrafts(before: State, after: State, now: number): State {
  let { drafts } = after;
  for (const layer of after.layers) {
    if (layer.kind !== 'form' || layer.draft || before.layers.includes(layer)) continue;
    const key = draftKey(layer);
    if (key === undefined || !layer.touched) continue;
    const draft = draftContent(layer);
    const { [key]: _, ...others } = drafts;
    drafts = draft ? { ...others, [key]: { at: now, ...draft } } : others;
  }
  return drafts === after.drafts ? after : { ...after, drafts: pruned(drafts, now) };
}

/** The newest drafts, without those that are too old. */
const pruned = (drafts: Drafts, now: number): Drafts =>
  Object.fromEntries(
    Object.entries(drafts)
      .filter(([, draft]) => now - draft.at < maxAgeMs)
      .sort(([, one], [, other]) => other.at - one.at)
      .slice(0, maxDrafts),
  );

/** The state without the draft of this form: it was sent, or is not wanted. */
export function withoutDraft(state: State, form: Pick<OpenForm, 'for'>): State {
  const key = draftKey(form);
  if (key === undefined || !state.drafts[key]) return state;
  const { [key]: _, ...drafts } = state.drafts;
  return { ...state, drafts };
}

/** The name and the draft of a form that is sent, to be kept again if the edit fails. */
export function draftEntry({ drafts }: State, form: Pick<OpenForm, 'for'>): readonly [string, SavedDraft] | undefined {
  const key = draftKey(form);
  const draft = drafts[key ?? ''];
  return key === undefined || !draft ? undefined : [key, draft];
}

/**
 * The form with its draft laid over what was read just now, as a three-way merge: a set keeps what others added and removed;
 * of a text that others changed too, the draft stays, with an error that names both.
 */
export function resumedDraft(form: OpenForm): OpenForm {
  const { draft, ...open } = form;
  if (!draft) return form;
  const lines = { ...open.lines };
  const errors: Record<string, string> = {};
  for (const [name, { text, from }] of Object.entries(draft.texts)) {
    const field = open.fields[name];
    if (!field || isPrivate(form, name)) continue;
    const isSet = field.kind === 'checks' || field.kind === 'many';
    lines[name] = fieldLine(field, isSet ? mergedSet(from, text, field.initial) : text);
    if (!isSet && field.initial !== from && field.initial !== text)
      errors[name] = `changed by others since, from ${quoted(from)} to ${quoted(field.initial)}: this is your draft`;
  }
  const own = Object.keys(draft.texts).filter((name) => open.fields[name]?.follows);
  const labels = { ...open.labels };
  for (const [name, known] of Object.entries(draft.labels ?? {})) labels[name] = { ...known, ...labels[name] };
  return { ...settled({ ...open, lines, labels, own: [...new Set([...open.own, ...own])], touched: true }), errors };
}

const quoted = (value: string): string => `"${shortened(value, 60)}"`;

/** A set of words after both edits of it: what the draft made of `from`, done to what it is now. */
function mergedSet(from: string, text: string, now: string): string {
  const [before, mine] = [commaWords(from), commaWords(text)];
  const kept = commaWords(now).filter((part) => mine.includes(part) || !before.includes(part));
  return [...kept, ...mine.filter((part) => !before.includes(part) && !kept.includes(part))].join(',');
}
