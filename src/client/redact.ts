import { percentEncoded } from '../lib/paint.ts';
import type { Sliced } from '../lib/slices.ts';

/** Replaces a secret in a text. */
const redacted = '[redacted]';

/** Stands for a key in data of the service. No edit that holds it is sent: it would overwrite what it stands for. */
export const redactedKey = '[key redacted]';

/** Characters or bytes of an answer that are searched without a pause. */
const longAnswer = 256 * 1024;

/** Shortest secret that is redacted: replacing shorter texts everywhere would make messages unreadable. */
const shortest = 4;

/**
 * Takes secrets out of texts by their value, however they arrived there: raw, URL-encoded, base64 (also inside a
 * longer base64 text) and JSON-escaped (docs/design/reliability.md#secrets). Secrets under 4 characters are left alone.
 */
export function createRedactor(secrets: Iterable<string>, by = redacted): (text: string) => string {
  const longestFirst = spellingsOfAll(secrets).sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((left, spelling) => left.replaceAll(spelling, by), text);
}

/** Whether a text, or the bytes of one, hold one of the secrets; pauses where it is long. */
export function* holdsSecret(secrets: Iterable<string>, text: string | Buffer): Sliced<boolean> {
  for (const spelling of spellingsOfAll(secrets)) {
    if (text.includes(spelling)) return true;
    if (text.length > longAnswer) yield;
  }
  return false;
}

const spellingsOfAll = (secrets: Iterable<string>): string[] => [
  ...new Set([...secrets].filter((secret) => secret.length >= shortest).flatMap(spellingsOf)),
];

function spellingsOf(secret: string): string[] {
  const wellFormed = secret.toWellFormed();
  const percent = percentEncoded(wellFormed);
  const escaped = JSON.stringify(wellFormed).slice(1, -1);
  return [
    secret,
    percent,
    percent.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    percent.replaceAll('%20', '+'),
    escaped,
    escaped.replaceAll('/', '\\/'),
    ...[0, 1, 2].flatMap((offset) => base64Of(wellFormed, offset)),
  ].filter((spelling) => spelling.length >= shortest);
}

/** The characters of a base64 text that depend on the secret alone when it begins `offset` bytes into a group of three. */
function base64Of(secret: string, offset: number): string[] {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
  const first = Math.ceil((offset * 8) / 6);
  const last = Math.floor((bytes.length * 8) / 6);
  const plain = bytes.toString('base64').slice(first, last);
  const url = bytes.toString('base64url').slice(first, last);
  return plain.length < 6 ? [] : [plain, url];
}
