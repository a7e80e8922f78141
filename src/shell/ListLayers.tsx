import { Frame } from '../../components/Frame.tsx';
import { Lines } from '../../components/Lines.tsx';
import { choosable, type Span, windowAt } from '../../components/span.ts';
import { leastName, markOf, onOneLine } from '../../components/Toast.tsx';
import type { Theme } from '../../components/theme.ts';
import type { Part } from '../describe/receipt.ts';
import { clockTime, exactTime } from '../lib/moment.ts';
import { paint } from '../lib/paint.ts';
import { joined, type Painted, plain } from '../lib/painted.ts';
import { cells, fit, wrap } from '../lib/text.ts';
import { offsetName } from '../lib/zone.ts';
import { entryWords, shownReport } from '../session/layers/journal.ts';
import type { LayerOf } from '../session/layers/layer.ts';
import { paintedParts } from './foot.ts';
import type { LayerProps } from './layerprops.ts';
import { ReportLayer } from './ReportLayer.tsx';

/** The outcome of a bulk edit for each row. */
export function ResultsLayer({ layer, width, height, theme }: LayerProps<LayerOf<'results'>>) {
  const at = layer.results[layer.cursor];
  const whole = at && !at.ok ? wrap(paint(at.text), width - 6).slice(0, resultRows - 1) : [];
  return (
    <Chosen
      title={paint(layer.title)}
      cursor={layer.cursor}
      rows={layer.results.map((result) => [
        { text: plain`${result.ok ? theme.glyphs.ok : theme.glyphs.bad} `, tone: result.ok ? 'good' : 'bad' },
        // A receipt has the name itself.
        ...(result.ok && result.text.includes(result.name) ? [] : [{ text: plain`${paint(result.name)}  ` }]),
        { text: paint(result.text), tone: result.ok ? 'dim' : 'bad' },
      ])}
      below={Array.from({ length: resultRows }, (_, line) => whole[line - 1] ?? plain``)}
      empty={plain``}
      {...{ width, height, theme }}
    />
  );
}

/** Lines under the results for the whole refusal of the row under the cursor, one of them empty. */
export const resultRows = 4;

/** The hand-over of the shift, or the edits of the journal and their outcomes. */
export function JournalLayer(props: LayerProps<LayerOf<'journal'>>) {
  const { layer, now, width, height, theme } = props;
  const report = shownReport(layer);
  if (report) return <ReportLayer {...props} report={report} />;
  const noEdits = layer.unsettled ? plain`Every edit has an outcome: q continues` : plain`No edits yet`;
  const none = layer.isLoading ? plain`Loading…` : noEdits;
  const zone = paint(offsetName(now.context.now, now.context.zone));
  return (
    <Chosen
      title={
        layer.isLoading && !layer.isRaw
          ? plain`Hand-over`
          : layer.unsettled
            ? plain`Edits of an earlier run without an outcome (${zone})`
            : plain`All edits (${zone})`
      }
      cursor={layer.cursor}
      rows={layer.entries.map((entry) => {
        const { did, target, said } = entryWords(entry, now.world.screens);
        return [
          { text: plain`${paint(exactTime(entry.at, now.context.zone))}  `, tone: 'dim' },
          {
            text: plain`${paint(entry.outcome.padEnd(8))} `,
            tone: entry.outcome === 'applied' ? 'good' : entry.outcome === 'refused' ? 'warn' : 'bad',
          },
          { text: plain`${paint(did)} ` },
          { text: paint(target), tone: 'strong' },
          { text: said === '' ? plain`` : plain`  ${paint(said)}`, tone: 'dim' },
        ];
      })}
      empty={layer.trouble === undefined ? none : paint(layer.trouble)}
      {...{ width, height, theme }}
    />
  );
}

/** A message in a row: its names are shortened, so that its consequence can be read. */
const listedText = (parts: readonly Part[], room: number, { glyphs }: Theme): Painted => {
  const painted = paintedParts(parts);
  return onOneLine(painted, room, glyphs.ellipsis, leastName) ?? joined(painted.map(({ text }) => text));
};

/** The messages of this run, with the time of each. */
export function MessagesLayer({ layer, now, width, height, theme }: LayerProps<LayerOf<'messages'>>) {
  // On a narrow terminal the end of a message is worth more: those that wait come first anyway.
  const waiting = width < 70 ? plain`` : plain`waiting  `;
  return (
    <Chosen
      title={plain`Messages (${paint(offsetName(now.context.now, now.context.zone))})`}
      cursor={layer.cursor}
      rows={now.world.messages.map(({ text, parts = [text], tone, at, notice }) => [
        { text: plain`${paint(clockTime(at, now.context.zone))}  `, tone: 'dim' },
        { text: plain`${markOf(tone, theme.glyphs)} `, tone },
        { text: notice === undefined ? plain`` : waiting, tone: 'strong' },
        {
          text: listedText(parts, width - 13 - (notice === undefined ? 0 : cells(waiting)), theme),
          tone: tone === 'good' ? 'plain' : tone,
        },
      ])}
      empty={plain`No messages`}
      {...{ width, height, theme }}
    />
  );
}

/** Cells of the labels of what is told of a profile. */
const factCells = 18;

/** The profiles of this machine. */
export function ProfilesLayer({ layer, width, height, theme }: LayerProps<LayerOf<'profiles'>>) {
  const names = layer.items.map(({ name }) => paint(name));
  const widest = Math.min(Math.max(0, ...names.map(cells)), Math.floor(width / 3));
  return (
    <Chosen
      title={plain`Profiles`}
      cursor={layer.cursor}
      rows={layer.items.map((item) => [
        { text: item.current ? plain`${theme.glyphs.live} ` : plain`  `, tone: 'good' },
        { text: plain`${fit(paint(item.name), widest, 'left', theme.glyphs.ellipsis)}  `, tone: 'strong' },
        { text: paint(item.says), tone: 'dim' },
      ])}
      after={(layer.items[layer.cursor]?.facts ?? []).map(([label, text]) => [
        { text: plain`     ${fit(paint(label), factCells)}`, tone: 'label' },
        { text: paint(text) },
      ])}
      empty={plain`No profile yet: n adds one. Until then this is the demo organisation`}
      {...{ width, height, theme }}
    />
  );
}

interface ChosenProps {
  readonly title: Painted;
  readonly rows: readonly Span[][];
  readonly cursor: number;
  readonly empty: Painted;
  /** Lines about the row under the cursor, after an empty one, where all of them have room behind the rows. */
  readonly after?: readonly Span[][];
  /** Lines at the foot. */
  readonly below?: readonly Painted[];
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
}

/** Rows with a cursor, in a frame over the body. */
function Chosen({ title, rows, cursor, empty, after = [], below = [], width, height, theme }: ChosenProps) {
  const room = height - 2 - below.length;
  const top = windowAt(cursor, room, rows.length);
  const lines =
    rows.length === 0
      ? wrap(empty, width - 4).map((text) => [{ text: plain` ${text}`, tone: 'dim' as const }])
      : rows.slice(top, top + room).map((row, at) => [...choosable(row, width - 2, top + at === cursor, theme)]);
  return (
    <Frame
      title={[{ text: title, bold: true }]}
      footRight={rows.length > 0 ? [{ text: plain`${cursor + 1}/${rows.length}`, tone: 'dim' }] : []}
      width={width}
      height={height}
      theme={theme}
      active
    >
      <Lines
        lines={rows.length + 1 + after.length <= room ? [...lines, [], ...after] : lines}
        width={width - 2}
        height={room}
        theme={theme}
      />
      {below.length > 0 && (
        <Lines
          lines={below.map((text) => [{ text: plain`   ${text}`, tone: 'bad' }])}
          width={width - 2}
          height={below.length}
          theme={theme}
        />
      )}
    </Frame>
  );
}
