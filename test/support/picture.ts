import type { Cell, Pty } from './terminal.ts';

/** Cell size in pixels, near that of common monospaced fonts at 14 pixels. */
const CELL = { width: 8.4, height: 18, font: 14, drop: 13.5 };
const EDGE = 10;
const GROUND = '#14161b';
const INK = '#d5d8de';
/** The 16 colors of the terminal, in its order. */
const PALETTE = [
  ...['#3b4048', '#e06c75', '#8cc265', '#d9b26a', '#61a5e8', '#c07bd8', '#4fb8b8', '#c8ccd4'],
  ...['#6b7280', '#ff7b86', '#a5e075', '#f0c674', '#74b9ff', '#de94f5', '#62d6d6', '#ffffff'],
];

/** The sixteen colors as a light terminal shows them. */
const LIGHT = ['#24292f', '#c0232f', '#2b7a1f', '#8a6100', '#1b62b8', '#9326b5', '#0c7a7a', '#6b7280'];
const onLight = new Map([
  [GROUND, '#fcfcfa'],
  [INK, '#24292f'],
  ...PALETTE.map((dark, at): [string, string] => [dark, LIGHT[at % LIGHT.length] ?? dark]),
]);

interface Run {
  readonly column: number;
  cells: number;
  text: string;
  readonly style: string;
  readonly cell: Cell;
}

/** The screen as an SVG, with one text per run of equal cells to keep columns aligned. */
export function picture(pty: Pty, columns: number, rows: number, isLight = false): string {
  const svg = drawnDark(pty, columns, rows);
  return isLight ? svg.replace(/#[0-9a-f]{6}(?=")/g, (dark) => onLight.get(dark) ?? dark) : svg;
}

function drawnDark(pty: Pty, columns: number, rows: number): string {
  return framed(columns, rows, drawnRows(pty, columns, rows));
}

/** A moment of a moving picture: what each row shows, what is said below them, and for how many seconds. */
export interface Moment {
  readonly rows: readonly string[];
  readonly caption: string;
  readonly seconds: number;
}

/** What the screen shows now, as a moment. */
export const moment = (pty: Pty, columns: number, rows: number, caption: string, seconds: number): Moment => ({
  rows: drawnRows(pty, columns, rows),
  caption,
  seconds,
});

/** Moments as one SVG that repeats them: a row that stays is drawn once. Who wants no motion sees the last one. */
export function movingPicture(moments: readonly Moment[], columns: number, rows: number): string {
  const whole = moments.reduce((sum, { seconds }) => sum + seconds, 0);
  const starts = moments.map((_, at) => moments.slice(0, at).reduce((sum, { seconds }) => sum + seconds, 0));
  const percent = (at: number) => n(((starts[at] ?? whole) / whole) * 100);
  const styles = new Map<string, string>();
  const shownFrom = (from: number, to: number, drawing: string) => {
    if (drawing === '') return '';
    if (from === 0 && to === moments.length) return drawing;
    const name = `s${from}-${to}`;
    const steps = `${from > 0 ? '0%{visibility:hidden}' : ''}${percent(from)}%{visibility:visible}${percent(to)}%{visibility:hidden}`;
    const rest = to === moments.length ? 'visible' : 'hidden';
    styles.set(
      name,
      `.${name}{visibility:${rest};animation:${name} ${n(whole)}s step-end infinite}@keyframes ${name}{${steps}}`,
    );
    return `<g class="${name}">${drawing}</g>`;
  };
  const captioned = moments.map((one) => [...one.rows, captionLine(one.caption, rows)]);
  const lines = Array.from({ length: rows + 1 }, (_, row) => {
    const begins = captioned.flatMap((drawn, at) => (at === 0 || drawn[row] !== captioned[at - 1]?.[row] ? [at] : []));
    return begins.map((at, k) => shownFrom(at, begins[k + 1] ?? moments.length, captioned[at]?.[row] ?? '')).join('');
  });
  const still = '@media (prefers-reduced-motion:reduce){g{animation:none!important}}';
  return framed(columns, rows + 2, [`<style>${[...styles.values()].join('')}${still}</style>`, ...lines]);
}

const captionLine = (caption: string, rows: number) =>
  `<text x="${EDGE}" y="${n(EDGE + (rows + 1) * CELL.height + CELL.drop)}" fill="${PALETTE[11]}">${escaped(caption)}</text>`;

const drawnRows = (pty: Pty, columns: number, rows: number): string[] =>
  Array.from({ length: rows }, (_, row) => {
    const found = runs(pty, columns, row);
    return grounds(found, row) + found.map((run) => drawn(run, row)).join('');
  });

function framed(columns: number, rows: number, lines: readonly string[]): string {
  const width = columns * CELL.width + 2 * EDGE;
  const height = rows * CELL.height + 2 * EDGE;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${n(width)}" height="${n(height)}" viewBox="0 0 ${n(width)} ${n(height)}">`,
    `<rect width="100%" height="100%" rx="6" fill="${GROUND}"/>`,
    `<g font-family="ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,'Noto Sans Mono CJK SC',monospace" font-size="${CELL.font}" fill="${INK}">`,
    ...lines.filter((line) => line !== ''),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** Runs of equally styled cells. Non-ASCII characters are runs of their own, because their fallback font may differ in width. */
function runs(pty: Pty, columns: number, row: number): Run[] {
  const found: Run[] = [];
  for (let column = 0; column < columns; column++) {
    const cell = pty.cell(column, row);
    if (cell.width === 0) continue;
    const style = [cell.foreground, cell.background, cell.isBold, cell.isDim, cell.isInverse, cell.isUnderlined].join();
    const last = found.at(-1);
    const isPlain = /^[ -~]$/.test(cell.text);
    if (last?.style === style && isPlain && /^[ -~]+$/.test(last.text)) {
      last.text += cell.text;
      last.cells += cell.width;
    } else found.push({ column, cells: cell.width, text: cell.text, style, cell });
  }
  return found;
}

/** Background rectangles, merged where equal to avoid seams. */
function grounds(found: readonly Run[], row: number): string {
  const pieces: { column: number; cells: number; fill: string }[] = [];
  for (const { column, cells, cell } of found) {
    const { back: fill } = colors(cell);
    const last = pieces.at(-1);
    if (last?.fill === fill) last.cells += cells;
    else pieces.push({ column, cells, fill });
  }
  return pieces
    .filter(({ fill }) => fill !== GROUND)
    .map(({ column, cells, fill }) => {
      const place = `x="${n(EDGE + column * CELL.width)}" y="${n(EDGE + row * CELL.height)}"`;
      return `<rect ${place} width="${n(cells * CELL.width)}" height="${CELL.height}" fill="${fill}"/>`;
    })
    .join('');
}

/** Lines of a frame, as the sides of the cell that they reach: fonts leave gaps between rows. */
const FRAME: Readonly<Record<string, string>> = {
  ...{ '│': 'ud', '─': 'lr', '┌': 'rd', '┐': 'ld', '└': 'ru', '┘': 'lu' },
  ...{ '├': 'udr', '┤': 'udl', '┬': 'lrd', '┴': 'lru', '┼': 'udlr' },
};

function drawn({ column, cells, text, cell }: Run, row: number): string {
  const { front } = colors(cell);
  const x = EDGE + column * CELL.width;
  const y = EDGE + row * CELL.height;
  const sides = FRAME[text];
  if (sides !== undefined) {
    const middle = `M${n(x + CELL.width / 2)} ${n(y + CELL.height / 2)}`;
    const ends: Readonly<Record<string, string>> = {
      u: `V${n(y)}`,
      d: `V${n(y + CELL.height)}`,
      l: `H${n(x)}`,
      r: `H${n(x + CELL.width)}`,
    };
    const path = [...sides].map((side) => `${middle}${ends[side]}`).join('');
    return `<path d="${path}" stroke="${front}" fill="none"${cell.isDim ? ' opacity="0.65"' : ''}/>`;
  }
  // Blank ends are cut, so `textLength` is that of the rest.
  const start = text.length - text.trimStart().length;
  const shown = text.trim();
  if (shown === '') return '';
  const spread = /^[ -~]+$/.test(shown) ? shown.length : cells;
  const looks = [
    front === INK ? '' : ` fill="${front}"`,
    cell.isBold ? ' font-weight="bold"' : '',
    cell.isDim ? ' opacity="0.65"' : '',
    cell.isUnderlined ? ' text-decoration="underline"' : '',
  ].join('');
  const at = `x="${n(x + start * CELL.width)}" y="${n(y + CELL.drop)}" textLength="${n(spread * CELL.width)}"`;
  return `<text ${at} lengthAdjust="spacingAndGlyphs" xml:space="preserve"${looks}>${escaped(shown)}</text>`;
}

function colors(cell: Cell): { readonly front: string; readonly back: string } {
  const front = color(cell.foreground, INK);
  const back = color(cell.background, GROUND);
  return cell.isInverse ? { front: back, back: front } : { front, back };
}

function color(name: string, plain: string): string {
  if (name === 'default') return plain;
  return name.startsWith('#') ? name : (PALETTE[Number(name)] ?? plain);
}

const n = (value: number) => String(Math.round(value * 10) / 10);

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
