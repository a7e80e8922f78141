import { windowAt } from '../../components/span.ts';
import type { Theme } from '../../components/theme.ts';
import type { MouseEvent } from '../session/keys/keyboard.ts';
import { matchingHelp } from '../session/layers/help.ts';
import { itemsOf, shownReport } from '../session/layers/journal.ts';
import type { Layer } from '../session/layers/layer.ts';
import { matchingPalette } from '../session/layers/palette.ts';
import { pickRows } from '../session/layers/pick.ts';
import { takeRows } from '../session/layers/take.ts';
import type { Message } from '../session/message.ts';
import type { Now } from '../session/now.ts';
import { footLines } from './foot.ts';
import { helpPlaceAt, paletteBelow } from './HelpLayer.tsx';
import { panelHeight } from './Layers.tsx';
import { resultRows } from './ListLayers.tsx';
import { menuBelow } from './PanelLayers.tsx';
import { reportPlaceAt } from './ReportLayer.tsx';

/** The rows of a layer as they are drawn, one a line. */
interface Rows {
  readonly count: number;
  /** Lines of the layer above the first row. */
  readonly above: number;
  /** Lines below the last. */
  readonly below: number;
  /** A menu is scrolled by its package, which shows the cursor on the last line. */
  readonly isMenu?: true;
  /** The row on a line of the layer, where rows are not one a line. */
  readonly placeAt?: (
    props: { readonly width: number; readonly height: number },
    line: number,
    column: number,
  ) => number | undefined;
  /** What a click on the row under the cursor does; undefined where it might send an edit. */
  readonly choose: Message | undefined;
}

/** What goes somewhere, asks or shows: nothing of it sends an edit. */
const harmless: ReadonlySet<Message['do']> = new Set<Message['do']>([
  'screen',
  'openRow',
  'openView',
  'views',
  'journal',
  'messages',
  'profiles',
  'help',
  'palette',
  'jobs',
  'sort',
  'sorts',
  'setRange',
  'ranges',
  'filter',
  'search',
  'find',
  'preview',
  'refresh',
  'pause',
  'theme',
  'mouse',
  'copy',
  'copyId',
  'copies',
  'copyVerbs',
  'link',
]);

function rowsOf(layer: Layer, now: Now, theme: Theme): Rows | undefined {
  const { world } = now;
  const chosen = (items: readonly { readonly run: Message }[], cursor: number): Message | undefined =>
    harmless.has(items[cursor]?.run.do ?? 'quit') ? { do: 'choose' } : undefined;
  switch (layer.kind) {
    case 'menu':
      return {
        count: layer.items.length,
        above: 1,
        below: 1 + menuBelow(layer, now.state.size.columns),
        isMenu: true,
        choose: chosen(layer.items, layer.cursor),
      };
    case 'palette': {
      const items = matchingPalette(layer, world);
      const below = 1 + paletteBelow({ layer, now, width: now.state.size.columns });
      return { count: items.length, above: 2, below, choose: chosen(items, layer.cursor) };
    }
    case 'pick':
      return {
        count: pickRows(layer, world.picks(layer)).length,
        above: 2,
        below: 1,
        isMenu: true,
        choose: undefined,
      };
    case 'take': {
      const count = takeRows(layer, world.picks(layer)).length;
      return { count, above: 2, below: 1, choose: { do: layer.several ? 'toggle' : 'choose' } };
    }
    case 'profiles':
      return { count: layer.items.length, above: 1, below: 1, choose: { do: 'profile', what: 'use' } };
    case 'messages':
      return { count: world.messages.length, above: 1, below: 1, choose: { do: 'choose' } };
    case 'results':
      return { count: layer.results.length, above: 1, below: 1 + resultRows, choose: undefined };
    case 'help': {
      const bindings = matchingHelp(layer.query.text, world);
      return {
        count: bindings.length,
        above: 1,
        below: 1,
        placeAt: (size, line, column) => helpPlaceAt({ layer, now, theme, ...size }, line, column),
        choose: chosen(bindings, layer.cursor),
      };
    }
    case 'journal': {
      const report = shownReport(layer);
      return {
        count: report ? itemsOf(layer).length : layer.entries.length,
        above: 1,
        below: 1,
        ...(report && { placeAt: (size, line) => reportPlaceAt({ layer, now, theme, report, ...size }, line) }),
        choose: { do: 'openEntry' },
      };
    }
    default:
      return undefined;
  }
}

/** What a click in the layer on top does: on a row it moves the cursor there, on the row under the cursor it chooses it. */
export function layerMessage(
  layer: Layer,
  { column, row: line }: Pick<MouseEvent, 'column' | 'row'>,
  now: Now,
  theme: Theme,
): Message | undefined {
  const { state, view, context } = now;
  const { columns } = state.size;
  const rows = 'cursor' in layer ? rowsOf(layer, now, theme) : undefined;
  if (!rows || !('cursor' in layer)) return undefined;
  const body = view.room.bodyRows - (footLines(now, columns, theme).length - 2);
  const height = panelHeight({ layer, now, width: columns, theme }, view.room.bodyRows) ?? body;
  const first = 1 + body - height;
  const { choose } = rows;
  const at = rows.placeAt
    ? rows.placeAt({ width: columns, height }, line - first, column)
    : placeOf(rows, layer.cursor, height, line - first);
  if (at === undefined) return undefined;
  if (at !== layer.cursor) return { do: 'step', by: at - layer.cursor };
  return (
    choose ?? {
      do: 'flash',
      flash: { text: 'Enter chooses it: a click never sends an edit', tone: 'info', at: context.now },
    }
  );
}

/** The row on a line of the layer, counted from its frame. */
function placeOf({ count, above, below, isMenu }: Rows, chosen: number, height: number, line: number) {
  const room = Math.max(1, height - above - below);
  const cursor = Math.max(0, Math.min(chosen, count - 1));
  const top = isMenu ? Math.max(0, cursor - Math.min(room, count) + 1) : windowAt(cursor, room, count);
  const at = line - above;
  return at < 0 || at >= room || top + at >= count ? undefined : top + at;
}
