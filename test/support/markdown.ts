const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** A Markdown table. */
export const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

/** The text with what stands between `<!-- name:begin -->` and `<!-- name:end -->` replaced. A missing marker throws. */
export function filled(text: string, parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts).reduce((before, [name, part]) => {
    const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`];
    const from = before.indexOf(begin);
    const to = before.indexOf(end);
    if (from < 0 || to < from) throw new Error(`the markers of ${name} are missing`);
    return `${before.slice(0, from + begin.length)}\n\n${part}\n\n${before.slice(to)}`;
  }, text);
}
