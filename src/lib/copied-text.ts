import { escapeHidden, stringifyExact } from './json.ts';
import { paint } from './paint.ts';

declare const isCopied: unique symbol;

/**
 * A text for the clipboard, made by one of the functions below: a shell without bracketed paste runs each line that it is
 * given, so a name of the service must not become two, nor hide a part of itself.
 */
export type Copied = string & { readonly [isCopied]: true };

/** Each text as one painted line. */
export const copiedLines = (texts: readonly string[]): Copied => texts.map(paint).join('\n') as Copied;

/** JSON in one line, with every invisible character as an escape of JSON. */
export const copiedJson = (value: unknown): Copied => escapeHidden(stringifyExact(value)) as Copied;

/** The text as it is: a command whose words are quoted, or a secret, which must arrive letter by letter. */
export const copiedExactly = (text: string): Copied => text as Copied;
