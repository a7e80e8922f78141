import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { keyHints } from '../../src/session/state/state-changes.ts';
import { nothingSaid, toHearing, unsaid } from '../../src/shell/plain.ts';
import { hasIssue } from '../support/issues.ts';
import { journey } from '../support/journey.tsx';
import { hasDisk, hasSimple } from '../support/monitors.ts';
import type { Simulator } from '../support/simulator.ts';
import { stories } from '../support/stories.ts';
// Loads the grammars first, so that no journey types before they are loaded.
import '../../src/query/check-query.ts';
import '../../src/query/query-help.ts';

const folder = mkdtempSync(join(tmpdir(), 'orgdeck-tasks-'));
afterAll(() => rmSync(folder, { recursive: true }));
const csv = join(folder, 'vat.csv');
writeFileSync(csv, 'code,rate\nDE,19\nFR,20\n');

/** Three alerting monitors of `shop`, one of another service; six issues of `shop`; a colleague. */
function organization(service: Simulator): void {
  const tags = ['service:shop'];
  hasDisk(service, { id: 70, priority: 2, tags });
  hasSimple(service, 'Queue', { id: 71, tags });
  hasSimple(service, 'Errors', { id: 72, tags });
  hasDisk(service, { id: 73, name: 'Login', priority: 1, tags: ['service:auth'] });
  for (let n = 1; n <= 6; n += 1) hasIssue(service, n, { service: 'shop' });
  service.has('users', { id: '00000000-0000-4000-8000-000000000900', attributes: { name: 'Zenobia Quark' } });
}

/** A key, or a text that is typed, and what the screen says of it before it is pressed. */
type Step = readonly [press: string, taught: RegExp | string];

/** Texts that are typed letter by letter. */
const typed: ReadonlySet<string> = new Set(['tomorrow 09:00', 'zen']);

interface Task {
  readonly steps: readonly Step[];
  readonly done: RegExp;
  readonly heard: RegExp;
  /** How often two seconds pass before the service is done. */
  readonly beats?: number;
}

/** What a person has to do, key by key, and what says that it is done. */
const tasks: Readonly<Record<string, Task>> = {
  'see what alerts': { steps: [], done: /ALERT +P1 .*Login/, heard: /Login/ },
  'one incident or three': {
    steps: [
      ['j', /shop: 3 monitors/],
      ['f', /f service/],
    ],
    done: /┌ shop · 3 alerting/,
    heard: /shop: 3 alerting since .*, 6 issues/,
  },
  'mute one service': {
    steps: [
      ['*', /\* mark all/],
      ['m', /m mute/],
      ['1', /1 1h/],
    ],
    done: /✓ Muted 3 monitors until/,
    heard: /Muted 3 monitors until/,
  },
  'mute one group until 09:00 tomorrow': {
    steps: [
      ['q', /q back/],
      ['2', /\[0 home\].* 2 mon/],
      ['return', /\[2 mon.*[\s\S]*> ALERT .*Login[\s\S]*Enter open/],
      [']', /\] next tab/],
      ['m', /m mute/],
      ['t', /t other/],
      ['tomorrow 09:00', /until/],
      ['return', /Enter/],
    ],
    done: /✓ Muted host:web-1 of Login/,
    heard: /Muted host:web-1 of Login/,
  },
  'assign to a colleague by name': {
    steps: [
      ['1', /1 iss/],
      ['a', /a assign/],
      ['zen', /type to filter/],
      ['return', /> Zenobia Quark/],
    ],
    done: /Assigned E01 in shop to Zenobia Quark/,
    heard: /Assigned E01 in shop to Zenobia Quark/,
  },
  'resolve five issues of one service': {
    steps: [
      ['j', /E02/],
      ['?', /\? help/],
      ['q', /v4j marks five/],
      ['v', /┌ Issues/],
      ['4', /range/],
      ['j', /range 4/],
      ['r', /5 marked/],
    ],
    done: /✓ Resolved 5 issues/,
    heard: /Resolved 5 issues/,
  },
  undo: { steps: [['u', keyHints.undo]], done: /✓ Undone: resolved 5 issues/, heard: /Undone: resolved 5 issues/ },
  'create a metric monitor': {
    steps: [
      ['2', /2 mon/],
      ['q', /q back/],
      ['?', /\? help/],
      ['q', / n +New: Create a monitor/],
      ['n', /┌ Monitors/],
      ['return', /Enter/],
      ['ctrl+s', /Ctrl-S/],
      ['return', /Enter/],
    ],
    done: /✓ Created monitor/,
    heard: /Created monitor/,
  },
  'upload a CSV': {
    steps: [
      ['7', /7 /],
      ['n', /n new/],
      ['1', /1 +upload file/],
      [csv, /CSV/],
      ['ctrl+s', /Ctrl-S upload/],
      ['y', /\[y\] Yes/],
    ],
    done: /Table vat has 2 rows and is ready/,
    heard: /Table vat has 2 rows and is ready/,
    beats: 5,
  },
  'hand over': {
    steps: [
      ['q', /Esc back/],
      ['H', /\[7 tables/],
      [
        'y',
        /P1 Login \(since 11:55, host:web-1 muted\)[\s\S]*Done {2}7[\s\S]* created monitor \d+ \*\*system[\s\S]*y copy/,
      ],
    ],
    done: /Copied the handover/,
    heard: /Copied the handover/,
  },
};

/** Keys of each task: a typed letter is one, and so is a pasted path. */
const keysOf = {
  'see what alerts': 0,
  'one incident or three': 2,
  'mute one service': 3,
  'mute one group until 09:00 tomorrow': 21,
  'assign to a colleague by name': 6,
  'resolve five issues of one service': 7,
  undo: 1,
  'create a metric monitor': 8,
  'upload a CSV': 6,
  'hand over': 3,
};

const seat = { screen: 'home', monitors: 0, issues: 0, columns: 120, rows: 40, before: organization } as const;
const story = stories(journey, seat);

story(
  'ten tasks of a night, each key pressed after the screen has said what it does; --plain says how each ended',
  async (user, _, clock) => {
    let said = nothingSaid;
    const heardIn = (text: string) => {
      const next = unsaid(said, toHearing(user.session), clock.now());
      said = next.said;
      return text + next.text;
    };
    const counts: Record<string, number> = {};
    for (const [name, { steps, done, heard, beats = 0 }] of Object.entries(tasks)) {
      // A digit typed right after another one is refused.
      await clock.passes(1000);
      let [keys, text] = [0, heardIn('')];
      for (const [press, taught] of steps) {
        await user.sees(taught);
        if (press === csv) await user.pastes(press);
        else await user.presses(press);
        keys += typed.has(press) ? press.length : 1;
        text = heardIn(text);
      }
      if (beats > 0) await user.sees('Importing');
      for (let beat = 0; beat < beats; beat += 1) await clock.passes(2000);
      await user.sees(done);
      expect(heardIn(text)).toMatch(heard);
      counts[name] = keys;
    }
    expect(counts).toEqual(keysOf);
    expect(user.copied.at(-1)).toContain('created monitor');
  },
);
