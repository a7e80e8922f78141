import type { Problem } from '../../api/problem.ts';
import type { Cache, Known, Question } from '../../cache/cache.ts';
import { type Organisation, readKeys } from '../../describe/organisation.ts';
import { type Rows, withMissing } from '../../describe/source.ts';
import { present } from '../../lib/present.ts';
import type { Row } from '../list/list-state.ts';
import { createRowJoiner } from './join-rows.ts';
import { whoseProblems } from './whose-problems.ts';

/** A cache of one of several organisations. */
export interface CachePart {
  readonly organisation: Organisation;
  readonly cache: Cache;
}

/**
 * Several caches as one: a key says whose read it is, one without a name is of the first. A read of several organisations
 * has the rows of all that have answered, each tagged; a read that fails or waits holds up no other one.
 */
export function joinCaches(parts: readonly [CachePart, ...CachePart[]]): Cache {
  const [first] = parts;
  const named = new Map(parts.map((part) => [part.organisation.name, part]));
  const problems = new Map<string, Problem>();
  const together = createRowJoiner();

  const parted = (key: string) =>
    readKeys(key).map((one) => ({ ...(named.get(one.name ?? '') ?? first), key: one.key }));
  const routed = (key: string) => parted(key)[0] ?? { ...first, key };

  /** A read that has failed and is asked again is still one that failed, until it has an answer. */
  const knownOf = <T>({ organisation, cache, key }: CachePart & { readonly key: string }): Known<T> => {
    const known = cache.known<T>(key);
    const id = `${organisation.name} ${key}`;
    if (known.problem) problems.set(id, known.problem);
    else if (known.value !== undefined || !known.asking) problems.delete(id);
    return { ...known, ...present({ problem: problems.get(id) }) };
  };

  const knownTogether = (key: string): Known<Rows<Row>> => {
    const each = parted(key).map((part) => ({ ...part, known: knownOf<Rows<Row>>(part) }));
    const answered = each.flatMap(({ organisation, known: { value } }) =>
      value ? [{ organisation, rows: value.rows, value }] : [],
    );
    const old = each.flatMap(({ organisation, known }) => (known.isFromSnapshot ? [organisation.name] : []));
    const failed = each.filter(({ known }) => known.problem !== undefined);
    const well = each.filter(({ known }) => known.problem === undefined);
    const waiting = well.length > 0 ? well : each;
    const ats = waiting.flatMap(({ known }) => known.at ?? []);
    const says = (of: Organisation, texts: readonly string[] = []) => texts.map((text) => `${of.name}: ${text}`);
    const value = answered.length > 0 && {
      rows: together(key, answered),
      notes: answered.flatMap(({ organisation, value }) => says(organisation, value.notes)),
      ...withMissing(answered.flatMap(({ organisation, value }) => says(organisation, value.missing))),
      unread: answered.flatMap(({ organisation, value }) => says(organisation, value.unread)),
    };
    const [problem] = failed.flatMap(({ known }) => known.problem ?? []);
    const text = whoseProblems(
      failed.flatMap(({ organisation: { name }, known: { problem } }) => (problem ? [{ name, problem }] : [])),
    );
    return {
      ...(value ? { value } : {}),
      ...present({
        at: ats.length > 0 ? Math.min(...ats) : undefined,
        problem: problem && { ...problem, text },
        failed: well.length > 0 && failed.length > 0 ? failed.map(({ organisation }) => organisation.name) : undefined,
        old: old.length > 0 ? old : undefined,
        isFromSnapshot: old.length > 0 && old.length === answered.length ? true : undefined,
      }),
      asking: waiting.some(({ known }) => known.asking),
      partial: well.some(({ known }) => known.partial || (answered.length > 0 && known.value === undefined)),
    };
  };

  const cache: Cache = {
    watch(question, often, changed) {
      if (question.parts) {
        const stops = question.parts.map((part) => cache.watch(part, often, changed));
        return () => {
          for (const stop of stops) stop();
        };
      }
      const part = routed(question.key);
      return part.cache.watch({ ...question, key: part.key }, often, changed);
    },
    async ask<T>(question: Question<T>, freshMs?: number) {
      if (question.parts) await Promise.all(question.parts.map((part) => cache.ask(part, freshMs)));
      if (question.parts) return cache.known<T>(question.key);
      const part = routed(question.key);
      return part.cache.ask({ ...question, key: part.key }, freshMs);
    },
    known<T>(key: string) {
      const [part, ...others] = parted(key);
      return others.length > 0 ? (knownTogether(key) as Known<T>) : knownOf<T>(part ?? { ...first, key });
    },
    seed(key, value, at) {
      const part = routed(key);
      part.cache.seed(part.key, value, at);
    },
    version: () => parts.reduce((sum, part) => sum + part.cache.version(), 0),
    refresh() {
      for (const part of parts) part.cache.refresh();
    },
    changed: (kinds) => first.cache.changed(kinds),
    overlays: {
      // Edits lay theirs over the cache of their own organisation.
      ...first.cache.overlays,
      over(key, kinds, rows, idOf) {
        const each = parted(key);
        const [only, ...others] = each;
        if (only && others.length === 0) return only.cache.overlays.over(only.key, kinds, rows, idOf);
        const over = each.flatMap(({ organisation, cache, key }) => {
          const read = cache.known<Rows<Row>>(key).value?.rows;
          // Ids of one organisation are those of all without what `id` puts before them.
          const ownId = (row: Row) =>
            idOf(organisation.tag(row) as (typeof rows)[number]).slice(organisation.id('').length);
          return read ? [{ organisation, rows: cache.overlays.over(key, kinds, read, ownId) }] : [];
        });
        return together(`${key} over`, over) as typeof rows;
      },
      removed: (kind) => idsOf((part) => part.cache.overlays.removed(kind)),
      pending: () => idsOf((part) => part.cache.overlays.pending()),
    },
    pause(on) {
      for (const part of parts) part.cache.pause(on);
    },
    pace: {
      ...first.cache.pace,
      touch() {
        for (const part of parts) part.cache.pace.touch();
      },
    },
    close() {
      for (const part of parts) part.cache.close();
    },
  };

  /** Ids as lists of all organisations have them, and those of the first alone as its own lists have them. */
  const idsOf = (ids: (part: CachePart) => ReadonlySet<string>): ReadonlySet<string> =>
    new Set([...ids(first), ...parts.flatMap((part) => [...ids(part)].map(part.organisation.id))]);

  return cache;
}
