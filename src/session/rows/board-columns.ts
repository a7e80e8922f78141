/** Columns of blocks on a terminal of this width; blocks that stand aside need three. */
export function boardColumns(columns: number): 1 | 2 | 3 {
  return columns >= 180 ? 3 : columns >= 100 ? 2 : 1;
}
