import { problemResult, type Result, toResult } from '../api/problem.ts';
import { stringifyExact } from '../lib/json.ts';
import { merge } from '../lib/merge.ts';
import type { JsonObject } from '../lib/object-paths.ts';
import type { ResourceKind } from './resource.ts';
import type { Resource } from './resource-spec.ts';
import type { SettingTable } from './setting.ts';
import { memberName, type VocabularyContext, valueInWords } from './vocabulary-words.ts';

/** Longest text of the value that somebody else has set, in characters. */
const longest = 200;

/** Paths of lists whose order means nothing. */
export const setsIn = <R>(settings: SettingTable<R>): ReadonlySet<string> =>
  new Set(Object.values(settings).flatMap(({ path, isSet }) => (isSet && path !== undefined ? [path] : [])));

/**
 * What becomes of every edit that meets another one: a three-way merge. What somebody else has changed since the row was
 * read stays; where both changed the same setting to something else, nothing is sent.
 */
export function mergeEdit<R extends Resource>(
  { kind, settings }: { readonly kind: ResourceKind<R>; readonly settings: SettingTable<R> },
  before: R,
  wanted: JsonObject,
  now: R,
  context: VocabularyContext,
): Result<JsonObject> {
  const { value, conflicts } = merge(
    before.attributes as JsonObject,
    wanted,
    now.attributes as JsonObject,
    setsIn(settings),
  );
  const [path] = conflicts;
  if (path === undefined) return toResult(value);
  const setting = Object.values(settings).find((one) => one.path !== undefined && overlaps(one.path, path));
  const names = path.split('.').map((name) => memberName(name, context));
  const label = setting?.label ?? names.join(' ').replaceAll('_', ' ');
  const spoken = kind.inWords(now, context).attributes;
  const theirValue = valueInWords(now.attributes, spoken, setting?.path ?? path) ?? null;
  const theirs = stringifyExact(theirValue).slice(0, longest);
  const text = `not sent: someone else changed the ${label} of ${kind.nameOf(now)} to ${theirs}`;
  return problemResult('conflict', text, { fields: [path] });
}

const overlaps = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);

/** The refusal of an edit that would lose what could not be read: all of it in a replacement but for the service's `own`, else the members sent. */
export function unreadRefusal<R extends Resource>(
  kind: ResourceKind<R>,
  { unread }: R,
  members: readonly string[] | 'all',
  own: readonly string[] = [],
): Result<never> | undefined {
  const parts = unread.filter((place) =>
    members === 'all' ? !own.includes(memberOf(place)) : members.includes(memberOf(place)),
  );
  if (parts.length === 0) return undefined;
  const what = members === 'all' ? `the whole ${kind.short}` : `the whole of ${memberOf(parts[0] ?? '')}`;
  const text = `not sent: an edit replaces ${what}, and parts of it could not be read: ${parts.slice(0, 2).join('; ')}`;
  return problemResult('unreadable', text, { fields: parts });
}

/** `options` of `data.attributes.options.thresholds: expected a number`. */
const memberOf = (place: string): string =>
  /^(?:(?:data|(?:data)?\[\d+\])\.)?(?:attributes\.|relationships\.)?([^.:[\s]+)/.exec(place)?.[1] ?? place;
