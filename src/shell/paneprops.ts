import type { Theme } from '../../components/theme.ts';
import type { Now } from '../session/now.ts';
import type { createRowPainter } from './rows.ts';

/** What a pane of the body is drawn from, and the size that it must fill. */
export interface PaneProps {
  readonly now: Now;
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
  /** Keys go to it, and not to a panel below it. */
  readonly active: boolean;
  readonly painter: ReturnType<typeof createRowPainter>;
}
