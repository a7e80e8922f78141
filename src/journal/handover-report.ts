import { markdownLink, markdownText } from '../lib/markdown.ts';
import { calendarDay, clockTime } from '../lib/moment.ts';
import { isObject } from '../lib/object-paths.ts';
import { cut } from '../lib/text.ts';
import { offsetName } from '../lib/zone.ts';
import type { Entry } from './journal-entry.ts';

/** The part of the report that an edit belongs to: mutes, work on issues, everything else. */
type HandoverPart = 'mute' | 'triage' | 'change';

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
 * The hand-over of a shift as Markdown. Edits that were undone are folded into one line; mutes and work on issues are told
 * by row, each with what is true of it now. Names are the service's text and are escaped.
 */
export function handoverReport(
  entries: readonly Entry[],
  facts: HandoverFacts,
  inWords: InWords = (_, body) => body,
): string {
  const { since } = facts;
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
      ...unknown.map((entry) => `**Outcome unknown, check:** ${tried(entry, facts)} · ${stillTrue(entry, facts)}`),
      ...facts.openEnds.map(markdownText),
    ]),
    ...section('Mutes', byRow(of('mute'), facts)),
    ...section('Issues', byRow(of('triage'), facts)),
    ...section(
      'Created and changed',
      of('change').map((entry) => [did([entry], facts), ...changesOf(entry, inWords)].join(' · ')),
    ),
    ...section(
      'Refused',
      refused.map((entry) => `${tried(entry, facts)} · ${markdownText(outcomeText(entry))}`),
    ),
    ...(undone.length === 0 ? [] : ['', `Done and undone: ${undone.map((entry) => did([entry], facts)).join('; ')}.`]),
  ];
  return [
    `# Hand-over of ${markdownText(facts.profile)}`,
    '',
    `${shiftText(facts)}${by === '' ? '' : `, by ${by}`}`,
    ...(body.length === 0 ? ['', 'No edits, and nothing open.'] : body),
  ].join('\n');
}

/** `2026-05-06 22:00 to 2026-05-07 06:00 UTC`; the day once where it is one. */
function shiftText({ since, now, zone }: HandoverFacts): string {
  const [first, last] = [calendarDay(since, zone), calendarDay(now, zone)];
  const end = first === last ? clockTime(now, zone) : `${last} ${clockTime(now, zone)}`;
  return `${first} ${clockTime(since, zone)} to ${end} ${offsetName(now, zone)}`;
}

/** The time of day; with the day where the shift is longer than one. */
function timeOf({ at }: Entry, { since, now, zone }: HandoverFacts): string {
  const isLong = now - since > 86_400_000;
  return `${isLong ? `${calendarDay(at, zone)} ` : ''}${clockTime(at, zone)}`;
}

function nameOf(entry: Entry, facts: HandoverFacts): string {
  return `**${markdownLink(entry.target.name || entry.target.id, facts.describe(entry).link)}**`;
}

/** `**name**: muted 23:20, extended 23:30`, of the edits of one row. */
function did(edits: readonly Entry[], facts: HandoverFacts): string {
  const done = edits.map((entry) => `${markdownText(past(facts.describe(entry).verb))} ${timeOf(entry, facts)}`);
  return `${edits[0] ? nameOf(edits[0], facts) : ''}: ${done.join(', ')}`;
}

/** `mute **name** at 23:20`, of an edit that may not have happened. */
const tried = (entry: Entry, facts: HandoverFacts): string =>
  `${markdownText(facts.describe(entry).verb)} ${nameOf(entry, facts)} at ${timeOf(entry, facts)}`;

/** The title of an action in the past: `muted`, `added user`, `enabled/disabled`. */
function past(verb: string): string {
  const pastOf = (word: string) =>
    word === 'new'
      ? 'created'
      : word.endsWith('y')
        ? `${word.slice(0, -1)}ied`
        : `${word}${word.endsWith('e') ? 'd' : 'ed'}`;
  return verb.replace(/^[a-z]+(?:\/[a-z]+)*(?=$|[ ,])/, (words) => words.split('/').map(pastOf).join('/'));
}

/** A line for each row: what was done to it, and what is true of it now. */
function byRow(edits: readonly Entry[], facts: HandoverFacts): readonly string[] {
  return [...Map.groupBy(edits, ({ target }) => `${target.id} ${target.name}`).values()].flatMap((ofRow) => {
    const last = ofRow.at(-1);
    return last ? [`${did(ofRow, facts)} · ${stillTrue(last, facts)}`] : [];
  });
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
  if (entry.undone) return 'Undone';
  if (outcome === undefined) return entry.forgotten ? 'Outcome unknown, dismissed' : 'NO OUTCOME: check';
  const status = outcome.status === undefined ? '' : ` ${outcome.status}`;
  const text = outcome.text ? `: ${outcome.text}` : '';
  if (outcome.state === 'refused' && entry.settled?.by === 'check') return 'not applied, as a later read showed';
  if (outcome.state === 'refused') return `refused${status}${text}`;
  if (outcome.state === 'unknown') return entry.forgotten ? 'Outcome unknown, dismissed' : `UNKNOWN: check${text}`;
  if (entry.settled?.by === 'check') return 'applied, as a later read showed';
  return outcome.attempts > 1 ? `applied after ${outcome.attempts} attempts` : 'applied';
}
