import * as v from 'valibot';
import { previewPlaces } from '../rows/geometry.ts';

const text = v.pipe(v.string(), v.maxLength(20_000));
const place = v.pipe(v.number(), v.integer(), v.minValue(0));

const savedList = v.object({
  search: v.optional(v.record(v.string(), text)),
  range: v.optional(text),
  filter: v.optional(text),
  sort: v.optional(v.object({ by: text, down: v.boolean() })),
  hscroll: v.optional(place),
  preview: v.optional(v.picklist(previewPlaces)),
  cursor: v.optional(text),
  cursorAt: v.optional(place),
  watched: v.optional(v.record(v.string(), text)),
});

/** What of a session survives its end: where a person was, and when. Schema of its file. */
export const savedSessionSchema = v.object({
  /** When the last key was pressed; when the visit before this one ended (looks.ts). Epoch milliseconds. */
  lastKey: v.number(),
  lastLook: v.optional(v.number()),
  /** When the whole of a board was last seen. */
  lookedAt: v.optional(v.number()),
  screen: text,
  tabs: v.record(v.string(), place),
  lists: v.record(v.string(), savedList),
  /** Earlier searches and filters of each list, newest first. */
  searches: v.optional(v.record(v.string(), v.pipe(v.array(v.record(v.string(), text)), v.readonly()))),
  filters: v.optional(v.record(v.string(), v.pipe(v.array(text), v.readonly()))),
});
export type SavedSession = v.InferOutput<typeof savedSessionSchema>;
/** Named views, in the order of saving. Schema of their file. */
export const savedViewsSchema = v.array(v.object({ name: text, screen: text, tab: place, list: savedList }));
export type SavedView = v.InferOutput<typeof savedViewsSchema>[number];

/** The last rows of lists, by the key of their question in the cache. Schema of the snapshot's file. */
export const snapshotSchema = v.array(
  v.object({
    list: text,
    key: text,
    at: v.number(),
    rows: v.pipe(v.array(v.unknown()), v.readonly()),
    notes: v.optional(v.pipe(v.array(v.string()), v.readonly())),
  }),
);
export type Snapshot = v.InferOutput<typeof snapshotSchema>;

/** What was typed into a form that was not sent: without secrets, and only what differs from how the form opened. */
const draftSchema = v.object({
  /** When it was typed, epoch milliseconds. */
  at: v.number(),
  /** By field: the text, and the one that the form opened with. */
  texts: v.record(text, v.object({ text, from: text })),
  labels: v.optional(v.record(text, v.record(text, text))),
});
export type Draft = v.InferOutput<typeof draftSchema>;
/** The drafts of a profile, by form. Schema of their file. */
export const draftsSchema = v.record(text, draftSchema);
export type Drafts = v.InferOutput<typeof draftsSchema>;

export type SavedList = v.InferOutput<typeof savedList>;
