import { createSimulator, type Started } from '../support/simulator.ts';

/** Monitors on a page of the list, as the dashboard asks for them. */
const pageRows = 1000;

/** An organization with many monitors, on 127.0.0.1. */
export interface LargeOrganization extends Started {
  stop(): Promise<void>;
}

/** What of a monitor is text that people write. */
interface Texts {
  readonly name: string;
  readonly message: string;
  readonly query: string;
  readonly tags: readonly string[];
  readonly state?: { readonly groups: Readonly<Record<string, { readonly name: string }>> };
}

/** The monitor with texts that no other one has. */
const distinct = ({ name, message, query, tags, state }: Texts, id: number): Texts => ({
  name: `${name} ${id}`,
  message: `${id}: ${message}`,
  query: query.replace('}', `,shard:${id}}`),
  tags: tags.map((tag) => `${tag}-${id}`),
  ...(state && {
    state: {
      ...state,
      groups: Object.fromEntries(
        Object.values(state.groups).map((group) => {
          const named = `${group.name},shard:${id}`;
          return [named, { ...group, name: named }];
        }),
      ),
    },
  }),
});

/**
 * Starts an organization with this many thousand monitors. The simulator makes the first thousand; each further page of their list
 * has the same ones with other ids and names, so that it starts at once. `no text twice`: names, messages, queries, tags and groups are others, too.
 */
export async function startLargeOrganization(thousands: number, texts?: 'no text twice'): Promise<LargeOrganization> {
  const first: { body: readonly Texts[] | undefined } = { body: undefined };
  const simulator = createSimulator({
    seed: 2026,
    monitors: pageRows,
    issues: 100,
    rate: 0,
    around(incoming, _, next) {
      if (incoming.endpoint?.id === 'monitors.search')
        return { status: 200, body: { monitors: [], metadata: { total_count: thousands * pageRows } } };
      const after = Number(incoming.query.get('id_offset') ?? Number.NaN);
      if (incoming.endpoint?.id !== 'monitors.list' || Number.isNaN(after)) return next(incoming);
      if (after >= thousands * pageRows) return { status: 200, body: [] };
      const query = new URLSearchParams(incoming.query);
      query.set('id_offset', '0');
      first.body ??= next({ ...incoming, query }).body as readonly Texts[];
      const rows = first.body.map((row, at) => {
        const id = after + at + 1;
        return { ...row, id, ...(texts ? distinct(row, id) : { name: `${row.name} ${after}` }) };
      });
      return { status: 200, body: rows };
    },
  });
  const started = await simulator.start();
  return { ...started, stop: () => simulator.stop() };
}
