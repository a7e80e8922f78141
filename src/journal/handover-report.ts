import { markdownLink, markdownText } from '../lib/markdown.ts';
import { absolute, clockTime } from '../lib/moment.ts';
import { isObject } from '../lib/object-paths.ts';
import { cut } from '../lib/text.ts';
import type { Entry } from './journal-entry.ts';

/** The part of the report that an edit belongs to: mutes, work on issues, everything else. */
export type HandoverPart = 'mute' | 'triage' | 'change';

/** What the report needs besides the journal: words for actions, and what the rows are now. */
export interface HandoverFacts {
  readonly profile: string;
  readonly zone: string;
  readonly now: number;
  /** Start of the shift, epoch milliseconds; edits before it are left out. */
  readonly since: number;
  /** `now`: what is true of the row now; undefined where it has not been read. */
  describe(entry: Pick<Entry, 'action' | 'target'>): {
    readonly verb: string;
    readonly part: HandoverPart;
    readonly now?: string | undefined;
    readonly link?: string | undefined;
  };
  /** Sentences about what is unfinished, from the rows as last read. */
  readonly openEnds: readonly string[];
}

/** The body of an operation in the deployment's words. */
type InWords = (endpoint: string, body: unknown) => unknown;

/**
 * The hand-over of a shift as Markdown. Edits that were undone are folded into one line; of several edits of one kind on a
 * row only the last is told. Names are the service's text and are escaped.
 */
export function handoverReport(
  entries: readonly Entry[],
  facts: HandoverFacts,
  inWords: InWords = (_, body) => body,
): string {
  const { now, since, zone } = facts;
  const shift = entries.filter(({ at }) => at >= since).toSorted((one, other) => one.at - other.at);
  const { kept, undone } = foldUndone(shift);
  const applied = kept.filter(({ outcome }) => outcome?.state === 'applied');
  const partOf = (entry: Entry) => facts.describe(entry).part;
  const of = (part: HandoverPart) => applied.filter((entry) => partOf(entry) === part);
  const unknown = kept.filter(({ outcome, forgotten }) => !forgotten && (!outcome || outcome.state === 'unknown'));
  const refused = kept.filter(({ outcome }) => outcome?.state === 'refused');
  const by = [...new Set(shift.map(({ actor }) => actor).filter(Boolean))].map(markdownText).join(', ');
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines.map((line) => `- ${line}`)];
  const body = [
    ...section('Open ends', [
      ...unknown.map((entry) => `**Outcome unknown, check:** ${did(entry, facts)}`),
      ...facts.openEnds.map(markdownText),
    ]),
    ...section(
      'Mutes',
      lastOfEach(of('mute')).map((entry) => `${did(entry, facts)} · ${stillTrue(entry, facts)}`),
    ),
    ...section(
      'Issues',
      lastOfEach(of('triage')).map((entry) => `${did(entry, facts)} · ${stillTrue(entry, facts)}`),
    ),
    ...section(
      'Created and changed',
      of('change').map((entry) => [did(entry, facts), ...changesOf(entry, inWords)].join(' · ')),
    ),
    ...section(
      'Refused',
      refused.map((entry) => `${did(entry, facts)} · ${markdownText(outcomeText(entry))}`),
    ),
    ...(undone.length === 0 ? [] : ['', `Undone again: ${undone.map((entry) => did(entry, facts)).join(', ')}.`]),
  ];
  return [
    `# Hand-over of ${markdownText(facts.profile)}`,
    '',
    `${absolute(since, zone)} to ${absolute(now, zone)}${by === '' ? '' : `, by ${by}`}`,
    ...(body.length === 0 ? ['', 'No edits, and nothing open.'] : body),
  ].join('\n');
}

/** `05:31 mute [name](link)`. */
function did(entry: Entry, facts: HandoverFacts): string {
  const { verb, link } = facts.describe(entry);
  const name = entry.target.name || entry.target.id;
  return `${clockTime(entry.at, facts.zone)} ${markdownText(verb)} **${markdownLink(name, link)}**`;
}

function stillTrue(entry: Entry, facts: HandoverFacts): string {
  const { now } = facts.describe(entry);
  return now === undefined ? 'not read since' : `now: ${markdownText(now)}`;
}

/** Splits off edits that were undone, and the edits that undid them. */
function foldUndone(shift: readonly Entry[]): { kept: readonly Entry[]; undone: readonly Entry[] } {
  const undone = new Set(shift.filter((entry) => entry.undone));
  const undoing = new Set<Entry>();
  for (const entry of shift) {
    if (entry.action !== 'undo' || entry.outcome?.state !== 'applied') continue;
    const { id, name } = entry.target;
    const first = shift.findLast(
      (other) =>
        other.at <= entry.at &&
        other.action !== 'undo' &&
        other.outcome?.state === 'applied' &&
        !undone.has(other) &&
        other.target.id === id &&
        other.target.name === name,
    );
    undoing.add(entry);
    if (first) undone.add(first);
  }
  return { kept: shift.filter((entry) => !undone.has(entry) && !undoing.has(entry)), undone: [...undone] };
}

/** The last edit of each action and row. */
function lastOfEach(entries: readonly Entry[]): readonly Entry[] {
  return [
    ...new Map(entries.map((entry) => [`${entry.action} ${entry.target.id} ${entry.target.name}`, entry])).values(),
  ];
}

const longest = 60;
const mostChanges = 6;

/** Old and new values of the members that an edit sent, where the row from before has them. */
function changesOf({ call, before }: Entry, inWords: InWords): readonly string[] {
  const sent = attributesOf(call.body);
  const had = attributesOf(before);
  const changed = Object.keys(sent).filter((name) => !isFrame.has(name) && worded(sent[name]) !== worded(had[name]));
  const said = (from: Attributes) => {
    const chosen = Object.fromEntries(changed.flatMap((name) => (name in from ? [[name, from[name]]] : [])));
    return attributesOf(inWords(call.endpoint, withAttributes(call.body, chosen)));
  };
  const old = said(had);
  const changes = Object.entries(said(sent)).flatMap(([name, value]) => {
    if (isFrame.has(name)) return [];
    const from = old[name] === undefined ? '' : `${worded(old[name])} → `;
    return [`${markdownText(name)}: ${markdownText(`${from}${worded(value)}`)}`];
  });
  const more = changes.length - mostChanges;
  return more > 0 ? [...changes.slice(0, mostChanges), `${more} more`] : changes;
}

type Attributes = Readonly<Record<string, unknown>>;

/** Members that are not settings of the thing. */
const isFrame: ReadonlySet<string> = new Set(['id', 'type', 'attributes', 'relationships']);

/** The attributes of a JSON:API body or resource, else the members of an object. */
function attributesOf(value: unknown): Attributes {
  if (!isObject(value)) return {};
  const { data } = value;
  if (isObject(data)) return attributesOf(data);
  return isObject(value.attributes) ? { ...value, ...value.attributes } : value;
}

/** A body like this one, with these attributes. */
function withAttributes(body: unknown, attributes: Attributes): unknown {
  return isObject(body) && isObject(body.data) ? { ...body, data: { ...body.data, attributes } } : attributes;
}

const worded = (value: unknown): string =>
  cut(
    typeof value === 'string'
      ? value
      : (JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner)) ?? 'none'),
    longest,
  );

/** Outcome of an edit in a few words. */
export function outcomeText(entry: Entry): string {
  const { outcome } = entry;
  if (entry.undone) return 'taken back';
  if (outcome === undefined) return entry.forgotten ? 'outcome unknown, set aside' : 'NO OUTCOME: check';
  const status = outcome.status === undefined ? '' : ` ${outcome.status}`;
  const text = outcome.text ? `: ${outcome.text}` : '';
  if (outcome.state === 'refused' && entry.settled?.by === 'check') return 'not applied, as a later look showed';
  if (outcome.state === 'refused') return `refused${status}${text}`;
  if (outcome.state === 'unknown') return entry.forgotten ? 'outcome unknown, set aside' : `UNKNOWN: check${text}`;
  if (entry.settled?.by === 'check') return 'applied, as a later look showed';
  return outcome.attempts > 1 ? `applied after ${outcome.attempts} attempts` : 'applied';
}
