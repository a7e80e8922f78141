import type { HandoverFacts } from '../../journal/handover-report.ts';
import { present } from '../../lib/present.ts';
import type { Shift } from '../handover.ts';
import type { JournalEntry, Outside } from '../outside.ts';

type Journal = Pick<Outside, 'journal' | 'unsettled' | 'entry'>;

/** The journal of one of several organisations. */
export interface JournalPart {
  readonly profile: { readonly name: string; readonly production: boolean };
  readonly outside: Journal;
  /** What its hand-over report says besides the journal. */
  facts(shift: Shift): HandoverFacts;
}

/**
 * Several journals as one: every entry with its profile, newest first, and a report for each organisation. What is done
 * about an entry is done by the organisation that it is of.
 */
export function joinJournals(parts: readonly JournalPart[]): Journal {
  const owners = new Map<string, JournalPart>();

  /**
   * Profiles of one address share a journal: an entry that names another one of these is that one's, and one that names none
   * of these is the first's.
   */
  const taken = (each: readonly { part: JournalPart; entries: readonly JournalEntry[] }[]): JournalEntry[] => {
    const ids = new Set<string>();
    return each.flatMap(({ part, entries }) =>
      entries.flatMap((entry) => {
        const { name, production } = part.profile;
        const writer = entry.profile?.name ?? name;
        if (ids.has(entry.id) || (writer !== name && parts.some(({ profile }) => profile.name === writer))) return [];
        ids.add(entry.id);
        owners.set(entry.id, part);
        return [{ ...entry, profile: { name: writer, production } }];
      }),
    );
  };

  const troubleOf = (each: readonly { part: JournalPart; trouble?: string }[]) => {
    const troubles = each.flatMap(({ part, trouble }) => (trouble ? [`${part.profile.name}: ${trouble}`] : []));
    return troubles.length > 0 ? { trouble: troubles.join(' · ') } : {};
  };

  return {
    async journal(facts) {
      const each = await Promise.all(
        parts.map(async (part) => ({
          part,
          ...(await part.outside.journal(facts && part.facts({ since: facts.since }))),
        })),
      );
      const reports = each.flatMap(({ reports = [] }) => reports);
      return {
        entries: taken(each).toSorted((one, other) => other.at - one.at),
        ...(reports.length > 0 ? { reports } : {}),
        ...troubleOf(each),
      };
    },
    async unsettled() {
      const each = await Promise.all(parts.map(async (part) => ({ part, ...(await part.outside.unsettled()) })));
      // All of them write the same files.
      const skipped = each.find((one) => one.skipped !== undefined)?.skipped;
      return {
        entries: taken(each).toSorted((one, other) => one.at - other.at),
        ...troubleOf(each),
        ...present({ skipped }),
      };
    },
    async entry(id, what, name) {
      const part = owners.get(id);
      if (!part) return 'that edit is no longer in the journal';
      return `${part.profile.name}: ${await part.outside.entry(id, what, name)}`;
    },
  };
}
