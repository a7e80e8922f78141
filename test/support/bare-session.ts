import type { Call } from '../../src/api/endpoint.ts';
import { problemResult, type Result, toResult } from '../../src/api/problem.ts';
import { type Cache, createCache } from '../../src/cache/cache.ts';
import type { Client, Purpose } from '../../src/client/client.ts';
import type { Context, Rows, Source } from '../../src/describe/context.ts';
import type { Screen } from '../../src/describe/screen.ts';
import type { Clock } from '../../src/lib/time.ts';
import type { Outside } from '../../src/session/outside/outside.ts';
import { createSession } from '../../src/session/session.ts';
import { createSteppedClock, settled } from './steppedclock.ts';

/** The parts of a session without network, disk and terminal: reads are plans that call nothing, and the clock stands still. */

/** A read that answers with the rows as they are then, or with what they are made to. `read` is told of each. */
export const heldSource = <Row>(
  key: string,
  rows: (context: Context) => readonly Row[] | Result<Rows<Row>>,
  read: (key: string) => void = () => {},
): Source<Row> => ({
  key,
  of: [key],
  // biome-ignore lint/correctness/useYield: what it answers is held
  *plan(context) {
    read(key);
    const held = rows(context);
    return 'ok' in held ? held : toResult({ rows: held });
  },
});

/** Reads that answer with the rows that `held` has by their key, and are noted. */
export function heldReads<Row>() {
  const reads: string[] = [];
  const held: Record<string, readonly Row[] | Result<Rows<Row>>> = {};
  const source = (key: string) =>
    heldSource<Row>(
      key,
      () => held[key] ?? [],
      (read) => reads.push(read),
    );
  /** The keys of the reads since the last look. */
  const since = () => reads.splice(0).join(' ');
  return { held, source, since };
}

/** A cache on this clock. What a plan shows on the way is shown, its pauses last, and its calls are answered by the test. */
export const heldCache = (clock: Clock, answer: (call: Call) => Result<unknown> = refusedCall): Cache =>
  createCache({
    async run(plan, { partial }) {
      let step = plan.next();
      for (; !step.done; ) {
        const { value } = step;
        if ('partial' in value) partial(value.partial);
        if ('pauseMs' in value) await new Promise<void>((done) => clock.after(value.pauseMs, done));
        step = plan.next('endpoint' in value ? answer(value) : toResult(undefined));
      }
      return step.value;
    },
    clock,
    random: () => 0.5,
    holdBack: () => 0,
    slowdown: () => 1,
  });

const refusedCall = ({ endpoint }: Call) => problemResult('unreachable', `${endpoint.id} has no answer`);

type Name = Exclude<keyof Outside, 'files' | 'unfinished'>;
const names: readonly Name[] = [
  ...(['copy', 'edit', 'readFile', 'job', 'keep', 'keepRows', 'theme', 'suspend'] as const),
  ...(['redraw', 'ring', 'quit', 'journal', 'saveReport', 'unsettled', 'entry', 'remember', 'profiles'] as const),
  ...(['undoOffer', 'takeBack', 'undoEnded'] as const),
  ...(['switchProfile', 'giveKeys', 'testProfile', 'removeProfile'] as const),
  ...(['addProfile', 'editProfile'] as const),
];

/** What the outside answers, by the name of its function; a function answers by what it was given. */
export type OutsideAnswers = { readonly [K in Name]?: unknown };

/** An outside that notes what it is asked and answers as the test says: an empty journal, no profiles, else nothing. */
export function notedOutside(answers: OutsideAnswers = {}) {
  const asked: (readonly [name: string, ...given: unknown[]])[] = [];
  const all: OutsideAnswers = { journal: { entries: [] }, unsettled: { entries: [] }, profiles: [], ...answers };
  const outside = Object.fromEntries(
    names.map((name) => [
      name,
      async (...given: unknown[]) => {
        asked.push([name, ...given]);
        const answer = all[name];
        return typeof answer === 'function' ? answer(...given) : answer;
      },
    ]),
  ) as unknown as Outside;
  return { outside, asked };
}

/** A client that notes what is sent and answers as the test says. */
export function notedClient(answer: (call: Call) => Result<unknown> = () => toResult(undefined)) {
  const sent: { readonly call: Call; readonly purpose: Purpose | undefined }[] = [];
  const expected = { edits: 0 };
  const client = {
    expectEdit() {
      expected.edits += 1;
    },
    origin: 'http://127.0.0.1:9',
    ends: () => ({ apiKey: '', appKey: '' }),
    async send(call: Call, how?: { readonly purpose?: Purpose }) {
      sent.push({ call, purpose: how?.purpose });
      return answer(call);
    },
    offered: () => true,
    budgets: () => [],
    holdBack: () => 0,
    slowdown: () => 1,
  } as unknown as Client;
  return { client, sent, expected };
}

type Given = Parameters<typeof createSession>[0];

/** A session of these screens at 100x30, begun; `given` replaces what it is made with, `answer` answers the calls of reads. */
export async function bareSession(
  screens: readonly Screen[],
  given: Partial<Given> = {},
  answers: OutsideAnswers = {},
  answer?: (call: Call) => Result<unknown>,
) {
  const clock = createSteppedClock();
  const cache = heldCache(clock, answer);
  const { outside, asked } = notedOutside(answers);
  const { client, sent } = notedClient();
  const session = createSession({
    screens,
    client,
    cache,
    clock,
    random: () => 0.5,
    zone: 'UTC',
    ascii: false,
    profile: { name: 'test', environment: 'dev', production: false, readOnly: false, pollMs: 15_000 },
    outside,
    size: { columns: 100, rows: 30 },
    ...given,
  });
  session.start();
  await settled();
  return { session, clock, cache, asked, sent, state: () => session.store.getState().state };
}
