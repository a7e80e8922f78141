/** Texts with terminal escape sequences, used as names and messages. */
export const escapeTexts: readonly string[] = [
  '\u001b[31mred alert\u001b[0m \u001b]0;owned\u0007 title',
  'clear \u001b[2J\u001b[H screen and \u001b]52;c;b3duZWQ=\u0007 clipboard',
  'bidi \u202egnp.exe\u202c end \u2066isolated\u2069 \u200bzero\u200b width',
  'line one\nline two\r\nline three\twith a tab\u0000and a null',
  `long ${'very '.repeat(600)}long tail`,
  `zalgo e${'\u0301\u0322\u0334'.repeat(40)} text`,
  'half a pair \ud83d and the other \ude00 alone',
  '\u009b31m c1 control \u0085 next line \u2028 separator',
];
