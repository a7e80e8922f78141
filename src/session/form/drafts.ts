import { isSecret } from '../../describe/field.ts';
import type { Screen } from '../../describe/screen.ts';
import { oncePer } from '../../lib/function-results.ts';
import { stringifyExact } from '../../lib/json.ts';
import { commaWords } from '../../lib/text.ts';
import { present } from '../../lib/values.ts';
import type { Drafts, SavedDraft } from '../outside/saved-session.ts';
import { fieldLine, fieldNames, fieldTexts, type OpenForm, settled } from '../state/form-layer.ts';
import type { Moment, Next } from '../state/moment.ts';
import type { State } from '../state/state.ts';
import { flash } from '../state/state-changes.ts';

/** Drafts kept, and for how long in milliseconds. */
const most = 50;
const longest = 14 * 86_400_000;

/** The name of a form that keeps drafts: its action and its row. Undefined for searches, and for forms of keys. */
export function draftKey({ for: to }: Pick<OpenForm, 'for'>): string | undefined {
  if (to.kind !== 'action') return undefined;
  const { action, list, rows, picked } = to.pending;
  const row = rows[0] === undefined ? '' : list.idOf(rows[0]);
  return `${action.id} ${row} ${picked === undefined ? '' : stringifyExact(picked)}`.trim();
}

/** What was typed into this form before; undefined where there is nothing. */
export function draftFor(state: State, form: OpenForm): SavedDraft | undefined {
  const key = draftKey(form);
  const draft = key === undefined ? undefined : state.drafts[key];
  return draft && Object.keys(draft.texts).some((name) => form.fields[name]) ? draft : undefined;
}

/** The labels of fields that were typed into and of which a draft keeps nothing. */
export function unkept(form: OpenForm): readonly string[] {
  const texts = fieldTexts(form);
  const keepsNone = draftKey(form) === undefined;
  return fieldNames(form).flatMap((name) => {
    const field = form.fields[name];
    const isChanged = field && !field.aside && texts[name] !== field.initial;
    return field && isChanged && (keepsNone || isPrivate(form, name)) ? [field.label] : [];
  });
}

/** The labels of fields that a draft keeps. */
export function keptLabels(form: OpenForm): readonly string[] {
  return Object.keys(kept(form)?.texts ?? {}).map((name) => form.fields[name]?.label ?? name);
}

/** A field that may hold a secret in any state of its form. */
function isPrivate(form: OpenForm, name: string): boolean {
  const field = form.fields[name];
  const settings = form.for.kind === 'action' ? form.for.pending.action.settings : undefined;
  const setting = settings?.[name];
  return (
    !field ||
    (field.secret !== undefined && field.secret !== false) ||
    isSecret(field, fieldTexts(form)) ||
    setting?.writeOnly === true
  );
}

/**
 * What a draft of a form keeps; undefined where there is nothing. The step that changes the form, its keys and its frame ask for it.
 */
const kept = oncePer((form: OpenForm): Pick<SavedDraft, 'texts' | 'labels'> | undefined => {
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

/** The drafts after a step: those of the forms that it changed are made anew. */
export function drafted(before: State, after: State, now: number): State {
  if (before.layers === after.layers) return after;
  let { drafts } = after;
  for (const layer of after.layers) {
    if (layer.kind !== 'form' || layer.draft || before.layers.includes(layer)) continue;
    const key = draftKey(layer);
    if (key === undefined || !layer.touched) continue;
    const draft = kept(layer);
    const { [key]: _, ...others } = drafts;
    drafts = draft ? { ...others, [key]: { at: now, ...draft } } : others;
  }
  return drafts === after.drafts ? after : { ...after, drafts: fresh(drafts, now) };
}

const fresh = (drafts: Drafts, now: number): Drafts =>
  Object.fromEntries(
    Object.entries(drafts)
      .filter(([, draft]) => now - draft.at < longest)
      .sort(([, one], [, other]) => other.at - one.at)
      .slice(0, most),
  );

/** The state without the draft of this form: it was sent, or is not wanted. */
export function undrafted(state: State, form: Pick<OpenForm, 'for'>): State {
  const key = draftKey(form);
  if (key === undefined) return state;
  const { [key]: _, ...drafts } = state.drafts;
  return { ...state, drafts };
}

/** The draft of a form that is sent, with the form's name, to be kept again where nothing comes of it. */
export function draftTaken({ drafts }: State, form: Pick<OpenForm, 'for'>): readonly [string, SavedDraft] | undefined {
  const key = draftKey(form);
  const draft = key === undefined ? undefined : drafts[key];
  return key === undefined || !draft ? undefined : [key, draft];
}

/**
 * The form with its draft over what was read just now, as a three-way merge: sets keep what others added and removed, and
 * a text that others changed too is marked.
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

const quoted = (value: string): string => `"${value.length > 60 ? `${value.slice(0, 60)}…` : value}"`;

function mergedSet(from: string, text: string, now: string): string {
  const parts = (value: string) => commaWords(value);
  const [before, mine] = [parts(from), parts(text)];
  const kept = parts(now).filter((part) => mine.includes(part) || !before.includes(part));
  return [...kept, ...mine.filter((part) => !before.includes(part) && !kept.includes(part))].join(',');
}

/** What quitting or another profile would lose now; empty where nothing would be. Drafts of forms are kept. */
export function unsaved(state: State, screens: readonly Screen[]): string {
  const lists = screens.flatMap((screen) => screen.lists);
  const orders = lists.filter((list) => state.lists[list.id]?.moving !== undefined).map((list) => list.title);
  const typed = state.layers.flatMap((layer) => (layer.kind === 'form' ? unkept(layer) : []));
  const programs = [...state.layers, ...(state.behind ?? [])].flatMap((layer) =>
    layer.kind === 'job' && layer.isProgram && !layer.ended ? [layer.title] : [],
  );
  const drafts = state.keepTrouble !== undefined && Object.keys(state.drafts).length > 0;
  return [
    state.editsUnderWay > 0 ? 'A change is still being sent' : '',
    programs.length > 0 ? `Still running: ${programs.join(', ')}` : '',
    orders.length > 0 ? `Unsaved order of ${orders.join(', ')} (Ctrl-S saves it)` : '',
    typed.length > 0 ? `Not saved in a draft: ${typed.join(', ')}` : '',
    drafts ? 'Drafts are not on the disk' : '',
  ]
    .filter((part) => part !== '')
    .join('; ');
}

/** How a key that quits is meant all the same. */
export const pressAgain = 'Press again to quit anyway';

/** Ends the program with this exit code; where something would be lost, only at the second key, while the question is on the screen. */
export function leaving(state: State, code: number, how: string, { context, screens }: Moment): Next {
  const lost = unsaved(state, screens);
  const isAsked = state.warnedQuit && state.warnedOf === lost && state.flash?.text.startsWith(`${lost}. `);
  if (lost === '' || isAsked) return { state, effects: [{ ask: 'quit', code }] };
  return { state: flash({ ...state, warnedQuit: true, warnedOf: lost }, `${lost}. ${how}`, 'warn', context.now) };
}
