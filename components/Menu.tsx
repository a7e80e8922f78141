import SelectInput from 'ink-select-input';
import { createContext, use } from 'react';
import type { Spans } from '../src/scene/scene.ts';
import type { Theme } from '../src/scene/theme.ts';
import { Lines } from './Lines.tsx';

export interface MenuProps {
  /** The rows in sight, each with the border beside it. */
  readonly rows: readonly Spans[];
  readonly cursor: number;
  readonly width: number;
  readonly theme: Theme;
}

/** ink-select-input passes its item component only a label, here the place of a row: this context carries the rest. */
const MenuContext = createContext<Omit<MenuProps, 'cursor'>>({ rows: [], width: 0, theme: {} as Theme });

/**
 * Rows of a menu, drawn by ink-select-input, which marks the chosen one. The session handles the keys and owns the cursor: a moved
 * cursor mounts a new menu, because the package takes its cursor only as an initial value.
 */
export function Menu({ rows, cursor, width, theme }: MenuProps) {
  return (
    <MenuContext value={{ rows, width, theme }}>
      <SelectInput
        key={`${cursor}/${rows.length}`}
        items={rows.map((_, at) => ({ label: `${at}`, value: at }))}
        isFocused={false}
        initialIndex={cursor}
        indicatorComponent={NoIndicator}
        itemComponent={MenuRow}
      />
    </MenuContext>
  );
}

/** The mark is part of the row, so that a row stays one line. */
function NoIndicator() {
  return null;
}

function MenuRow({ label, isSelected = false }: { readonly label: string; readonly isSelected?: boolean }) {
  const { rows, width, theme } = use(MenuContext);
  const [left, ...rest] = rows[Number(label)] ?? [];
  const inside = rest.slice(0, -1).map((span) => (isSelected ? { ...span, ...theme.selected } : span));
  return (
    <Lines lines={[[left, ...inside, rest.at(-1)].filter((span) => span !== undefined)]} width={width} theme={theme} />
  );
}
