import { attempt } from '../../lib/attempt.ts';
import { paint } from '../../lib/paint.ts';
import { joinPainted, type Painted, plain } from '../../lib/painted.ts';
import { span } from '../../lib/time-text.ts';
import { listTexts, type Remark, rowRemarks, type Speech, spanText, toneWords } from '../../scene/speech.ts';
import { createTheme } from '../../scene/theme.ts';
import { layerKindOf } from '../../session/layers/index.ts';
import type { Session } from '../../session/session.ts';
import type { LayerPane } from '../../session/stack/kind.ts';
import { footHints, type Moment } from '../../session/state/moment.ts';
import { noticeText } from '../../session/state/state-changes.ts';
import { tabStrip } from '../header.ts';
import { countsMs } from '../list-speech.ts';
import { bodyBlocks, saidNow } from '../scene.ts';
import type { Hearing } from './remark.ts';

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
