import { stringifyExact } from '../lib/json.ts';
import { same, sameSet } from '../lib/merge.ts';
import { at } from '../lib/object-paths.ts';
import type { Kind, Resource } from './resource.ts';
import { type Settings, settingValue } from './setting.ts';
import { type VocabularyContext, valueInWords } from './vocabulary-words.ts';

/**
 * The settings on which the response differs from the request, as the end of a receipt; or that the response has no
 * row; or nothing.
 */
export function differenceText<R extends Resource>(
  { kind, settings }: { readonly kind: Kind<R>; readonly settings: Settings<R> },
  before: R | undefined,
  asked: R,
  now: R | undefined,
  context: VocabularyContext,
): string {
  if (!now) return '; the service did not say what it is now';
  const { attributes: spoken } = kind.inWords(now, context);
  return Object.values(settings)
    .filter((setting) => !setting.writeOnly && setting.path !== undefined)
    .flatMap((setting) => {
      const [was, mine, theirs] = [before ?? asked, asked, now].map((row) => settingValue(setting, row.attributes));
      // Of a new one, what was left to the service is no difference.
      const isChanged = before === undefined ? at(asked.attributes, setting.path ?? '') != null : !same(was, mine);
      // What a deployment may keep to itself is not taken back by its silence.
      const isSilent = setting.unknownUntold === true && at(now.attributes, setting.path ?? '') === undefined;
      const isSame = setting.isSet ? sameSet(mine, theirs) : same(mine, theirs);
      const told = stringifyExact(valueInWords(now.attributes, spoken, setting.path ?? '') ?? setting.untold ?? null);
      return isChanged && !isSame && !isSilent ? [`; the service says ${setting.label} ${told}`] : [];
    })
    .join('');
}

/** The row that an answer tells, over what was asked for; undefined where it tells none, or another one. */
export function rowFromAnswer<R extends Resource>(kind: Kind<R>, answer: unknown, asked: R): R | undefined {
  const { data, included } = kind.told(answer);
  const told = kind.row(data, { place: asked.place, included });
  if (!told || (asked.id !== '' && told.id !== asked.id)) return undefined;
  // An answer that names no attributes tells nothing of them.
  if (Object.keys(told.attributes).length === 0) return undefined;
  const defined = Object.entries(told).filter(([, value]) => value !== undefined);
  return { ...asked, ...Object.fromEntries(defined), attributes: { ...asked.attributes, ...told.attributes } };
}
