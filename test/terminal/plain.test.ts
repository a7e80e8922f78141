import { expect, test } from 'vitest';
import { keyHints } from '../../src/session/state/state-changes.ts';
import { onStage, type Stage, threeMonitors } from '../support/dashboard.ts';
import { silences } from '../support/monitors.ts';
import { soon } from '../support/soon.ts';

const plain = { before: threeMonitors, flags: ['--plain', '--screen', 'monitors'] } as const;
const marks = { on: '\u001B[?2004h', off: '\u001B[?2004l' };

/** Everything written so far; pastes are marked, and nothing else is a sequence. */
const heard = ({ pty }: Stage): string => pty.outputSince(0).replaceAll('\r\n', '\n');

/** Presses keys and answers with what is written because of them, once it holds `what`. */
async function after({ pty }: Stage, keys: string, what: RegExp): Promise<string> {
  const mark = pty.mark();
  pty.presses(keys);
  await soon(() => expect(pty.outputSince(mark).replaceAll('\r\n', '\n')).toMatch(what));
  await pty.settles(400);
  return pty.outputSince(mark).replaceAll('\r\n', '\n');
}

test.concurrent(
  '--plain is lines on the normal screen: list, move, m1, u, a form edited by prompts, quit; no sequence but the marks of pastes',
  onStage(async (stage) => {
    const { pty, service } = stage;
    await pty.sees(/Row 1 of 3: ALERT, disk full/);
    await pty.settles(400);
    expect(pty.buffer()).toBe('normal');
    expect(heard(stage)).toMatch(/^Monitors, sorted by state/m);
    expect(heard(stage)).toMatch(/^3 monitors, ALERT 1, NO DATA 1$/m);

    expect(await after(stage, 'j', /Row 2/)).toMatch(/^Row 2 of 3: NO DATA, nightly export, [^\n]*\n$/);
    await after(stage, 'k', /Row 1/);

    await after(stage, '\u000C', /Monitors, sorted by state(?:.*\n)*Row 1 of 3/);

    expect(await after(stage, 'm', /Type a key/)).toMatch(/disk full[^\n]*Type a key\. 1: 1h, 4: 4h/);
    await pty.settles(400);
    await after(
      stage,
      '1',
      new RegExp(`Muted disk full until (?:tomorrow )?\\d\\d:\\d\\d UTC\\. ${keyHints.undo}\\n$`),
    );
    expect(silences(service, '4211')).toEqual(['* mute']);
    await after(stage, 'u', /Undone: muted disk full/);
    expect(silences(service, '4211')).toEqual([]);

    await after(stage, 'e', /Field 1 of \d+: name, required, type text.*\nname: disk full$/i);
    expect(await after(stage, ' now', / now/)).toBe(' now');
    expect(await after(stage, '\t', /Field 2 of/)).toMatch(/^\nField 2 of \d+: query, required/i);
    await after(
      stage,
      '\u0013',
      /Review of edit monitor disk full, 1 change:\nname: from disk full to disk full now\nRequest: PUT \/api\/v1\/monitor\/\d+\nEnter sends it/i,
    );
    await after(stage, '\r', /changed disk full|disk full now/);
    await soon(() => expect(service.org.monitors.get('4211')?.name).toBe('disk full now'));

    await pty.settles(500);
    pty.presses('q');
    expect(await pty.ends()).toMatchObject({ code: 0 });
    const all = pty.outputSince(0);
    expect(all.startsWith(marks.on)).toBe(true);
    expect(all.endsWith(marks.off)).toBe(true);
    expect(all.replace(marks.on, '').replace(marks.off, '')).not.toContain('\u001B');
  }, plain),
);

test.concurrent(
  'with TERM=dumb there is no sequence at all; Ctrl-C in a form ends the line and exits 130',
  onStage(
    async (stage) => {
      const { pty } = stage;
      await pty.sees(/Row 1 of 3: ALERT, disk full/);
      await after(stage, 'e', /name: disk full$/i);
      await pty.resize(60, 20);
      await pty.settles(900);
      pty.presses('\u0003');
      expect(await pty.ends()).toMatchObject({ code: 130 });
      expect(pty.outputSince(0)).not.toContain('\u001B');
      expect(heard(stage)).toMatch(/name: disk full\n$/i);
      expect(heard(stage).match(/Field 1 of/g)).toHaveLength(1);
    },
    { ...plain, env: { TERM: 'dumb' } },
  ),
);

test.concurrent(
  'without --plain TERM=dumb is refused with a sentence that names it',
  onStage(
    async (stage) => {
      expect(await stage.pty.ends()).toMatchObject({ code: 2 });
      expect(heard(stage)).toBe(
        'TERM=dumb: this terminal cannot move its cursor; --plain writes lines instead of a screen\n',
      );
    },
    { before: threeMonitors, env: { TERM: 'dumb' } },
  ),
);

test.concurrent(
  'Ctrl-Z gives the shell its line mode, and fg says again where the person is',
  onStage(
    async (stage) => {
      const { pty } = stage;
      await pty.sees('prompt>');
      pty.presses('"$@"\r');
      await pty.sees(/Row 1 of 3: ALERT, disk full/);
      await pty.settles(400);
      await after(stage, '\u001A', /prompt> $/);
      await after(stage, 'stty -a | grep -o " icanon"\r', /^ icanon$/m);
      await after(stage, 'fg\r', /Monitors, sorted by state(?:.*\n)*Row 1 of 3/);
      expect(await after(stage, 'j', /Row 2/)).toMatch(/^Row 2 of 3: [^\n]*\n$/);
    },
    { ...plain, shell: '/bin/bash', script: 'PS1="prompt> " exec bash --norc --noprofile -i -s "$@"' },
  ),
);

test.concurrent(
  'a kill leaves the terminal in line mode, with a sentence and no sequence but the end of marked pastes',
  onStage(
    async ({ pty }) => {
      await pty.sees(/Row 1 of 3: ALERT, disk full/);
      const pid = Number(/^pid (\d+)/m.exec(pty.outputSince(0))?.[1]);
      process.kill(pid, 'SIGKILL');
      await pty.sees('orgdeck was killed');
      await pty.sees(/^ icanon echo/m);
      expect(pty.outputSince(0).replace(marks.on, '').replace(marks.off, '')).not.toContain('\u001B');
    },
    {
      ...plain,
      script:
        'sh -c \'echo "pid $$"; exec "$@"\' run "$@"; sleep 0.5; stty -a | tr " ;" "\\n\\n" | grep -xE -e "-?icanon" -e "-?echo" | tr "\\n" " " | sed "s/^/ /"; read -r line',
    },
  ),
);
