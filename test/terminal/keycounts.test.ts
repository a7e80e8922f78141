import { expect, test } from 'vitest';
import { onStage, type Stage, type StageOptions, sevenIssues, statesIn, threeMonitors } from '../support/dashboard.ts';
import { receiptOf } from '../support/receipts.ts';

/** The keys of docs/design/screens.md#key-counts, with a service that responds after 300 ms. */
const slow: StageOptions = {
  latencyMs: 300,
  before(service) {
    sevenIssues(service);
    threeMonitors(service);
  },
};

/** One session with several stories: what each one needs is there when it begins. */
const counted = async (stage: Stage, keys: number, part: () => Promise<void>) => {
  await stage.pty.settles(300);
  const before = stage.pty.keysSent();
  await part();
  expect(stage.pty.keysSent() - before).toBe(keys);
};

const mutesOf = (service: Stage['service'], monitor: string) =>
  [...service.org.silences.values()].filter((silence) => silence.monitor === monitor);

const onIssues = async ({ pty }: Stage) => {
  pty.presses('1');
  await pty.sees(/> .*TypeError/);
};
const onMonitors = async ({ pty }: Stage) => {
  pty.presses('2');
  await pty.sees(/> .*disk full/);
};

test(
  'mute the alerting monitor for an hour: m1, unmute: M, and mute one group of it from the row of the group: m1',
  onStage(async (stage) => {
    const { pty, service, types } = stage;
    await onMonitors(stage);
    await counted(stage, 2, async () => {
      await types('m1');
      await pty.sees(new RegExp(`${receiptOf.mute('disk full')}`));
    });
    expect(service.received('POST', '/monitor/4211/mute')).toHaveLength(1);
    const [mute, ...others] = mutesOf(service, '4211');
    expect(others).toEqual([]);
    expect(((mute?.end ?? 0) - service.now()) / 60_000).toBeCloseTo(60, 0);

    await counted(stage, 1, async () => {
      pty.presses('M');
      await pty.sees(new RegExp(`${receiptOf.unmute('disk full')}`));
    });
    expect(service.received('POST', '/monitor/4211/unmute')).toHaveLength(1);

    pty.presses('\r');
    await pty.sees(/┌ disk full/);
    for (let tab = 0; tab < 6 && !pty.screen().some((line) => /> .*host:web-\d/.test(line)); tab++) {
      pty.presses(']');
      await pty.settles(500);
    }
    await pty.sees(/> .*host:web-\d/);
    const subRowId = pty
      .screen()
      .map((line) => /> .*(host:web-\d)/.exec(line)?.[1])
      .find(Boolean);
    await counted(stage, 2, async () => {
      await types('m1');
      await pty.sees(new RegExp(`Muted ${subRowId} of disk full until`));
    });
    expect(mutesOf(service, '4211').map((silence) => silence.scope)).toEqual([[subRowId]]);
  }, slow),
);

test(
  'assign to me: a Enter, repeat on the next row: j., find an issue by its text: /timeout',
  onStage(async (stage) => {
    const { pty, service, types } = stage;
    await onIssues(stage);
    await counted(stage, 2, async () => {
      await types('a\r');
      await pty.sees(/Assigned .*TypeError.* to you/);
    });
    expect(service.received('PUT', '/assignee')).toHaveLength(1);

    await types('jA');
    await pty.sees(/Acknowledged .*ChunkLoadError/);
    await counted(stage, 2, async () => {
      await types('j.');
      await pty.sees(/Acknowledged .*TimeoutError/);
    });
    expect(statesIn(service)).toEqual([...Array(3).fill('ACKNOWLEDGED'), ...Array(4).fill('OPEN')]);

    await pty.settles(300);
    const asked = service.received('POST', 'search').length;
    await counted(stage, 8, async () => {
      await types('/timeout');
      await pty.missesSoon('RangeError');
      await pty.sees('TimeoutError');
    });
    expect(service.received('POST', 'search')).toHaveLength(asked);
  }, slow),
);

const fiveResolved = ({ service }: Stage) =>
  expect.poll(() => statesIn(service), { timeout: 8000 }).toEqual([...Array(5).fill('RESOLVED'), 'OPEN', 'OPEN']);

test(
  'resolve five issues: v4jr, and undo the bulk: u',
  onStage(async (stage) => {
    const { pty, service, types } = stage;
    await onIssues(stage);
    await counted(stage, 4, async () => {
      await types('v4jr');
      await fiveResolved(stage);
      await pty.sees(/Resolved 5 issues/);
    });
    await counted(stage, 1, async () => {
      pty.presses('u');
      await expect.poll(() => statesIn(service), { timeout: 8000 }).toEqual(Array(7).fill('OPEN'));
      await pty.sees(/Undone/);
    });
  }, slow),
);

test(
  'resolve five issues with the keys sent in one chunk',
  onStage(async (stage) => {
    await onIssues(stage);
    stage.pty.presses('v4jr');
    await fiveResolved(stage);
  }, slow),
);
