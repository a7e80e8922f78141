import type { Plan } from '../api/endpoint.ts';
import { stringifyExact } from '../lib/json.ts';
import { isSameJson, sameSet } from '../lib/merge.ts';
import { at } from '../lib/object-paths.ts';
import type { ResourceKind } from './resource.ts';
import type { Resource } from './resource-spec.ts';
import { type SettingTable, settingValue } from './setting.ts';
import { type VocabularyContext, valueInWords } from './vocabulary-words.ts';

/** What a receipt adds where the answer does not hold what was edited. */
export const noResult = '; the response does not show the result';

/**
 * The settings on which the response differs from the request, as the end of a receipt; or that the response has no
 * row; or nothing.
 */
export function differenceText<R extends Resource>(
  { kind, settings }: { readonly kind: ResourceKind<R>; readonly settings: SettingTable<R> },
  before: R | undefined,
  requested: R,
  now: R | undefined,
  context: VocabularyContext,
): string {
  if (!now) return noResult;
  const { attributes: spoken } = kind.inWords(now, context);
  return Object.values(settings)
    .filter((setting) => !setting.writeOnly && setting.path !== undefined)
    .flatMap((setting) => {
      const [was, mine, theirs] = [before ?? requested, requested, now].map((row) =>
        settingValue(setting, row.attributes),
      );
      // Of a new one, what was left to the service is no difference.
      const isChanged =
        before === undefined ? at(requested.attributes, setting.path ?? '') != null : !isSameJson(was, mine);
      // A member that a deployment may omit from responses is no difference.
      const isSilent = setting.unknownUntold === true && at(now.attributes, setting.path ?? '') === undefined;
      const isSame = setting.isSet ? sameSet(mine, theirs) : isSameJson(mine, theirs);
      const stored = valueInWords(now.attributes, spoken, setting.path ?? '') ?? setting.untold ?? null;
      return isChanged && !isSame && !isSilent ? [`; the service reports ${setting.label} ${inText(stored)}`] : [];
    })
    .join('');
}

/** A list of texts as a field has it, everything else as JSON. */
const inText = (value: unknown): string =>
  Array.isArray(value) && value.every((part) => typeof part === 'string')
    ? value.join(', ') || 'none'
    : stringifyExact(value);

/** The row after an edit, as the answer tells it, or read again where answers do not; undefined where neither tells. */
export function* rowAfter<R extends Resource>(
  { kind, rereads }: { readonly kind: ResourceKind<R>; readonly rereads?: boolean },
  answer: unknown,
  requested: R,
): Plan<R | undefined> {
  if (!rereads) return rowFromAnswer(kind, answer, requested);
  const again = yield* kind.fresh(requested);
  return again.ok ? again.value : undefined;
}

/** The requested row with the response's members; undefined where the response has no row, or another one. */
function rowFromAnswer<R extends Resource>(kind: ResourceKind<R>, answer: unknown, requested: R): R | undefined {
  const { data, included } = kind.resourceIn(answer);
  const stored = kind.row(data, { place: requested.place, included });
  if (!stored || (requested.id !== '' && stored.id !== requested.id)) return undefined;
  // A response without attributes says nothing about them.
  if (Object.keys(stored.attributes).length === 0) return undefined;
  const defined = Object.entries(stored).filter(([, value]) => value !== undefined);
  return {
    ...requested,
    ...Object.fromEntries(defined),
    attributes: { ...requested.attributes, ...stored.attributes },
  };
}
