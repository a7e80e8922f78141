import { isRead } from '../../api/endpoint.ts';
import type { CacheEntry } from '../../cache/cache.ts';
import type { AnyAction } from '../../describe/action.ts';
import { type Context, type Rows, whyUnavailable } from '../../describe/context.ts';
import type { Pick as Choice } from '../../describe/picks.ts';
import type { AnyList, Screen } from '../../describe/screen.ts';
import { attempt } from '../../lib/function-results.ts';
import { paint } from '../../lib/paint.ts';
import { capitalized } from '../../lib/text.ts';
import type { Clock } from '../../lib/time.ts';
import type { Hint } from '../../scene/edge-lines.ts';
import { keyLabel } from '../keyboard/keyboard.ts';
import type { ScreenCounts } from '../rows/counts.ts';
import type { Row } from '../rows/list-state.ts';
import type { Effect, Flash, Message, MessageOf } from './message.ts';
import type { LayerOf, State } from './state.ts';
import type { View } from './view.ts';

/** `isLeast`: a list of the screen whose rows may need a person has not been read; `isPartial`: not all rows of one have. */
export interface ShownCounts extends ScreenCounts {
  readonly isLeast: boolean;
  readonly isPartial: boolean;
}

/** The state, the reads and what the keyboard can do, all of one moment and without side effects: what a step and a frame are made of. */
export interface Moment {
  readonly state: State;
  readonly view: View;
  readonly context: Context;
  readonly screens: readonly Screen[];
  /** Made when they are first read, and kept while nothing changes. */
  readonly bindings: readonly Binding[];
  /** The bindings below all layers, which help and palette list. */
  readonly below: readonly Binding[];
  /** What the log of messages shows. */
  readonly messages: readonly Flash[];
  /** Stands for what rows say: the same object until something is read, ages are due or more is known of people. */
  readonly edition: object;
  /** What has a page, of the rows as last read, each once: `service:web`, and the tags of monitors. */
  subjects(): readonly string[];
  /** A new code of four letters to type where a name is hard to type. */
  code(): string;
  /** The rows of a screen as last read, counted; undefined where none of its lists has been read. */
  counts(screen: Screen): ShownCounts | undefined;
  /** A list and its row, with the read that has it, also where another list is in front or searched for something else; undefined where no read has it. */
  find(
    list: string,
    rowId: string,
  ): { readonly list: AnyList; readonly row: Row; readonly read: CacheEntry<unknown> } | undefined;
  /** The picks that the service has returned so far. */
  picks(layer: LayerOf<'pick' | 'take'>): readonly Choice[];
  /** The read of the picks: whether it runs or has failed, and what is true of them, as that they are the first of more. */
  pickRead(layer: LayerOf<'pick' | 'take'>): CacheEntry<Rows<Choice>>;
}

export interface Next {
  readonly state: State;
  readonly effects?: readonly Effect[];
}

/** The handler of each message of a group. A message without a handler does not compile. */
export type Updates<M extends Message> = {
  readonly [K in M['type']]: (state: State, message: MessageOf<K>, moment: Moment) => Next;
};

type BindingGroup = 'anywhere' | 'back' | 'move' | 'choose' | 'find' | 'copy' | 'write' | 'here' | 'recent';

/** What a key does now: one value for the key press, the footer, the help and the palette. */
export interface Binding {
  readonly keys: readonly string[];
  readonly title: string;
  /** A sentence for the help; the title when absent. */
  readonly help?: string | undefined;
  readonly group: BindingGroup;
  readonly run: Message;
  /** Why the key does not work now; shown when it is pressed. */
  readonly refused?: string | undefined;
  /** It is refused because of the row under the cursor, whatever else is in its way: another one may take it. */
  readonly isOfRow?: boolean;
  /** Why it will probably be refused; it works all the same. */
  readonly doubt?: string | undefined;
  /** Place in the footer, 1 first; absent = only in the help. */
  readonly hint?: number | undefined;
  /**
   * The key counts only when it was pressed by itself after the question on top could be read: pasted and typed-ahead
   * keys do not.
   */
  readonly deliberate?: boolean;
}

/** What a key does, as a sentence of the help: its title, and its help where that does not say it. */
export function bindingSentence({ title, help = title }: Pick<Binding, 'title' | 'help'>): string {
  const words = ` ${help.toLowerCase()} `.replaceAll(/[:;,.]/g, ' ');
  const name = ` ${title.toLowerCase().replace('…', '')} `;
  return capitalized(words.includes(name) ? help : `${title}: ${help}`);
}

/** Makes the bindings of a group; `help` is the sentence of the help. */
export const inGroup =
  (group: BindingGroup) =>
  (keys: string[], title: string, run: Message, help?: string, more: Partial<Binding> = {}): Binding => ({
    keys,
    title,
    group,
    run,
    help,
    ...more,
  });

/** A binding of the layer on top. */
export const on = (
  keys: string[],
  title: string,
  run: Message,
  hint?: number,
  more: Partial<Binding> = {},
): Binding => ({ keys, title, group: 'here', run, hint, ...more });

/** The binding that closes the layer on top. */
export const leave = (keys: string[] = ['esc', 'q', 'backspace'], title = 'back'): Binding =>
  on(keys, title, { type: 'closeLayer' }, 91, { group: 'back' });

/** What leads to keys for which a line of hints has no room. */
const leadsToKeys: ReadonlySet<Message['type']> = new Set(['openActionMenu', 'openHelp']);

/** Hints of a list or a detail at most, besides those of the help and of the way back; those of a layer are what it asks. */
const mostHints = 6;
/** From this place on stand the palette, the help and the way back. */
const lastPlaces = 80;

/**
 * The bindings with a place in the footer, the first six in order, the help and the way back. What the row under the cursor does not
 * take has none; of a list without rows, neither has what does not work.
 */
export function footHints(now: Moment): readonly Hint[] {
  const { value, problem } = now.view.read;
  const isBare = now.view.ids.length === 0 && (value ?? problem) !== undefined;
  const placed = now.bindings
    .filter(({ hint, refused, isOfRow }) => hint !== undefined && !(refused !== undefined && (isBare || isOfRow)))
    .sort((one, other) => (one.hint ?? 0) - (other.hint ?? 0));
  const isLast = ({ hint = 0 }: Binding) => hint >= lastPlaces;
  const most = now.state.layers.length === 0 ? mostHints : placed.length;
  const first = placed.filter((binding) => !isLast(binding)).slice(0, most);
  const last = placed.filter(
    (binding) => isLast(binding) && (binding.run.type !== 'openPalette' || first.length < most),
  );
  return [...first, ...last].map((binding) => ({
    keys: paint(keyLabel(binding.keys[0] ?? '')),
    title: paint(binding.title),
    disabled: (binding.refused ?? binding.doubt) !== undefined,
    keep: leadsToKeys.has(binding.run.type),
  }));
}

/** Why something is refused with `--kiosk`. */
export const offInKiosk = 'off in kiosk mode';

const offMessages: ReadonlySet<Message['type']> = new Set<Message['type']>([
  'suspend',
  'openEditor',
  'saveReport',
  'openProfiles',
  'runOnProfile',
  'askKeys',
  'useProfile',
  'removeProfile',
]);

/**
 * Whether a kiosk refuses it: it reaches a shell, a file of a person's choice, another profile or what a profile keeps. A kiosk that
 * began with the fleet comes back to it, and opens no profile there.
 */
export function isOffInKiosk({ isKiosk, showsFleet }: Context['profile'], message: Message): boolean {
  if (!isKiosk || (showsFleet && message.type === 'openProfiles')) return false;
  return offMessages.has(message.type) || (message.type === 'setTheme' && message.isSaved);
}

/**
 * Why an action that may be tried will probably be refused: the service refused one of its operations before, for want of a
 * permission.
 */
export function doubt(action: AnyAction, refused: State['refused']): string | undefined {
  const of = action.uses.find((endpoint) => refused[endpoint.id] !== undefined);
  return of && `${refused[of.id]} was missing last time`;
}

/** Why an action cannot be done to any row: by the profile, the deployment or the roles of the keys' owner. */
export function whyNever(action: AnyAction, context: Context): string | undefined {
  const edits = action.uses.filter((endpoint) => !isRead(endpoint));
  // A job reads files of this machine, or runs programs on it.
  if (context.profile.isKiosk && action.job) return offInKiosk;
  if (context.profile.readOnly && edits.length > 0) return `profile ${context.profile.name} is read-only`;
  // One operation that cannot be sent is not enough: it may be a way round, or only the way back.
  const [first] = edits;
  const isNone = edits.every((endpoint) => whyUnavailable(endpoint, context) !== undefined);
  if (first && isNone) return whyUnavailable(first, context);
  return undefined;
}

/** Why an action cannot be done to a row; undefined when it can. */
export const whyRefused = (action: AnyAction, row: Row | undefined, context: Context): string | undefined =>
  whyNever(action, context) ?? whyNotOf(action, row, context);

/** Why a row does not take an action, whoever may do it. */
export function whyNotOf(action: AnyAction, row: Row | undefined, context: Context): string | undefined {
  if (action.on !== 'list' && row === undefined) return 'no row selected';
  const verdict = attempt(
    () =>
      (action.on === 'list'
        ? action.ready?.(context)
        : (action.already?.(row, context) ?? action.enabled?.(row, context))) ?? true,
    (fault) => fault,
  );
  return verdict === true ? undefined : verdict;
}

/** A gap between two calls longer than this, in milliseconds, counts as a sleep. */
const longestGap = 60_000;
/** A clock that goes back by more than this, in milliseconds, was set: before it, moments are not comparable. */
const leastSetBack = 2_000;

/**
 * Detects that the machine slept: its timers stop while the wall clock goes on. Call `slept` at every key and at every
 * tick of a timer much shorter than a minute; it returns the milliseconds slept since the last call, negative ones where the
 * clock was set back, else 0.
 */
export function createSleepDetector(clock: Clock): { slept(): number } {
  const held = { at: clock.now() };
  return {
    slept() {
      const before = held.at;
      held.at = clock.now();
      const gone = held.at - before;
      return gone > longestGap || gone < -leastSetBack ? gone : 0;
    },
  };
}

const editMessages: readonly Message['type'][] = [
  'startAction',
  'handleNotice',
  'repeatAction',
  'saveOrder',
  'valuesChosen',
  'editConfirmed',
  'askUndo',
  'askRedo',
  'retryFailed',
];
const endMessages: readonly Message['type'][] = ['submitForm', 'choose', 'pressBarKey'];

/**
 * Why this message may not edit the rows in front, or the row of a notice: they were not read since the machine slept
 * (docs/design/reliability.md#polling), or not at all in this run. Undefined = it may, or it edits nothing.
 */
export function tooOldToEdit(state: State, message: Message, { view, find }: Moment): string | undefined {
  const notice = noticeOf(state, message);
  const { read } = (notice && find(notice.list, notice.rowId)) ?? view;
  const slept = state.wokeAt !== undefined && (read.at ?? 0) < state.wokeAt;
  if (!slept && !read.isFromSnapshot) return undefined;
  if (!isEdit(state, message)) return undefined;
  return `The rows are from before ${slept ? 'the sleep' : 'this start'}: wait until they are read again`;
}

/** The row of a notice, where the edit is of that. */
function noticeOf({ notices, layers }: State, message: Message): { list: string; rowId: string } | undefined {
  if (message.type === 'handleNotice') return notices[0];
  const top = layers.at(-1);
  const asking = top?.kind === 'form' ? top.for : top;
  const ofLayer = asking && 'pending' in asking ? asking.pending : undefined;
  const pending = 'pending' in message ? message.pending : ofLayer;
  if (!pending?.isOfNotice) return undefined;
  return { list: pending.list.id, rowId: pending.list.idOf(pending.rows[0]) };
}

function isEdit(state: State, message: Message): boolean {
  if (editMessages.includes(message.type)) return true;
  const top = state.layers.at(-1);
  const asks = top?.kind === 'bar' || top?.kind === 'pick' || (top?.kind === 'form' && top.for.kind === 'action');
  return asks && endMessages.includes(message.type);
}
