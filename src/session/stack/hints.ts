import { paint } from '../../lib/paint.ts';
import type { Hint } from '../../scene/foot-lines.ts';
import { keyLabel } from '../keyboard/names.ts';
import type { Binding } from '../state/binding.ts';
import type { Message } from '../state/message.ts';
import type { Moment } from '../state/moment.ts';

/** What leads to keys for which a line of hints has no room. */
const opening: ReadonlySet<Message['type']> = new Set(['openActionMenu', 'openHelp']);

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
  // The key of a notice works, whatever is under the cursor.
  const offered = now.bindings.find(({ run }) => run.type === 'handleNotice')?.keys ?? [];
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
    disabled: (binding.refused ?? binding.doubt) !== undefined && !offered.includes(binding.keys[0] ?? ''),
    keep: opening.has(binding.run.type),
  }));
}
