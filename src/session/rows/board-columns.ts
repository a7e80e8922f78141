import type { Board } from '../../describe/board.ts';

/** Cells from which blocks that are halves stand beside each other. */
export const standBeside = (columns: number, board?: Pick<Board, 'isNarrow'>): boolean =>
  columns >= (board?.isNarrow ? 180 : 100);

/** Whether the terminal is so wide that blocks stand aside, in a column of their own. */
export const hasAside = (columns: number): boolean => columns >= 180;
