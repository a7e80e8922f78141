import type { Layer, LayerOf } from '../../src/session/state/state.ts';

const line = { text: '', cursor: 0 };
const picks = (typed: string) => ({ key: typed }) as never;
const asking = { query: line, asked: '', typing: false, cursor: 0 };

/** Layers with nothing in them: no row, no text, the cursor on the first line; actions name no edit. */
const layers = {
  bar: { bar: { title: 'mute', choices: [], inputs: [], cycles: [], values: {} }, values: {} },
  confirm: { confirm: { question: 'Sure?' }, typed: line, yes: { type: 'refresh' } },
  filter: { list: 'things', line },
  find: { line, from: { id: 'a', tab: 0, top: 0 } },
  help: { query: line, cursor: 0, searching: false },
  job: { id: 'j', title: 'upload', stopping: false },
  timeline: { view: 'handover', entries: [], cursor: 0, unsettled: false },
  menu: { title: '', items: [], cursor: 0 },
  palette: { query: line, cursor: 0 },
  pick: {
    picker: { title: 'Who', first: [], load: picks, values: ({ id }: { id: string }) => ({ who: id }) },
    ...asking,
  },
  profiles: { items: [], cursor: 0 },
  results: { title: '', results: [], cursor: 0 },
  secret: { secret: { title: 'Key', value: 'fake-key', notes: [] }, shown: false, copied: false, leaving: false },
  take: { name: 'who', title: 'Who', several: false, free: false, picks, taken: [], ...asking },
  text: { title: '', lines: [], top: 0 },
  wait: { title: '' },
};

/** A layer of this kind with these members. */
export const bareLayer = <Kind extends keyof typeof layers & Layer['kind']>(
  kind: Kind,
  more: Partial<LayerOf<Kind>> = {},
): LayerOf<Kind> => ({ kind, ...layers[kind], ...more }) as unknown as LayerOf<Kind>;

/** A handover with one line, about these edits; `place`: where it leads. */
export const reportOf = (
  entries: readonly string[],
  place?: { readonly list: string; readonly row: string },
): NonNullable<LayerOf<'timeline'>['report']> => ({
  ...{ profile: 'test', shift: 'last 8h', by: 'ann' },
  sections: [{ title: 'Muted', items: [{ lead: 'a', more: [], entries, ...(place ? { place } : {}) }] }],
});
