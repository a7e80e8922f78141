import { markdownLink, markdownText } from '../lib/markdown.ts';
import type { Handover, HandoverItem } from './handover-report.ts';

/** The report as Markdown, to be pasted. Texts of the service are escaped. */
export function handoverMarkdown({ profile, shift, by, sections }: Handover): string {
  return [
    `# Hand-over of ${markdownText(profile)}`,
    '',
    `${shift}${by === '' ? '' : `, by ${markdownText(by)}`}`,
    ...sections.flatMap(({ title, items }) => ['', `## ${title}`, '', ...items.map((item) => `- ${itemLine(item)}`)]),
    ...(sections.length === 0 ? ['', nothingDone] : []),
  ].join('\n');
}

/** What an empty report says. */
export const nothingDone = 'No edits, and nothing open.';

function itemLine(item: HandoverItem): string {
  const { lead, name, link, did, more } = item;
  const named = name === undefined ? '' : `**${markdownLink(name, link)}**`;
  const head = [lead === undefined ? '' : markdownText(lead), named].filter(Boolean).join(' ');
  const whole = `${head}${did === undefined ? '' : `${afterName(item)}${markdownText(did)}`}`;
  return [whole, ...more.map(markdownText)].filter(Boolean).join(' · ');
}

/** What separates the name from what was done: `name: muted 10:00`, `Being sent: mute name at 10:00`. */
export const afterName = ({ lead, name }: HandoverItem): string =>
  lead === undefined && name !== undefined ? ': ' : ' ';
