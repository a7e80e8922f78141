import { expect, test, vi } from 'vitest';
import { screens } from '../../screens/index.ts';
import { sentAt } from '../../src/scene/scene.ts';
import { createTheme } from '../../src/scene/theme.ts';
import { isWaiting } from '../../src/session/form/query.ts';
import { sorted } from '../../src/session/rows/list-state.ts';
import type { Session } from '../../src/session/session.ts';
import type { Message } from '../../src/session/state/message.ts';
import { readStanding } from '../../src/shell/header.ts';
import { listTitle } from '../../src/shell/list-words.ts';
import { toHearing } from '../../src/shell/plain.ts';
import { scene } from '../../src/shell/scene.ts';
import { App } from '../../src/shell/show.tsx';
import { draw } from '../support/drawn.tsx';
import { type JourneyOptions, journey } from '../support/journey.tsx';
import { codes } from '../support/line-examples.ts';
import { firstOf, looksOf, upTo } from '../support/sweeps.ts';

const theme = createTheme({ name: 'default', noColor: false, ascii: false });
const usual = { columns: 110, rows: 24 };
const narrow = { columns: 60, rows: 16 };
const wide = { columns: 200, rows: 36 };
const setting: JourneyOptions = { ...usual, monitors: 16, issues: 12, stoppedAt: Date.UTC(2026, 4, 6, 12) };
/** Those of the first list of a screen besides; the usual one last. */
const sizes = [narrow, wide, usual];

/** Sequences that begin and end a style, as they are drawn, by its name. */
const styles = {
  red: [/^(?:31|91)$/, /^39$/],
  green: [/^(?:32|92)$/, /^39$/],
  yellow: [/^(?:33|93)$/, /^39$/],
  bold: [/^1$/, /^22$/],
  dim: [/^2$/, /^22$/],
} as const;

/** What stands in each style, a line for each text: `red: 1 NO DATA`. */
function stylesOf(seen: string): readonly string[] {
  const pieces = seen.split(/(?=\u001b\[)|\n/);
  return Object.entries(styles).flatMap(([name, [begin, end]]) => {
    const texts: string[] = [];
    let isOn = false;
    for (const piece of pieces) {
      const [all = '', codes = ''] = /^\u001b\[([\d;]*)m/.exec(piece) ?? [];
      for (const code of all === '' ? [] : codes.split(';'))
        isOn = begin.test(code) || (isOn && !end.test(code) && !/^0?$/.test(code));
      const text = piece.slice(all.length).trim();
      if (isOn && /[\p{L}\p{N}●█]/u.test(text)) texts.push(`    ${name}: ${text}`);
    }
    return [...new Set(texts)];
  });
}

/** The lines, at last those of each style as one line. */
function byStyle(lines: readonly string[]): readonly string[] {
  const styled = Object.keys(styles).flatMap((style) => {
    const start = `    ${style}: `;
    const texts = lines.filter((line) => line.startsWith(start)).map((line) => line.slice(start.length));
    return texts.length > 0 ? [`${start}${texts.join(' | ')}`] : [];
  });
  const isStyled = (line: string) => Object.keys(styles).some((style) => line.startsWith(`    ${style}: `));
  return [...lines.filter((line) => !isStyled(line)), ...styled];
}

/** Clicks on the screens in the header, which are the same in each frame. */
const clickedTabs = /^( {4}clicks: )(?:\d+-\d+ 0 \{"type":"openScreen","id":"[a-z]+"\}(?: \| )?)+/;

/** What is seen and, indented, what is heard of it, what a click does by columns and row, which keys are refused, and the styles. */
function linesOf(session: Session): readonly string[] {
  const seen = draw(<App session={session} theme={theme} pending={() => new Set()} behind={() => false} />);
  const { remarks, prompt } = toHearing(session);
  const drawn = scene(session.now(), { theme, pending: new Set(), standing: readStanding(session, false) });
  const frame = seen.replaceAll(codes, '').split('\n');
  const spots = frame.flatMap((line, row) =>
    Array.from({ length: line.length }, (_, column) => ({ row, column, send: sentAt(drawn, column, row) })),
  );
  const hits = Map.groupBy(
    spots.filter(({ send }) => send !== undefined),
    ({ row, send }) => `${row} ${JSON.stringify(send)}`,
  );
  const clicks = [...hits].map(([what, same]) => `${same[0]?.column}-${same.at(-1)?.column} ${what}`);
  const heard = [...remarks.map(({ text }) => text), ...(prompt ? [prompt] : [])].join('\n');
  const lines = [
    ...seen.replaceAll(codes, '').split('\n'),
    ...heard.split('\n').map((line) => `    ${line}`),
    ...(session.now().state.size.columns === usual.columns ? [`    clicks: ${clicks.join(' | ')}`] : []),
    ...session
      .now()
      .bindings.filter(({ refused }) => refused !== undefined)
      .map(({ keys, title, refused }) => `    not now: ${keys[0]} ${title}: ${refused}`),
    ...stylesOf(seen),
  ];
  const code = /\bType ([a-z]{4}) and\b/.exec(heard)?.[1] ?? 'no code';
  return lines.map((line) =>
    line
      .replace(/(?<=\bType )[a-z]{4}(?= and\b)/, 'CODE')
      .replace(`bold: ${code}`, 'bold: CODE')
      .replace(/(?<=127\.0\.0\.1:)\d{5}/, '00000')
      .trimEnd(),
  );
}

/** Whether the form on top has its languages. */
function isLoaded(session: Session): boolean {
  const top = session.now().state.layers.at(-1);
  return top?.kind !== 'form' || !isWaiting(top);
}

/** Layers that every list has. */
const everywhere = (['openHelp', 'openPalette', 'openSortMenu', 'openTimeMenu', 'openSearch'] as const).map(
  (type): readonly [string, Message] => [type, { type }],
);

const lists = screens.flatMap((screen) => screen.lists.map((list, at) => [list.id, screen, list, at] as const));

test.each(lists)('the list %s looks as it was reviewed', (id, screen, list, at) =>
  journey(async ({ session, settles }) => {
    const pages: string[] = [];
    /** A page without empty lines, and without those that stood there `before`; or `aside`, without what is seen. */
    const show = (title: string, before: readonly string[] = [], aside = false) => {
      const lines = linesOf(session).filter((line) => !aside || line.startsWith('    '));
      const other = lines
        .filter((line) => !before.includes(line) && !(aside && line.startsWith('    clicks: ')))
        .map((line) => (before.length > 0 ? line.replace(clickedTabs, '$1') : line))
        .filter((line) => !/^(│? *│?| {4}clicks: )$/.test(line));
      pages.push([`# ${title}`, ...byStyle(other)].join('\n'));
      return lines;
    };
    const closeLayers = () => {
      while (session.now().state.layers.length > 0) session.send({ type: 'closeLayer' });
    };
    session.send({ type: 'openScreen', id: screen.id });
    if (at > 0) session.send({ type: 'moveTab', by: at });
    await settles();
    const before = show('the list');
    const { view, context } = session.now();
    const orders = list.columns.map(({ id: by }) =>
      sorted(list, [...view.rows.values()], { by, down: false }, context).join(),
    );
    const titles = upTo(8, 120).map((width) => looksOf(listTitle(session.now(), theme, width, view.ids)));
    pages[0] += `\n    sorted by each column, titles of each width: ${firstOf([...orders, ...titles], 1)}`;
    for (const { keys, run, title } of session.now().bindings.filter(({ refused }) => refused === undefined)) {
      const action = run.type === 'startAction' && list.actions.find((one) => one.id === run.id);
      // Those that always ask, so that nothing is sent.
      if (!action || !(action.form || action.pick || action.removes || (action.bar && !action.values))) continue;
      session.send(run);
      await settles();
      await vi.waitFor(() => expect(isLoaded(session)).toBe(true));
      if (session.now().state.layers.length > 0) {
        const usually = show(`${keys[0]} ${title}`, before);
        session.send({ type: 'setSize', ...narrow });
        show(`${keys[0]} ${title} at 60x16`, usually);
        session.send({ type: 'setSize', ...usual });
      }
      closeLayers();
    }
    for (let row = 2; row <= Math.min(10, session.now().view.ids.length); row += 1) {
      session.send({ type: 'moveCursor', by: 1 });
      show(`row ${row}`, before, true);
    }
    session.send({ type: 'moveToEnd', last: false });
    session.send({ type: 'openCopyMenu' });
    show('copy', before);
    closeLayers();
    session.send({ type: 'setSize', ...wide });
    const broad = linesOf(session);
    session.send({ type: 'openCommandMenu' });
    show('copy an action', broad);
    session.send({ type: 'setSize', ...usual });
    closeLayers();
    for (const size of at === 0 ? sizes : []) {
      session.send({ type: 'setSize', ...size });
      if (size !== usual) show(`at ${size.columns}x${size.rows}`);
    }
    for (const [title, message] of at === 0 ? everywhere : []) {
      // A palette has every screen: those of a board and of a table are enough, and a new screen changes no others.
      if (message.type === 'openPalette' && !['home', 'monitors'].includes(id)) continue;
      session.send(message);
      await settles();
      show(title, before);
      closeLayers();
    }
    session.send({ type: 'markAll' });
    show('all marked', before);
    session.send({ type: 'goBack' });
    session.send({ type: 'openCurrent' });
    await settles();
    for (const tab of session.now().view.detail?.tabs ?? []) {
      await settles();
      // The raw object is what the simulator has answered.
      if (tab.id !== 'raw')
        for (const size of [usual, narrow]) {
          session.send({ type: 'setSize', ...size });
          show(`tab ${tab.id}${size === usual ? '' : ` at ${size.columns}x${size.rows}`}`, before);
        }
      session.send({ type: 'setSize', ...usual });
      session.send({ type: 'moveTab', by: 1 });
    }
    await expect(`${pages.join('\n\n')}\n`).toMatchFileSnapshot(`../support/stored/looks/${id}.txt`);
  }, setting)(),
);
