import { Box } from 'ink';
import SelectInput from 'ink-select-input';
import { createContext, use } from 'react';
import { type Painted, plain } from '../src/lib/painted.ts';
import { cells, cutAfterPart, fit } from '../src/lib/text.ts';
import { Lines, OneLine } from './Lines.tsx';
import { choosable, type Span } from './span.ts';
import type { Theme } from './theme.ts';

interface MenuItem {
  /** One of a kind in the menu. */
  readonly id: string;
  readonly label: Painted;
  readonly key?: Painted | undefined;
  readonly hint?: Painted | undefined;
  /** Cannot be chosen; the reason is the hint. */
  readonly disabled?: boolean | undefined;
}

export interface MenuProps {
  readonly items: readonly MenuItem[];
  readonly cursor: number;
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
  /** Cells for the labels, at least: so that the hints stay where they are while the items change. */
  readonly leastLabel?: number;
}

interface Drawing {
  readonly items: ReadonlyMap<string, MenuItem>;
  readonly keyCells: number;
  readonly labelCells: number;
  readonly width: number;
  readonly theme: Theme;
}

/** ink-select-input passes its item component only a label (here the id), so this context carries the rest. */
const MenuContext = createContext<Drawing | undefined>(undefined);

/**
 * A list of choices, drawn and scrolled by ink-select-input. The session handles the keys and owns the cursor; a moved
 * cursor mounts a new menu, because the package takes its cursor only as an initial value.
 */
export function Menu({ items, cursor, width, height, theme, leastLabel }: MenuProps) {
  const shown = Math.max(0, Math.min(items.length, height));
  if (height <= 0) return null;
  const drawing: Drawing = {
    items: new Map(items.map((item) => [item.id, item])),
    ...menuCells(items, width, leastLabel),
    width,
    theme,
  };
  const at = Math.max(0, Math.min(cursor, items.length - 1));
  return (
    <Box flexDirection="column" width={width} height={height} flexShrink={0}>
      <MenuContext value={drawing}>
        {shown > 0 ? (
          <SelectInput
            key={`${at}/${shown}/${items.length}`}
            items={items.map((item) => ({ label: item.id, value: item.id }))}
            isFocused={false}
            initialIndex={at}
            limit={shown}
            indicatorComponent={NoIndicator}
            itemComponent={MenuLine}
          />
        ) : null}
      </MenuContext>
      <Lines lines={[]} width={width} height={height - shown} theme={theme} />
    </Box>
  );
}

const widest = (texts: readonly string[]): number => texts.reduce((most, text) => Math.max(most, cells(text)), 0);

const menuCells = (items: readonly MenuItem[], width: number, leastLabel = 0) => ({
  keyCells: widest(items.map((item) => item.key ?? '')),
  labelCells: Math.min(Math.max(leastLabel, widest(items.map((item) => item.label))), Math.floor(width * 0.6)),
});

/** Cells that are left for a hint. */
const hintCells = ({ keyCells, labelCells, width }: Pick<Drawing, 'keyCells' | 'labelCells' | 'width'>): number =>
  width - 2 - (keyCells > 0 ? keyCells + 2 : 0) - labelCells - 2;

/** The hint of each item where its line in a menu of `width` cells cuts it; else nothing. */
export function cutHints(items: readonly MenuItem[], width: number, leastLabel = 0): readonly Painted[] {
  const room = hintCells({ ...menuCells(items, width, leastLabel), width });
  return items.map(({ hint = plain`` }) => (cells(hint) > room ? hint : plain``));
}

/** The mark is part of the item's line, so that a line stays one text. */
function NoIndicator() {
  return null;
}

function MenuLine({ label, isSelected = false }: { readonly label: string; readonly isSelected?: boolean }) {
  const drawing = use(MenuContext);
  const item = drawing?.items.get(label);
  if (drawing === undefined || item === undefined) return null;
  const { keyCells, labelCells, width, theme } = drawing;
  const { ellipsis } = theme.glyphs;
  const line: Span[] = [];
  if (keyCells > 0)
    line.push({ text: plain`${fit(item.key ?? plain``, keyCells)}  `, tone: item.disabled ? 'dim' : 'strong' });
  line.push({ text: fit(item.label, labelCells, 'left', ellipsis), tone: item.disabled ? 'dim' : 'plain' });
  if (item.hint) {
    const hint = cutAfterPart(item.hint, hintCells(drawing), ellipsis);
    line.push({ text: plain`  ${hint}`, tone: 'dim' });
  }
  return <OneLine spans={choosable(line, width, isSelected, theme)} width={width} theme={theme} />;
}
