import { isSecret } from '../../describe/field.ts';
import { stepKeys } from '../stack/kind.ts';
import { fieldNames, fieldTexts, focused, isFurther, type OpenForm } from '../state/form-layer.ts';
import type { Message } from '../state/message.ts';
import { type Binding, leave, type Moment, on } from '../state/moment.ts';
import { keptLabels } from './drafts.ts';
import { hiddenLines } from './form-pane.ts';
import { queryOffers, saveStoppedBy } from './query.ts';
import { isNew, isReviewed } from './request.ts';
import { completed, isPath } from './typing.ts';

/** Lines that a message of several lines may take from a review: they are known when it is drawn. */
const spare = 3;

/**
 * Scrolls a review. Down from its last lines goes as far as messages may hide some, and back from there is one step, so that
 * each line can be read and no key does nothing.
 */
export function scrollForm(form: OpenForm, by: number, now: Pick<Moment, 'state' | 'context'>): OpenForm {
  const most = hiddenLines(form, now);
  const from = form.reviewTop ?? 0;
  const top = by > 0 && from + by > most ? most + spare : Math.min(from, most) + by;
  return { ...form, reviewTop: Math.max(0, top) };
}

/**
 * Keys of a form; none is a letter, since letters go into the text in focus. While the form is sent or checked, those that would change or
 * send it are refused.
 */
export function formBindings(layer: OpenForm, now: Pick<Moment, 'state' | 'context'>): Binding[] {
  const bindings = ownBindings(layer, now);
  const refused = whyBusy(layer);
  if (refused === undefined) return bindings;
  const moves = (binding: Binding) =>
    binding.group === 'back' || binding.run.type === 'moveField' || binding.run.type === 'moveInLayer';
  return bindings.map((binding) => (moves(binding) ? binding : { ...binding, refused }));
}

/** Why its keys are refused, and what a person may do; undefined while it takes them. */
export function whyBusy({ busy, isChecking }: OpenForm): string | undefined {
  if (isChecking) return 'its query is being checked; Esc cancels';
  return busy ? 'the form is being sent; Esc goes back without canceling it' : undefined;
}

function ownBindings(layer: OpenForm, now: Pick<Moment, 'state' | 'context'>): Binding[] {
  if (layer.draft) {
    return [
      on(['return'], 'continue draft', { type: 'answerDraft', take: true }, 1),
      on(['n'], 'start over', { type: 'answerDraft', take: false }, 2),
      leave(['esc', 'q', 'backspace'], 'leave'),
    ];
  }
  if (layer.review) {
    return [
      on(['return', 'ctrl+s'], layer.review.length > 0 ? 'send' : 'close', { type: 'submitForm' }, 1, {
        deliberate: true,
      }),
      ...stepKeys(true, hiddenLines(layer, now) > 0 ? 2 : undefined),
      leave(['esc', 'q', 'backspace'], 'back to the form'),
    ];
  }
  const field = focused(layer);
  const deliberate = saveStoppedBy(layer) !== undefined;
  if (queryOffers(layer, field?.name)) return offerBindings(last(layer), deliberate);
  return [
    on(['ctrl+s'], last(layer), { type: 'submitForm' }, 1, { deliberate }),
    ...(recalls(layer) ? [on(['up'], 'previous search', { type: 'recall', by: 1 }, 4)] : []),
    ...(recalls(layer) && (layer.recalled ?? 0) > 1 ? [on(['down'], 'next search', { type: 'recall', by: -1 })] : []),
    ...(field?.field.kind === 'query' ? queryBindings(layer, field.name) : fieldBindings(layer, field, deliberate)),
    leave(['esc'], !layer.leaving && keptLabels(layer).length > 0 ? 'close (draft kept)' : 'close'),
  ];
}

/** Keys of a field of one line, or of a choice. */
function fieldBindings(layer: OpenForm, focus: ReturnType<typeof focused>, deliberate: boolean): Binding[] {
  const { name = '', field } = focus ?? {};
  const isCompleting = isPath(field) && completed(layer, name) !== undefined;
  const isLast = layer.focus >= fieldNames(layer).length - 1;
  const opening =
    field?.kind === 'pick' || field?.kind === 'checks' ? 'pick' : field && isFurther(field) && 'more options';
  const hasSecret = Object.values(layer.fields).some((one) => isSecret(one, fieldTexts(layer)));
  const help = 'Edit all fields as JSON in $VISUAL or $EDITOR';
  return [
    ...(isCompleting ? [on(['tab'], 'complete the path', { type: 'completePath' }, 2)] : []),
    on(isCompleting ? ['down'] : ['tab', 'down'], 'next', { type: 'moveField', by: 1 }, 2),
    on(['shift+tab', 'up'], 'previous field', { type: 'moveField', by: -1 }),
    opening
      ? on(['return'], opening, { type: 'choose' }, 3)
      : on(['return'], isLast ? last(layer) : 'next', { type: 'choose' }, undefined, {
          deliberate: deliberate && isLast,
        }),
    ...optionBindings(field?.kind),
    ...(hasSecret ? [] : [on(['ctrl+e'], 'edit in $EDITOR', { type: 'openEditor' }, 5, { help })]),
  ];
}

/** Keys of a query, a text of several lines. */
function queryBindings({ written }: OpenForm, name: string): Binding[] {
  const hasDiagnostics = (written[name]?.diagnostics ?? []).length > 0;
  const help = 'Go to the next part with an error or a hint';
  return [
    on(['tab'], 'next', { type: 'moveField', by: 1 }, 2),
    on(['shift+tab'], 'previous field', { type: 'moveField', by: -1 }),
    ...textBindings,
    ...(hasDiagnostics ? [on(['alt+n'], 'next error', { type: 'nextDiagnostic' }, 4, { help })] : []),
    on(['ctrl+e'], 'edit in $EDITOR', { type: 'openEditor' }, 3, { help: 'Edit this text in $VISUAL or $EDITOR' }),
  ];
}

/** Whether Up and Down bring back other searches: in the first field of a search, which has none before it. */
const recalls = (layer: OpenForm): boolean => layer.for.kind === 'search' && layer.focus === 0;

/** The label of the save key. */
function last(layer: OpenForm): string {
  const { for: to } = layer;
  if (to.kind === 'search') return 'search';
  if (to.kind !== 'action') return 'save';
  const { action } = to.pending;
  if (isReviewed(layer)) return isNew(layer) ? 'review and create' : 'review and save';
  return action.job ? 'upload' : action.on === 'list' ? 'create' : 'save';
}

function optionBindings(kind: string | undefined): Binding[] {
  if (kind !== 'choice' && kind !== 'toggle' && kind !== 'many') return [];
  return [
    on(['left'], 'previous option', { type: 'moveOption', by: -1 }),
    on(['right'], 'next option', { type: 'moveOption', by: 1 }, 3),
    kind === 'many'
      ? on(['space'], 'toggle', { type: 'moveOption', by: 0 }, 4)
      : on(['space'], 'next option', { type: 'moveOption', by: 1 }),
  ];
}

const editing = (key: string): Message => ({ type: 'typeKey', key: { name: key, alone: true } });

/** Keys of a multi-line text, besides the editing keys of every text. */
const textBindings: readonly Binding[] = [
  on(['down'], 'row down', { type: 'moveInputRow', by: 1 }),
  on(['up'], 'row up', { type: 'moveInputRow', by: -1 }),
  on(['ctrl+space'], 'complete', { type: 'moveOffer' }, 90, { help: 'Complete the word: opens suggestions' }),
  on(['return', 'alt+return'], 'line break', editing('alt+return'), 6),
  on(['alt+u', 'ctrl+_'], 'undo', editing('alt+u'), 5, { help: 'Undo typing: one word or paste at a time' }),
  on(['alt+r'], 'redo', editing('alt+r'), 7),
];

/** Keys while completions are offered. Return does not take one: it is a line break as always. */
const offerBindings = (saving: string, deliberate: boolean): Binding[] => [
  on(['tab'], 'accept', { type: 'takeOffer' }, 1),
  on(['down', 'ctrl+n', 'ctrl+space'], 'next word', { type: 'moveOffer', by: 1 }, 2),
  on(['up', 'ctrl+p'], 'previous word', { type: 'moveOffer', by: -1 }),
  on(['return'], 'line break', editing('alt+return')),
  on(['ctrl+s'], saving, { type: 'submitForm' }, 3, { deliberate }),
  leave(['esc'], 'close the list'),
];
