import type { Theme } from '../../components/theme.ts';
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
