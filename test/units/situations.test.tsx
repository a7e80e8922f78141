import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from 'vitest';
import type { Spans } from '../../src/scene/scene.ts';
import { createTheme } from '../../src/scene/theme.ts';
import type { Session } from '../../src/session/session.ts';
import type { Message } from '../../src/session/state/message.ts';
import type { Moment } from '../../src/session/state/moment.ts';
import { readStanding, type Standing } from '../../src/shell/header.ts';
import { toHearing } from '../../src/shell/plain.ts';
import { scene } from '../../src/shell/scene.ts';
import { journey } from '../support/journey.tsx';
import { firstOf, storedAs } from '../support/sweeps.ts';

const noon = Date.UTC(2026, 4, 6, 12);
const theme = createTheme({ name: 'default', noColor: false, ascii: false });
/** Spans, each with what it has besides its text. */
const told = (spans: Spans = []): string =>
  spans
    .map(({ text, tone = 'plain', bold, keep, inverse, target }) => {
      const more = [
        tone === 'plain' ? '' : tone,
        bold ? 'bold' : '',
        keep ? 'keep' : '',
        inverse ? 'inverse' : '',
        target ?? '',
      ].join(' ');
      return more.trim() === '' ? text : `${text}<${more.trim()}>`;
    })
    .join('');

/**
 * A value with what is other than in it, as JSON: members in members and items by their numbers, other arrays whole. `null` is
 * undefined, `"now-5"` a time in milliseconds, `{"set":[…]}` a set, `{"map":[…]}` a map, `{"returns":…}` a function.
 */
function merged(value: unknown, other: unknown): unknown {
  if (other === null) return undefined;
  if (typeof other === 'string' && /^now([+-]\d+)?$/.test(other)) return noon + Number(other.slice(3));
  if (Array.isArray(other)) return other.map((item) => merged(undefined, item));
  if (typeof other !== 'object') return other;
  const { set, map, returns } = other as Record<'set' | 'map' | 'returns', [] | undefined>;
  if (set) return new Set(set);
  if (map) return new Map(map);
  if ('returns' in (other as object))
    return ({ id }: { id: string }) => (/issues|monitors/.test(id) ? returns : undefined);
  const own = value as Record<string, unknown> | undefined;
  const members = Object.entries(other as object).map(([name, one]) => [name, merged(own?.[name], one)]);
  return Object.assign(Array.isArray(own) ? [...own] : { ...own }, Object.fromEntries(members));
}

/** What is seen, with its tones and what choosing a line sends; and what is heard, with what decides whether it is said again. */
function linesOf(session: Session, other: object): readonly string[] {
  const usual = { ...readStanding(session, false), origin: 'https://api.example.test' };
  const { standing, pending = [], ...moment } = other as { standing?: object; pending?: readonly string[] };
  const now = merged(session.now(), moment) as Moment;
  const stands = merged(usual, standing ?? {}) as Standing;
  const { header, blocks, message, hints } = scene(now, { theme, pending: new Set(pending), standing: stands });
  const { profile, screens } = stands;
  const { path, remarks, prompt } = toHearing({ ...session, profile, screens, now: () => now });
  return [
    told(header?.spans),
    ...blocks.flatMap(({ x, y, width, height, active, border = '', lines, ...block }) => [
      `${x},${y} ${width}x${height} ${border}${active ? ' active' : ''} ${told(block.title)} ${told(block.titleRight)}`,
      ...lines.map(
        ({ spans, isCursor, send }) => `${isCursor ? '> ' : ''}${told(spans)}${send ? ` ${JSON.stringify(send)}` : ''}`,
      ),
      `${told(block.foot)} ${told(block.footRight)}`,
    ]),
    ...[...message, ...hints].map(({ spans }) => told(spans)),
    ...remarks.map(({ text, token, orients, news }) => `  ${text} ${JSON.stringify([token, orients, news])}`),
    `  ${path.join(' ')}: ${prompt}`,
  ].map((line) => line.replaceAll(/(?<=127\.0\.0\.1:)\d{5}/g, '00000'));
}

const steps: Record<string, readonly Message[]> = {
  monitors: [{ type: 'openScreen', id: 'monitors' }],
  'a monitor': [{ type: 'openScreen', id: 'monitors' }, { type: 'openCurrent' }],
  'its groups': [{ type: 'moveTab', by: 1 }],
  home: [{ type: 'openScreen', id: 'home' }],
  'the messages': [
    { type: 'openScreen', id: 'monitors' },
    { type: 'openTimeline', view: 'messages' },
  ],
  'what is copied': [{ type: 'closeLayer' }, { type: 'openCopyMenu' }],
  'a filter': [{ type: 'closeLayer' }, { type: 'openFilter' }],
  'a form': [{ type: 'closeLayer' }, { type: 'openSearch' }],
};

/**
 * Each situation of a stored file is a place, a title and what is other than usual; below it stands what is then seen and heard
 * otherwise. Add one, run `npm run stored`, and read what came.
 */
test.each(['layers', 'headers', 'messages', 'lists', 'details', 'boards'])(
  '%s are seen and heard in situations as was reviewed',
  (name) =>
    journey(
      async ({ session, settles }) => {
        const path = fileURLToPath(new URL(`../support/stored/situations/${name}.txt`, import.meta.url));
        const pages: string[] = [];
        let [at, usual]: [string, readonly string[]] = ['', []];
        for (const [head, place = '', json = ''] of readFileSync(path, 'utf8').matchAll(/^# (.*?): .*? (\{.*\})$/gm)) {
          const isFirst = place !== at;
          at = place;
          for (const step of isFirst ? (steps[place] ?? []) : []) {
            session.send(step);
            await settles();
          }
          const lines = linesOf(session, JSON.parse(json));
          if (isFirst) usual = lines;
          const other = lines.filter((line) => !usual.includes(line));
          pages.push([head, ...firstOf(isFirst ? lines : other, isFirst ? 12 : 4)].join('\n'));
        }
        await storedAs(`situations/${name}`, pages);
      },
      { columns: 110, rows: 24, monitors: 9, issues: 12, stoppedAt: noon },
    )(),
);
