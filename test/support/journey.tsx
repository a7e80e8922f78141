import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Translator } from '../../src/api/vocabulary/translator.ts';
import type { KeyOptions } from '../../src/simulator/server/keys.ts';
import { createTestClock, type TestClock } from './clock.ts';
import { type Seat, seated, type User } from './person.ts';
import { spoken, wordsOfRun } from './run-vocabulary.ts';
import { createSimulator, type Simulator } from './simulator.ts';
import { missesWords } from './vocabulary-journeys.ts';

export type { User };

export interface JourneyOptions extends Seat {
  readonly monitors?: number;
  readonly issues?: number;
  /** The time at which the clock stands still; noon of today, running, when absent. */
  readonly stoppedAt?: number;
  /** Restricted keys; an administrator's when absent. */
  readonly keys?: KeyOptions | ((service: Simulator) => KeyOptions);
  /** Vocabulary of the service; that of the run when absent. */
  readonly vocabulary?: Translator;
  /** The story of a second run on the same state directory, after the first has ended. */
  readonly restarted?: (user: User, service: Simulator, clock: TestClock) => Promise<void>;
  /** Runs before the session begins: fixtures and faults that must be there from the start. */
  readonly before?: (service: Simulator) => void | Promise<void>;
}

/** Runs a story on the whole dashboard: keys in, frames out, over HTTP to its own simulator. */
export function journey(
  story: (user: User, service: Simulator, clock: TestClock) => Promise<void>,
  setting: JourneyOptions = {},
): () => Promise<void> {
  return async () => {
    const clock = createTestClock(setting.stoppedAt);
    const vocabulary = setting.vocabulary ?? wordsOfRun();
    const service = createSimulator({
      seed: 7,
      monitors: setting.monitors ?? 24,
      issues: setting.issues ?? 18,
      clock,
      lively: false,
      vocabulary,
    });
    const at = await service.start();
    const speech = spoken(at.url, vocabulary);
    const path = expect.getState().testPath ?? '';
    const missed = new Set<string>();
    const watch = (frame: string) => {
      speech.watch?.(frame);
      const says = missesWords(path, frame);
      if (says) missed.add(says);
    };
    await setting.before?.(service);
    const wishes = typeof setting.keys === 'function' ? setting.keys(service) : setting.keys;
    const keys = wishes === undefined ? {} : service.keys.make(wishes);
    const directory = mkdtempSync(join(tmpdir(), 'orgdeck-journey-'));
    try {
      const place = { ...at, ...keys, ...speech, watch };
      for (const part of setting.restarted ? [story, setting.restarted] : [story])
        await seated(
          place,
          clock,
          async (user) => {
            await part(user, service, clock);
            for (const text of user.copied) watch(text);
          },
          { ...setting, directory },
        );
      speech.check();
      expect([...missed]).toEqual([]);
    } finally {
      speech.close();
      rmSync(directory, { recursive: true, force: true });
      await service.stop();
    }
  };
}
