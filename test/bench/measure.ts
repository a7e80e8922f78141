import { type Kind, kinds, queryLetter } from './kinds.ts';
import { startLargeOrganization } from './large-organization.ts';
import { type Judged, type MeasuredProgram, openDashboard, settlesPaused, unpolled } from './measured-program.ts';
import { quantile } from './quantile.ts';

/** What the keys of one kind cost. */
export interface Keys {
  readonly kind: string;
  readonly bytes: number;
  readonly fewest: number;
  readonly ratio: number;
  /** Cells that were changed on the way although they ended as they were, all keys of a round. */
  readonly blink: number;
  /** Milliseconds from the key to the last byte; the pseudo-terminal's own are in it. */
  readonly p50: number;
  readonly p95: number;
}

/** The dashboard at one size. */
export interface Size {
  readonly size: string;
  readonly keys: readonly Keys[];
  readonly memoryAtStartMb: number;
  readonly memoryAfterKeysMb: number;
}

const judgedRounds = 3;
/** Of each kind: with a fifth of them p95 would be the longest. */
const measuredKeys = 100;
const manyKeys = 1000;

/** Bytes of the middle key, and the waste of all. */
export async function measureKind(program: MeasuredProgram, kind: Kind): Promise<Keys> {
  const { judged, measured } = await program.rounds(kind, judgedRounds, measuredKeys);
  const sum = (of: (answer: Judged) => number) => judged.reduce((all, answer) => all + of(answer), 0);
  const ms = measured.map((answer) => answer.ms);
  return {
    kind: kind.what,
    bytes: quantile(
      judged.map((answer) => answer.bytes),
      0.5,
    ),
    fewest: quantile(
      judged.map((answer) => answer.fewest),
      0.5,
    ),
    ratio: sum((answer) => answer.bytes) / sum((answer) => answer.fewest),
    blink: sum((answer) => answer.blink),
    p50: quantile(ms, 0.5),
    p95: quantile(ms, 0.95),
  };
}

/** All kinds of keys at one size, and 1,000 moves. */
export async function measureSize(size: readonly [number, number], home: string): Promise<Size> {
  const program = await openDashboard(size, home, 60, unpolled());
  try {
    const memoryAtStartMb = program.memoryMb();
    await settlesPaused(program);
    const keys: Keys[] = [];
    for (const kind of kinds) keys.push(await measureKind(program, kind));
    for (let key = 0; key < manyKeys; key += 50) await program.press('jk'.repeat(25));
    const memoryAfterKeysMb = program.memoryMb();
    keys.push(await measureKind(program, queryLetter));
    return { size: size.join('x'), keys, memoryAtStartMb, memoryAfterKeysMb };
  } finally {
    await program.close();
  }
}

/** Keys of a list with many rows at 120x40. */
export interface RowKeys extends Pick<Size, 'size' | 'keys'> {
  readonly rows: number;
  /** Milliseconds from the very first letter of a filter, which needs the text of each row, to the last byte. */
  readonly firstLetterMs: number;
  /** The same of `m` when all rows are marked, and of a move among them (p95). */
  readonly muteBarMs: number;
  readonly markedMoveMs: number;
}

/** Measures keys of a list with so many thousand rows; they are read within two minutes on a busy machine. */
export async function measureRows(thousands: number, home: string): Promise<RowKeys> {
  const organization = await startLargeOrganization(thousands);
  const { url, apiKey, appKey } = organization;
  const large = {
    args: ['--base-url', url],
    env: { ORGDECK_API_KEY: apiKey, ORGDECK_APP_KEY: appKey },
    shows: new RegExp(`1-\\d+/${thousands}000\\b`),
    within: 120_000,
  };
  const program = await openDashboard([120, 40], home, 60, unpolled(large));
  try {
    await settlesPaused(program);
    await program.press('/');
    const { ms: firstLetterMs } = await program.press('k');
    await program.press('\u001b');
    const inLists = kinds.filter(({ what }) => ['move one row', 'half a page', 'a filter letter'].includes(what));
    const keys: Keys[] = [];
    for (const kind of inLists) keys.push(await measureKind(program, kind));
    await program.press('*');
    const { ms: muteBarMs } = await program.press('m');
    await program.press('\u001b');
    const marked = await measureKind(program, kinds[0] as Kind);
    return {
      rows: thousands * 1000,
      size: `120x40, ${thousands},000 rows`,
      keys,
      firstLetterMs,
      muteBarMs,
      markedMoveMs: marked.p95,
    };
  } finally {
    await program.close();
    await organization.stop();
  }
}
