import { Confirm, confirmLines } from '../../components/Confirm.tsx';
import { Frame } from '../../components/Frame.tsx';
import { Help } from '../../components/Help.tsx';
import { Lines } from '../../components/Lines.tsx';
import { Menu } from '../../components/Menu.tsx';
import { Palette } from '../../components/Palette.tsx';
import { Reveal } from '../../components/Reveal.tsx';
import type { Span } from '../../components/span.ts';
import { choosable, windowAt } from '../../components/span.ts';
import type { Theme } from '../../components/theme.ts';
import { paint } from '../lib/paint.ts';
import { type Painted, plain } from '../lib/painted.ts';
import { wrap } from '../lib/text.ts';
import { absolute } from '../lib/time.ts';
import type { Binding } from '../session/keys/binding.ts';
import { keyName } from '../session/keys/names.ts';
import { matchingHelp } from '../session/layers/help.ts';
import type { Layer as AnyLayer, LayerOf } from '../session/layers/layer.ts';
import { matchingPalette } from '../session/layers/palette.ts';
import { pickRows } from '../session/layers/pick.ts';
import type { Session } from '../session/session.ts';
import { FormLayer } from './FormLayer.tsx';
import { JobLayer, SecretLayer } from './OnceLayer.tsx';
import { PickLayer } from './PickLayer.tsx';
import { TakeLayer } from './TakeLayer.tsx';

type Now = ReturnType<Session['now']>;

/** Whether the layer takes the whole body; the others leave the list in sight above them. */
export function coversBody(layer: AnyLayer): boolean {
  return [
    'form',
    'wait',
    'take',
    'secret',
    'job',
    'help',
    'palette',
    'text',
    'journal',
    'profiles',
    'results',
  ].includes(layer.kind);
}

/** Lines of the panel below the list: enough for what it says, never more than leaves five lines of list. */
export function panelHeight(layer: AnyLayer, now: Now, bodyRows: number, width: number, theme: Theme): number {
  const most = Math.max(4, bodyRows - 5);
  switch (layer.kind) {
    case 'confirm':
      return Math.min(most, 2 + confirmLines({ ...confirmOf(layer), width: width - 2, theme }));
    case 'menu':
      return Math.min(most, layer.items.length + 2);
    case 'pick':
      return Math.min(most, 12, Math.max(5, pickRows(layer, now.world.picks(layer)).length + 3));
    default:
      return 0;
  }
}

/** A question as it is drawn. */
function confirmOf({ confirm, typed }: LayerOf<'confirm'>) {
  return {
    question: paint(confirm.question),
    details: (confirm.details ?? []).map(paint),
    destructive: confirm.destructive,
    typed: confirm.typed === undefined ? undefined : { wanted: paint(confirm.typed), ...typed },
  };
}

export interface LayerProps {
  readonly layer: AnyLayer;
  readonly now: Now;
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
}

/** What lies over the list. */
export function Layer(props: LayerProps) {
  const { layer, width, height, theme, now } = props;
  const inside = { width: width - 2, height: height - 2, theme };
  switch (layer.kind) {
    case 'form':
      return <FormLayer {...props} layer={layer} />;
    case 'confirm':
      return (
        <Frame
          title={[{ text: plain`sure?`, tone: layer.confirm.destructive ? 'bad' : 'warn' }]}
          width={width}
          height={height}
          theme={theme}
          active
        >
          <Confirm {...confirmOf(layer)} {...inside} />
        </Frame>
      );
    case 'menu':
      return (
        <Frame title={[{ text: paint(layer.title), bold: true }]} width={width} height={height} theme={theme} active>
          <Menu
            items={layer.items.map((it) => ({
              id: it.id,
              key: it.key === undefined ? undefined : paint(keyName(it.key)),
              label: paint(it.label),
              hint: paint(it.refused ?? it.hint ?? ''),
              disabled: it.refused !== undefined,
            }))}
            cursor={layer.cursor}
            {...inside}
          />
        </Frame>
      );
    case 'wait':
      return (
        <Frame title={[{ text: paint(layer.title), bold: true }]} width={width} height={height} theme={theme} active>
          <Lines lines={[[{ text: plain` reading what is there now`, tone: 'dim' }]]} {...inside} />
        </Frame>
      );
    case 'take':
      return <TakeLayer {...props} layer={layer} />;
    case 'secret':
      return <SecretLayer {...props} layer={layer} />;
    case 'job':
      return <JobLayer {...props} layer={layer} />;
    case 'pick':
      return <PickLayer {...props} layer={layer} />;
    case 'help': {
      const lines = matchingHelp(layer.query.text, now.world);
      return (
        <Frame
          title={[
            { text: plain`help`, bold: true },
            { text: plain` ${paint(now.view.screen.title.toLowerCase())}`, tone: 'dim' },
          ]}
          foot={[{ text: plain`Enter does the line`, tone: 'dim' }]}
          width={width}
          height={height}
          theme={theme}
          active
        >
          <Help
            groups={grouped(lines)}
            cursor={layer.cursor}
            query={layer.query.text}
            cursorInQuery={layer.searching ? layer.query.cursor : undefined}
            {...inside}
          />
        </Frame>
      );
    }
    case 'palette': {
      const items = matchingPalette(layer.query.text, now.world);
      return (
        <Frame title={[{ text: plain`palette`, bold: true }]} width={width} height={height} theme={theme} active>
          <Palette
            query={layer.query.text}
            cursorInQuery={layer.query.cursor}
            rows={items.map((it) => ({
              label: paint(it.label),
              hint: paint(it.refused ?? it.hint ?? ''),
              keys: it.key ? paint(keyName(it.key)) : plain``,
              disabled: it.refused !== undefined,
            }))}
            cursor={layer.cursor}
            {...inside}
          />
        </Frame>
      );
    }
    case 'text':
      return (
        <Reveal
          title={paint(layer.title)}
          lines={layer.lines.map(paint)}
          top={layer.top}
          width={width}
          height={height}
          theme={theme}
        />
      );
    case 'results':
      return (
        <Chosen
          title={paint(layer.title)}
          cursor={layer.cursor}
          rows={layer.results.map((it) => [
            { text: plain`${it.ok ? theme.glyphs.ok : theme.glyphs.bad} `, tone: it.ok ? 'good' : 'bad' },
            { text: plain`${paint(it.name)}  ` },
            { text: paint(it.text), tone: it.ok ? 'dim' : 'bad' },
          ])}
          empty={plain``}
          {...{ width, height, theme }}
        />
      );
    case 'journal':
      return (
        <Chosen
          title={
            layer.unsettled
              ? plain`edits without a known outcome, from a run before: check, repeat or forget each`
              : plain`journal`
          }
          cursor={layer.cursor}
          rows={layer.entries.map((it) => [
            { text: plain`${paint(absolute(it.at, now.context.zone))}  `, tone: 'dim' },
            {
              text: plain`${paint(it.outcome.padEnd(8))} `,
              tone: it.outcome === 'applied' ? 'good' : it.outcome === 'refused' ? 'warn' : 'bad',
            },
            { text: plain`${paint(it.operation)} ` },
            { text: paint(it.target), tone: 'strong' },
            { text: it.text === '' ? plain`` : plain`  ${paint(it.text)}`, tone: 'dim' },
          ])}
          empty={
            layer.trouble !== undefined
              ? paint(layer.trouble)
              : layer.unsettled
                ? plain`every edit has its outcome now: q goes on`
                : plain`no edits were made yet`
          }
          {...{ width, height, theme }}
        />
      );
    case 'profiles':
      return (
        <Chosen
          title={plain`profiles`}
          cursor={layer.cursor}
          rows={layer.items.map((it) => [
            { text: it.current ? plain`${theme.glyphs.live} ` : plain`  `, tone: 'good' },
            { text: plain`${paint(it.name)}  `, tone: 'strong' },
            { text: paint(it.says), tone: 'dim' },
          ])}
          empty={plain`no profile yet: n makes one; until then this is the demo organisation`}
          {...{ width, height, theme }}
        />
      );
    default:
      return null;
  }
}

/** The name of a key's meaning, and what it does where its name does not say all. */
function helpOf({ title, help }: Binding): string {
  if (help === undefined) return title;
  return help.startsWith(title) ? help : `${title}: ${help}`;
}

/** The help's lines under the names of their groups; the order is that of the cursor. */
function grouped(lines: readonly Binding[]) {
  const groups = new Map<string, { keys: Painted; title: Painted; reason?: Painted }[]>();
  for (const it of lines) {
    const rows = groups.get(it.group) ?? [];
    rows.push({
      keys: paint(it.keys.map(keyName).join(' ')),
      title: paint(helpOf(it)),
      ...(it.refused === undefined ? {} : { reason: paint(it.refused) }),
    });
    groups.set(it.group, rows);
  }
  return [...groups].map(([title, rows]) => ({ title: paint(title), rows }));
}

/** Lines with a cursor, in a frame over the whole body. */
function Chosen({
  title,
  rows,
  cursor,
  empty,
  width,
  height,
  theme,
}: {
  title: Painted;
  rows: readonly Span[][];
  cursor: number;
  empty: Painted;
  width: number;
  height: number;
  theme: Theme;
}) {
  const room = height - 2;
  const top = windowAt(cursor, room, rows.length);
  const lines =
    rows.length === 0
      ? wrap(empty, width - 4).map((text) => [{ text: plain` ${text}`, tone: 'dim' as const }])
      : rows.slice(top, top + room).map((it, at) => [...choosable(it, width - 2, top + at === cursor, theme)]);
  return (
    <Frame
      title={[{ text: title, bold: true }]}
      footRight={rows.length > 0 ? [{ text: plain`${cursor + 1}/${rows.length}`, tone: 'dim' }] : []}
      width={width}
      height={height}
      theme={theme}
      active
    >
      <Lines lines={lines} width={width - 2} height={room} theme={theme} />
    </Frame>
  );
}
