/** Text of a service as one line of Markdown that shows just this text: no formatting, link or tag comes of it. */
export function markdownText(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
      .trim()
      .replace(/[\\`*[\]<>|~#]/g, '\\$&')
      // Within a word an underscore is no formatting.
      .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
  );
}

/** A link with this text, or the text alone where there is no http(s) address. */
export function markdownLink(text: string, address: string | undefined): string {
  const url = address !== undefined && URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return markdownText(text);
  return `[${markdownText(text)}](${url.href.replace(/[()]/g, (sign) => (sign === '(' ? '%28' : '%29'))})`;
}
