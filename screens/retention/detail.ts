import { gap, head, type Line, pair, text } from '../../src/describe/column.ts';
import type { Context } from '../../src/describe/context.ts';
import { known, nameless } from '../../src/describe/people.ts';
import type { Detail } from '../../src/describe/screen.ts';
import { stringifyExact } from '../../src/lib/json.ts';
import { absolute, readMoment } from '../../src/lib/time.ts';
import { wholeFilter } from './load.ts';
import { type FilterRow, isBuiltIn, kindOf, nameOf, numberIn, percent } from './row.ts';

/** What Enter shows of a retention filter. */
export const detail: Detail<FilterRow> = {
  load: wholeFilter,
  inside: { get: (whole: FilterRow) => whole, set: (_, row) => row },
  tabs(row, whole: FilterRow | undefined, context) {
    // The place in the order is only told by the list.
    const it = { ...(whole ?? row), place: row.place };
    return [
      { kind: 'lines', id: 'filter', title: 'filter', lines: overview(it, context) },
      {
        kind: 'lines',
        id: 'raw',
        title: 'raw',
        lines: stringifyExact({ id: it.id, attributes: it.attributes }, 2)
          .split('\n')
          .map((line) => text(line)),
      },
    ];
  },
  preview: (row) => [head(nameOf(row)), ...meaning(row), gap, text(row.attributes.filter?.query ?? '')],
};

/** What it does, in words. */
function meaning(row: FilterRow): readonly Line[] {
  const rate = percent(numberIn(row.attributes.rate));
  const traces = numberIn(row.attributes.trace_rate);
  return [
    row.attributes.enabled === false ? text('off: it keeps nothing', 'warn') : text('on', 'good'),
    text(`keeps ${rate === '' ? 'an unknown share' : rate} of the spans that match`),
    ...(traces ? [text(`and ${percent(traces)} of whole traces with such a span`)] : []),
    ...(isBuiltIn(row) ? [text('built in: it cannot be renamed or deleted', 'info')] : []),
  ];
}

function overview(row: FilterRow, context: Context): readonly Line[] {
  const { attributes } = row;
  return [
    ...meaning(row),
    gap,
    head('query'),
    text(attributes.filter?.query ?? 'not told', attributes.filter?.query == null ? 'dim' : 'plain'),
    gap,
    pair('place', `${row.place}: the first one that is on and matches decides about a span`),
    pair('span rate', numberIn(attributes.rate)),
    pair('trace rate', numberIn(attributes.trace_rate)),
    pair('kind', kindOf(row) === '' ? 'ordinary' : `${kindOf(row)} (${attributes.filter_type ?? 'type not told'})`),
    pair('may change', attributes.editable === false ? 'no: managed by the service' : 'yes'),
    pair('made', when(attributes.created_at, attributes.created_by, context)),
    pair('changed', when(attributes.modified_at, attributes.modified_by, context)),
    pair('id', row.id),
    ...row.unread.slice(0, 3).map((it) => text(`could not be read: ${it}`, 'warn')),
  ];
}

/** `2026-11-21 03:00 UTC by ada@example.com`; a time of 0 came with the organisation. */
function when(at: number | bigint | null | undefined, by: string | null | undefined, context: Context): string {
  const seconds = numberIn(at);
  if (seconds === undefined) return who(by, context);
  const moment = seconds === 0 ? undefined : readMoment(seconds, 's');
  const person = who(by, context);
  return `${moment === undefined ? 'built in' : absolute(moment, context.zone)}${person === '' ? '' : ` by ${person}`}`;
}

/** An e-mail as it is; of an id the name, where the person is known here (contract/retention-filters.md 3). */
function who(by: string | null | undefined, context: Context): string {
  if (!by) return '';
  return by.includes('@') ? by : (known(by, context)?.name ?? nameless(by));
}
