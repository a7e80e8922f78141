import { paint } from '../../lib/paint.ts';
import { joined, type Painted, plain } from '../../lib/painted.ts';
import { thrownText } from '../../lib/thrown-text.ts';
import { hintsOf } from '../../session/keys/hints.ts';
import { noticeText } from '../../session/log.ts';
import type { Session } from '../../session/session.ts';
import type { Now } from '../../session/world.ts';
import { saidNow } from '../foot.ts';
import { stripOf } from '../header.ts';
import { speechOf } from './layer-scene.ts';
import { countsMs, listScene } from './list-scene.ts';
import type { Remark, Scene } from './remark.ts';
import { listed, toneWords } from './sentences.ts';
import { rowRemarks } from './speech.ts';

/** Everything there is to hear now: the place in front or the layer over it, and what holds everywhere. */
export function sceneOf(session: Session): Scene {
  const now = session.now();
  const place = guarded(() => placeScene(now));
  const { name } = session.profile;
  return {
    ...place,
    path: place.path.map((part) => `${name} ${part}`),
    remarks: [profileRemark(session), ...elsewhere(session, now), ...place.remarks, ...messages(now), keysRemark(now)],
  };
}

function placeScene(now: Now): Scene {
  const { layers } = now.state;
  const top = layers.at(-1);
  const below = listScene(now);
  if (!top) return below;
  const speech = speechOf(top, now);
  const own = layers.map(({ kind }, at) => `layer ${at} ${kind}${kind === top.kind ? (speech.part ?? '') : ''}`);
  return {
    path: [...below.path, ...own],
    remarks: [
      { about: 'title', text: speech.title },
      ...(speech.remarks ?? []),
      ...(speech.rows ? rowRemarks(speech.rows) : []),
    ],
    prompt: speech.prompt,
  };
}

/** A place that cannot be said is a sentence, and the keys go on working. */
function guarded(scene: () => Scene): Scene {
  try {
    return scene();
  } catch (error) {
    const text = plain`Error: this cannot be shown: ${paint(thrownText(error))}; q goes back`;
    return { path: ['fault'], remarks: [{ about: 'fault', text }] };
  }
}

function profileRemark({ profile }: Session): Remark {
  const words = listed([
    paint(profile.name),
    paint(profile.environment),
    profile.production ? plain`production: edits ask first` : plain``,
    profile.readOnly ? plain`read-only` : plain``,
  ]);
  return { about: 'profile', text: plain`orgdeck, ${words}. ? is help`, lasting: true };
}

/** What needs a person on the other screens, when its number changes. */
function elsewhere(session: Session, now: Now): readonly Remark[] {
  return stripOf(session, now)
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
function messages(now: Now): readonly Remark[] {
  const { state, bindings } = now;
  const { parts = [], tone = 'info', keys } = saidNow(now);
  const text = joined(parts.map((part) => part.text));
  const word = toneWords[tone as keyof typeof toneWords] ?? plain``;
  const key = bindings.find(({ run }) => run.do === 'handleNotice');
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
    { about: 'paused', text: state.paused ? plain`Polling paused: :pause goes on` : plain``, lasting: true },
  ];
}

/** The keys of a place, the first time that one of its kind is entered. */
function keysRemark(now: Now): Remark {
  const top = now.state.layers.at(-1);
  const isSpoken =
    top === undefined || ['journal', 'profiles', 'results', 'text', 'job', 'messages'].includes(top.kind);
  const keys = hintsOf(now)
    .filter(({ disabled }) => !disabled)
    .map(({ keys, title }): Painted => plain`${keys} ${title}`);
  const isLoaded = top !== undefined || now.view.known.value !== undefined;
  if (!isLoaded) return { about: 'keys', text: plain`` };
  const place = top?.kind ?? `${now.view.list.id}${now.view.detail ? ' detail' : ''}`;
  return { about: `keys ${place}`, text: isSpoken ? plain`Keys: ${listed(keys)}` : plain``, token: '', lasting: true };
}
