import { paint } from '../../lib/paint.ts';
import { cells, fit, wrap } from '../../lib/text.ts';
import type { ResolvedSettings } from '../../profiles/resolve-settings.ts';
import type { Io } from '../io.ts';
import { themeFor } from '../output/print.ts';
import { styled } from '../output/style.ts';
import type { DoctorFact } from './fact.ts';

/** `✓ title  text`, wrapped to the terminal, and below it what to do. */
export function printFacts(
  io: Io,
  facts: readonly DoctorFact[],
  settings: Pick<ResolvedSettings, 'theme' | 'ascii'> | undefined,
): void {
  const theme = themeFor(io, { settings: settings ?? { theme: 'default', ascii: false } });
  const { glyphs } = theme;
  const signs = { ok: glyphs.ok, warn: glyphs.warn, bad: glyphs.bad };
  const tones = { ok: 'good', warn: 'warn', bad: 'bad' } as const;
  const titleWidth = Math.max(...facts.map(({ title }) => cells(paint(title))));
  const indent = titleWidth + 4;
  const room = io.isTerminal.stdout ? Math.max(30, (io.size?.().columns ?? 80) - indent) : Number.POSITIVE_INFINITY;
  const lines = facts.flatMap(({ state, title, text, advice = [] }) => {
    const [first = '', ...rest] = fitted(text, room);
    const head = `${styled(signs[state], theme.props(tones[state]))} ${fit(paint(title), titleWidth)}  ${first}`;
    const below = [...rest, ...advice.flatMap((step) => fitted(step, room - 2).map((line) => `  ${line}`))];
    return [head, ...below.map((line) => `${' '.repeat(indent)}${line}`)];
  });
  io.out(`${lines.join('\n')}\n`);
}

const fitted = (text: string, room: number): readonly string[] =>
  Number.isFinite(room) ? wrap(paint(text), room) : [paint(text)];
