import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { paint } from '../../src/lib/paint.ts';
import type { Spans } from '../../src/scene/scene.ts';
import { type Span, spanCells } from '../../src/scene/span.ts';

/**
 * Outputs as texts that are stored and reviewed. Of what nobody would read through an entry or two stand to be read, and a digest of the
 * others: TEST_SWEEPS=FOLDER writes all of them whole into a folder, here and in another checkout, to compare the two.
 */

const signs = { bold: '*', inverse: '!', underline: '_', keep: '+', field: '#' } as const;
type Sign = keyof typeof signs;

const lookOf = (span: Span): string => {
  const marks = Object.entries(signs).map(([name, sign]) => (span[name as Sign] ? sign : ''));
  return [span.tone === 'plain' ? '' : (span.tone ?? ''), ...marks, span.target ? `@${span.target}` : ''].join('');
};

/** A line with its looks: `{bad*!:ALERT} Disk`; what is plain stands alone. */
export function looksOf(spans: Spans): string {
  const parts: { readonly look: string; text: string }[] = [];
  for (const span of spans) {
    const [look, last] = [lookOf(span), parts.at(-1)];
    if (last?.look === look) last.text += span.text;
    else if (span.text !== '') parts.push({ look, text: span.text });
  }
  return parts.map(({ look, text }) => (look === '' ? text : `{${look}:${text}}`)).join('');
}

/** The line that is written so. */
export const spansOf = (written: string): readonly Span[] =>
  Array.from(written.matchAll(/\{([a-z]*)([*!_+#]*)(?:@(\w+))?:([^}]*)\}|[^{]+/g), (found): Span => {
    const [bare, tone, marks = '', target, text = bare] = found;
    const marked = (Object.keys(signs) as Sign[]).filter((name) => marks.includes(signs[name]));
    const look = Object.fromEntries(marked.map((name) => [name, true]));
    return { text: paint(text), ...(tone && { tone: tone as Span['tone'] }), ...(target && { target }), ...look };
  });

/** Lines without blanks at their ends. Of those that fill a width long rows of a sign are cut, and told is where one does not fill it. */
export const writtenLines = (lines: readonly Spans[], width?: number): string =>
  lines
    .map((line) => {
      const text = looksOf(line).trimEnd();
      if (width === undefined) return text;
      const short = text.replace(/ {3,}/g, '  ~').replace(/─{3,}/g, '──~');
      return spanCells(line) === width ? short : `${short} ≠ ${spanCells(line)} of ${width}`;
    })
    .join('\n');

/** Every integer from the first to the last. */
export const upTo = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);

const isWhole = (): boolean => process.env.TEST_SWEEPS !== undefined;

const digest = (lines: readonly string[]): string =>
  createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 12);

const more = (lines: readonly string[]): string => `and ${lines.length} more: ${digest(lines)}`;

/** The first lines of more, and a digest of the others. */
export const firstOf = (lines: readonly string[], few: number): readonly string[] =>
  lines.length <= few || isWhole() ? lines : [...lines.slice(0, few - 1), more(lines.slice(few - 1))];

/** Of entries those that say what none did before, and a digest of the others. */
export function unreadOf(entries: readonly string[], read: Set<string>, says = (entry: string) => entry) {
  if (isWhole()) return entries;
  const { true: fresh = [], false: others = [] } = Object.groupBy(entries, (entry) => `${!read.has(says(entry))}`);
  for (const entry of fresh) read.add(says(entry));
  return others.length === 0 ? fresh : [...fresh, more(others)];
}

/** A title with a digest of each part, so that a failure says which of them differs. */
export const digests = (title: string, parts: Readonly<Record<string, readonly string[]>>): readonly string[] =>
  isWhole()
    ? [title, ...Object.values(parts).flat()]
    : [
        `${title}: ${Object.entries(parts)
          .map(([name, lines]) => `${name} ${digest(lines)}`)
          .join(', ')}`,
      ];

/** Entries that are stored of a sweep; of more the first and the last, or of several lines the middle one, and a digest of the others. */
const most = 2;

/** What a function says, or draws, of each number: one entry for all neighbors that it says the same of. */
export function sweep(
  title: string,
  numbers: readonly number[],
  say: (number: number) => string | readonly Spans[],
): string {
  const runs: { readonly first: number; last: number; readonly text: string }[] = [];
  for (const number of numbers) {
    const said = say(number);
    const text = typeof said === 'string' ? said : writtenLines(said);
    const run = runs.at(-1);
    if (run?.text === text) run.last = number;
    else runs.push({ first: number, last: number, text });
  }
  const entries = runs.map(({ first, last, text }) => {
    const range = first === last ? `${first}` : `${first}-${last}`;
    return text.includes('\n') ? `${range}:\n${text.replace(/^/gm, '    ')}` : `${range}: ${text}`;
  });
  const middle = Math.floor(entries.length / 2);
  const isLong = entries[middle]?.includes('\n') ?? false;
  const shown = isLong ? [middle] : [0, entries.length - 1];
  const others = entries.filter((_, at) => !shown.includes(at));
  const told = entries.length <= most || isWhole() ? entries : [...shown.map((at) => entries[at]), more(others)];
  return `# ${[title, ...told].join(isLong || isWhole() ? '\n' : ' | ')}`;
}

const stored = fileURLToPath(new URL('stored/', import.meta.url));

/** Compares with what was reviewed. */
export async function storedAs(name: string, entries: readonly string[]): Promise<void> {
  const text = `${entries.join('\n')}\n`;
  const { TEST_SWEEPS: folder } = process.env;
  if (folder) return writeFileSync(join(folder, `${name.replace('/', '-')}.txt`), text);
  const file = relative(process.cwd(), expect.getState().testPath ?? '');
  const how = `To see what a digest stands for, run here and in another checkout TEST_SWEEPS=FOLDER npx vitest run --project units ${file}`;
  await expect(text, how).toMatchFileSnapshot(`${stored}${name}.txt`);
}
