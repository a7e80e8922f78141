import { expect, test } from 'vitest';
import { screens } from '../../screens/index.ts';
import type { DetailLine, Section } from '../../src/describe/column.ts';
import { layoutPage } from '../../src/lib/detail-page.ts';
import { paint } from '../../src/lib/paint.ts';
import { createTheme } from '../../src/scene/theme.ts';
import type { Session } from '../../src/session/session.ts';
import { readStanding } from '../../src/shell/header.ts';
import { scene } from '../../src/shell/scene.ts';
import { journey } from '../support/journey.tsx';
import { textsOf } from '../support/line-examples.ts';
import { keyFaults } from './screens.ts';

const theme = createTheme({ name: 'default', noColor: false, ascii: false });
const size = { columns: 120, rows: 40 };
/** Lines that the page of a detail has at this size: without header, foot, borders and tabs. */
const room = 34;

function frameOf(session: Session): string {
  const { blocks } = scene(session.now(), { theme, pending: new Set(), standing: readStanding(session, false) });
  return textsOf(blocks.flatMap(({ lines }) => lines.map(({ spans }) => spans))).join('\n');
}

/** What each line begins with, as far as no column cuts or wraps it. */
function beginning(line: DetailLine): string {
  const said = line.kind === 'pair' ? line.value : 'text' in line ? line.text : '';
  return (paint(said.split(/\r\n|[\n\r]/)[0] ?? '').split(' ')[0] ?? '').slice(0, 30);
}

/** Sections of at most 30 lines that this frame does not show to their end. */
function hiddenSections(sections: readonly Section[], frame: string): string[] {
  return sections.flatMap(({ id, title, lines }) => {
    const alone = layoutPage([{ id, title: '', lines }], 57, room);
    if (lines.length === 0 || alone.height > 30) return [];
    const missing = [paint(title), ...lines.map(beginning)].filter((text) => !frame.includes(text));
    return missing.length === 0 ? [] : [`${id}: ${missing.join(', ')}`];
  });
}

test.each(
  screens.filter((screen) => screen.lists.some((list) => list.detail)).map((screen) => [screen.id, screen] as const),
)('%s: a detail at 120x40 shows every section of up to 30 lines without a key', (_, screen) =>
  journey(
    async ({ session }) => {
      const faults: string[] = [];
      const shown = { details: 0 };
      session.send({ type: 'setSize', ...size });
      session.send({ type: 'openScreen', id: screen.id });
      for (const list of screen.lists) {
        await rests(session);
        session.send({ type: 'openCurrent' });
        for (let row = 0; row < 12 && session.now().view.detail; row += 1) {
          await rests(session);
          const { detail, cursorAt: at } = session.now().view;
          const [page] = detail?.tabs ?? [];
          if (page?.kind !== 'page') throw new Error(`${list.id}: its first tab is no page`);
          shown.details += 1;
          faults.push(...keyFaults([{ list, bindings: session.now().bindings }]));
          faults.push(...hiddenSections(page.sections, frameOf(session)).map((text) => `${list.id} ${at}: ${text}`));
          session.send({ type: 'moveItem', by: 1 });
        }
        for (const message of [{ type: 'openFind' }, { type: 'pasteText', text: 'a' }, { type: 'choose' }] as const)
          if (session.now().view.detail) session.send(message);
        faults.push(...keyFaults([{ list, bindings: session.now().bindings }]));
        while (session.now().view.detail) session.send({ type: 'goBack' });
        session.send({ type: 'moveTab', by: 1 });
      }
      expect(faults).toEqual([]);
      expect(shown.details).toBeGreaterThan(0);
    },
    { monitors: 60, issues: 30 },
  )(),
);

test('the law reports a section that is hidden', () => {
  const lines = Array.from({ length: 20 }, (_, at): DetailLine => ({ kind: 'text', text: `line${at} of it` }));
  const one: Section = { id: 'one', title: 'one', lines };
  const frame = ['one', ...lines.slice(0, 19).map((line) => (line.kind === 'text' ? line.text : ''))].join('\n');
  expect(hiddenSections([one], frame)).toEqual(['one: line19']);
  expect(hiddenSections([{ ...one, lines: [...lines, ...lines] }], '')).toEqual([]);
});

/** Waits until list and detail have been read. */
async function rests(session: Session): Promise<void> {
  for (;;) {
    const { read, detail } = session.now().view;
    const hasEnded = read.value !== undefined || read.problem !== undefined;
    if (hasEnded && !read.asking && !read.partial && !detail?.whole.asking) return;
    await new Promise((done) => setTimeout(done, 5));
  }
}
