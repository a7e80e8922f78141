import type { Span } from '../../components/span.ts';
import type { Theme } from '../../components/theme.ts';
import { plain } from '../lib/painted.ts';
import type { Layer } from '../session/layers/layer.ts';
import type { Session } from '../session/session.ts';

/** What a layer is drawn from, and the size that it must fill. */
export interface LayerProps<L extends Layer = Layer> {
  readonly layer: L;
  readonly now: ReturnType<Session['now']>;
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
}

/** The foot of a list of `count` rows with room for fewer: where its cursor is, `3/40`. */
export const placeIn = (count: number, cursor: number, room: number): readonly Span[] =>
  count > room ? [{ text: plain`${Math.min(cursor, count - 1) + 1}/${count}`, tone: 'dim' }] : [];
