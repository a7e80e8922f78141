import type { FieldDiagnostic } from '../../describe/language.ts';
import { paint } from '../../lib/paint.ts';
import { joinPainted, type Painted, plain } from '../../lib/painted.ts';
import type { EditorView } from '../../scene/editor-rows.ts';
import type { Theme } from '../../scene/theme.ts';
import { fieldEditor, fieldNames, focused } from '../state/fields.ts';
import type { OpenForm, Written } from '../state/form-layer.ts';
import { findingAbout, isRefused, isUnfinished, nearest } from './query.ts';

type Said = EditorView['remarks'][number];

/** A query field as it is drawn: text, diagnostics and completions. */
export function queryView(layer: OpenForm, name: string, width: number, theme: Theme): EditorView {
  const isFocused = focused(layer)?.name === name;
  const editor = fieldEditor(layer, name);
  const about: Written = layer.written[name] ?? { findings: [] };
  const isHeld = about.findings.some((one) => isRefused(about, editor.text, one));
  const toneOf = (finding: FieldDiagnostic): 'bad' | 'warn' | 'info' => {
    if (isFocused && !isHeld && isUnfinished(finding, editor)) return 'info';
    return finding.verdict === 'wrong' ? 'bad' : 'warn';
  };
  // A diagnostic about another field is shown there, unless this field has the focus.
  const own = about.findings.filter((one) => one.field === undefined || !fieldNames(layer).includes(one.field));
  const near = isFocused ? nearest(about.findings, editor.cursor) : nearest(own.slice(0, 1), 0);
  // The diagnostic shown in words comes first: where marks overlap, the first is drawn.
  const ordered = near ? [near.finding, ...about.findings.filter((one) => one !== near.finding)] : [];
  const { offers } = about;
  return {
    text: editor.text,
    isProse: layer.fields[name]?.isProse,
    cursor: editor.cursor,
    width,
    // Text that is still being written is not underlined.
    marks: ordered
      .map((finding) => ({ start: finding.start, end: finding.end, tone: toneOf(finding) }))
      .filter(({ tone }) => tone !== 'info'),
    remarks: [
      ...(near ? said(near.finding, toneOf(near.finding), placeOf(near), theme) : []),
      ...(isHeld && isFocused ? [{ text: plain`Ctrl-S again: save anyway`, tone: 'info' as const }] : []),
      ...(about.trouble === undefined
        ? []
        : [{ text: plain`Not checked: ${paint(about.trouble)}`, tone: 'warn' as const }]),
    ],
    offers: offers && {
      items: offers.completion.items.map((one) => ({ label: paint(one.text), hint: paint(one.hint ?? '') })),
      cursor: offers.cursor,
    },
  };
}

/** What other fields' texts say about a field: an error; a doubt while the next letter may resolve it. */
export function diagnosticRemark(
  layer: OpenForm,
  name: string,
): { readonly error?: Painted; readonly doubt?: Painted } {
  const finding = findingAbout(layer, name);
  if (!finding) return {};
  const { message, hint, verdict } = finding.finding;
  const text = joinPainted(
    [
      paint(message),
      ...(hint === undefined ? [] : [paint(hint)]),
      ...(finding.isHeld ? [plain`Ctrl-S again: save anyway`] : []),
    ],
    plain`\n`,
  );
  const isWriting = focused(layer)?.name === name && !finding.isHeld;
  return verdict === 'wrong' && !isWriting ? { error: text } : { doubt: text };
}

const placeOf = ({ place, count }: { readonly place: number; readonly count: number }): Painted =>
  count > 1 ? plain` (${place} of ${count})` : plain``;

function said(finding: FieldDiagnostic, tone: Said['tone'], place: Painted, { glyphs }: Theme): Said[] {
  const sign = tone === 'bad' ? glyphs.bad : tone === 'warn' ? glyphs.warn : glyphs.info;
  const hint: Said[] = finding.hint === undefined ? [] : [{ text: plain`  ${paint(finding.hint)}`, tone: 'dim' }];
  return [{ text: plain`${sign} ${paint(finding.message)}${place}`, tone }, ...hint];
}

/** Findings about the texts to be sent, each with its field's label where it is about that field. */
export function listWarnings(layer: OpenForm): Painted[] {
  return fieldNames(layer).flatMap((name) => {
    const label = paint(layer.fields[name]?.label ?? name);
    const said = (layer.written[name]?.findings ?? []).slice(0, 2);
    return said.map(({ field, message }) =>
      field === undefined ? plain`${label}: ${paint(message)}` : paint(message),
    );
  });
}
