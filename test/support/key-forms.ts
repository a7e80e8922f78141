/** How every key of a test begins: those of the simulator, and those that tests make up. No other text has it. */
const beginnings = ['fake-api-', 'fake-app-', 'fake-new-'];

/** The forms in which such a key may hide in a text, each with what only it contains. */
const forms: readonly (readonly [form: string, what: RegExp])[] = [
  // A name alone, as documents have it, is no key.
  ['raw', /fake(?:-|%2[dD]|\\u002[dD])(?:api|app|new)(?:-|%2[dD]|\\u002[dD])[\da-f]{8}/],
  ['hex', new RegExp(beginnings.map((text) => Buffer.from(text).toString('hex')).join('|'), 'i')],
  ['base64', new RegExp(beginnings.flatMap(inBase64).join('|'))],
];

/** A text in base64, wherever in the whole it begins; without the ends, which depend on the neighbors. */
function inBase64(text: string): string[] {
  return [0, 1, 2].map((shift) => {
    const whole = Buffer.concat([Buffer.alloc(shift), Buffer.from(text)]).toString('base64');
    return whole.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + text.length) * 8) / 6));
  });
}

/** The form in which a text has a key of a test; undefined where it has none. */
export const keyIn = (text: string): string | undefined => forms.find(([, what]) => what.test(text))?.[0];
