import { markdownLink, markdownText } from '../lib/paint.ts';
import { continued, pastTense } from '../lib/text.ts';
import { calendarDay, clockTime, offsetName } from '../lib/time.ts';
import { at, present } from '../lib/values.ts';
import { type Entry, editChanges, foldUndone, turnedTo } from './journal-entry.ts';

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
  describe(entry: Entry): {
    readonly verb: string;
    readonly part: HandoverPart;
    readonly now?: string | undefined;
    readonly link?: string | undefined;
    /** Id of the list that shows the row, and its title. */
    readonly list?: string | undefined;
    readonly listTitle?: string | undefined;
  };
  /** Titles of the lists that were not read: what is unfinished in them is not known. */
  readonly unread?: readonly string[];
  /** What is left open, from the rows as last read: around the name of each row, with the id of its list. */
  readonly openEnds: readonly {
    readonly title: string;
    readonly count: number;
    readonly list: string;
    readonly named: readonly {
      readonly lead?: string | undefined;
      readonly name: string;
      readonly rest?: string | undefined;
      readonly row: string;
      readonly link?: string | undefined;
    }[];
  }[];
  /** What the person has written for the next shift. */
  readonly note?: string | undefined;
}

/** One line of the report. */
interface HandoverItem {
  /** Before the name: `10:00 muted, 10:20 extended`, `P1`. */
  readonly lead?: string;
  /** The row that it is about, and its address. */
  readonly name?: string;
  readonly link?: string;
  /** After the name: `in Retention filters`. */
  readonly rest?: string;
  /** What is true now, or what changed. */
  readonly more: readonly string[];
  /** Ids of the journal entries that the line is about, oldest first. */
  readonly entries: readonly string[];
  /** List and id of the row; the list alone where the line is about several. */
  readonly place?: { readonly list: string; readonly row?: string };
}

/** One part of the report. */
interface HandoverSection {
  readonly title: string;
  /** How many there are, also where not all are named. */
  readonly count?: number;
  readonly items: readonly HandoverItem[];
  /** Whether the items are short: several stand in one line. */
  readonly isDense?: true;
}

/** The handover of a shift in one organization, as plain text in parts. */
export interface Handover {
  readonly profile: string;
  /** `2026-05-06 22:00 to 2026-05-07 06:00 UTC`. */
  readonly shift: string;
  /** Who made the edits; empty where unknown. */
  readonly by: string;
  readonly sections: readonly HandoverSection[];
}

/**
 * What a shift leaves open, and what was done in it, from all edits, oldest first. Edits that were undone are folded into one line;
 * mutes and work on issues are told by row, each with what is true of it now. The undo of an older edit is told as an edit.
 */
export function handoverReport(entries: readonly Entry[], given: HandoverFacts): Handover {
  const isOfShift = ({ at }: Entry) => at >= given.since;
  const { undone, undid } = foldUndone(entries.toSorted((one, other) => one.at - other.at));
  const facts: HandoverFacts = {
    ...given,
    describe(entry) {
      const edit = undid(entry);
      const words = given.describe(edit ?? entry);
      return edit ? { ...words, verb: `undo ${words.verb}` } : words;
    },
  };
  const shift = entries.filter(isOfShift).toSorted((one, other) => one.at - other.at);
  const gone = new Set(undone);
  const remaining = shift.filter((entry) => {
    const edit = undid(entry);
    return edit ? !isOfShift(edit) && gone.has(edit) : !gone.has(entry);
  });
  const applied = remaining.filter(({ outcome }) => outcome?.state === 'applied');
  const [changes, others] = partition(applied, (entry) => facts.describe(entry).part === 'change');
  const isOpen = ({ outcome, forgotten }: Entry) => !forgotten && (!outcome || outcome.state === 'unknown');
  const doubtful = remaining.filter(isOpen);
  const refused = remaining.filter(({ outcome }) => outcome?.state === 'refused');
  const done = [
    ...byRow(others, facts),
    ...editsOf(changes).map((edit) => ({ at: edit[0]?.at ?? 0, item: changed(edit, facts) })),
  ].toSorted((one, other) => one.at - other.at);
  const sections: readonly HandoverSection[] = [
    { title: 'Outcome unknown', items: doubtful.map((entry) => tried(entry, facts)) },
    { title: 'Not read', items: (facts.unread ?? []).map((lead) => ({ lead, more: [], entries: [] })), isDense: true },
    ...facts.openEnds.map(openEnds),
    { title: 'Done', count: done.length, items: done.map(({ item }) => item) },
    { title: 'Refused', items: refused.map((entry) => tried(entry, facts)) },
    { title: 'Done and undone', items: undoneItems(undone.filter(isOfShift), facts) },
    { title: 'Note', items: facts.note ? [{ lead: facts.note, more: [], entries: [] }] : [] },
  ];
  return {
    profile: facts.profile,
    shift: shiftText(facts),
    by: [...new Set(shift.map(({ actor }) => actor).filter(Boolean))].join(', '),
    sections: sections.filter(({ items }) => items.length > 0),
  };
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

const nameOf = ({ target }: Entry): string => target.name || target.id;

/** The row of the edits and where it is. */
function about(edits: readonly Entry[], facts: HandoverFacts) {
  const [first] = edits;
  if (!first) return { entries: [] };
  const { link, list } = facts.describe(first);
  const { id } = first.target;
  return {
    name: nameOf(first),
    entries: edits.map((entry) => entry.id),
    ...present({ link, place: list === undefined || id === '' ? undefined : { list, row: id } }),
  };
}

function openEnds({ title, count, list, named }: HandoverFacts['openEnds'][number]): HandoverSection {
  const items = named.map(({ lead, name, rest, row, link }): HandoverItem => {
    return { ...present({ lead, link, rest }), name, more: [], entries: [], place: { list, row } };
  });
  const more = count - named.length;
  const others = { lead: `${more} more`, more: [], entries: [], place: { list } };
  return { title, count, items: more > 0 ? [...items, others] : items, isDense: true };
}

/**
 * The receipt of the only edit of a row around its name, and its further clauses: `23:20 muted`, `until 00:20 UTC (1h)`;
 * of several what they did. What `now` repeats is left out.
 */
function saidOf(edits: readonly Entry[], facts: HandoverFacts, now: string) {
  const [only] = edits;
  const parts = edits.length === 1 && only?.said !== undefined ? receiptAround(only.said, nameOf(only)) : undefined;
  if (!only || !parts) return { lead: didText(edits, facts), clauses: [] };
  // What follows the name behind a colon or a comma is a clause, too.
  const [rest = '', ...clauses] = forOthers(parts.after, only.actor)
    .replace(/^[:,]/, ';')
    .split(';')
    .map((clause) => clause.trim());
  return {
    lead: `${timeOf(only, facts)} ${continued(parts.before.trim())}`,
    ...present({ rest: rest === '' || now.includes(rest) ? undefined : rest }),
    clauses: clauses.filter((clause) => !now.includes(clause)),
  };
}

/** Another person reads it: `you` is who edited. */
const forOthers = (said: string, actor: string): string =>
  actor === '' ? said : said.replace(/\bto you\b/, `to ${actor}`);

/** A receipt before and behind a name; undefined where the name is not in it, or begins it. */
export function receiptAround(
  said: string,
  name: string,
): { readonly before: string; readonly after: string } | undefined {
  const at = name === '' ? -1 : said.indexOf(name);
  return at <= 0 ? undefined : { before: said.slice(0, at), after: said.slice(at + name.length) };
}

/** `23:20 muted, 23:30 extended`; an edit that took several requests is one, and so are two alike in one minute. */
function didText(edits: readonly Entry[], facts: HandoverFacts): string {
  const once = [...new Map(edits.map((entry) => [entry.group ?? entry.id, entry])).values()];
  const texts = once.map(
    (entry) => `${timeOf(entry, facts)} ${pastTense(facts.describe(entry).verb, turnedTo(entry))}`,
  );
  return [...new Set(texts)].join(', ');
}

/** An edit that was refused, or may not have happened: `23:20 mute` and the name. */
function tried(entry: Entry, facts: HandoverFacts): HandoverItem {
  const isKnown = entry.outcome?.state === 'refused';
  return {
    ...about([entry], facts),
    lead: `${timeOf(entry, facts)} ${facts.describe(entry).verb}`,
    more: isKnown
      ? [outcomeText(entry)]
      : [entry.isSending ? 'being sent' : 'may have happened', nowText(entry, facts)],
  };
}

/** A line for each row: what was done to it, and what is true of it now. */
function byRow(edits: readonly Entry[], facts: HandoverFacts) {
  return [...Map.groupBy(edits, ({ target }) => `${target.id} ${target.name}`).values()].flatMap((ofRow) => {
    const [first, last] = [ofRow[0], ofRow.at(-1)];
    if (!first || !last) return [];
    const now = nowText(last, facts);
    const reason = ofRow.map(reasonOf).findLast((text) => text !== undefined);
    // What is true now has it where the mute was read with its reason.
    const isTold = reason === undefined || now.includes(reason);
    const { clauses, ...said } = saidOf(ofRow, facts, now);
    const more = [...clauses, now, ...(isTold ? [] : [`reason: ${reason}`])];
    return [{ at: first.at, item: { ...about(ofRow, facts), ...said, more } }];
  });
}

/** The reason that a mute was sent with. */
function reasonOf({ call }: Entry): string | undefined {
  const message = at(call.body, 'data.attributes.message') ?? at(call.body, 'message');
  return typeof message === 'string' && message !== '' ? message : undefined;
}

/** The requests of each edit of a row. */
export const editsOf = (entries: readonly Entry[]): readonly (readonly Entry[])[] => [
  ...Map.groupBy(entries, ({ group, id, target }) => `${group ?? id} ${target.id} ${target.name}`).values(),
];

function changed(edit: readonly Entry[], facts: HandoverFacts): HandoverItem {
  const isSwitch = edit.some((entry) => facts.describe(entry).verb.includes('/'));
  const lines = isSwitch ? [] : edit.flatMap(editChanges).map(changeText);
  const more = lines.length - mostChanges;
  const title = edit[0] && facts.describe(edit[0]).listTitle;
  const subject = about(edit, facts);
  // What belongs to the list as a whole, such as its order, has no name but that of the list.
  const isOfList = title !== undefined && 'name' in subject && subject.name === title;
  // The receipt alone has the name that the service gave.
  const receipt = isOfList ? edit.find(({ said, outcome }) => said && outcome?.made)?.said : undefined;
  const where = receipt === undefined ? title && `${isOfList ? 'of' : 'in'} ${title}` : undefined;
  // Where no setting has changed the receipt says what has: the role that was added.
  const told = lines.length === 0 && !isSwitch && !isOfList ? edit.findLast(({ said }) => said) : undefined;
  const { lead, rest, clauses } = told ? saidOf([told], facts, '') : { lead: didText(edit, facts), clauses: lines };
  return {
    ...(isOfList ? { entries: subject.entries } : subject),
    lead: receipt && edit[0] ? `${timeOf(edit[0], facts)} ${continued(receipt)}` : lead,
    ...present({ rest: [rest, where].filter(Boolean).join(' ') || undefined }),
    more: more > 0 ? [...clauses.slice(0, mostChanges), `${more} more`] : clauses,
  };
}

const mostChanges = 6;

function changeText({ label, was, is }: ReturnType<typeof editChanges>[number]): string {
  if (was === undefined) return `${label}: ${is}`;
  return was === is ? `${label}: changed` : `${label}: ${was} → ${is}`;
}

/** One line for all that was undone. */
function undoneItems(undone: readonly Entry[], facts: HandoverFacts): readonly HandoverItem[] {
  const byName = Map.groupBy(undone, nameOf);
  const more = [...byName].map(([name, edits]) => `${name}: ${didText(edits, facts)}`);
  return more.length === 0 ? [] : [{ entries: undone.map(({ id }) => id), more }];
}

function nowText(entry: Entry, facts: HandoverFacts): string {
  const { now } = facts.describe(entry);
  return now === undefined ? 'its state now was not read' : `now ${now}`;
}

function partition<T>(all: readonly T[], isSo: (one: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [all.filter(isSo), all.filter((one) => !isSo(one))];
}

/** Outcome of an edit in a few words. */
export function outcomeText(entry: Entry): string {
  const { outcome } = entry;
  if (entry.undone) return 'Undone';
  if (entry.notUndone !== undefined) return `applied, not undone: ${entry.notUndone}`;
  if (entry.isSending) return 'being sent';
  if (outcome === undefined) return entry.forgotten ? 'Outcome unknown, dismissed' : 'NO OUTCOME: check';
  const status = outcome.status === undefined ? '' : ` ${outcome.status}`;
  const text = outcome.text ? `: ${outcome.text}` : '';
  if (outcome.state === 'refused' && entry.settled?.by === 'check') return 'not applied, as a later read showed';
  if (outcome.state === 'refused') return `refused${status}${text}`;
  if (outcome.state === 'unknown' && entry.forgotten) return 'Outcome unknown, dismissed';
  // Most such texts say it themselves.
  if (outcome.state === 'unknown') return `UNKNOWN${outcome.text?.includes('check') ? '' : ': check'}${text}`;
  if (entry.settled?.by === 'check') return 'applied, as a later read showed';
  return outcome.attempts > 1 ? `applied after ${outcome.attempts} attempts` : 'applied';
}

/** The report as Markdown, to be pasted. Texts of the service are escaped. */
export function handoverMarkdown({ profile, shift, by, sections }: Handover): string {
  return [
    `# Handover of ${markdownText(profile)}`,
    '',
    `${shift}${by === '' ? '' : `, by ${markdownText(by)}`}`,
    ...sections.flatMap(({ title, count, items }) => [
      '',
      `## ${title}${count === undefined ? '' : ` (${count})`}`,
      '',
      ...items.map((item) => `- ${itemLine(item)}`),
    ]),
    ...(sections.length === 0 ? ['', nothingDone] : []),
  ].join('\n');
}

/** What an empty report says. */
export const nothingDone = 'No edits, and nothing open.';

function itemLine({ lead, name, link, rest, more }: HandoverItem): string {
  const parts = [
    lead === undefined ? '' : markdownText(lead),
    name === undefined ? '' : `**${markdownLink(name, link)}**`,
    rest === undefined ? '' : markdownText(rest),
  ];
  return [parts.filter(Boolean).join(' '), ...more.map(markdownText)].filter(Boolean).join(' · ');
}
