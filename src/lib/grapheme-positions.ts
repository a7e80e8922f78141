/**
 * Places in a text between what a person sees as single characters, counted in UTF-16 units. A line break of two units is
 * one character. Only the letters around the place are looked at: the length of the text costs nothing while it is Latin.
 */
import { segments } from './graphemes.ts';

/** Whether a UTF-16 unit never combines with its neighbors. */
const isLoose = (unit: number): boolean => (unit >= 0x20 && unit < 0x7f) || unit === 0x0a || Number.isNaN(unit);

/** The place one character further left; 0 at the start. */
export function graphemeBefore(text: string, at: number): number {
  if (at <= 0) return 0;
  const isEasy = isLoose(text.charCodeAt(at - 1)) && isLoose(text.charCodeAt(at - 2)) && isLoose(text.charCodeAt(at));
  return isEasy ? at - 1 : (segments(text).containing(at - 1)?.index ?? 0);
}

/** The place one character further right; the length of the text at its end. */
export function graphemeAfter(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const isEasy = isLoose(text.charCodeAt(at)) && isLoose(text.charCodeAt(at + 1)) && at + 1 <= text.length;
  if (isEasy) return at + 1;
  const found = segments(text).containing(at);
  return found ? found.index + found.segment.length : text.length;
}

/** The position itself, or the end of the grapheme that it would split. */
export function graphemeBoundary(text: string, at: number): number {
  const place = Math.max(0, Math.min(text.length, Math.trunc(at)));
  if (place === 0 || place === text.length) return place;
  if (isLoose(text.charCodeAt(place - 1)) && isLoose(text.charCodeAt(place))) return place;
  const found = segments(text).containing(place);
  return !found || found.index === place ? place : found.index + found.segment.length;
}
