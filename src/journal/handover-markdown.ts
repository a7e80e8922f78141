import { markdownLink, markdownText } from '../lib/paint.ts';
import type { Handover, HandoverItem } from './handover-report.ts';

/** The report as Markdown, to be pasted. Texts of the service are escaped. */
export function handoverMarkdown({ profile, shift, by, sections }: Handover): string {
  return [
    `# Handover of ${markdownText(profile)}`,
    '',
    `${shift}${by === '' ? '' : `, by ${markdownText(by)}`}`,
    ...sections.flatMap(({ title, count, items }) => [
      '',
      `## ${title}${count === undefined ? '' : ` (${count})`}`,
      '',
      ...items.map((item) => `- ${itemLine(item)}`),
    ]),
    ...(sections.length === 0 ? ['', nothingDone] : []),
  ].join('\n');
}

/** What an empty report says. */
export const nothingDone = 'No edits, and nothing open.';

function itemLine({ lead, name, link, rest, more }: HandoverItem): string {
  const parts = [
    lead === undefined ? '' : markdownText(lead),
    name === undefined ? '' : `**${markdownLink(name, link)}**`,
    rest === undefined ? '' : markdownText(rest),
  ];
  return [parts.filter(Boolean).join(' '), ...more.map(markdownText)].filter(Boolean).join(' · ');
}
