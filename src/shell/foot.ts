import { paint } from '../lib/paint.ts';
import { joined, plain } from '../lib/painted.ts';
import { layoutToast, type ToastProps } from '../scene/message-lines.ts';
import type { Spans } from '../scene/scene.ts';
import type { Theme } from '../scene/theme.ts';
import { keyHints } from '../session/state/key-hints.ts';
import { noticeParts, paintedParts } from '../session/state/log.ts';
import type { Message } from '../session/state/message.ts';
import type { Moment } from '../session/state/moment.ts';
import { readFailure } from '../session/state/trouble.ts';

/** The lines between the blocks and the hints: the first notice that waits, and the last message; a blank one for neither. */
export function messageLines(now: Moment, width: number, theme: Theme): readonly Spans[] {
  const said = saidNow(now);
  const { notices } = now.state;
  const [notice] = notices;
  if (!notice) return layoutToast({ ...said, width, theme });
  const keyOf = (does: Message['do']) => now.bindings.find(({ run }) => run.do === does);
  const list = keyOf('messages')?.keys[0];
  const others = notices.length - 1;
  const key = keyOf('handleNotice');
  const keys = [
    ...(key ? [plain`${paint(key.keys[0] ?? '')} ${paint(key.title)}`] : []),
    ...(others > 0 ? [plain`${list === undefined ? plain`` : plain`${paint(list)} `}${others} more`] : []),
  ];
  const lines = layoutToast({
    parts: paintedParts(noticeParts(notice, now.context.now)),
    isStanding: true,
    tone: 'warn',
    ...(keys.length > 0 && { keys: joined(keys, plain` ${theme.glyphs.dot} `) }),
    width,
    theme,
  });
  return said.parts === undefined ? lines : [...lines, ...layoutToast({ ...said, width, theme })];
}

/** The last message; else why the rows on screen are old. */
export function saidNow({ state, view }: Moment): Pick<ToastProps, 'parts' | 'tone' | 'keys'> {
  const { flash } = state;
  const top = state.layers.at(-1);
  // A job that has ended shows its outcome itself.
  if (flash && top?.kind === 'job' && top.ended?.text === flash.text) return {};
  if (flash)
    return {
      parts: paintedParts(flash.parts ?? [flash.text]),
      tone: flash.tone,
      ...(flash.keys === undefined ? {} : { keys: paint(flash.keys) }),
    };
  // Without rows the list shows the same sentence in their place.
  const trouble = view.total > 0 ? view.known.problem : undefined;
  if (trouble && state.layers.length === 0)
    return { parts: [{ text: paint(readFailure(trouble, true)) }], tone: 'bad', keys: paint(keyHints.messages) };
  return {};
}
