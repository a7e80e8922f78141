import { type BlockNow, type Board, type BoardLine, isPiece } from '../../src/describe/board.ts';
import { type Derivation, readAll } from '../../src/describe/derived.ts';
import { type List, list } from '../../src/describe/screen.ts';

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
