import { capitalized } from '../../lib/text.ts';
import { csvHeadRead, directoryRead, withEditorText } from '../form/typing.ts';
import { confirm } from '../stack/confirm.ts';
import { type LayerKind, stepped } from '../stack/kind.ts';
import type { FormFor, OpenForm } from '../state/form-layer.ts';
import type { LayerMessage, TopMessage } from '../state/message.ts';
import type { Moment, Next, Updates } from '../state/moment.ts';
import type { Layer, LayerOf, State } from '../state/state.ts';
import { flash, formLayer, onForm, pop, push, pushOnce, swap } from '../state/state-changes.ts';
import { bar } from './bar.ts';
import { filter, find } from './filter.ts';
import { fileRead, form, languageRead } from './form.ts';
import { help } from './help.ts';
import { job, jobDone, jobProgressed, openJob, results, wait } from './job.ts';
import { menu } from './menu.ts';
import { palette } from './palette.ts';
import { ownerRead, pick, take } from './pick.ts';
import { fleetRead, keyFields, openProfile, profiles, profilesRead } from './profiles.ts';
import { secret, textLayer } from './text.ts';
import { journalRead, timeline } from './timeline.ts';

/** Every kind of layer. One that is missing does not compile. */
export const layerKinds: { readonly [K in Layer['kind']]: LayerKind<LayerOf<K>> } = {
  form,
  wait,
  take,
  secret,
  job,
  confirm,
  bar,
  pick,
  filter,
  find,
  help,
  palette,
  menu,
  text: textLayer,
  results,
  timeline,
  profiles,
};

/** The behavior of a layer. The record gives each kind its own; the compiler cannot see that of a union, hence the cast. */
export const layerKindOf = <L extends Layer>(layer: L): LayerKind<L> =>
  layerKinds[layer.kind] as unknown as LayerKind<L>;

/** Gives what a form has asked for to that form. */
const toForm =
  <M extends object>(take: (form: OpenForm, message: M) => OpenForm) =>
  (state: State, message: M & { readonly of: FormFor }): Next =>
    onForm(state, message.of, (own, form) => ({ state: swap(own, take(form, message)) }));

/** Opens layers, and gives results to the layers that wait for them, on top or below others. */
export const layerUpdates: Updates<LayerMessage> = {
  showText(state, { title, lines }) {
    const top = state.layers.at(-1);
    // What is shown to be copied by hand has not been copied.
    const below = top?.kind === 'secret' ? swap(state, { ...top, copied: false }) : state;
    return { state: push(below, { kind: 'text', title, lines, top: 0 }) };
  },
  openHelp: (state) => ({
    state: pushOnce(state, { kind: 'help', query: { text: '', cursor: 0 }, cursor: 0, searching: false }),
  }),
  openPalette: (state) => ({
    state: pushOnce(state, { kind: 'palette', query: { text: '', cursor: 0 }, cursor: 0 }),
    effects: [{ ask: 'profileNames' }],
  }),
  profileNamesRead: (state, { items }) => {
    const top = state.layers.at(-1);
    return { state: top?.kind === 'palette' ? swap(state, { ...top, profiles: items }) : state };
  },
  openJobs: (state) => ({ state: openJob(state) }),
  journalRead: (state, message) => ({ state: journalRead(state, message) }),
  fleetRead: (state, message) => ({ state: fleetRead(state, message) }),
  profilesRead(state, message) {
    const top = state.layers.at(-1);
    const isOfProfile = top?.kind === 'form' && top.for.kind === 'profile';
    // No list opens over what a person has been asked meanwhile.
    if (top && !layerKindOf(top).isShowing && !isOfProfile) return { state };
    return { state: profilesRead(state, message) };
  },
  askKeys: (state, { name }) => ({
    state: push(state, formLayer(`Keys of ${name}`, keyFields(), { kind: 'keys', name })),
  }),
  profileFailed(state, { of, text }, { context }) {
    const isOpen = state.layers.some((layer) => layer.kind === 'form' && layer.for === of);
    if (!isOpen) return { state: flash(state, capitalized(text), 'bad', context.now) };
    return toForm((form) => ({ ...form, busy: false, problem: text }))(state, { of });
  },
  useProfile: openProfile,
  removeProfile: (state, { name }) => ({ state, effects: [{ ask: 'removeProfile', name }] }),
  languageRead: (state, message, world) =>
    onForm(state, message.of, (own, form) => languageRead(own, form, message, world)),
  fileRead: (state, message, world) => onForm(state, message.of, (own, form) => fileRead(own, form, message, world)),
  editorDone: toForm(withEditorText),
  directoryRead: toForm(directoryRead),
  csvHeadRead: toForm(csvHeadRead),
  jobProgressed: (state, message) => ({ state: jobProgressed(state, message) }),
  jobDone,
  ownerRead,
};

type AnyHandler = (state: State, layer: Layer, message: TopMessage, world: Moment) => Next;

/** Handles a message for the layer on top: by its kind, else as every layer does. What neither knows changes nothing. */
export function updateTop(state: State, message: TopMessage, world: Moment): Next {
  const layer = state.layers.at(-1);
  if (!layer) return { state };
  const kind: LayerKind<Layer> = layerKindOf(layer);
  const handle = kind.update[message.type] as AnyHandler | undefined;
  if (handle) return handle(state, layer, message, world);
  if (message.type === 'closeLayer') return { state: pop(state) };
  if (message.type === 'moveInLayer' && 'cursor' in layer)
    return stepped(state, layer, message.by, kind.rowKeys?.(layer, world).length ?? 0);
  if (message.type === 'typeKey')
    return kind.typed?.(state, layer, { text: message.key.text ?? '', key: message.key.name }, world) ?? { state };
  if (message.type === 'pasteText')
    return kind.typed?.(state, layer, { text: message.text, key: '' }, world) ?? { state };
  return { state };
}
