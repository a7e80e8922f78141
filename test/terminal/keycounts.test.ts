import { expect, test } from 'vitest';
import { onStage, type Stage, type StageOptions, sevenIssues, statesIn, threeMonitors } from '../support/dashboard.ts';

/** "Key counts to hold" (design/screens.md), with a service that responds after 300 ms. */
const slow: StageOptions = {
  latencyMs: 300,
  before(service) {
    sevenIssues(service);
    threeMonitors(service);
  },
};

/** The story, and how many keys its part between `from` and the end took. */
function counted(keys: number, prepare: (stage: Stage) => Promise<void>, part: (stage: Stage) => Promise<void>) {
  return onStage(async (stage) => {
    await prepare(stage);
    await stage.pty.settles(300);
    const before = stage.pty.keysSent();
    await part(stage);
    expect(stage.pty.keysSent() - before).toBe(keys);
  }, slow);
}

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
  'mute the alerting monitor for an hour: m1',
  counted(2, onMonitors, async ({ pty, service, types }) => {
    await types('m1');
    await pty.sees(/Muted disk full until/);
    expect(service.received('POST', '/monitor/4211/mute')).toHaveLength(1);
    const [mute, ...others] = mutesOf(service, '4211');
    expect(others).toEqual([]);
    expect(((mute?.end ?? 0) - service.now()) / 60_000).toBeCloseTo(60, 0);
  }),
);

test(
  'mute one group of it from the row of the group: m1',
  counted(
    2,
    async (stage) => {
      await onMonitors(stage);
      stage.pty.presses('\r');
      await stage.pty.sees(/┌ disk full/);
      for (let tab = 0; tab < 6 && !stage.pty.screen().some((line) => /> .*host:web-\d/.test(line)); tab++) {
        stage.pty.presses(']');
        await stage.pty.settles(500);
      }
      await stage.pty.sees(/> .*host:web-\d/);
    },
    async ({ pty, service, types }) => {
      const subRowId = pty
        .screen()
        .map((line) => /> .*(host:web-\d)/.exec(line)?.[1])
        .find(Boolean);
      await types('m1');
      await pty.sees(new RegExp(`Muted ${subRowId} of disk full until`));
      expect(mutesOf(service, '4211').map((silence) => silence.scope)).toEqual([[subRowId]]);
    },
  ),
);

test(
  'unmute: M',
  counted(
    1,
    async (stage) => {
      await onMonitors(stage);
      await stage.types('m1');
      await stage.pty.sees(/Muted disk full until/);
    },
    async ({ pty, service }) => {
      pty.presses('M');
      await pty.sees(/Unmuted disk full/);
      expect(service.received('POST', '/monitor/4211/unmute')).toHaveLength(1);
    },
  ),
);

test(
  'assign to me: a Enter',
  counted(2, onIssues, async ({ pty, service, types }) => {
    await types('a\r');
    await pty.sees(/Assigned .*TypeError.* to you/);
    expect(service.received('PUT', '/assignee')).toHaveLength(1);
  }),
);

test(
  'resolve five issues: v4jr, and undo the bulk: u',
  onStage(async (stage) => {
    const { pty, service, types } = stage;
    await onIssues(stage);
    const before = pty.keysSent();
    await types('v4jr');
    await expect
      .poll(() => statesIn(service), { timeout: 8000 })
      .toEqual([...Array(5).fill('RESOLVED'), 'OPEN', 'OPEN']);
    await pty.sees(/Resolved 5 rows/);
    expect(pty.keysSent() - before).toBe(4);
    pty.presses('u');
    await expect.poll(() => statesIn(service), { timeout: 8000 }).toEqual(Array(7).fill('OPEN'));
    await pty.sees(/Undid/);
    expect(pty.keysSent() - before).toBe(5);
  }, slow),
);

test(
  'resolve five issues with the keys sent in one chunk',
  onStage(async (stage) => {
    await onIssues(stage);
    stage.pty.presses('v4jr');
    await expect
      .poll(() => statesIn(stage.service), { timeout: 8000 })
      .toEqual([...Array(5).fill('RESOLVED'), 'OPEN', 'OPEN']);
  }, slow),
);

test(
  'find an issue by its text: /timeout',
  counted(8, onIssues, async ({ pty, service, types }) => {
    const asked = service.received('POST', 'search').length;
    await types('/timeout');
    await pty.missesSoon('ChunkLoadError');
    await pty.sees('TimeoutError');
    expect(service.received('POST', 'search')).toHaveLength(asked);
  }),
);

test(
  'repeat on the next row: j.',
  counted(
    2,
    async (stage) => {
      await onIssues(stage);
      stage.pty.presses('A');
      await stage.pty.sees(/Acknowledged .*TypeError/);
    },
    async ({ pty, service, types }) => {
      await types('j.');
      await pty.sees(/Acknowledged .*ChunkLoadError/);
      expect(statesIn(service)).toEqual(['ACKNOWLEDGED', 'ACKNOWLEDGED', ...Array(5).fill('OPEN')]);
    },
  ),
);
