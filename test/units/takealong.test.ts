import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { editText, removeLeftFolders } from '../../src/terminal/editor.ts';
import { copy, notification, pasteable } from '../../src/terminal/sequences.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Writes a program of this name; returns a PATH that begins with it. */
function program(name: string, script: string, inside = temporaryFolder()): string {
  writeFileSync(join(inside, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(inside, name), 0o755);
  return `${inside}:${process.env.PATH}`;
}

test('text is copied to the terminal by OSC 52', async () => {
  const sent: string[] = [];
  const send = (sequence: string) => sent.push(sequence) > 0;
  expect(await copy('id 型\n', { env: { TERM: 'xterm' }, send })).toEqual({ ok: true, way: 'terminal' });
  expect(sent).toEqual([`\u001B]52;c;${Buffer.from('id 型').toString('base64')}\u0007`]);
});

test('inside tmux text is copied through tmux, on its standard input and without our variables', async () => {
  const place = temporaryFolder();
  const PATH = program('tmux', `cat > ${place}/text; echo "$@" > ${place}/args; env > ${place}/env`, place);
  const env = { PATH, TMUX: '/tmp/tmux-1/default,1,0', TERM: 'tmux-256color', ORGDECK_API_KEY: 'secret' };
  expect(await copy('abc', { env, send: () => false })).toEqual({ ok: true, way: 'tmux' });
  expect(readFileSync(join(place, 'text'), 'utf8')).toBe('abc');
  expect(readFileSync(join(place, 'args'), 'utf8')).toBe('load-buffer -w -\n');
  expect(readFileSync(join(place, 'env'), 'utf8')).not.toMatch(/secret|ORGDECK/);
});

test('when tmux refuses or cannot be started, the terminal is tried', async () => {
  for (const PATH of [program('tmux', 'exit 1'), '/nowhere']) {
    const env = { PATH, TMUX: 'x', TERM: 'tmux-256color' };
    expect(await copy('abc', { env, send: () => true })).toEqual({ ok: true, way: 'terminal' });
  }
});

test.each([[{ TERM: 'linux' }], [{ TERM: 'xterm', VTE_VERSION: '7000' }], [{ TERM: 'screen', STY: '1.pts' }]])(
  'terminals that do not support it are reported: %j',
  async (env) => {
    expect(await copy('abc', { env, send: () => true })).toMatchObject({ ok: false });
  },
);

test('text over the limit of a terminal and empty text are not copied', async () => {
  const ways = { env: { TERM: 'xterm' }, send: () => true };
  expect(await copy('x'.repeat(74_994), ways)).toMatchObject({ ok: true });
  expect(await copy('x'.repeat(74_995), ways)).toMatchObject({ ok: false, why: /too long/ });
  expect(await copy(' \n', ways)).toMatchObject({ ok: false });
});

test('pasted text can neither press keys nor run a line', () => {
  expect(pasteable('curl x\u001B[201~\r\nrm\u0003\t-f\n\n')).toBe('curl x[201~\nrm\t-f');
});

test('notifications use the sequence of the terminal', () => {
  expect(notification('off', 'x')).toBe('');
  expect(notification('bell', 'x')).toBe('\u0007');
  expect(notification('osc9', 'a\u0007b\nc')).toBe('\u001B]9;a?b c\u0007');
  expect(notification('osc9', '4;1;50')).toBe('\u001B]9; 4 1 50\u0007');
  expect(notification('osc777', 'a;b')).toBe('\u001B]777;notify;orgdeck;a b\u0007');
  expect(notification('bell', 'x', 'screen')).toBe('\u0007');
  expect(notification('osc9', 'é'.repeat(500)).length).toBeLessThan(220);
});

const plain = { during: <T>(work: () => Promise<T>) => work(), process };

test('the files of an edit and of a demo whose process was killed are removed at the next start; those of a running one stay', () => {
  const place = temporaryFolder();
  const { pid: ended } = spawnSync('true');
  for (const name of [
    `orgdeck-edit-${ended}-abc`,
    `orgdeck-demo-${ended}-abc`,
    `orgdeck-edit-${process.pid}-abc`,
    'orgdeck-other',
    'edit-1-x',
  ]) {
    mkdirSync(join(place, name));
    writeFileSync(join(place, name, 'edit.json'), '{}');
  }
  removeLeftFolders({ XDG_RUNTIME_DIR: place });
  expect(readdirSync(place).toSorted()).toEqual(['edit-1-x', `orgdeck-edit-${process.pid}-abc`, 'orgdeck-other']);
  removeLeftFolders({ XDG_RUNTIME_DIR: join(place, 'none') });
});

test('the edited text is returned; its file was private and is deleted', async () => {
  const place = temporaryFolder();
  const script = `stat -c %a "$1" > ${place}/mode; stat -c %a "$(dirname "$1")" >> ${place}/mode; echo "$1" > ${place}/path; printf ' and more' >> "$1"`;
  const PATH = program('myedit', script, place);
  const env = {
    PATH,
    VISUAL: join(place, 'myedit'),
    EDITOR: 'false',
    XDG_RUNTIME_DIR: place,
  };
  const edited = await editText('text', '.json', { env, ...plain });
  expect(edited).toEqual({ ok: true, value: 'text and more' });
  expect(readFileSync(join(place, 'mode'), 'utf8')).toBe('600\n700\n');
  expect(existsSync(readFileSync(join(place, 'path'), 'utf8').trim())).toBe(false);
  expect(readdirSync(place).filter((text) => text.startsWith('orgdeck-'))).toEqual([]);
});

test.each([
  ['rm "$1"; ln -s /etc/passwd "$1"', /not a file/],
  ['rm "$1"', /could not be edited/],
])('an editor that does %j changes nothing', async (script, why) => {
  const place = temporaryFolder();
  program('myedit', script, place);
  const env = { PATH: process.env.PATH, EDITOR: join(place, 'myedit'), XDG_RUNTIME_DIR: place };
  expect(await editText('text', '.json', { env, ...plain })).toMatchObject({
    ok: false,
    text: expect.stringMatching(why),
  });
});

test('a missing editor is reported', async () => {
  const env = { PATH: process.env.PATH, EDITOR: '/nowhere/edit' };
  expect(await editText('x', '.txt', { env, ...plain })).toMatchObject({
    ok: false,
    text: '/nowhere/edit could not be started: ENOENT',
  });
});
