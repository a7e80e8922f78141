import { isSameJson } from '../lib/merge.ts';
import { isObject } from '../lib/object-paths.ts';
import { present } from '../lib/present-members.ts';
import { cut, plural } from '../lib/text.ts';
import type { Entry } from './journal-entry.ts';

/** One member that an edit has changed, in words. */
export interface EditChange {
  /** What its form calls it; undefined for a member that no form shows. */
  readonly label?: string | undefined;
  /** The value before; undefined where the row did not have it. */
  readonly was?: string;
  readonly is: string;
  /** The new value, where it is yes or no. */
  readonly isOn?: boolean;
}

/** The body of an operation in the deployment's words. */
export type InWords = (endpoint: string, body: unknown) => unknown;

/** What an action calls the setting at a path of the attributes; undefined where there is none. */
export type LabelOf = (action: string, path: string) => string | undefined;

type Attributes = Readonly<Record<string, unknown>>;
type Path = readonly string[];

/** Members that are not settings of the thing. */
const isFrame: ReadonlySet<string> = new Set(['id', 'type', 'attributes', 'relationships']);
const longest = 60;
const none = 'none';

/** What an edit sent that differs from the row just before: nothing that another person changed. */
export function editChanges(entry: Entry, inWords: InWords, labelOf: LabelOf = () => undefined): readonly EditChange[] {
  const { action, call, before } = entry;
  const sent = attributesOf(call.body);
  // Rows keep the resource as it was read in `raw`.
  const had = attributesOf(isObject(before) && 'raw' in before ? before.raw : before);
  const label = (path: Path) => labelOf(action, path.join('.'));
  const differ = Object.keys(sent).flatMap((name) =>
    isFrame.has(name) ? [] : differences([name], had[name], sent[name], label),
  );
  // Of a new one, its name is told already, and nothing is told of what it does not have.
  const isTold = ({ was, is }: (typeof differ)[number]) =>
    was !== undefined || (is !== entry.target.name && worded(is) !== none);
  return differ.filter(isTold).map(({ path, was, is }): EditChange => {
    return {
      label: label(path),
      is: worded(spokenAt(call, path, is, inWords)),
      ...(was === undefined ? {} : { was: worded(spokenAt(call, path, was, inWords)) }),
      ...(typeof is === 'boolean' && { isOn: is }),
    };
  });
}

/** What a switch was turned to by an edit of it alone; undefined for every other edit. */
export function turnedTo(entry: Entry): boolean | undefined {
  if (!Object.values(attributesOf(entry.call.body)).some((value) => typeof value === 'boolean')) return undefined;
  const [change, ...others] = editChanges(entry, (_, body) => body);
  return others.length === 0 ? change?.isOn : undefined;
}

/** The innermost members that differ; a list and the value of a setting are one. */
function differences(
  path: Path,
  was: unknown,
  is: unknown,
  label: (path: Path) => string | undefined,
): readonly { readonly path: Path; readonly was: unknown; readonly is: unknown }[] {
  if (isSameJson(was ?? null, is ?? null)) return [];
  const previous = was ?? {};
  if (!isObject(previous) || !isObject(is) || label(path) !== undefined) return [{ path, was, is }];
  const names = [...new Set([...Object.keys(is), ...Object.keys(previous)])];
  return names.flatMap((name) => differences([...path, name], previous[name], is[name], label));
}

/** The value of a member as the deployment words it. */
function spokenAt(call: Entry['call'], path: Path, value: unknown, inWords: InWords): unknown {
  const alone = path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as Attributes;
  const attributes = withoutFrame(attributesOf(inWords(call.endpoint, withAttributes(call.body, alone))));
  return path.reduce<unknown>((inner) => (isObject(inner) ? Object.values(inner)[0] : undefined), attributes);
}

const withoutFrame = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => !isFrame.has(name)));

/** The attributes of a JSON:API body or resource, else the members of an object. */
function attributesOf(value: unknown): Attributes {
  if (!isObject(value)) return {};
  const { data } = value;
  if (isObject(data)) return attributesOf(data);
  return isObject(value.attributes) ? { ...value, ...value.attributes } : value;
}

/** A body like this one, with these attributes alone. */
function withAttributes(body: unknown, attributes: Attributes): unknown {
  if (!isObject(body) || !isObject(body.data)) return attributes;
  const { id, type } = body.data;
  return { data: { ...present({ id, type }), attributes } };
}

/** A value in words, never as JSON: of a list of objects their names, else how many they are; of an object that it is there. */
function worded(value: unknown): string {
  if (value === undefined || value === null || value === '') return none;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (isObject(value)) return 'set';
  if (!Array.isArray(value)) return cut(String(value), longest);
  if (value.length === 0) return none;
  const texts = value.map((part) => (isObject(part) ? part.name : part));
  const isNamed = texts.every((text) => text !== null && text !== undefined && typeof text !== 'object');
  return isNamed ? cut(texts.join(', '), longest) : plural(value.length, 'item');
}
