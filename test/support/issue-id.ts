/** The id of the n-th issue of a story. */
export const issueId = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
