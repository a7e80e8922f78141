import { errorShape, typeOfSource } from './query-shapes.ts';

/** The type that a query is most likely of, by how it begins; `query alert` where nothing tells. */
export function guessType(query: string): string {
  const text = query.trimStart();
  if (/^["']/.test(text)) return 'service check';
  if (/^[(!\s]*\d/.test(text)) return 'composite';
  if (/^formula\b/.test(text))
    return /\.(?:current|change|anomaly|forecast)\s*\(|\.last\(\s*["']?\d+d/.test(text) ? 'cost alert' : 'query alert';
  const word = /^([a-z_-]+)\s*\(/.exec(text)?.[1] ?? '';
  if (errorShape.sources.includes(word)) return 'error-tracking alert';
  return typeOfSource.get(word) ?? 'query alert';
}
