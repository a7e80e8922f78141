import { paint } from '../../lib/paint.ts';
import type { Hint } from '../../scene/foot-lines.ts';
import { keyLabel } from '../keyboard/names.ts';
import type { Message } from '../state/message.ts';
import type { Moment } from '../state/moment.ts';

/** What leads to keys for which a line of hints has no room. */
const opening: ReadonlySet<Message['type']> = new Set(['openActionMenu', 'openHelp']);

/** The bindings with a place in the footer, in order; of a list without rows, those that work. */
export function footHints(now: Moment): readonly Hint[] {
  const { value, problem } = now.view.read;
  const isBare = now.view.ids.length === 0 && (value ?? problem) !== undefined;
  // The key of a notice works, whatever is under the cursor.
  const offered = now.bindings.find(({ run }) => run.type === 'handleNotice')?.keys ?? [];
  return now.bindings
    .filter((binding) => binding.hint !== undefined && !(isBare && binding.refused !== undefined))
    .sort((one, other) => (one.hint ?? 0) - (other.hint ?? 0))
    .map((binding) => ({
      keys: paint(keyLabel(binding.keys[0] ?? '')),
      title: paint(binding.title),
      disabled: (binding.refused ?? binding.doubt) !== undefined && !offered.includes(binding.keys[0] ?? ''),
      keep: opening.has(binding.run.type),
    }));
}
