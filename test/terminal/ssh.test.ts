import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { descendantsOf, isAlive } from '../support/aftermath.ts';
import { PROGRAM, sevenIssues, statesIn, threeMonitors } from '../support/dashboard.ts';
import { createSimulator, type Simulator } from '../support/simulator.ts';
import { isMissing, type SshLink, type SshServer, startSshServer } from '../support/ssh-server.ts';
import { openTerminal, type Pty } from '../support/terminal.ts';

/** The dashboard on another machine, as far as it knows: a terminal of OpenSSH's server. */
interface Far {
  readonly pty: Pty;
  readonly link: SshLink;
  readonly service: Simulator;
  /** Address of the simulator. */
  readonly at: string;
  /** Directory of the profiles. */
  readonly folder: string;
  /** Another link, with the same program or another command. */
  opens(command?: string): Promise<{ readonly pty: Pty; readonly link: SshLink }>;
}

describe.skipIf(isMissing('sshd', 'ssh', 'ssh-keygen'))('over ssh', () => {
  let server: SshServer;
  beforeAll(async () => {
    server = await startSshServer(['AcceptEnv *']);
  });
  afterAll(() => server.close());

  /** Runs a story on the dashboard behind a link; `command` runs the program, for example under tmux. */
  async function far(story: (far: Far) => Promise<void>, { latencyMs = 0, begin = '' } = {}): Promise<void> {
    const service = createSimulator({ seed: 7, monitors: 0, issues: 0, latencyMs, lively: false, rate: 0 });
    sevenIssues(service);
    threeMonitors(service);
    const { url, apiKey, appKey } = await service.start();
    const folder = mkdtempSync(join(tmpdir(), 'orgdeck-far-'));
    const opened: Pty[] = [];
    const env = {
      // Not the files that the account's shell would read.
      HOME: folder,
      ORGDECK_CONFIG_DIR: folder,
      ORGDECK_API_KEY: apiKey,
      ORGDECK_APP_KEY: appKey,
      TZ: 'UTC',
      XDG_CACHE_HOME: process.env.XDG_CACHE_HOME ?? '',
    };
    const program = `${begin}${process.execPath} ${resolve(PROGRAM)} --base-url ${url} --screen issues`;
    const opens = async (command = program) => {
      const link = await server.link({ env });
      const pty = openTerminal({ command: 'ssh', args: ['-tt', ...link.args, `exec ${command}`] });
      opened.push(pty);
      return { pty, link };
    };
    try {
      await story({ ...(await opens()), service, at: url, folder, opens });
    } finally {
      for (const pty of opened) await pty.close();
      // A program whose terminal is gone still writes its state.
      while (programsAt(url).length > 0) await wait(50);
      await service.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  }

  const ways: readonly (readonly [how: string, cut: (far: Far) => void])[] = [
    ['the network resets', ({ link }) => link.cut()],
    ['the client is killed', ({ pty }) => pty.signal('SIGKILL')],
    ['the terminal of the client is closed', ({ pty }) => pty.signal('SIGHUP')],
    ["the server's session is killed", (one) => process.kill(parentOf(programOf(one)), 'SIGKILL')],
  ];
  /** What is done before the link is cut, and the milliseconds between both. */
  const moments: readonly (readonly [what: string, keys: string, ms: number])[] = [
    ['at rest', '', 200],
    ['with an edit just begun', 'A', 0],
    ['with an edit under way', 'A', 150],
    ['with an edit that has just been answered', 'A', 450],
    ['in a form', '2e', 100],
  ];
  const cuts = moments.flatMap(([what, keys, ms]) => ways.map(([how, cut]) => ({ what, keys, ms, how, cut })));

  const isCut = async ({ what, keys, ms, cut }: (typeof cuts)[number]) => {
    await far(
      async (one) => {
        const { pty, service, folder } = one;
        await pty.sees(/> .*TypeError/);
        const isForm = keys === '2e';
        // The response comes after the process has ended: only what was written before counts.
        if (what === 'with an edit under way') service.delays(4000, 'issues.set-state');
        if (isForm) {
          pty.presses('2');
          await pty.sees('disk full');
          pty.presses('e');
          await pty.sees('Name *');
          // Keys count once the terminal has told that it has taken the form.
          await pty.settles(600);
          pty.presses(' typed before the cut');
          await pty.sees('typed before the cut');
        } else if (keys !== '') pty.presses(keys);
        await wait(ms);
        const program = programOf(one);
        const left = [program, ...descendantsOf(program)];
        expect(left.length).toBeGreaterThan(1);
        cut(one);
        await wait(3000);
        expect(left.filter(isAlive)).toEqual([]);
        await wait(1000);
        const requests = service.received().length;
        await wait(1500);
        expect(service.received()).toHaveLength(requests);

        const lines = linesOf(folder);
        const intents = lines.filter(({ kind }) => kind === 'intent');
        const outcomes = lines.filter(({ kind }) => kind === 'outcome');
        for (const { path, operation } of service.received('PUT')) {
          const isOfThis = ({ call }: JournalLine) =>
            call?.endpoint === operation && Object.values(call.params).some((value) => path.includes(value));
          expect(intents.filter(isOfThis), path).toHaveLength(1);
        }
        const applied = outcomes.filter(({ outcome }) => outcome?.state === 'applied').length;
        const changed = statesIn(service).filter((state) => state !== 'OPEN').length;
        expect(applied).toBeLessThanOrEqual(changed);
        expect(changed).toBeLessThanOrEqual(intents.length);

        const { pty: next } = await one.opens();
        if (intents.length > outcomes.length) await next.sees('Edits of an earlier run without an outcome');
        else await next.sees(/> .*TypeError/);
        if (isForm) {
          next.presses('2');
          await next.sees('disk full');
          // Rows of the last run are not edited.
          await next.settles(1500);
          next.presses('e');
          await next.sees('Draft of');
          await next.settles(600);
          next.presses('\r');
          await next.sees('typed before the cut');
        }
      },
      { latencyMs: 200 },
    );
  };
  const title = '$how $what: no process, no request is left, no edit without its line, no text lost';
  const isShort = ({ how, what }: (typeof cuts)[number]) =>
    how === 'the network resets' && what === 'with an edit under way';

  test.each(cuts.filter(isShort))(title, isCut);

  test.concurrent.each(cuts.filter((one) => !isShort(one)))(title, { tags: ['long', 'faults'] }, isCut);

  test.skipIf(isMissing('tmux'))(
    'inside tmux the dashboard outlives 20 cuts of the link, and ends with tmux',
    { tags: ['long', 'faults'] },
    async () => {
      const tmux = `tmux -L orgdeck-${process.pid} -f /dev/null`;
      await far(
        async (one) => {
          const { service } = one;
          let { pty, link } = one;
          await pty.sees(/> .*TypeError/);
          const program = programOf(one);
          for (let time = 1; time <= 20; time += 1) {
            pty.presses(time % 2 === 1 ? 'j' : 'k');
            const row = time % 2 === 1 ? /> .*ChunkLoad/ : /> .*TypeError/;
            await pty.sees(row);
            if (time % 3 === 0) pty.signal('SIGKILL');
            else link.cut();
            await pty.ends();
            expect(isAlive(program)).toBe(true);
            ({ pty, link } = await one.opens(`${tmux} attach`));
            await pty.sees(row);
          }
          pty.presses('A');
          await pty.sees('Acknowledged');
          expect(service.received('PUT')).toHaveLength(1);
          const left = [program, ...descendantsOf(program)];
          execFileSync('/bin/sh', ['-c', `${tmux} kill-server`]);
          await wait(3000);
          expect(left.filter(isAlive)).toEqual([]);
          await wait(1000);
          const requests = service.received().length;
          await wait(1500);
          expect(service.received()).toHaveLength(requests);
        },
        { begin: `${tmux} new-session ` },
      );
    },
  );
});

interface JournalLine {
  readonly kind: string;
  readonly id: string;
  readonly call?: { readonly endpoint: string; readonly params: Readonly<Record<string, string>> };
  readonly outcome?: { readonly state: string };
}

/** The lines of the journal in a profile directory. */
function linesOf(folder: string): JournalLine[] {
  const path = join(folder, 'journal.jsonl');
  return existsSync(path)
    ? readFileSync(path, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as JournalLine)
    : [];
}

/** The process of the program behind a link. */
function programOf({ at }: Far): number {
  const [program] = programsAt(at);
  if (program === undefined) throw new Error('the program is not running');
  return program;
}

const programsAt = (at: string): readonly number[] =>
  execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((text) => text.trim().split(/\s+/))
    .filter(([, node, , , url]) => node === process.execPath && url === at)
    .map(([pid]) => Number(pid));

const parentOf = (pid: number): number =>
  Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }));
