import { execFileSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import {
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openOutput } from '../../src/terminal/output.ts';
import { MARK_PASTES } from '../../src/terminal/sequences.ts';
import { createTerminal, watchTerminal } from '../../src/terminal/terminal.ts';
import { askTerminal, readTerminalReplies } from '../../src/terminal/terminal-capabilities.ts';
import { descendantsOf, isAlive } from '../support/aftermath.ts';
import { soon } from '../support/soon.ts';
import { createSteppedClock } from '../support/steppedclock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface More {
  readonly env?: Record<string, string>;
  readonly isLines?: boolean;
  readonly columns?: number;
  readonly execArgv?: readonly string[];
  /** What is written to in the place of the file. */
  readonly device?: string;
  /** Standard error goes elsewhere. */
  readonly isApart?: boolean;
  readonly finish?: (code: number) => Promise<void>;
  readonly describe?: (error: unknown) => string;
}

/** A terminal that is a file, and all that is done to it, to its process and to its watcher, in order. */
function bench({ env = {}, execArgv = [], isApart = false, ...more }: More = {}) {
  const path = join(temporaryFolder(), 'terminal');
  writeFileSync(path, '');
  const fd = openSync(more.device ?? path, 'w');
  onTestFinished(() => closeSync(fd));
  const did: string[] = [];
  let read = 0;
  const notes = (text?: string) => {
    const written = readFileSync(path).subarray(read).toString();
    read += Buffer.byteLength(written);
    if (written !== '') did.push(JSON.stringify(written).replaceAll('\\u001b', '^').replaceAll('\\u0007', '~'));
    if (text !== undefined) did.push(text);
  };
  const stdin = Object.assign(new EventEmitter(), { setRawMode: (on: boolean) => notes(`raw ${on}`) });
  const stdout = Object.assign(new EventEmitter(), { fd, columns: more.columns ?? 20, rows: 2 });
  const stderr = { isTTY: !isApart, write: (text: string) => notes(`says ${JSON.stringify(text)}`) };
  const process = Object.assign(new EventEmitter(), {
    ...{ env, execArgv, stdin, stdout, stderr },
    kill: (pid: number, signal: string) => notes(`kill ${pid} ${signal}`),
    exit: (code: number) => notes(`exit ${code}`),
  });
  const watcher = {
    ready: Promise.resolve(),
    guards: (on: boolean) => notes(`guards ${on}`),
    endsBlocked: (ms: number) => notes(`ends after ${ms}`),
    dismiss: (ending?: string) => notes(`dismiss ${ending}`),
  };
  const clock = createSteppedClock();
  const finish = more.finish ?? (async (code: number) => notes(`finish ${code}`));
  const whole = process as unknown as NodeJS.Process;
  const terminal = createTerminal({ clock, watcher, ...more, finish, process: whole });
  const releaseKeys = () => {
    notes('keys released');
    return () => notes('keys taken');
  };
  return {
    ...{ terminal, process, stdin, stdout, stderr, clock, releaseKeys },
    /** What was done since the last time. */
    async did() {
      await clock.passes(0);
      notes();
      return did.splice(0);
    },
    draws: (frame: string) => void terminal.stream.write(frame),
    begins: () => terminal.drawnBy(() => notes('again'), releaseKeys),
  };
}

const shown = (frame: string) => `^]8;;^\\\\^[0m^[r^[H^[J${frame}`;
const entered = '^[?1049h^[?25l';
const left = '^[0m^[?1049l^[?25h';

test('a terminal is drawn on, lent, stopped, continued and given back in this order', async () => {
  const go = join(temporaryFolder(), 'go');
  const stage = bench({
    env: { EDITOR: `sh -c 'touch ${go}es; until [ -e ${go} ]; do sleep 0.01; done; printf after > "$0"'` },
  });
  stage.terminal.control(MARK_PASTES);
  stage.draws('one');
  expect(await stage.did()).toEqual([`"^[?2004h${entered}${shown('one')}"`]);
  stage.begins();
  expect(await stage.did()).toEqual(['guards true', 'ends after 10000']);
  expect(stage.process.eventNames().toSorted().join(' ')).toBe(
    'SIGCONT SIGHUP SIGINT SIGQUIT SIGTERM SIGTSTP exit uncaughtException unhandledRejection',
  );
  stage.terminal.askBackground();
  stage.terminal.notify('bell', 'x');
  stage.terminal.notify('off', 'x');
  expect(await stage.terminal.copy('x')).toEqual({ ok: true, way: 'terminal' });
  expect(await stage.did()).toEqual(['"^]11;?^\\\\~^]52;c;eA==~"']);

  stage.stdout.columns = 30;
  stage.stdout.emit('resize');
  await stage.clock.passes(40);
  expect([stage.terminal.stream.columns, await stage.did()]).toEqual([30, [`"${shown('one')}"`]]);
  await stage.clock.passes(600);
  expect(await stage.did()).toEqual([`"${shown('one')}"`]);

  // Somebody else wrote on it.
  stage.process.emit('SIGCONT');
  expect(await stage.did()).toEqual(['raw false', 'raw true', `"^[?2004h${entered}${shown('one')}"`]);
  stage.terminal.redraw();
  expect(await stage.did()).toEqual([`"${shown('one')}"`]);

  const lent = ['keys released', `"${left}"`, 'guards false'];
  const back = ['raw false', 'raw true', `"${entered}${shown('two')}"`, 'guards true', 'keys taken'];
  const edited = stage.terminal.edit('before', '.txt', stage.releaseKeys, { ...process.env, ...stage.process.env });
  await soon(() => expect(existsSync(`${go}es`)).toBe(true));
  expect(await stage.did()).toEqual(lent);
  stage.draws('two');
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGCONT', 'SIGTSTP']) stage.process.emit(signal);
  await expect(stage.terminal.suspend(stage.releaseKeys)).rejects.toThrow('another program has the terminal');
  writeFileSync(go, '');
  expect(await edited).toEqual({ ok: true, value: 'after' });
  expect(await stage.did()).toEqual(['kill 0 SIGTSTP', ...back]);
  expect(stage.process.listenerCount('SIGTSTP')).toBe(1);

  // The key and the signal do the same.
  for (const stop of [() => stage.terminal.suspend(stage.releaseKeys), () => stage.process.emit('SIGTSTP')]) {
    const stopped = stop();
    stage.process.emit('SIGCONT');
    expect(await stage.did()).toEqual([...lent, 'kill 0 SIGTSTP']);
    await (stopped === true ? wait(80) : stopped);
    expect(await stage.did()).toEqual(back);
    expect(stage.process.listenerCount('SIGTSTP')).toBe(1);
  }

  stage.process.emit('SIGINT');
  stage.process.emit('SIGTERM');
  stage.terminal.leave(0, 'no');
  stage.process.emit('exit');
  stage.draws('late');
  await stage.clock.passes(2000);
  expect(await stage.did()).toEqual([
    `"^[0m^[?2004l^[?1049l^[?25h"`,
    ...['raw false', 'dismiss ending', 'raw false', 'finish 130', 'exit 130'],
  ]);
  expect(stage.stderr.write('the cursor')).toBe(true);
  expect([await stage.did(), stage.stdout.eventNames()]).toEqual([[], []]);
});

test('lines end where they are, and what ends them is said where standard error goes', async () => {
  const stage = bench({ isLines: true, isApart: true, env: { TERM: 'dumb' }, execArgv: ['--inspect-brk'] });
  stage.terminal.control(MARK_PASTES);
  stage.draws('one');
  stage.terminal.drawnBy(() => {});
  stage.process.emit('SIGTSTP');
  stage.terminal.notify('osc9', 'x');
  stage.terminal.notify('off', 'x');
  expect(await stage.terminal.copy('x')).toMatchObject({ ok: false });
  expect([await stage.terminal.drained(), stage.terminal.isBehind()]).toEqual([true, false]);
  expect(await stage.did()).toEqual(['"^[?2004hone"', 'guards true', '"~"']);
  const error = new Error(`bad \u001b]0;x\u0007${'\nline'.repeat(20)}`);
  stage.process.emit('unhandledRejection', Object.assign(error, { stack: `${error}` }));
  await stage.clock.passes(0);
  const said = `orgdeck stopped because of an internal error:\nError: bad ?]0;x?${'\nline'.repeat(7)}\n`;
  expect(await stage.did()).toEqual([
    ...['"^[?2004l\\n"', 'raw false', 'dismiss ending', `says ${JSON.stringify(said)}`, 'finish 1', 'exit 1'],
  ]);
});

test('what is copied is sent in lines, too, until the terminal is left', async () => {
  const { terminal } = bench({ isLines: true });
  const copies = [await terminal.copy('x'), terminal.leave(0), await terminal.copy('x')];
  expect(copies).toEqual([
    { ok: true, way: 'terminal' },
    undefined,
    { ok: false, why: 'the terminal accepts no input now' },
  ]);
});

test('an edit that nothing comes of says why', async () => {
  const stage = bench();
  const edited = async (env: Record<string, string>) => {
    const result = await stage.terminal.edit('x', '.txt', stage.releaseKeys, { PATH: process.env.PATH, ...env });
    return result.ok ? result.value.length : result.text;
  };
  const sh = (script: string) => ({ VISUAL: ' ', EDITOR: `sh -c '${script}'` });
  expect(await edited({ VISUAL: "vi 'x" })).toBe('VISUAL or EDITOR has a quote without its end');
  expect(await edited({ ...sh('exit 3') })).toBe('sh ended with code 3, so nothing was changed');
  expect(await edited({ ...sh('kill -9 $$') })).toBe('sh ended with SIGKILL, so nothing was changed');
  expect(await edited(sh('head -c 4194304 /dev/zero > "$0"'))).toBe(4_194_304);
  expect(await edited(sh('head -c 4194305 /dev/zero > "$0"'))).toBe('the edited text is over 4 MB');
  expect(await edited(sh('printf "\\377" > "$0"'))).toMatch(/^the text could not be edited: .* not valid .* utf-8/);
  expect(await edited(sh('printf "\\357\\273\\277x" > "$0"'))).toBe(1);
  // The place of another account, or of a session that has ended.
  expect(await edited({ ...sh('printf after > "$0"'), XDG_RUNTIME_DIR: '/nowhere' })).toBe(5);
  vi.stubEnv('TMPDIR', '/nowhere/either');
  expect(await edited({ XDG_RUNTIME_DIR: '/nowhere' })).toMatch(/^no place for a temporary file: .*\/nowhere\/either/);
  vi.unstubAllEnvs();
  expect([
    stage.process.listenerCount('exit'),
    readdirSync(tmpdir()).filter((name) => name.includes(`edit-${process.pid}`)),
  ]).toEqual([1, []]);
});

test('a frame of a kilobyte or more is one synchronized update', async () => {
  const [less, more] = [1003, 1004].map((length) => {
    const stage = bench({ columns: 2000 });
    stage.draws('x'.repeat(length));
    return stage.did();
  });
  expect(await less).toEqual([`"${entered}${shown('x'.repeat(1003))}"`]);
  expect(await more).toEqual([`"${entered}^[?2026h${shown('x'.repeat(1004))}^[?2026l"`]);
});

test('a notification is wrapped for the terminal within which it is sent', async () => {
  const sequences = [{ TMUX: 'x' }, { STY: 'x' }, {}].map(async (env) => {
    const stage = bench({ env });
    stage.terminal.notify('osc9', 'x');
    return stage.did();
  });
  expect((await Promise.all(sequences)).flat()).toEqual(['"^Ptmux;^^]9;x~^\\\\~"', '"^P^]9;x~^\\\\~"', '"^]9;x~"']);
});

test.each<[event: string, from: 'process' | 'stdin', code: number]>([
  ['SIGHUP', 'process', 129],
  ['SIGINT', 'process', 130],
  ['SIGQUIT', 'process', 131],
  ['uncaughtException', 'process', 1],
  ['end', 'stdin', 129],
  ['error', 'stdin', 129],
])('%s of %s ends with %i', async (event, from, code) => {
  const stage = bench({ describe: (error) => `${(error as Error).message}\n\n` });
  stage[from].emit(event, new Error('words'));
  const words = code === 1 ? 'words\\n' : '';
  const own = [`"^[0m${words}"`, 'raw false', 'dismiss ending', `finish ${code}`, `exit ${code}`];
  expect(await stage.did()).toEqual(own);
});

test('a finish that hangs is waited for a second, one that fails is not, and whatever cannot be given back does not matter', async () => {
  const hanging = bench({ finish: () => new Promise(() => {}), isApart: true });
  const failing = bench({ finish: () => Promise.reject(new Error('disk')), isApart: true });
  for (const { process, stderr, terminal } of [hanging, failing]) {
    const fails = () => {
      throw new Error('EIO');
    };
    Object.assign(process.stdin, { setRawMode: fails });
    Object.assign(stderr, { write: fails });
    terminal.leave(7, 'bye');
  }
  await wait(500);
  const given = ['"^[0m"', 'dismiss ending'];
  expect(await hanging.did()).toEqual(given);
  expect(await failing.did()).toEqual([...given, 'exit 7']);
  await wait(700);
  expect(await hanging.did()).toEqual(['exit 7']);
  expect(await failing.did()).toEqual([]);
});

test('a terminal that is gone ends the program, and the watcher stays to give back what it can', async () => {
  const stage = bench({ device: '/dev/full' });
  stage.draws('one');
  expect(await stage.did()).toEqual(['raw false', 'finish 129', 'exit 129']);
});

test('what a terminal does not take waits, and one that is gone ends the program', async () => {
  const path = join(temporaryFolder(), 'pipe');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const stdout = Object.assign(new EventEmitter(), { fd: reader });
  const output = openOutput(stdout as unknown as NodeJS.WriteStream & { fd: number });
  expect(output.size()).toEqual({ columns: 80, rows: 24 });
  const chunk = Buffer.alloc(100_000, 'x');
  expect([output.write(chunk), output.write(chunk)]).toEqual([65_536, 0]);
  expect(readSync(reader, Buffer.alloc(100_000))).toBe(65_536);
  closeSync(reader);
  expect(() => output.write(chunk)).toThrow('EPIPE');
});

test('a watcher has no variable but PATH, counts on its own, and ends when it is dismissed', async () => {
  const place = temporaryFolder();
  for (const name of ['stty', 'sleep'])
    writeFileSync(
      join(place, name),
      `#!/bin/sh\necho "$0" "$@" $ORGDECK_API_KEY >> ${place}/log; exit ${name === 'stty' ? 0 : 1}\n`,
      {
        mode: 0o755,
      },
    );
  const log = () => readFileSync(join(place, 'log'), 'utf8').replaceAll(`${place}/`, '').split('\n').slice(0, -1);
  // Tests before this one may have left a process that is still ending.
  const others = new Set(descendantsOf(process.pid));
  const watcher = watchTerminal({ PATH: place, ORGDECK_API_KEY: 'fake-key' });
  await watcher.ready;
  expect(log()).toEqual(['stty -g']);
  watcher.endsBlocked(10_000);
  await soon(() => expect(log()).toHaveLength(2));
  watcher.endsBlocked(2000);
  await soon(() => expect(log()).toEqual(['stty -g', 'sleep 2', 'sleep 1']));
  const children = descendantsOf(process.pid).filter((pid) => !others.has(pid));
  expect(children.filter(isAlive)).not.toEqual([]);
  watcher.dismiss();
  await soon(() => expect(children.filter(isAlive)).toEqual([]));
});

test('a terminal is asked in raw mode, and heard until it has said the last', async () => {
  const did: unknown[] = [];
  const notes = (what: string) => (given: unknown) => did.push([what, given]);
  const stdin = Object.assign(new EventEmitter(), {
    ...{ isRaw: false, setRawMode: notes('raw'), pause: notes('pause'), resume: notes('resume') },
  });
  const asked = askTerminal({ stdin, stdout: { write: notes('asks') } } as unknown as NodeJS.Process);
  expect(did.splice(0)).toEqual([
    ['raw', true],
    ['resume', undefined],
    ['asks', '\u001b]11;?\u001b\\\u001b[?2026$p\u001b[?u\u001b[c'],
  ]);
  for (const chunk of ['\u001b[?2026;2$y\u001b[?', '62;', '52c', 'a key']) stdin.emit('data', Buffer.from(chunk));
  expect(await asked).toBe('\u001b[?2026;2$y\u001b[?62;52c');
  expect([...did, stdin.eventNames()]).toEqual([['raw', false], ['pause', undefined], []]);
  const said = (isSynchronized?: boolean, hasClipboard?: true, hasKittyKeys = false, isLight?: boolean) => ({
    ...{ isLight, isSynchronized, hasKittyKeys, hasClipboard },
  });
  expect(
    ['', '?u', '?1u', '?1c', '?6;52c', '?6;152c', '?2026;0$y', '?2026;1$y', '?2026;2$y', '?2026;3$y'].map((reply) =>
      readTerminalReplies(`\u001b[${reply}`),
    ),
  ).toEqual([
    ...[undefined, undefined, undefined, said(), said(undefined, true), said()],
    ...[said(false), said(true), said(true), said(false)],
  ]);
  expect(readTerminalReplies('\u001b]11;rgb:9/7/8\u0007')).toEqual(said(undefined, undefined, false, false));
  expect(readTerminalReplies('\u001b]11;rgb:ffff/ffff/ffff\u0007\u001b[?0u')).toEqual(
    said(undefined, undefined, true, true),
  );
});
