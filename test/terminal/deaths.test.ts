import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aftermath, descendantsOf, isAlive, isGivenBack, killed, mistake, pidOf } from '../support/aftermath.ts';
import { onStage, PROGRAM, type StageOptions, sevenIssues, threeMonitors } from '../support/dashboard.ts';
import { soon } from '../support/soon.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { Pty } from '../support/terminal.ts';

/**
 * Every way to end of the built program restores the terminal (docs/design/reliability.md#promises). A shell stands behind it, as in
 * life, and says afterward what it found.
 */

/** A key, a signal, or a fault of `fail-on-signal.mjs`; what is then on the primary screen; the exit code that a shell sees. */
type Death = readonly [how: string, words: string | RegExp, code: number];

const deaths: readonly Death[] = [
  ['key \u0003', 'ended 130', 130],
  ['SIGTERM', 'ended 143', 143],
  ['SIGKILL', killed, 137],
  ['text', 'only a ?]52;c;QQ==?text', 1],
  ['drawing', 'thrown while drawing', 1],
  ['stuck', 'ended 137', 137],
];
const moreDeaths: readonly Death[] = [
  ['key Qy', 'ended 0', 0],
  ['SIGINT', 'ended 130', 130],
  ['SIGQUIT', 'ended 131', 131],
  ['SIGHUP', 'ended 129', 129],
  ['SIGABRT', killed, 134],
  ['SIGSEGV', killed, 139],
  ['SIGALRM', killed, 142],
  ['SIGXCPU', killed, 152],
  ['timer', 'thrown in a timer', 1],
  ['listener', 'thrown in a listener', 1],
  ['promise', 'rejected by nobody', 1],
  ['calls', 'Maximum call stack size exceeded', 1],
  ['exit', 'ended 7', 7],
  ['abort', killed, 134],
  ['memory', killed, 134],
  ['loop', 'orgdeck stopped responding and was ended. The terminal has been restored.', 137],
  ['hangup', 'ended 129', 129],
  ['lost', 'ended 129', 129],
];

const ready = (pty: Pty) => pty.sees(/> .*TypeError/);

const dies = ([how, words, code]: Death) => {
  const isFault = !how.startsWith('key ') && !how.startsWith('SIG');
  const options = [
    ...(isFault ? [`--import=${new URL('../support/fail-on-signal.mjs', import.meta.url)}`] : []),
    ...(how === 'memory' ? ['--max-old-space-size=80'] : []),
  ].join(' ');
  const setting: StageOptions = {
    before: sevenIssues,
    script: `(umask 077; printf '{"version":1,"mouse":true}' > "$ORGDECK_CONFIG_DIR/config.json"); ${aftermath}`,
    env: { NODE_OPTIONS: options || undefined, TEST_FAULT: how },
  };
  return onStage(async ({ pty }) => {
    await ready(pty);
    await pty.settles(300);
    const program = pidOf(pty, PROGRAM);
    const started = [program, ...descendantsOf(program)];
    expect(started.length).toBeGreaterThan(1);
    if (how.startsWith('key ')) pty.presses(how.slice(4));
    else process.kill(program, isFault ? 'SIGUSR2' : (how as NodeJS.Signals));
    await isGivenBack(pty, code);
    await pty.sees(words);
    if (code === 1) await pty.sees(mistake);
    await soon(() => expect(started.filter(isAlive)).toEqual([]));
  }, setting)();
};

test.concurrent.each(deaths)('%j: the terminal is given back, the message stays, the exit code is right', (...death) =>
  dies(death),
);

test.each(moreDeaths)('%j: the same', { tags: ['long', 'faults'] }, (...death) => dies(death));

test('a terminal that is closed while a form is open keeps what was typed', async () => {
  const folder = temporaryFolder();
  const story = onStage(
    async ({ pty }) => {
      await pty.sees('disk full');
      pty.presses('e');
      await pty.sees('Name *');
      await pty.settles(300);
      pty.presses(' typed before');
      await pty.sees('typed before');
      // It has no size any more, which SIGCONT asks for.
      pty.hangsUp();
      await soon(() => expect(isAlive(pty.pid)).toBe(false));
      const states = readdirSync(folder).filter((name) => name.startsWith('state-'));
      expect(states.map((name) => readFileSync(join(folder, name), 'utf8')).join()).toContain('typed before');
    },
    {
      ...{ before: threeMonitors, flags: ['--screen', 'monitors'] },
      env: { ORGDECK_CONFIG_DIR: folder },
    },
  );
  await story();
});

const suspends = (times: number) =>
  onStage(
    async ({ pty }) => {
      await pty.sees('prompt>');
      pty.presses('"$@"\r');
      await ready(pty);
      for (let time = 1; time <= times; time += 1) {
        pty.presses(time % 2 === 1 ? 'j' : 'k');
        await pty.sees(time % 2 === 1 ? /> .*ChunkLoad/ : /> .*TypeError/);
        // In turns the key, and a signal from another terminal.
        const mark = pty.mark();
        if (time % 4 < 2) pty.presses('\u001A');
        else process.kill(pidOf(pty, PROGRAM), 'SIGTSTP');
        await expect.poll(() => pty.outputSince(mark)).toMatch(/Stopped[\s\S]*prompt> /);
        // The emulator may be behind the bytes.
        await pty.settles(0);
        expect(pty.buffer()).toBe('normal');
        pty.presses('fg\r');
        await pty.sees(/> .*(?:ChunkLoad|TypeError)/);
        expect(pty.buffer()).toBe('alternate');
      }
      pty.presses('\u0003');
      await expect.poll(() => pty.buffer()).toBe('normal');
    },
    {
      before: sevenIssues,
      shell: '/bin/bash',
      script: 'PS1="prompt> " exec bash --norc --noprofile -i -s "$@"',
    },
  );

test('Ctrl-Z stops the job and fg restores the screen', suspends(1));

test('stopped and continued 50 times it is where it was', { tags: ['long', 'faults'] }, suspends(50));
