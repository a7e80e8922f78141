import { cut, plural } from '../lib/text.ts';
import { isObject, present } from '../lib/values.ts';
import type { Entry } from './journal-entry.ts';

/** A setting that an edit has changed, in words. */
interface EditChange {
  /** What its form calls it. */
  readonly label: string;
  /** The value before; undefined where there was none. */
  readonly was?: string;
  readonly is: string;
}

const longest = 60;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const none = 'none';

/** The settings that an edit has changed, as its receipt has them: what no form shows, and the name of a new thing, are left out. */
export function editChanges({ consequences, target }: Entry): readonly EditChange[] {
  const changes = consequences?.changes ?? [];
  return changes.flatMap(({ label, from, to }): EditChange[] => {
    const was = from === null ? undefined : worded(from);
    const is = worded(to);
    const isTold = label !== null && (was !== undefined || (is !== target.name && is !== none));
    return isTold ? [{ label, is, ...present({ was }) }] : [];
  });
}

/** What a switch was turned to by an edit; undefined for an edit of none, or of several. Without a receipt, what was sent. */
export function turnedTo({ consequences, call }: Entry): boolean | undefined {
  const values = consequences?.changes.map(({ to }) => to) ?? Object.values(attributesOf(call.body));
  const [isOn, ...others] = values.filter((value) => typeof value === 'boolean');
  return others.length === 0 ? isOn : undefined;
}

/** The attributes of a JSON:API body, else the members of an object. */
function attributesOf(body: unknown): object {
  if (!isObject(body)) return {};
  return isObject(body.data) ? attributesOf(body.data) : isObject(body.attributes) ? body.attributes : body;
}

/** A value in words, never as JSON: of a list of objects their names, else how many they are; of an object that it is there. */
function worded(value: unknown): string {
  if (value === undefined || value === null || value === '') return none;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (isObject(value)) return 'set';
  if (!Array.isArray(value)) return cut(String(value), longest);
  if (value.length === 0) return none;
  const texts = value.map((part) => (isObject(part) ? part.name : part));
  // Nobody knows a thing by an id of the service.
  if (texts.every((text) => uuid.test(String(text)))) return `${value.length}`;
  const isNamed = texts.every((text) => text !== null && text !== undefined && typeof text !== 'object');
  return isNamed ? cut(texts.join(', '), longest) : plural(value.length, 'item');
}
