import type { SceneBlock } from '../scene/scene.ts';
import type { Theme } from '../scene/theme.ts';
import type { Message } from '../session/state/message.ts';
import type { Moment } from '../session/state/moment.ts';

/** What a block of the body is made from, and the place that it must fill. */
export interface BlockRoom extends Pick<SceneBlock<Message>, 'x' | 'y' | 'width' | 'height'> {
  readonly now: Moment;
  readonly theme: Theme;
  /** Keys go to it, and not to a panel below it. */
  readonly active: boolean;
  /** Ids of rows with an unconfirmed edit. */
  readonly pending: ReadonlySet<string>;
}
