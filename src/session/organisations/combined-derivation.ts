import { addedUp, type BlockNow, type Board, type BoardLine, isPiece, type Piece } from '../../describe/board.ts';
import type { Context } from '../../describe/context.ts';
import type { Derivation, Feed, Material, Place } from '../../describe/derived.ts';
import { keyOf, type Organisation, type Tagged } from '../../describe/organisation.ts';
import type { AnyList } from '../../describe/screen.ts';
import { present } from '../../lib/present.ts';
import { oneByOne } from '../../lib/slices.ts';
import type { Row } from '../list/list-state.ts';

/** A derived list of one organisation. */
interface Part {
  readonly list: AnyList;
  readonly organisation: Organisation;
  readonly derived: Derivation<Row>;
  readonly board: Board | undefined;
  /** Screens that show no other organisation show this one. */
  readonly isFirst: boolean;
}

const partsOf = (lists: readonly AnyList[]): readonly Part[] =>
  lists.flatMap((list, at) => {
    const { organisation, derived, board } = list;
    return organisation && derived ? [{ list, organisation, derived, board, isFirst: at === 0 }] : [];
  });

/** A derivation whose feeds are those of every organisation; rows are made of each one's own. */
export function combinedDerivation(
  lists: readonly AnyList[],
  isCombined: (listId: string) => boolean,
): Derivation<Row> {
  const parts = partsOf(lists);
  const partOf = (row: Tagged) => parts.find(({ organisation }) => organisation === row.organisation);
  const board = parts.every((part) => part.board) ? combinedBoard(lists, isCombined) : undefined;
  const [first] = parts;
  return {
    feeds: Object.fromEntries(
      parts.flatMap(({ organisation, derived }) =>
        Object.entries(derived.feeds).map(([name, feed]) => [
          keyOf(organisation.name, name),
          feedOf(feed, organisation),
        ]),
      ),
    ),
    rows: (material, asked, context) =>
      board
        ? board.blocks(material, context).flatMap(({ lines }) => lines)
        : parts.flatMap(({ organisation, derived }) =>
            derived
              .rows(materialOf(material, organisation), asked, organisation.context(context))
              .map(organisation.tag),
          ),
    ahead(material, context) {
      const works = parts.flatMap(
        ({ organisation, derived }) =>
          derived.ahead?.(materialOf(material, organisation), organisation.context(context)) ?? [],
      );
      return works.length === 0 ? undefined : oneByOne(works);
    },
    notes: (material) =>
      parts.flatMap(({ organisation, derived }) =>
        (derived.notes?.(materialOf(material, organisation)) ?? []).map((note) => `${organisation.name}: ${note}`),
      ),
    ...present({ offers: first?.derived.offers }),
    // Lines of a board tell by themselves what they are about and where they lead.
    subject(row) {
      if (board) return first?.derived.subject?.(row);
      const { organisation } = row as Tagged;
      const subject = partOf(row as Tagged)?.derived.subject?.((row as Tagged).row);
      return subject && { ...subject, organisation };
    },
    place(row) {
      if (board) return first?.derived.place?.(row);
      const part = partOf(row as Tagged);
      const place = part?.derived.place?.((row as Tagged).row);
      return part && place && placeOf(place, part, isCombined);
    },
  };
}

/** A board whose blocks have the lines of every organisation, each with its name. */
export function combinedBoard(lists: readonly AnyList[], isCombined: (listId: string) => boolean): Board {
  const parts = partsOf(lists);
  return {
    blocks(material, context) {
      const each = parts.map((part) => ({
        part,
        blocks: part.board?.blocks(materialOf(material, part.organisation), part.organisation.context(context)) ?? [],
      }));
      const ids = [...new Set(each.flatMap(({ blocks }) => blocks.map(({ id }) => id)))];
      return ids.flatMap((id) => {
        const same = each.flatMap(({ part, blocks }) => {
          const block = blocks.find((one) => one.id === id);
          return block ? [{ part, block }] : [];
        });
        return blockOf(same, isCombined) ?? [];
      });
    },
  };
}

type Same = readonly { readonly part: Part; readonly block: BlockNow }[];

function blockOf(same: Same, isCombined: (listId: string) => boolean): BlockNow | undefined {
  const base = same[0]?.block;
  if (!base) return undefined;
  const name = ({ organisation }: Part) => organisation.name;
  const empties = new Set(same.map(({ block }) => block.empty));
  const troubles = same.flatMap(({ part, block }) => (block.trouble ? [`${name(part)}: ${block.trouble}`] : []));
  const columns = same.find(({ block }) => block.columns.length > 0)?.block.columns ?? [];
  return {
    ...base,
    head: addedUp(same.map(({ block }) => block.head)),
    columns: columns.length === 0 ? [] : [{ id: 'profile', priority: 1, max: 16 }, ...columns],
    lines: same
      .flatMap(({ part, block }) => block.lines.map((line) => lineOf(line, part, isCombined)))
      .toSorted((one, other) => (one.rank ?? last) - (other.rank ?? last)),
    empty: empties.size === 1 ? base.empty : same.map(({ part, block }) => `${name(part)}: ${block.empty}`).join(' · '),
    trouble: troubles.length > 0 ? troubles.join(' · ') : undefined,
  };
}

const last = Number.MAX_VALUE;

function lineOf(line: BoardLine, part: Part, isCombined: (listId: string) => boolean): BoardLine {
  const { organisation } = part;
  const { cells, subject } = line;
  const profile: Piece = { text: organisation.name, tone: 'info' };
  return {
    ...line,
    id: organisation.id(line.id),
    cells: isPiece(cells) ? { ...cells, text: `${organisation.name}: ${cells.text}` } : { profile, ...cells },
    place: placeOf(line.place, part, isCombined),
    subject: subject && { ...subject, organisation },
  };
}

/** Where a row of one organisation is: lists that show all have an id of their own for it, others show the first only. */
function placeOf(place: Place, { organisation, isFirst }: Part, isCombined: (listId: string) => boolean): Place {
  const { list, row } = place;
  if (list === undefined) return place;
  if (isCombined(list)) return row === undefined ? place : { ...place, row: organisation.id(row) };
  return isFirst ? place : { ...place, elsewhere: organisation.name };
}

function feedOf(feed: Feed, organisation: Organisation): Feed {
  const { of, samples, changes } = feed;
  return {
    ...feed,
    source: (context) => organisation.read(feed.source(organisation.context(context))),
    ...present({
      of: of === undefined ? undefined : keyOf(organisation.name, of),
      samples:
        samples &&
        ((rows: readonly Row[], context: Context) =>
          Object.fromEntries(
            Object.entries(samples(rows, organisation.context(context))).map(([name, value]) => [
              organisation.id(name),
              value,
            ]),
          )),
      changes:
        changes &&
        ((before: readonly Row[], after: readonly Row[]) =>
          changes(before, after).map((change) => ({ ...change, profile: organisation.name }))),
    }),
  };
}

/** What one organisation has told so far. */
function materialOf({ told, changes, edits }: Material, { name }: Organisation): Material {
  const own = keyOf(name, '');
  return {
    told: Object.fromEntries(
      Object.entries(told).flatMap(([feed, one]) => (feed.startsWith(own) ? [[feed.slice(own.length), one]] : [])),
    ),
    changes: changes.filter(({ profile }) => profile === name),
    edits: edits.filter(({ profile }) => profile?.name === name),
  };
}
