import { confirm } from '../stack/confirm.ts';
import type { LayerKind } from '../stack/kind.ts';
import type { Layer, LayerOf } from '../state/layer.ts';
import { bar } from './bar.ts';
import { filter } from './filter.ts';
import { find } from './find.ts';
import { form } from './form.ts';
import { help } from './help.ts';
import { job } from './job.ts';
import { menu } from './menu.ts';
import { palette } from './palette.ts';
import { pick } from './pick.ts';
import { profiles } from './profiles.ts';
import { results } from './results.ts';
import { secret } from './secret.ts';
import { take } from './take.ts';
import { textLayer } from './text.ts';
import { timeline } from './timeline.ts';
import { wait } from './wait.ts';

/** Every kind of layer. One that is missing does not compile. */
export const layerKinds: { readonly [K in Layer['kind']]: LayerKind<LayerOf<K>> } = {
  form,
  wait,
  take,
  secret,
  job,
  confirm,
  bar,
  pick,
  filter,
  find,
  help,
  palette,
  menu,
  text: textLayer,
  results,
  timeline,
  profiles,
};

/** The behavior of a layer's kind. The record pairs them; the compiler cannot follow that through a union. */
export const layerKindOf = <L extends Layer>(layer: L): LayerKind<L> =>
  layerKinds[layer.kind] as unknown as LayerKind<L>;
