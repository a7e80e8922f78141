import type { Context } from '../../describe/context.ts';
import type { AnyList } from '../../describe/screen.ts';
import { markdownLink, markdownText } from '../../lib/markdown.ts';
import { absolute } from '../../lib/time-text.ts';
import type { Row } from './list-state.ts';

/**
 * Rows as Markdown for an incident channel: when they were copied, then a bullet for each row with its name and what its
 * columns say. Names are links where the profile has a web address. `readAt`: when the rows were read.
 */
export function rowsMarkdown(
  list: AnyList,
  rows: readonly Row[],
  context: Context,
  readAt: number | undefined,
): string {
  const title = `**${markdownText(`${list.title} of ${context.profile.name}`)}**`;
  const when = readAt === undefined ? '' : ` as of ${absolute(readAt, context.zone)}`;
  return [`${title}${when}`, '', ...rows.map((row) => rowMarkdown(list, row, context))].join('\n');
}

function rowMarkdown(list: AnyList, row: Row, context: Context): string {
  const name = list.nameOf(row);
  const address = list.link?.(row, context);
  const facts = [...list.columns]
    .sort((one, other) => one.priority - other.priority)
    .map((column) => ({ title: column.title.toLowerCase(), text: column.text(row, context) }))
    .filter(({ title, text }) => title !== '' && text.trim() !== '' && text !== '–' && !name.includes(text))
    .map(({ title, text }) => `${title} ${markdownText(text)}`);
  return `- **${markdownLink(name, address)}** · ${facts.join(' · ')}`;
}
