import type { Problem } from '../../src/api/problem.ts';
import type { Tone } from '../../src/describe/column.ts';
import type { Context } from '../../src/describe/context.ts';
import {
  type BlockNow,
  type Board,
  type BoardLine,
  type Derivation,
  isPiece,
  type Material,
  type Piece,
  readAll,
  type Told,
} from '../../src/describe/derived.ts';
import { type List, list } from '../../src/describe/screen.ts';
import { clockTime } from '../../src/lib/time.ts';
import { shortDayAndTime, zonedTime } from '../../src/lib/typed-time.ts';

/** What a block says in place of lines: that it is being read, or what its being empty means. */
export const waiting = (told: Told | undefined, empty: string): string =>
  told?.rows && !told.isPartial ? empty : 'Loading…';

/** Whether a read ended before it had all rows. */
export const isCut = (told: Told | undefined): boolean =>
  told?.notes.some((note) => note.startsWith('stopped after')) === true;

/** A text that begins with a count, with `+` behind the count where not all of the rows have been read. */
export const countSoFar = (text: string, told: Told | undefined): string =>
  told?.isPartial || isCut(told) ? text.replace(/^\d+/, '$&+') : text;

/** A count with what is counted, as a piece of a head; none of 0. While rows are being read it is gray. */
export const countPiece = (text: string, tone: Tone, told: Told | undefined): readonly Piece[] =>
  text.startsWith('0 ') ? [] : [{ text: countSoFar(text, told), tone: told?.isPartial ? 'dim' : tone }];

/** Why nothing could be read. Where nothing answers, header and message say what to check. */
const causeOf = ({ kind, status, text }: Pick<Problem, 'kind' | 'status' | 'text'>): string =>
  kind === 'unreachable' && status === undefined ? 'no connection' : text;

/** The cause that header and message say already where the reads of monitors and of downtimes have both failed. */
export const saidOnce = ({ monitors, downtimes }: Material['told']): string | undefined =>
  downtimes?.problem && monitors?.problem?.text;

/** From when what a block shows is, or that it is missing, and why unless that is `said` above; undefined while its read works. */
export function readTrouble(
  feed: Told | undefined,
  subject: string,
  context: Context,
  problemText?: string,
): string | undefined {
  if (!feed?.problem) return undefined;
  const { text } = feed.problem;
  const cause = causeOf(feed.problem);
  const isSaid = text === problemText && (feed.rows !== undefined || cause === text);
  return `${subject} ${feed.rows ? asOf(feed, context) : 'cannot be read'}${isSaid ? '' : `: ${cause}`}`;
}

/** `as of 05:06 UTC`, with the day where it is not today. */
const asOf = ({ at }: Pick<Told, 'at'>, { now, zone }: Context): string =>
  at === undefined ? 'are old' : `as of ${zonedTime(at, now, zone)}`;

/** The time of a moment within a day of now, else the day with it. */
export const nearTime = (at: number, { now, zone }: Pick<Context, 'now' | 'zone'>): string =>
  Math.abs(at - now) < 86_400_000 ? clockTime(at, zone) : shortDayAndTime(at, now, zone);

/** A line with the number of lines of its block, shown or not. */
type CountedLine = BoardLine & { readonly total?: number | null };

const counted = ({ lines, total = lines.length }: BlockNow): readonly CountedLine[] =>
  lines.map((line) => ({ ...line, total }));

/** The cells of a line, one after the other. */
const textOf = ({ cells }: BoardLine): string =>
  (isPiece(cells) ? [cells] : Object.values(cells))
    .map(({ text }) => text)
    .filter(Boolean)
    .join(' ');

type Described = Pick<List<CountedLine>, 'id' | 'title' | 'reads' | 'search'> &
  Pick<Derivation<CountedLine>, 'feeds' | 'offers'> & { readonly board: Board };

/** A list of lines in blocks. */
export function boardOf({ feeds, offers, board, ...described }: Described): List<CountedLine> {
  const derived: Derivation<CountedLine> = {
    feeds,
    rows: (material, asked, context) => board.blocks(material, context, asked).flatMap(counted),
    subject: (line) => line.subject,
    ...(offers && { offers }),
    place: (line) => line.place,
  };
  return list<CountedLine>({
    ...described,
    board,
    derived,
    load: (asked, context) => readAll(described.id, derived, asked, context),
    idOf: (line) => line.id,
    nameOf: (line) => line.name,
    services: ({ service }) => (service === undefined ? [] : [service]),
    output: () => ({
      fields: [
        { name: 'block', type: 'text', says: 'the block of the line', value: ({ block }) => block },
        {
          name: 'total',
          type: 'number',
          says: 'number of lines that its block would have in full; null if unknown',
          value: ({ total }) => total,
        },
        { name: 'text', type: 'text', says: 'the line as it is drawn', value: textOf },
        { name: 'since', type: 'time', says: 'since when; null if unknown', value: ({ since }) => since },
        { name: 'list', type: 'text', says: 'id of the list that it opens', value: ({ place }) => place.list },
        { name: 'row', type: 'id', says: 'id of the row that it opens', value: ({ place }) => place.row },
      ],
    }),
    columns: [{ id: 'line', title: 'LINE', min: 20, flex: true, priority: 1, text: (line) => line.name }],
    actions: [],
    empty: 'Nothing',
  });
}
