import type { Option } from '../src/describe/field.ts';
import { flow, type Span, spanCells } from './span.ts';
import type { Theme } from './theme.ts';

/** Lines that a choice may take before it is drawn as the chosen one alone. */
const mostLines = 3;

/**
 * The options of a field, on as many lines of `width` cells as they need. What is chosen has brackets (of
 * several: a cross), so that it is told by text and not by colour alone.
 */
export function controlLines(
  field: {
    readonly kind: 'choice' | 'toggle' | 'many' | 'text' | 'query';
    readonly text: string;
    readonly cursor: number;
    readonly options?: readonly Option[];
  },
  focused: boolean,
  width: number,
  theme: Theme,
): Span[][] {
  const options = field.options ?? [];
  const { ellipsis, before, after } = theme.glyphs;
  if (options.length === 0)
    return [[{ text: field.text === '' ? '(none)' : field.text, tone: field.text === '' ? 'dim' : 'plain' }]];
  if (field.kind === 'many') {
    const taken = new Set(field.text.split(',').map((it) => it.trim()));
    const groups = options.map((it, at): Span[] => {
      const on = taken.has(it.value);
      return [
        {
          text: `[${on ? 'x' : ' '}] ${it.label}`,
          tone: on ? 'plain' : 'dim',
          inverse: focused && at === field.cursor,
        },
      ];
    });
    return flow(groups, width, 2, ellipsis);
  }
  const at = options.findIndex((it) => it.value === field.text);
  const groups = options.map((it, place): Span[] =>
    place === at
      ? [{ text: `[${it.label}]`, tone: 'strong', inverse: focused }]
      : [{ text: ` ${it.label} `, tone: 'dim' }],
  );
  // A word that the service uses and we do not know is still the value.
  if (at < 0 && field.text !== '') groups.unshift([{ text: `[${field.text}]`, tone: 'warn', inverse: focused }]);
  const lines = flow(groups, width, 0, ellipsis);
  if (lines.length <= mostLines) return lines;
  const chosen = groups[Math.max(0, at)] ?? [];
  const place = `${at + 1}/${options.length}`;
  const room = Math.max(1, width - place.length - 5);
  const label = spanCells(chosen) <= room ? chosen : (flow([chosen], room, 0, ellipsis)[0] ?? []);
  return [[{ text: `${before} ` }, ...label, { text: ` ${after} ` }, { text: place, tone: 'dim' }]];
}
