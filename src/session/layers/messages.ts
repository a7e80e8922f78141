import type { ReceiptPart } from '../../describe/receipt.ts';
import { paint } from '../../lib/paint.ts';
import { joinPainted, type Painted, plain } from '../../lib/painted.ts';
import { cells } from '../../lib/text.ts';
import { clockTime } from '../../lib/time-text.ts';
import { offsetName } from '../../lib/zone.ts';
import { leastName, onOneLine, toastMark } from '../../scene/foot-lines.ts';
import type { Spans } from '../../scene/scene.ts';
import { listTexts, toneWords } from '../../scene/speech.ts';
import type { Theme } from '../../scene/theme.ts';
import type { LayerKind } from '../stack/kind.ts';
import { rowsPane } from '../stack/row-lines.ts';
import { stepKeys } from '../stack/stepping.ts';
import { leave, on } from '../state/binding.ts';
import type { LayerOf } from '../state/layer.ts';
import { paintedParts, withoutNotices } from '../state/log.ts';
import { messageLines } from '../state/message-texts.ts';
import { push } from '../state/state-changes.ts';

/** The messages of this run, the newest first; notices that wait for a person stand above them. */
export const messages: LayerKind<LayerOf<'messages'>> = {
  // The notices that wait are the first rows.
  keys: ({ cursor }, { notices }) => [
    ...stepKeys(true),
    on(['return'], 'show in full', { type: 'choose' }, 1),
    on(['d'], 'dismiss the notice', { type: 'dismissNotice' }, cursor < notices.length ? 2 : undefined),
    leave(['esc', 'q', '!', 'backspace']),
  ],
  place: 'body',
  lines({ cursor }, now, room) {
    const { context, messages } = now;
    const { width, theme } = room;
    // On a narrow terminal the end of a message is worth more: those that wait come first anyway.
    const waiting = width < 68 ? plain`` : plain`waiting  `;
    const rows = messages.map(({ text, parts = [text], tone, at, notice }): Spans => {
      const waits = notice === undefined ? plain`` : waiting;
      return [
        { text: plain`${paint(clockTime(at, context.zone))}  `, tone: 'dim' },
        { text: plain`${toastMark(tone, theme.glyphs)} `, tone },
        { text: waits, tone: 'strong' },
        { text: listedText(parts, width - 11 - cells(waits), theme), tone: tone === 'good' ? 'plain' : tone },
      ];
    });
    const title = plain`Messages (${paint(offsetName(context.now, context.zone))})`;
    const describe = () =>
      messages.map(({ text, tone, at, notice }) =>
        listTexts([
          paint(clockTime(at, context.zone)),
          notice === undefined ? plain`` : plain`waiting`,
          plain`${toneWords[tone]}${paint(text)}`,
        ]),
      );
    return rowsPane(
      { title, rows, says: describe, cursor, choose: { type: 'choose' }, empty: plain`No messages` },
      now,
      room,
    );
  },
  isShowing: true,
  takesText: () => false,
  rows: (_, world) => world.messages,
  update: {
    choose(state, layer, _, world) {
      const message = world.messages[layer.cursor];
      if (!message) return { state };
      const lines = messageLines(message, world);
      return { state: push(state, { kind: 'text', title: 'Message', lines, top: 0 }) };
    },
    dismissNotice(state, layer, _, world) {
      const notice = world.messages[layer.cursor]?.notice;
      return { state: notice === undefined ? state : withoutNotices(state, [notice]) };
    },
  },
};

/** A message in a row: its names are shortened, so that its consequence can be read. */
function listedText(parts: readonly ReceiptPart[], room: number, { glyphs }: Theme): Painted {
  const painted = paintedParts(parts);
  return onOneLine(painted, room, glyphs.ellipsis, leastName) ?? joinPainted(painted.map(({ text }) => text));
}
