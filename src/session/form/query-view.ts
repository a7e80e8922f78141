import type { FieldDiagnostic } from '../../describe/language.ts';
import { paint } from '../../lib/paint.ts';
import { joinPainted, type Painted, plain } from '../../lib/painted.ts';
import type { EditorView } from '../../scene/editor-rows.ts';
import type { Theme } from '../../scene/theme.ts';
import { fieldEditor, fieldNames, focused } from '../state/fields.ts';
import type { OpenForm, Written } from '../state/form-layer.ts';
import { diagnosticAbout, isRefused, isUnfinished, nearest } from './query.ts';

type Said = EditorView['remarks'][number];

/** A query field as it is drawn: text, diagnostics and completions. */
export function queryView(layer: OpenForm, name: string, width: number, theme: Theme): EditorView {
  const isFocused = focused(layer)?.name === name;
  const editor = fieldEditor(layer, name);
  const about: Written = layer.written[name] ?? { diagnostics: [] };
  const isHeld = about.diagnostics.some((one) => isRefused(about, editor.text, one));
  const toneOf = (diagnostic: FieldDiagnostic): 'bad' | 'warn' | 'info' => {
    if (isFocused && !isHeld && isUnfinished(diagnostic, editor)) return 'info';
    return diagnostic.verdict === 'wrong' ? 'bad' : 'warn';
  };
  // A diagnostic about another field is shown there, unless this field has the focus.
  const own = about.diagnostics.filter((one) => one.field === undefined || !fieldNames(layer).includes(one.field));
  const near = isFocused ? nearest(about.diagnostics, editor.cursor) : nearest(own.slice(0, 1), 0);
  // The diagnostic shown in words comes first: where marks overlap, the first is drawn.
  const ordered = near ? [near.diagnostic, ...about.diagnostics.filter((one) => one !== near.diagnostic)] : [];
  const { offers } = about;
  return {
    text: editor.text,
    isProse: layer.fields[name]?.isProse,
    cursor: editor.cursor,
    width,
    // Text that is still being written is not underlined.
    marks: ordered
      .map((diagnostic) => ({ start: diagnostic.start, end: diagnostic.end, tone: toneOf(diagnostic) }))
      .filter(({ tone }) => tone !== 'info'),
    remarks: [
      ...(near ? said(near.diagnostic, toneOf(near.diagnostic), placeOf(near), theme) : []),
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
  const diagnostic = diagnosticAbout(layer, name);
  if (!diagnostic) return {};
  const { message, hint, verdict } = diagnostic.diagnostic;
  const text = joinPainted(
    [
      paint(message),
      ...(hint === undefined ? [] : [paint(hint)]),
      ...(diagnostic.isHeld ? [plain`Ctrl-S again: save anyway`] : []),
    ],
    plain`\n`,
  );
  const isWriting = focused(layer)?.name === name && !diagnostic.isHeld;
  return verdict === 'wrong' && !isWriting ? { error: text } : { doubt: text };
}

const placeOf = ({ place, count }: { readonly place: number; readonly count: number }): Painted =>
  count > 1 ? plain` (${place} of ${count})` : plain``;

function said(diagnostic: FieldDiagnostic, tone: Said['tone'], place: Painted, { glyphs }: Theme): Said[] {
  const sign = tone === 'bad' ? glyphs.bad : tone === 'warn' ? glyphs.warn : glyphs.info;
  const hint: Said[] = diagnostic.hint === undefined ? [] : [{ text: plain`  ${paint(diagnostic.hint)}`, tone: 'dim' }];
  return [{ text: plain`${sign} ${paint(diagnostic.message)}${place}`, tone }, ...hint];
}

/** Diagnostics about the texts to be sent, each with its field's label where it is about that field. */
export function listWarnings(layer: OpenForm): Painted[] {
  return fieldNames(layer).flatMap((name) => {
    const label = paint(layer.fields[name]?.label ?? name);
    const said = (layer.written[name]?.diagnostics ?? []).slice(0, 2);
    return said.map(({ field, message }) =>
      field === undefined ? plain`${label}: ${paint(message)}` : paint(message),
    );
  });
}
