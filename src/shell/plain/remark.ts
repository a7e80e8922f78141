import { joinPainted, type Painted, plain, sliced } from '../../lib/painted.ts';
import type { Remark } from '../../scene/speech.ts';

/** What there is to hear at one moment. */
export interface Hearing {
  /** Where the person is, from the list to the layer on top; remarks are of the last one. */
  readonly path: readonly string[];
  readonly remarks: readonly Remark[];
  /** The line that is typed into, with what is typed; it is echoed as it grows. */
  readonly prompt?: Painted | undefined;
}

interface Memory {
  readonly token: string;
  readonly text: Painted;
  readonly at: number;
}

type Memories = ReadonlyMap<string, Memory>;

/** What has been said so far. */
export interface Said {
  readonly place: string;
  /** Of each place of the path. */
  readonly places: ReadonlyMap<string, Memories>;
  readonly lasting: Memories;
  /** The prompt as written, on a line that has no end yet. */
  readonly prompt?: Painted | undefined;
}

export const nothingSaid: Said = { place: '', places: new Map(), lasting: new Map() };

/** Most rows that are said one by one when many change at once. */
const mostNews = 5;

/**
 * What a person has not heard yet, as text to append to the terminal, and what is said then. Nothing is said twice; a
 * prompt that only grew is continued on its line.
 */
export function unsaid(spoken: Said, hearing: Hearing, now: number): { readonly text: Painted; readonly said: Said } {
  const place = hearing.path.at(-1) ?? '';
  const before = spoken.places.get(place);
  const isReturn = before !== undefined && spoken.place !== place;
  const ownMemory = new Map<string, Memory>();
  const lasting = new Map(spoken.lasting);
  const due: Remark[] = [];
  for (const remark of hearing.remarks) {
    const memory = (remark.lasting ? spoken.lasting : before)?.get(remark.about);
    const isDue = isUnsaid(remark, memory, now) || (isReturn && remark.orients === true);
    (remark.lasting ? lasting : ownMemory).set(remark.about, isDue || !memory ? memoryOf(remark, now) : memory);
    if (isDue) due.push(remark);
  }
  const places = new Map([...spoken.places].filter(([key]) => hearing.path.includes(key)));
  places.set(place, ownMemory);
  return {
    text: appended(spoken.prompt, linesOf(due, before === undefined), hearing.prompt, spoken.place !== place),
    said: { place, places, lasting, prompt: hearing.prompt },
  };
}

/** The texts of remarks: of news only the first few, and none in a place that is new. */
function linesOf(remarks: readonly Remark[], isNew: boolean): readonly Painted[] {
  const spoken = remarks.filter(({ text, news }) => text !== '' && !(news && isNew));
  const more = spoken.filter(({ news }) => news).slice(mostNews);
  const lines = spoken.filter((remark) => !more.includes(remark)).map(({ text }) => text);
  return more.length > 0 ? [...lines, plain`and ${more.length} more`] : lines;
}

const tokenOf = ({ token, text }: Remark): string => token ?? text;

const memoryOf = (remark: Remark, at: number): Memory => ({ token: tokenOf(remark), text: remark.text, at });

function isUnsaid(remark: Remark, memory: Memory | undefined, now: number): boolean {
  if (!memory || memory.token !== tokenOf(remark)) return true;
  return remark.everyMs !== undefined && memory.text !== remark.text && now - memory.at >= remark.everyMs;
}

/** The lines, and the prompt at their end: continued where it only grew and nothing else is said. */
function appended(open: Painted | undefined, lines: readonly Painted[], prompt: Painted | undefined, isNew: boolean) {
  const isSame = open !== undefined && prompt !== undefined && !isNew && lines.length === 0;
  if (isSame && prompt.startsWith(open)) return sliced(prompt, open.length);
  const end = open === undefined || (lines.length === 0 && prompt === open) ? plain`` : plain`\n`;
  return plain`${end}${joinPainted(lines.map((line) => plain`${line}\n`))}${prompt ?? plain``}`;
}
