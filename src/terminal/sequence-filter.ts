import { linkableUrl } from './hyperlinks.ts';
import { ESC } from './sequences.ts';

/** What may follow an ESC: colors, cursor moves and erasing, the modes that this program sets, plain keys on and off. */
const OURS = [
  String.raw`\[[0-9;]{0,40}[A-HJKdm]`,
  String.raw`\[\?(?:25|1000|1006|1049|2004|2026)[hl]`,
  String.raw`\[(?:\?|<|>[0-9]{1,2})u`,
].join('|');

/** Any other ESC, control bytes except the line feed, and the marks that turn the direction of text. */
const FOREIGN = new RegExp(
  String.raw`\u001B(?!${OURS})|[\u0000-\u0009\u000B-\u001A\u001C-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]`,
  'g',
);
const LINK = /\u001B\]8;;([!-~]*)(?:\u0007|\u001B\\)/g;
const LINK_START = `${ESC}]8;`;

/**
 * Filters everything written to the terminal. Passes text, line feeds and the sequences that this program writes;
 * anything else becomes `?`, one for each foreign character, and the text around it is kept. Links pass when their
 * address is linkable. Sequences for the clipboard and for notifications never pass here: they are sent beside it.
 */
export function allowOwnSequences(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  if (!wellFormed.includes(LINK_START)) return wellFormed.replace(FOREIGN, '?');
  const pieces: string[] = [];
  let from = 0;
  for (const match of wellFormed.matchAll(LINK)) {
    const address = match[1] as string;
    if (address !== '' && linkableUrl(address) !== address) continue;
    pieces.push(wellFormed.slice(from, match.index).replace(FOREIGN, '?'), match[0]);
    from = match.index + match[0].length;
  }
  pieces.push(wellFormed.slice(from).replace(FOREIGN, '?'));
  return pieces.join('');
}

/** Text for the primary screen and for logs: no sequence at all, only line feeds and tabs besides text. */
export function stripSequences(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '?');
}
