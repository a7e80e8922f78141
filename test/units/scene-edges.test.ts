import { test } from 'vitest';
import { pair, section, textLine } from '../../src/describe/column.ts';
import { layoutPage } from '../../src/lib/detail-page.ts';
import { paint } from '../../src/lib/paint.ts';
import { themeNames } from '../../src/lib/setting-values.ts';
import { matchesOn } from '../../src/lib/text-matches.ts';
import * as edges from '../../src/scene/edge-lines.ts';
import { pageLines, tabsLine } from '../../src/scene/page-lines.ts';
import { asLines, framedLines, lineSpots, menuRows, noticeBlock, sentAt, wholeText } from '../../src/scene/scene.ts';
import { createTheme } from '../../src/scene/theme.ts';
import { theme } from '../support/line-examples.ts';
import { looksOf, spansOf, storedAs, sweep, upTo, writtenLines } from '../support/sweeps.ts';

const { ellipsis } = theme.glyphs;

/** Screens by name and count: `24!` needs a person, `24!!` notifies, `9~` is a part, `>` is the current one. */
const strip = (names: string, current: number, keyless = -1) =>
  names.split(', ').map((text, at): edges.StripEntry => {
    const [name = '', count = ''] = text.split(' ');
    const has = { needsPerson: count.includes('!'), notifies: count.includes('!!'), isPartial: count.includes('~') };
    const key = paint(at === keyless ? '' : `${at}`);
    return { key, name: paint(name), count: paint(count.replaceAll(/[!~]/g, '')), ...has, isCurrent: at === current };
  });
const usual = 'home, issues 100, monitors 24!!, keys 2!, roles, integrations 1!, 値値値, archives 3+!~';

test('the strip of screens and the header are at each width as was reviewed', async () => {
  const strips = [usual, 'home, roles', 'one', 'a, b 1!, c 2', 'home, roles, issues 9, tables 8, keys 7'].flatMap(
    (names) =>
      [[0], [0, 0], ...(names === usual ? [[1], [6]] : [])].map(([at = 0, keyless]) =>
        sweep(`${names} at ${at}, ${keyless}`, upTo(0, 130), (width) =>
          looksOf(edges.stripSpans(strip(names, at, keyless), width, theme)),
        ),
      ),
  );
  const profile = spansOf(' acme 値値 {bad!+:▌PROD▐}');
  const offline = '{bad+: ✗ beta offline}{bad:: connection refused}';
  const headers = (
    [
      [usual, 1, 'eu1.example.test', `${offline}{dim+: 12s }`],
      ['home, issues 100, monitors 24!!', 2, '', `${offline}{dim+: 12s }`],
      ['home, issues 100, monitors 24!!, keys 2!', 0, 'eu1', '{good: ● live 15s }'],
      ['home, issues 100, monitors 24!!, keys 2!', 0, 'eu1', '{warn: ○ stale 15 minutes }'],
      ['solo', 0, '', ''],
      ['home, issues 100', 0, '', offline],
    ] as const
  ).map(([names, at, host, right], nth) =>
    sweep(`header ${nth}`, upTo(1, 150), (width) => {
      const given = { profile, screens: strip(names, at), host: paint(host), right: spansOf(right) };
      return writtenLines([edges.headerLine({ ...given, width, theme })], width);
    }),
  );
  await storedAs('scene/header', [...strips, ...headers]);
});

/** A message: its names in brackets. */
const partsOf = (written: string) =>
  Array.from(written.matchAll(/\[(.*?)\]|[^[]+/g), ([all, name]) => ({
    text: paint(name ?? all),
    isName: name !== undefined,
  }));

test('messages, bars and hints are at each width as was reviewed', async () => {
  const [keys, title] = [paint('u undo'), paint('mute Disk of web-1')];
  const long = `needs monitors_write: ${'the policy of this organization does not allow it. '.repeat(2)}`;
  const name = '[Error rate of checkout-api is too high]';
  const texts = ['', 'Copied', `Mute on ${name} ends in 4 min · look at it`, `Moved ${name} before [Disk]`, long];
  const toasts = texts.flatMap((text) =>
    (['good', 'bad'] as const).map((tone) =>
      sweep(`${text}, ${tone}`, upTo(1, 110), (width) =>
        edges.layoutToast({ parts: partsOf(text), tone, keys, isStanding: tone === 'bad', width, theme }),
      ),
    ),
  );
  const blank = [undefined, [], [{ text: paint('') }], partsOf('Copied')].flatMap((parts) =>
    (['good', 'warn', 'bad', 'info', undefined] as const).map((tone) =>
      writtenLines(edges.layoutToast({ ...(parts && { parts }), tone, width: 30, theme })),
    ),
  );
  const ones = [`Moved ${name} before [Disk]`, 'Copied[ Disk]', 'Copied'].flatMap((text) =>
    [16, 8].map((least) =>
      sweep(
        `${text} on one line, ${least}`,
        upTo(0, 90),
        (room) => `${edges.onOneLine(partsOf(text), room, ellipsis, least)}`,
      ),
    ),
  );
  const hints = ['open', 'mute for a long time', 'unmute', 'more of them', 'f', 'help', 'quit'].map((text) => ({
    ...{ keys: paint(text.slice(0, 1)), title: paint(text), disabled: text === 'unmute' },
    keep: text === 'more of them' || text === 'help',
  }));
  const hinted = [7, 2, 1, 0].map((count) =>
    sweep(`${count} hints`, upTo(0, 75), (width) => looksOf(edges.hintLine({ hints: hints.slice(0, count), width }))),
  );
  const settings = ['scope', 'until'].map((text) => ({ name: paint(text), value: paint(`${text} 値`) }));
  const input = { label: paint('until'), text: 'tomorrow 09:00 or never again', cursor: 29 };
  const bars = [
    {},
    { foresight: { text: paint('It notifies at once, and again every hour'), isWarning: true } },
    { foresight: { text: paint('Nothing changes'), isWarning: false }, settings: [] },
    { input: { ...input, means: paint('until 14:00 UTC') } },
    {
      input: {
        ...input,
        text: '',
        placeholder: paint('45m'),
        error: paint('nothing typed: type a length such as 45m'),
      },
    },
    { input },
  ].map((more, at) =>
    sweep(`bar ${at}`, [1, 10, 16, 17, 18, 19, 20, 30, 43, 44, 45, 60, 80], (width) =>
      edges.layoutBar({ title, settings, hints: hints.slice(0, 3), width, theme, ...more }),
    ),
  );
  await storedAs('scene/messages', [...toasts, ...blank, ...ones, ...hinted, ...bars]);
});

test('tabs, pages, menus and notices are at each size as was reviewed', async () => {
  const tabs = ['Overview', 'Groups 値', 'Edits', 'Raw'].map((title) => ({
    id: title.slice(0, 3),
    title: paint(title),
  }));
  const tabbed = upTo(0, 3).map((tab) =>
    sweep(`tab ${tab}`, upTo(0, 45), (width) => [tabsLine({ tabs, tab, width, theme })]),
  );
  const where = [pair('service', 'checkout-api', 'strong'), pair('host', 'web-1', 'dim'), textLine('the web is down')];
  const why = upTo(1, 9).map((at) => textLine(`web line ${at}`));
  const page = layoutPage([section('a', 'Where it is', where), section('b', 'Why', why)], 120, 8);
  const found = matchesOn(page, 'web').map((spots) => ({ spots }));
  const pages = [0, 1, 4].map((foundAt) =>
    sweep(`page at ${foundAt}`, [0, 1, 2, 20, 59, 63, 119, 121, 122, 130], (width) =>
      pageLines({ page, top: foundAt === 4 ? 1 : 0, found, foundAt, width, height: 6, theme }),
    ),
  );
  const heights = sweep(
    'lines of a page',
    upTo(-1, 12),
    (height) => `${pageLines({ page, top: 3, found, foundAt: -1, width: 40, height, theme }).length}`,
  );
  const items = [
    { label: paint('mute'), key: paint('m'), hint: paint('Mute the monitor; it stays listed') },
    { label: paint('delete for ever 値'), hint: paint('it needs a permission'), isRefused: true },
    { label: paint('open'), key: paint('Enter'), hint: paint('') },
    { label: paint(''), key: paint('x'), hint: paint('hint') },
  ];
  const menus = [items, items.slice(1, 2), items.slice(3)].flatMap((some) =>
    [undefined, 24].map((least) =>
      sweep(`menu of ${some.length}, ${least}`, upTo(4, 70), (width) => {
        const { rows, cutHints } = menuRows(some, width, ellipsis, least);
        return `${writtenLines(rows)}\n${cutHints.join('|')}`;
      }),
    ),
  );
  const texts = ['', 'words that have no room there', 'short', 'one two three four five six seven eight nine ten'].map(
    paint,
  );
  const wholes = upTo(0, 3).map((cursor) =>
    sweep(`whole text ${cursor}`, upTo(3, 70), (width) =>
      JSON.stringify([4, 1].map((count) => wholeText(texts.slice(0, count), cursor, width))),
    ),
  );
  const notices = ([1, 4, 9] as const).map((height) =>
    sweep(`notice in ${height}`, upTo(0, 40), (width) => {
      const tone = height === 4 ? 'warn' : undefined;
      const { active, lines } = noticeBlock({ x: 0, y: 0, width, height, text: paint('needs 60x16, has 40x10'), tone });
      return `${active}\n${writtenLines(lines.map(({ spans }) => spans))}`;
    }),
  );
  await storedAs('scene/pages', [...tabbed, ...pages, heights, ...menus, ...wholes, ...notices]);
});

test('frames are drawn, and clicked, as was reviewed', async () => {
  const [title, titleRight, foot, footRight] = [
    ...['{strong:Monitors} 12 of them', '{dim:1-9/12}', 'the foot of it', 'x'],
  ].map(spansOf);
  const lines = asLines(['first', '{bad:second line}', '', 'fourth'].map(spansOf));
  const framed = (['whole', 'open', 'below', 'belowOpen', 'none', undefined] as const).flatMap((border, at) => [
    sweep(`frame, ${border}`, upTo(1, 36), (width) => {
      const given = { title: title ?? [], titleRight, foot, footRight, lines, width, height: 4, border };
      return writtenLines(
        framedLines({ ...given, active: at % 2 === 0 }, theme),
        border === 'none' ? undefined : width,
      );
    }),
    sweep(`frame, ${border}, heights`, upTo(-1, 7), (height) =>
      framedLines({ title: [], lines, width: 12, height, active: true, border }, theme),
    ),
  ]);
  const spans = spansOf('{dim@one:ab}-{dim@two:値}{dim@none:x}');
  const spots = lineSpots(spans, (target) => (target === 'none' ? undefined : target));
  const row = (send?: string) => ({ spans, role: 'row' as const, send });
  const at = { x: 3, y: 1, width: 9, height: 4, active: true, title: spans, titleSpots: spots };
  const bare = { ...at, y: 5, height: 3, border: 'none' as const, lines: [row('n0'), row(), row('n2')] };
  const blocks = [bare, { ...at, lines: [row('r0'), { ...row('r1'), spots }] }];
  const scene = { columns: 30, rows: 12, message: [], hints: [], header: { ...row(), spots }, blocks };
  const clicks = upTo(0, 9).map((line) =>
    sweep(`row ${line}`, upTo(0, 14), (column) => `${sentAt(scene, column, line)}`),
  );
  const looks = themeNames.map((name) => {
    const { props, selected } = createTheme({ name, noColor: false, ascii: false });
    const tones = (['plain', 'dim', 'strong', 'good', 'warn', 'bad', 'info', 'quiet', 'label'] as const).map(props);
    return [name, ...[...tones, selected].map((style) => JSON.stringify(style))].join('\n');
  });
  await storedAs('scene/frames', [...framed, ...clicks, ...looks]);
});
