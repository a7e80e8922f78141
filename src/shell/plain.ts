import { attempt } from '../lib/function-results.ts';
import { paint } from '../lib/paint.ts';
import { joinPainted, type Painted, plain, sliced } from '../lib/painted.ts';
import { span } from '../lib/time.ts';
import { listTexts, type Remark, rowRemarks, type Speech, spanText, toneWords } from '../scene/span.ts';
import { createTheme } from '../scene/theme.ts';
import { layerKindOf } from '../session/layers/index.ts';
import type { Session } from '../session/session.ts';
import type { LayerPane } from '../session/stack/kind.ts';
import { footHints, type Moment } from '../session/state/moment.ts';
import { noticeText } from '../session/state/state-changes.ts';
import { LEAVE_PASTES, MARK_PASTES } from '../terminal/sequences.ts';
import { attach, type TerminalUse } from './attached.ts';
import { tabStrip } from './header.ts';
import { bodyBlocks, saidNow } from './scene.ts';
import type { Show } from './show.tsx';
import { countsMs } from './speech.ts';

/** Everything there is to hear now: the place in front or the layer over it, and what holds everywhere. */
export function toHearing(session: Session): Hearing {
  const now = session.now();
  const place = attempt(() => placeHearing(now), faultHearing);
  const { name } = session.profile;
  return {
    ...place,
    path: place.path.map((part) => `${name} ${part}`),
    remarks: [profileRemark(session), ...elsewhere(session, now), ...place.remarks, ...messages(now), keysRemark(now)],
  };
}

/** Nothing is cut or wrapped where it is heard. */
const roomy = { width: 1000, height: 1000, theme: createTheme({ name: 'mono', noColor: true, ascii: false }) };

function placeHearing(now: Moment): Hearing {
  const { layers } = now.state;
  const top = layers.at(-1);
  const below = pathOf(now);
  if (!top) return { path: below, remarks: bodyRemarks(now) };
  const pane = layerKindOf(top).lines(top, now, roomy);
  const speech = speechOf(pane);
  const own = layers.map(({ kind }, at) => `layer ${at} ${kind}${kind === top.kind ? (speech.part ?? '') : ''}`);
  return { path: [...below, ...own], remarks: remarksOf(speech), prompt: speech.prompt };
}

/** Where the person is below all layers: the list, and the tab of a detail. */
function pathOf({ view: { list, read, detail } }: Moment): readonly string[] {
  const place = `${list.id}${read.value ? (read.partial ? ' partial' : '') : ' loading'}`;
  return detail ? [place, `${place} ${list.idOf(detail.row)} ${detail.tab.id}`] : [place];
}

/** The list, board or detail in front. */
function bodyRemarks(now: Moment): readonly Remark[] {
  const { read, list, detail } = now.view;
  if (!detail && read.value === undefined) {
    const why = read.problem ? paint(read.problem.text) : plain`loading`;
    return [{ about: 'title', text: plain`${paint(list.title)}: ${why}` }];
  }
  const { theme } = roomy;
  const space = { x: 0, y: 0, width: 80, height: 21 };
  const blocks = bodyBlocks({ ...space, now, theme, pending: new Set(), active: true });
  const stale = detail ? [] : [staleRemark(now)];
  return [...stale, ...blocks.flatMap(({ speech }) => (speech ? remarksOf(speech()) : []))];
}

/** What is heard of a pane: its title, texts and problems, where it does not say otherwise. */
const speechOf = ({ title, lines, speech }: LayerPane): Speech =>
  speech?.() ?? { title: spanText(title), remarks: lines.flatMap(lineRemark) };

function lineRemark({ spans, role }: LayerPane['lines'][number], at: number): readonly Remark[] {
  if (role !== 'text' && role !== 'problem') return [];
  const problem = role === 'problem' ? toneWords.bad : plain``;
  return [{ about: `line ${at}`, text: plain`${problem}${spanText(spans)}` }];
}

const remarksOf = ({ title, remarks = [], rows }: Speech): readonly Remark[] => [
  ...(title === undefined ? [] : [{ about: 'title', text: title }]),
  ...remarks,
  ...(rows ? rowRemarks(rows) : []),
];

/** That the rows are from an earlier run, once; the age is that of the moment. */
function staleRemark({ view: { read }, context }: Moment): Remark {
  const { isFromSnapshot = false, at } = read;
  const age = at === undefined ? plain`` : plain`, ${paint(span(context.now - at, Math.floor))} old`;
  const text = isFromSnapshot ? plain`Stale: rows of an earlier run${age}, until they are read again` : plain``;
  return { about: 'stale', text, token: isFromSnapshot ? 'stale' : '' };
}

/** A place that cannot be said is a sentence, and the keys go on working. */
function faultHearing(fault: string): Hearing {
  const text = plain`Error: this cannot be shown: ${paint(fault)}; q goes back`;
  return { path: ['fault'], remarks: [{ about: 'fault', text }] };
}

function profileRemark({ profile }: Session): Remark {
  const words = listTexts([
    paint(profile.name),
    paint(profile.environment),
    profile.production ? plain`production: edits ask first` : plain``,
    profile.readOnly ? plain`read-only` : plain``,
  ]);
  return { about: 'profile', text: plain`orgdeck, ${words}. ? is help`, lasting: true };
}

/** What needs a person on the other screens, when its number changes. */
function elsewhere(session: Session, now: Moment): readonly Remark[] {
  return tabStrip(session, now)
    .filter(({ isCurrent, needsPerson }) => needsPerson && !isCurrent)
    .map(({ key, name, count }) => ({
      about: `screen ${key}`,
      text: plain`Screen ${key}, ${name}: ${count} ${count === '1' ? plain`needs` : plain`need`} a person`,
      token: '',
      everyMs: countsMs,
      lasting: true,
    }));
}

/** The last message with its keys, and the notices that wait. */
function messages(now: Moment): readonly Remark[] {
  const { state, bindings } = now;
  const { parts = [], tone = 'info', keys } = saidNow(now);
  const text = joinPainted(parts.map((part) => part.text));
  const word = toneWords[tone as keyof typeof toneWords] ?? plain``;
  const key = bindings.find(({ run }) => run.type === 'handleNotice');
  return [
    ...state.notices.map(
      (notice, at): Remark => ({
        about: `notice ${notice.key}`,
        text: plain`Notice: ${paint(noticeText(notice, now.context.now))}${key && at === 0 ? plain`. ${paint(key.keys[0])}: ${paint(key.title)}` : plain``}`,
        token: '',
        lasting: true,
      }),
    ),
    {
      about: 'message',
      text: text === '' ? plain`` : plain`${word}${text}${keys ? plain`. ${keys}` : plain``}`,
      token: `${state.flash?.at ?? ''}\n${text}`,
      lasting: true,
    },
    { about: 'paused', text: state.paused ? plain`Polling paused: :pause resumes` : plain``, lasting: true },
  ];
}

/** The keys of a place, the first time that one of its kind is entered. */
function keysRemark(now: Moment): Remark {
  const top = now.state.layers.at(-1);
  const isSpoken = top === undefined || ['timeline', 'profiles', 'results', 'text', 'job'].includes(top.kind);
  const keys = footHints(now)
    .filter(({ disabled }) => !disabled)
    .map(({ keys, title }): Painted => plain`${keys} ${title}`);
  const isLoaded = top !== undefined || now.view.read.value !== undefined;
  if (!isLoaded) return { about: 'keys', text: plain`` };
  const place = top?.kind ?? `${now.view.list.id}${now.view.detail ? ' detail' : ''}`;
  return {
    about: `keys ${place}`,
    text: isSpoken ? plain`Keys: ${listTexts(keys)}` : plain``,
    token: '',
    lasting: true,
  };
}

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
interface Said {
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

/** The size that a session without a frame counts with: what a half page is, and where a detail is cut into lines. */
const plainSize = { columns: 80, rows: 24 } as const;

/** Milliseconds from a change to its lines: what a key sets off at once is said as one. */
const settlingMs = 10;

/**
 * Connects a session to a terminal for a screen reader: what has changed is appended as lines, nothing is drawn twice and
 * nothing is erased. The keys are the same.
 */
export function showPlain(
  with_: TerminalUse & {
    readonly drawn: Parameters<Show['turn']>[0];
    readonly stdout: Pick<NodeJS.WriteStream, 'write'>;
    /** Sets or resets modes of the terminal. */
    readonly control: (sequence: string) => void;
    /** False where the terminal knows no sequences at all. */
    readonly marksPastes: boolean;
  },
): Show {
  const { clock, stdout, marksPastes } = with_;
  const held = { said: nothingSaid as Said, due: undefined as Promise<void> | undefined, stop: () => {} };

  const say = () => {
    held.due = undefined;
    if (attached.isLent()) return;
    const { text, said } = unsaid(held.said, toHearing(attached.session()), clock.now());
    held.said = said;
    if (text !== '') stdout.write(text);
  };
  /** Once after all keys of a chunk and all that follows from them at once. */
  const later = (): Promise<void> => {
    held.due ??= new Promise((done) => {
      clock.after(settlingMs, () => {
        say();
        done();
      });
    });
    return held.due;
  };
  const restate = () => {
    // The last message too: where the terminal lagged, its line may have been left out.
    const lasting = new Map([...held.said.lasting].filter(([about]) => about !== 'message'));
    held.said = { ...nothingSaid, lasting, prompt: held.said.prompt };
    void later();
  };

  const attached = attach({
    ...with_,
    session: with_.drawn.session,
    markPastes: (on) => void (marksPastes && with_.control(on ? MARK_PASTES : LEAVE_PASTES)),
    written: later,
    resumed: restate,
  });
  const follow = (session: Parameters<typeof attached.follow>[0]) => {
    held.stop();
    held.stop = session.store.subscribe(() => void later());
    session.send({ type: 'setSize', ...plainSize });
    attached.follow(session);
    void later();
  };
  follow(with_.drawn.session);

  return {
    turn: ({ session }) => follow(session),
    releaseKeys: attached.releaseKeys,
    again: restate,
    close() {
      held.stop();
      attached.close();
      with_.raw(false);
    },
  };
}
