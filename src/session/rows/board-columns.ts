import type { Board } from '../../describe/board.ts';

/** Columns of blocks on a terminal of this width; blocks that stand aside need three. */
export function boardColumns(columns: number, board?: Pick<Board, 'isNarrow'>): 1 | 2 | 3 {
  if (board?.isNarrow) return columns >= 180 ? 2 : 1;
  return columns >= 180 ? 3 : columns >= 100 ? 2 : 1;
}
