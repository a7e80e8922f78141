import { Session } from 'node:inspector/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { layerOf } from '../laws/layers.ts';
import { root } from '../laws/sources.ts';
import type { TestClock } from '../support/clock.ts';
import { hasIssue, hasIssues } from '../support/issues.ts';
import { journey, type User } from '../support/journey.tsx';
import { hasDisk } from '../support/monitors.ts';
import { offering } from '../support/offering.ts';
import type { Simulator } from '../support/simulator.ts';

// How many files of the product somebody must know to follow a key: those with a function that V8 saw called between the key and
// the frame. What the simulator calls in rooms that it shares counts too.

/** What a person does, and what comes before it. */
interface Flow {
  readonly title: string;
  /** Files that it may pass. */
  readonly most: number;
  ready(user: User): Promise<void>;
  does(user: User, service: Simulator, clock: TestClock): Promise<void>;
}

const flows: readonly Flow[] = [
  { title: 'j on monitors', most: 72, ready: (user) => user.opens('monitors'), does: (user) => user.presses('j') },
  {
    title: 'm 1 u on monitors',
    most: 119,
    ready: (user) => user.opens('monitors'),
    async does(user) {
      await user.presses('m', '1');
      await user.sees(offering('✓ Muted Disk until 13:00 UTC'));
      await user.presses('u');
      await user.sees(offering('Undone: muted Disk until 13:00 UTC', 'redo'));
    },
  },
  {
    title: 'a poll of issues that brings one more',
    most: 91,
    ready: (user) => user.opens('issues'),
    async does(user, service) {
      hasIssue(service, 4);
      await user.polls();
      await user.sees('1 new');
    },
  },
];

test.each(flows)('$title', async ({ title, most, ready, does }) => {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await journey(
    async (user, service, clock) => {
      await ready(user);
      await user.settles();
      // Nothing else is read meanwhile.
      clock.stops();
      await session.post('Profiler.takePreciseCoverage');
      await does(user, service, clock);
      const { result } = await session.post('Profiler.takePreciseCoverage');
      const files = result
        .filter(({ functions }) => functions.some(isCalled))
        .flatMap(({ url }) => productFile(url) ?? []);
      tell(title, files);
      expect(new Set(files).size).toBeLessThanOrEqual(most);
    },
    {
      ...{ monitors: 0, issues: 0, columns: 100, rows: 24 },
      before(service) {
        hasDisk(service, { id: 77 });
        hasIssues(service, 3);
      },
    },
  )();
  session.disconnect();
});

interface Counted {
  readonly isBlockCoverage: boolean;
  readonly ranges: readonly { readonly count: number; readonly startOffset: number }[];
}

/** Whether a function was called; a module itself begins at 0 and runs when it is imported. */
const isCalled = ({ ranges: [whole] }: Counted): boolean =>
  whole !== undefined && whole.count > 0 && whole.startOffset > 0;

/** The path of a product file, without the simulator; undefined for anything else. */
function productFile(url: string): string | undefined {
  const path = relative(root, url.startsWith('file:') ? fileURLToPath(url) : url);
  return /^(src|screens|components)\//.test(path) && !path.startsWith('src/simulator/') ? path : undefined;
}

function tell(title: string, files: readonly string[]): void {
  const all = [...new Set(files)].toSorted();
  const rooms = [...Map.groupBy(all, (path) => layerOf(path) ?? path)].map(([room, { length }]) => `${room} ${length}`);
  console.log(`${title}: ${all.length} files\n  ${rooms.join(', ')}`);
  if (process.env.FLOWS_FILES) console.log(all.map((path) => `  ${path}`).join('\n'));
}
