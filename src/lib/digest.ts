import { createHash } from 'node:crypto';

/** Twelve characters that stand for a text and tell nothing of it, as long as nobody can guess the text. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
