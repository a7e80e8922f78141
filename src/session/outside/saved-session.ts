import * as v from 'valibot';
import { storedCount, storedTime } from '../../lib/values.ts';
import { previewPlaces } from '../rows/geometry.ts';

const text = v.pipe(v.string(), v.maxLength(20_000));

const savedList = v.object({
  search: v.optional(v.record(v.string(), text)),
  range: v.optional(text),
  filter: v.optional(text),
  sort: v.optional(v.object({ by: text, down: v.boolean() })),
  hscroll: v.optional(storedCount),
  preview: v.optional(v.picklist(previewPlaces)),
  cursor: v.optional(text),
  cursorAt: v.optional(storedCount),
  watched: v.optional(v.record(v.string(), text)),
});
export type SavedList = v.InferOutput<typeof savedList>;

/** Where a person was, and when. */
const place = v.object({
  /** When the last key was pressed; when the visit before this one ended. */
  lastKey: storedTime,
  lastLook: v.optional(storedTime),
  /** When the whole of a board was last seen. */
  lookedAt: v.optional(storedTime),
  screen: text,
  tabs: v.record(v.string(), storedCount),
});

const savedView = v.object({ at: storedTime, screen: text, tab: storedCount, list: savedList });

/** A view with its name, as the state has it. */
export type SavedView = { readonly name: string } & Readonly<v.InferOutput<typeof savedView>>;

/** What was typed into a form that was not sent: without secrets, and only what differs from how the form opened. */
const draft = v.object({
  at: storedTime,
  /** By field: the text, and the one that the form opened with. */
  texts: v.record(text, v.object({ text, from: text })),
  labels: v.optional(v.record(text, v.record(text, text))),
});
export type SavedDraft = v.InferOutput<typeof draft>;

/** The drafts of a profile, by form. */
export type Drafts = Readonly<Record<string, SavedDraft>>;

/** What of a session survives its end, by kind and key, so that several dashboards can keep it together. Schema of its file. */
export const savedSessionSchema = v.object({
  place: v.optional(place),
  lists: v.optional(v.record(v.string(), savedList), {}),
  /** Earlier searches and filters of each list, newest first. */
  searches: v.optional(v.record(v.string(), v.pipe(v.array(v.record(v.string(), text)), v.readonly())), {}),
  filters: v.optional(v.record(v.string(), v.pipe(v.array(text), v.readonly())), {}),
  views: v.optional(v.record(text, savedView), {}),
  drafts: v.optional(v.record(text, draft), {}),
  /** What the person has written for the next shift, and when; the newest alone. */
  note: v.optional(v.object({ at: storedTime, text })),
});
export type ShiftNote = NonNullable<v.InferOutput<typeof savedSessionSchema>['note']>;
export type SavedSession = Readonly<v.InferOutput<typeof savedSessionSchema>>;

const seenState = v.object({
  word: text,
  level: storedCount,
  ends: v.optional(v.pipe(v.array(storedTime), v.readonly())),
});

/** What was seen of the states of its rows; schema of `SeenStates`. */
const seenStates = v.object({
  spans: v.pipe(v.array(v.pipe(v.tuple([storedTime, storedTime]), v.readonly())), v.readonly()),
  changes: v.pipe(
    v.array(v.object({ at: storedTime, id: text, name: text, from: seenState, to: seenState })),
    v.readonly(),
  ),
});

/** Samples of a number, and when the last one was read; JSON has null for what is not known. */
const course = v.object({
  at: storedTime,
  samples: v.pipe(
    v.array(
      v.pipe(
        v.nullable(v.number()),
        v.transform((sample) => sample ?? Number.NaN),
      ),
    ),
    v.readonly(),
  ),
});

/** The last rows of lists, by the key of their question in the cache. Schema of the snapshot's file. */
export const snapshotSchema = v.array(
  v.object({
    list: text,
    key: text,
    at: storedTime,
    rows: v.pipe(v.array(v.unknown()), v.readonly()),
    notes: v.optional(v.pipe(v.array(v.string()), v.readonly())),
    /** How many rows there were. */
    total: v.optional(storedCount),
    seen: v.optional(seenStates),
    /** The courses of numbers that its reads have shown, by name. */
    courses: v.optional(v.record(text, course)),
  }),
);
export type Snapshot = v.InferOutput<typeof snapshotSchema>;
