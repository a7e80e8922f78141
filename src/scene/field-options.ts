import { paint } from '../lib/paint.ts';
import { type Painted, plain } from '../lib/painted.ts';
import { fit } from '../lib/text.ts';
import { flow, type Span, spanCells } from './span.ts';
import type { Theme } from './theme.ts';

/** A value to choose: the value as the service knows it, the label as it is drawn. */
export interface DrawnOption {
  readonly value: string;
  readonly label: Painted;
}

/** A choice that needs more lines is drawn as its selected option alone. */
const mostLines = 3;

/**
 * The options of a field, wrapped to lines of `width` cells. Parentheses (a cross where several may be selected)
 * mark the selection, so that it does not depend on color; brackets are for what is typed or picked.
 */
export function controlLines(
  field: {
    readonly kind: 'choice' | 'toggle' | 'many' | 'text' | 'query';
    readonly text: string;
    readonly cursor: number;
    readonly options?: readonly DrawnOption[];
    /** What an empty text means; `none` when absent. */
    readonly placeholder?: Painted | undefined;
  },
  focused: boolean,
  width: number,
  theme: Theme,
): Span[][] {
  const options = field.options ?? [];
  const { ellipsis, before, after } = theme.glyphs;
  if (options.length === 0)
    return [
      [
        { text: plain`[ `, tone: 'dim' },
        field.text === ''
          ? { text: fit(field.placeholder || plain`none`, width - 4, 'left', ellipsis), tone: 'dim', inverse: focused }
          : { text: fit(paint(field.text), width - 4, 'left', ellipsis), inverse: focused },
        { text: plain` ]`, tone: 'dim' },
      ],
    ];
  if (field.kind === 'many') {
    const selected = new Set(field.text.split(',').map((part) => part.trim()));
    const groups = options.map((option, index): Span[] => {
      const on = selected.has(option.value);
      return [
        {
          text: plain`[${on ? plain`x` : plain` `}] ${option.label}`,
          tone: on ? 'plain' : 'dim',
          inverse: focused && index === field.cursor,
        },
      ];
    });
    return flow(groups, width, 2, ellipsis);
  }
  const index = options.findIndex((option) => option.value === field.text);
  // Where one of them has several words, blanks alone do not tell where the next begins.
  const isDivided = options.some(({ label }) => label.includes(' '));
  const divider: Span = { text: theme.glyphs.separator, tone: 'dim' };
  const groups = options.map((option, place): Span[] => [
    place === index
      ? { text: plain`(${option.label})`, tone: 'strong', inverse: focused }
      : { text: plain` ${option.label} `, tone: 'dim' },
    ...(isDivided && place < options.length - 1 ? [divider] : []),
  ]);
  // An unknown value of the service is still the value.
  if (index < 0 && field.text !== '')
    groups.unshift([{ text: plain`(${paint(field.text)})`, tone: 'warn', inverse: focused }]);
  const lines = flow(groups, width, 0, ellipsis).map((line) => (line.at(-1) === divider ? line.slice(0, -1) : line));
  if (lines.length <= mostLines) return lines;
  const chosen = groups[Math.max(0, index)]?.slice(0, 1) ?? [];
  const place = plain`${index + 1}/${options.length}`;
  const room = Math.max(1, width - place.length - 5);
  const label = spanCells(chosen) <= room ? chosen : (flow([chosen], room, 0, ellipsis)[0] ?? []);
  return [[{ text: plain`${before} ` }, ...label, { text: plain` ${after} ` }, { text: place, tone: 'dim' }]];
}
