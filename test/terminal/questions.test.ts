import { expect, test } from 'vitest';
import { onStage, sevenIssues, statesIn } from '../support/dashboard.ts';
import { soon } from '../support/soon.ts';

/** The program with a profile in production, which is added first. */
const production =
  '"$1" "$2" profiles add prod --base-url "$4" --production --api-key-env ORGDECK_API_KEY --app-key-env ORGDECK_APP_KEY >/dev/null && exec "$1" "$2" --profile prod';
const inProduction = `${production} --screen issues`;

test.concurrent(
  'in production, y sent 20 ms after i does not confirm; y after the question was readable does',
  onStage(
    async ({ pty, service }) => {
      await pty.sees(/> .*TypeError/);
      await pty.settles(300);
      for (let time = 0; time < 4; time += 1) {
        pty.presses('i');
        await new Promise((go) => setTimeout(go, 20));
        pty.presses('y');
        await pty.sees('y was pressed before the question was drawn');
        pty.presses('n');
        await pty.missesSoon('in production (prod)?');
      }
      expect(service.received('PUT')).toEqual([]);
      pty.presses('i');
      await pty.sees('in production (prod)?');
      await pty.settles(500);
      pty.presses('y');
      await pty.missesSoon('in production (prod)?');
      await soon(() => expect(statesIn(service)[0]).toBe('IGNORED'));
      expect(service.received('PUT')).toHaveLength(1);
    },
    { before: sevenIssues, script: inProduction },
  ),
);

test.concurrent(
  'y does not confirm while the terminal has not accepted the question',
  onStage(
    async ({ pty, service }) => {
      await pty.sees(/> .*TypeError/);
      await pty.settles(300);
      pty.reads(false);
      // Redraws fill the terminal's buffers, so that the question cannot be written.
      for (let time = 0; time < 200; time += 1) {
        pty.presses('\u000C');
        await new Promise((go) => setTimeout(go, 10));
      }
      pty.presses('i');
      await new Promise((go) => setTimeout(go, 800));
      pty.presses('y');
      await new Promise((go) => setTimeout(go, 200));
      expect(service.received('PUT')).toEqual([]);
      pty.reads(true);
      await pty.sees('y was pressed before the question was drawn');
      await pty.settles(500);
      expect(service.received('PUT')).toEqual([]);
      pty.presses('y');
      await soon(() => expect(service.received('PUT')).toHaveLength(1));
    },
    { before: sevenIssues, script: inProduction },
  ),
);

test.concurrent(
  'what was typed before the question of a command does not answer it, and is told',
  onStage(
    async ({ pty, service }) => {
      pty.presses('y\r');
      await pty.sees('What was typed before the question does not count');
      await pty.sees('y sends it');
      expect(service.received('PUT')).toEqual([]);
      pty.presses('y\r');
      await pty.sees('Resolved');
      expect(service.received('PUT')).toHaveLength(1);
    },
    { before: sevenIssues, script: `${production} issues resolve c1726a66-1f64-11ee-b338-da7ad0900001` },
  ),
);

test.concurrent(
  'Ctrl-C before the question of a command ends it',
  onStage(
    async ({ pty, service }) => {
      // Quoted, so that it waits for the program and is no signal yet.
      pty.presses('\u0016\u0003');
      await pty.sees('ended 130');
      expect(service.received('PUT')).toEqual([]);
    },
    {
      before: sevenIssues,
      script: `${production.replace('exec ', '')} issues resolve c1726a66-1f64-11ee-b338-da7ad0900001; echo ended $?; cat`,
    },
  ),
);
