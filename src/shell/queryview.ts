import type { EditorView } from '../../components/editorrows.ts';
import type { Theme } from '../../components/theme.ts';
import type { Finding } from '../describe/language.ts';
import { paint } from '../lib/paint.ts';
import { editorOf, focused, namesOf } from '../session/fields.ts';
import { isUnfinished, nearest } from '../session/query.ts';
import type { Layer, Written } from '../session/state.ts';

type Form = Extract<Layer, { kind: 'form' }>;
type Said = EditorView['remarks'][number];

/** A field in a language as it is drawn: its text, what is said of it, and what may follow. */
export function queryView(layer: Form, name: string, width: number, theme: Theme): EditorView {
  const isFocused = focused(layer)?.name === name;
  const it = editorOf(layer, name);
  const about: Written = layer.written[name] ?? { findings: [] };
  const isRefused = about.refused === it.text;
  const toneOf = (finding: Finding): 'bad' | 'warn' | 'info' => {
    if (isFocused && !isRefused && isUnfinished(finding, it)) return 'info';
    return finding.verdict === 'wrong' ? 'bad' : 'warn';
  };
  const near = isFocused ? nearest(about.findings, it.cursor) : nearest(about.findings.slice(0, 1), 0);
  // What is said comes first: where two overlap, its mark is the one that is drawn.
  const ordered = near ? [near.finding, ...about.findings.filter((one) => one !== near.finding)] : [];
  const { offers } = about;
  return {
    text: it.text,
    cursor: it.cursor,
    width,
    // What is still being written is not underlined.
    marks: ordered
      .map((finding) => ({ start: finding.start, end: finding.end, tone: toneOf(finding) }))
      .filter(({ tone }) => tone !== 'info'),
    remarks: [
      ...(near ? said(near.finding, toneOf(near.finding), placeOf(near), theme) : []),
      ...(isRefused && isFocused
        ? [{ text: 'Ctrl-S again asks the service all the same', tone: 'info' as const }]
        : []),
      ...(about.trouble === undefined
        ? []
        : [{ text: `the text is not checked: ${paint(about.trouble)}`, tone: 'warn' as const }]),
    ],
    offers: offers && {
      items: offers.completion.items.map((one) => ({ label: paint(one.text), hint: paint(one.hint ?? '') })),
      cursor: offers.cursor,
    },
  };
}

const placeOf = ({ place, count }: { readonly place: number; readonly count: number }): string =>
  count > 1 ? ` (${place} of ${count})` : '';

function said(finding: Finding, tone: Said['tone'], place: string, { glyphs }: Theme): Said[] {
  const sign = tone === 'bad' ? glyphs.bad : tone === 'warn' ? glyphs.warn : glyphs.info;
  const hint: Said[] = finding.hint === undefined ? [] : [{ text: `  ${paint(finding.hint)}`, tone: 'dim' }];
  return [{ text: `${sign} ${paint(finding.message)}${place}`, tone }, ...hint];
}

/** What is said of the texts that are about to be sent, each with the name of its field. */
export function doubtsOf(layer: Form): string[] {
  return namesOf(layer).flatMap((name) => {
    const label = paint(layer.fields[name]?.label ?? name);
    return (layer.written[name]?.findings ?? []).slice(0, 2).map((it) => `${label}: ${paint(it.message)}`);
  });
}
