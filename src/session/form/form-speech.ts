import { type Field, isSecret } from '../../describe/field.ts';
import { paint } from '../../lib/paint.ts';
import { joinPainted, type Painted, plain, repeated } from '../../lib/painted.ts';
import { graphemes, plural } from '../../lib/text.ts';
import { age, offsetName } from '../../lib/time.ts';
import { dayAndTime } from '../../lib/typed-time.ts';
import { lined, listTexts, paintedText, type Remark, type Speech } from '../../scene/span.ts';
import {
  fieldEditor,
  fieldHelpText,
  fieldNames,
  fieldTexts,
  focused,
  isTyped,
  type OpenForm,
  type ValueDifference,
} from '../state/form-layer.ts';
import type { Moment } from '../state/moment.ts';
import { keptLabels, unkeptLabels } from './drafts.ts';
import { isUnfinished, listWarnings, nearest, saveStoppedBy } from './query.ts';
import { isNew } from './request.ts';
import { isPath, pathError, pathHint } from './typing.ts';

/** A form, field by field; its review, change by change. */
export function formSpeech(form: OpenForm, now: Moment): Speech {
  if (form.draft) return draftSpeech(form, now, form.draft.at);
  if (form.review) return reviewSpeech(form, form.review);
  const index = focused(form);
  const names = fieldNames(form);
  const stopped = saveStoppedBy(form);
  return {
    title: plain`${paint(form.title)}, ${paint(plural(names.length, 'field'))}. Enter or Tab: next field. Shift-Tab: field before. Ctrl-S: save. Esc: leave`,
    remarks: [
      ...names.map((name): Remark => {
        const error = form.errors[name] ?? pathError(form, name);
        const text =
          error === undefined ? plain`` : plain`Error in ${paint(form.fields[name]?.label)}: ${paint(error)}`;
        return { about: `error ${name}`, text };
      }),
      { about: 'busy', text: form.isChecking ? plain`checking` : form.busy ? plain`sending` : plain`` },
      { about: 'problem', text: form.problem === undefined ? plain`` : plain`Error: ${paint(form.problem)}` },
      { about: 'leaving', text: form.leaving ? leavingText(form) : plain`` },
      {
        about: 'stopped',
        text: stopped ? plain`Not saved: ${paint(stopped.message)}. Ctrl-S again: save anyway` : plain``,
      },
      ...(index ? fieldRemarks(form, index.name, index.field, names) : []),
    ],
    prompt:
      index && isTyped(index.field)
        ? plain`${paint(index.field.label)}: ${typedText(form, index.name, index.field)}`
        : undefined,
  };
}

function typedText(form: OpenForm, name: string, field: Field): Painted {
  const text = form.lines[name]?.text ?? '';
  return isSecret(field, fieldTexts(form)) ? repeated(plain`*`, graphemes(text).length) : paintedText(text);
}

/** The field in focus: place, label, whether it is needed, its value and what can be done to it. */
function fieldRemarks(form: OpenForm, name: string, field: Field, names: readonly string[]): readonly Remark[] {
  const place = plain`Field ${form.focus + 1} of ${names.length}: ${paint(field.label)}`;
  const isNeeded = isTyped(field) && !field.read('').ok;
  const line = form.lines[name];
  const text = line?.text ?? '';
  const label = form.fields[name]?.options?.find(({ value }) => value === text);
  const option = field.kind === 'many' ? field.options?.[line?.cursor ?? 0] : undefined;
  const isTaken = option !== undefined && text.split(',').includes(option.value);
  return [
    {
      about: 'field',
      text: listTexts([
        place,
        isNeeded ? plain`required` : plain``,
        ways[field.kind](field),
        field.hint === undefined ? plain`` : paint(field.hint),
      ]),
      token: name,
      orients: true,
    },
    {
      about: 'value',
      text: isTyped(field)
        ? plain``
        : plain`${paint(field.label)}: ${text === '' ? plain`none` : paint(fieldHelpText(form, name, text))}${label?.hint ? plain`, ${paint(label.hint)}` : plain``}`,
      token: `${name}\n${text}`,
    },
    {
      about: 'option',
      text: option ? plain`${paint(option.label)}, ${isTaken ? plain`selected` : plain`not selected`}` : plain``,
      token: `${name}\n${option?.value}\n${isTaken}`,
    },
    ...(isPath(field) ? [{ about: 'path', text: paint(pathHint(form, name)) }] : []),
    ...(isTyped(field) ? cursorRemark(form, name, field) : []),
    ...(field.kind === 'query' ? queryRemarks(form, name) : []),
  ];
}

/** What can be done to a field, by its kind. */
const ways: { readonly [K in Field['kind']]: (field: Field) => Painted } = {
  text: () => plain`type text`,
  file: () => plain`type the path of a file`,
  query: () => plain`type a query, Alt-Enter is a line break, Ctrl-E opens the editor`,
  choice: ({ options = [] }) => plain`Left and Right choose: ${listTexts(options.map(({ label }) => paint(label)))}`,
  toggle: () => plain`Space changes it`,
  many: ({ options = [] }) => plain`Left and Right move through ${options.length} options, Space selects or clears`,
  pick: () => plain`Enter opens the list`,
  checks: () => plain`Enter opens the list of several`,
};

/** Where the cursor is, when it is not at the end of the text. */
function cursorRemark(form: OpenForm, name: string, field: Field): readonly Remark[] {
  const line = form.lines[name];
  if (!line || isSecret(field, fieldTexts(form))) return [];
  const before = graphemes(line.text.slice(0, line.cursor)).length;
  const letters = graphemes(line.text);
  const letter = letters[before];
  const text =
    letter === undefined
      ? plain``
      : plain`cursor at ${before + 1} of ${letters.length}: ${letter.trim() === '' ? plain`space` : paint(letter)}`;
  return [{ about: 'cursor', text, token: `${name}\n${letter === undefined ? 'end' : `${before}\n${line.text}`}` }];
}

/** The diagnostic nearest to the cursor, and the completion that Tab would take. */
function queryRemarks(form: OpenForm, name: string): readonly Remark[] {
  const about = form.written[name];
  const editor = fieldEditor(form, name);
  const near = about && nearest(about.diagnostics, editor.cursor);
  const diagnostic = near && !isUnfinished(near.diagnostic, editor) ? near.diagnostic : undefined;
  const offered = about?.offers?.completion.items[about.offers.cursor];
  return [
    {
      about: 'diagnostic',
      text: diagnostic
        ? plain`${diagnostic.verdict === 'wrong' ? plain`Wrong` : plain`Doubtful`}: ${listTexts([paint(diagnostic.message), paint(diagnostic.hint ?? '')])}`
        : plain``,
    },
    { about: 'offer', text: offered ? plain`Tab completes ${paint(offered.text)}; Down: next, Esc: none` : plain`` },
  ];
}

/** Of when a draft is. */
export const draftTime = (at: number, { now, zone }: Moment['context']): Painted =>
  plain`${paint(dayAndTime(at, now, zone))} ${paint(offsetName(at, zone))}, ${paint(age(at, now))} old`;

function draftSpeech(form: OpenForm, { context }: Moment, at: number): Speech {
  return {
    part: 'draft',
    title: plain`${paint(form.title)}. There is a draft of ${draftTime(at, context)}. Enter continues it, n starts over, Esc leaves`,
  };
}

function leavingText(form: OpenForm): Painted {
  const lost = unkeptLabels(form);
  const kept = keptLabels(form);
  return listTexts([
    plain`Warning: Esc again closes`,
    lost.length > 0 ? plain`loses ${listTexts(lost.map((label) => paint(label)))}` : plain``,
    kept.length > 0 ? plain`the draft keeps ${listTexts(kept.map((label) => paint(label)))}` : plain``,
  ]);
}

/** The method and the path of the request; what is in it was read as the changes. */
const requestOf = ({ request = [] }: OpenForm): readonly Painted[] =>
  request.slice(0, 1).map((line) => plain`Request: ${paint(line)}`);

/** What would be sent, one line for each change, and to which address. */
function reviewSpeech(form: OpenForm, review: readonly ValueDifference[]): Speech {
  const lines = review.map(({ label, parts, several }) => {
    const side = (text: string) => (text !== '' ? paintedText(text) : several ? plain`an empty line` : plain`nothing`);
    const verbs = several
      ? { '-': plain`removes `, '+': isNew(form) ? plain`` : plain`adds ` }
      : { '-': plain`from `, '+': plain`to ` };
    const sides = parts.map(({ sign, text }) => (sign === ' ' ? plain`` : plain`${verbs[sign]}${side(text)}`));
    return plain`${paint(label)}: ${several ? listTexts(sides) : joinPainted(sides, plain` `)}`;
  });
  const doubts = listWarnings(form).map((doubt) => plain`Doubtful: ${doubt}`);
  return {
    part: 'review',
    title:
      review.length === 0
        ? plain`Review of ${paint(form.title)}: nothing was changed. Enter closes it, Esc goes back`
        : lined([
            plain`Review of ${paint(form.title)}, ${paint(plural(review.length, isNew(form) ? 'value' : 'change'))}:`,
            ...lines,
            ...doubts,
            ...requestOf(form),
            plain`Enter sends it. Esc goes back to the form`,
          ]),
    remarks: [
      { about: 'busy', text: form.busy ? plain`sending` : plain`` },
      { about: 'problem', text: form.problem === undefined ? plain`` : plain`Error: ${paint(form.problem)}` },
    ],
  };
}
