import { labelText } from '../describe/vocabulary-words.ts';
import { paint } from '../lib/paint.ts';
import { plain } from '../lib/painted.ts';
import { span as duration } from '../lib/time-text.ts';
import { asLines, type SceneBlock, type Spans } from '../scene/scene.ts';
import type { Theme } from '../scene/theme.ts';
import { barOf, stageLine } from '../session/layers/job.ts';
import type { Message } from '../session/state/message.ts';
import type { Moment } from '../session/state/moment.ts';
import { underWayBoxMs } from '../session/state/state.ts';
import type { BlockRoom } from './block-props.ts';

/**
 * The box of an edit of several rows or requests that takes long, below what is on the screen: how far it is, how fast, and what happens
 * next. Keys still go to the screen.
 */
export function underWayBlocks(
  { state, context }: Moment,
  space: Pick<BlockRoom, 'x' | 'y' | 'width' | 'height'>,
  theme: Theme,
): readonly SceneBlock<Message>[] {
  const { all, ended, isStopping, title = '', since = context.now, requests = [] } = state.rowsUnderWay;
  const took = context.now - since;
  if (took < underWayBoxMs || (all < 2 && requests.length < 2)) return [];
  const lines = all > 1 ? rowLines(ended, all, took, isStopping === true) : requestLines();
  const height = lines.length + 2;
  return [
    {
      ...space,
      ...{ y: space.height - height, height, active: false },
      title: [{ text: paint(title), bold: true }],
      titleRight: [{ text: paint(duration(took, Math.floor)), tone: 'dim' }],
      lines: asLines(lines),
    },
  ];

  function rowLines(done: number, total: number, ms: number, isLast: boolean): readonly Spans[] {
    const rate = done / (ms / 1000);
    const left =
      rate > 0
        ? plain`, ${Math.ceil(rate)}/s, ${paint(duration(((total - done) / rate) * 1000, Math.ceil))} left`
        : plain``;
    return [
      [
        { text: plain`  ` },
        ...barOf(done / total, Math.min(20, Math.floor(space.width / 5)), theme),
        { text: plain`${done} of ${total}${isLast ? plain`` : left}` },
      ],
      [
        isLast
          ? { text: plain`  Stopping: what is sent is waited for`, tone: 'warn' }
          : { text: plain`  Ctrl-X stops: rows already sent stay, the others stay marked`, tone: 'dim' },
      ],
    ];
  }

  function requestLines(): readonly Spans[] {
    return requests.map((request, at) =>
      stageLine(at < requests.length - 1 ? 'done' : 'now', [{ text: paint(labelText(request, context)) }], theme),
    );
  }
}
