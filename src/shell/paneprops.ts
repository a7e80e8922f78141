import type { Theme } from '../../components/theme.ts';
import type { Now } from '../session/now.ts';
import type { createRowPainter } from './rows.ts';

/** What a pane of the body is drawn from, and the size that it must fill. */
export interface PaneProps {
  readonly now: Now;
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
  readonly painter: ReturnType<typeof createRowPainter>;
}
