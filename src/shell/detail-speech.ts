import { paint } from '../lib/paint.ts';
import { joinPainted, type Painted, plain } from '../lib/painted.ts';
import { plural } from '../lib/text.ts';
import { listTexts, type Remark, type Speech } from '../scene/speech.ts';
import type { DetailView } from '../session/rows/detail-view.ts';
import type { Row } from '../session/rows/list-state.ts';
import type { Moment } from '../session/state/moment.ts';
import { unreadText } from './next-steps.ts';
import { rowSentence, sectionShape, sectionText } from './sentences.ts';

/** The detail of a row: its name and tabs, then the open tab section by section, or its rows. */
export function detailSpeech({ view, context }: Moment, detail: DetailView): Speech {
  const { tab, tabs, tabAt, page, top, row, subRowAt, wanted, found, foundAt } = detail;
  const rows: readonly Row[] = tab.kind === 'rows' ? tab.rows : [];
  const sentence = (at: number): Painted =>
    tab.kind === 'rows' && tab.rows[at] ? rowSentence(tab.columns, tab.rows[at], context) : plain``;
  const lineAt = (at: number): Painted => joinPainted((page?.columns[0]?.lines[at] ?? []).map(({ text }) => text));
  const line = wanted !== '' && foundAt >= 0 ? (found[foundAt]?.line ?? top) : top;
  const remarks: readonly Remark[] = [
    {
      about: 'title',
      text: plain`${paint(view.list.nameOf(row))}, ${paint(tab.title)}${tabs.length > 1 ? plain`, tab ${tabAt + 1} of ${tabs.length}: ${listTexts(tabs.map(({ title }) => paint(title)))}` : plain``}`,
      token: `${tabs.length}`,
    },
    ...(tab.kind === 'page'
      ? [...tab.sections, ...(tab.aside ?? [])]
          .filter(({ lines }) => lines.length > 0)
          .map((section) => ({
            about: `section ${section.id}`,
            text: sectionText(section),
            token: sectionShape(section),
          }))
      : [
          {
            about: 'rows',
            text: rows.length === 0 ? paint(unreadText(detail, tab) || 'loading') : paint(plural(rows.length, 'row')),
            token: '',
          },
        ]),
    ...(wanted === ''
      ? []
      : [
          {
            about: 'found',
            text: found.length === 0 ? plain`no match` : plain`match ${foundAt + 1} of ${found.length}`,
          },
        ]),
    tab.kind === 'page'
      ? { about: 'line', text: line > 0 ? lineAt(line) : plain``, token: `${line}`, orients: true }
      : {
          about: 'row',
          text: rows.length === 0 ? plain`` : plain`Row ${subRowAt + 1} of ${rows.length}: ${sentence(subRowAt)}`,
          token: detail.subRowId ?? '',
          orients: true,
        },
  ];
  return { remarks: [...remarks, ...troubleRemarks(detail)] };
}

/** Why what was heard is old or incomplete; a page that was not read begins with the reason. */
function troubleRemarks({ whole: { problem, value }, tab }: DetailView): readonly Remark[] {
  const isSaid = value === undefined && tab.kind === 'page';
  return problem && !isSaid ? [{ about: 'trouble', text: plain`Error: ${paint(problem.text)}` }] : [];
}
