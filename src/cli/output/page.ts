import type { DetailLine, LineFact, Section } from '../../describe/column.ts';
import { paint } from '../../lib/paint.ts';
import { cells } from '../../lib/text.ts';
import type { Theme } from '../../scene/theme.ts';
import { styled } from './style.ts';

/** The sections of a detail as lines: heads, and what belongs to a label under each other. Nothing is cut. */
export function printablePage(name: string, sections: readonly Section[], theme: Theme): readonly string[] {
  const strong = (text: string) => styled(paint(text), theme.props('strong'));
  const shown = sections.filter(({ lines }) => lines.length > 0);
  return [
    strong(name),
    ...shown.flatMap(({ title, lines }) => {
      const label = Math.max(0, ...lines.map((line) => (line.kind === 'pair' ? cells(paint(line.label)) : 0)));
      return [...(title === '' ? [] : ['', strong(title)]), ...lines.map((line) => textOf(line, label, theme))];
    }),
  ];
}

function textOf(line: DetailLine, label: number, theme: Theme): string {
  switch (line.kind) {
    case 'gap':
      return '';
    case 'head':
      return styled(paint(line.text), theme.props('strong'));
    case 'text':
      return styled(paint(line.text), theme.props(line.tone ?? 'plain'));
    case 'facts':
      return line.facts.map((fact) => factOf(fact, theme)).join(` ${theme.glyphs.dot} `);
    case 'pair': {
      const name = paint(line.label);
      const gap = ' '.repeat(label - cells(name) + 2);
      return `${styled(name, theme.props('dim'))}${gap}${styled(paint(line.value), theme.props(line.tone ?? 'plain'))}`;
    }
  }
}

const factOf = ({ label, text, tone }: LineFact, theme: Theme): string =>
  `${label === undefined ? '' : `${paint(label)} `}${styled(paint(text), theme.props(tone ?? 'plain'))}`;
