import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { blocksOf } from '../support/document-blocks.ts';
import { hasMute, silences } from '../support/monitors.ts';
import { createScriptRunner, lackingPrograms } from '../support/script-runner.ts';
import { createSimulator, type Simulator } from '../support/simulator.ts';

/** Every script of docs/scripts.md as it stands, twice in a row, each on organizations of its own. */

const page = readFileSync('docs/scripts.md', 'utf8');
const scripts = blocksOf('docs/scripts.md', page).map(({ script, at }) => {
  const line = Number(at.split(':')[1]);
  return {
    script,
    title:
      page
        .split('\n')
        .slice(0, line)
        .findLast((text) => text.startsWith('## '))
        ?.slice(3) ?? '',
  };
});
const lacking = lackingPrograms(['jq', 'timeout']);
const runner = createScriptRunner();
afterAll(runner.ends);

interface Scene {
  readonly service: Simulator;
  readonly other: Simulator;
  readonly home: string;
  file(name: string): string;
}

/** What must be there before, what is true after each run, and what the script is given. */
interface Case {
  before?(scene: Scene): void;
  after(scene: Scene, run: number): void;
  readonly args?: readonly string[];
  /** While it runs. */
  during?(scene: Scene): void;
}

const executable = ({ home }: Scene, name: string, body: string) => {
  writeFileSync(join(home, name), `#!/bin/sh\n${body}\n`);
  chmodSync(join(home, name), 0o755);
};
const silencedIn = ({ service }: Scene) =>
  [...service.org.monitors.keys()].flatMap((id) => silences(service, id).map((mute) => `${id} ${mute}`));
const before = new Map<string, readonly string[]>();
const turned = new Map<string, readonly string[]>();

const cases: Readonly<Record<string, Case>> = {
  'Mute a service while it is deployed': {
    before(scene) {
      executable(scene, 'deploy.sh', 'orgdeck monitors list --query "service:$1" --fields muted > muted.txt');
      before.set(scene.home, silencedIn(scene));
    },
    after(scene) {
      expect(scene.file('muted.txt')).toMatch(/^(true\n)+$/);
      expect(silencedIn(scene)).toEqual(before.get(scene.home));
    },
  },
  'Keep a list of mutes without an end': {
    before: ({ service }) => hasMute(service, [...service.org.monitors.keys()][0] ?? '', '*', null),
    after: ({ file }) => expect(file('muted-forever.csv')).toMatch(/^id,name,scope,since,by,reason\r\n.+/),
  },
  'Fail the build on a wrong monitor': {
    before({ home }) {
      mkdirSync(join(home, 'monitors'));
      const query = 'avg(last_5m):avg:system.load.1{*} > 4';
      writeFileSync(join(home, 'monitors/load.json'), JSON.stringify({ type: 'query alert', query }));
    },
    after() {},
  },
  'Rotate an application key': {
    before: (scene) => executable(scene, 'store-secret.sh', 'tr -d "\\n" < "$1" | sha256sum >> vault'),
    after({ service, file }, run) {
      const secrets = file('vault').trim().split('\n');
      expect([secrets.length, new Set(secrets).size]).toEqual([run, run]);
      const keys = [...service.org.applicationKeys.values()].filter(({ name }) => name.startsWith('status page'));
      const digests = keys.map(({ secret }) => createHash('sha256').update(secret).digest('hex'));
      expect(keys.map(({ name }) => name)).toEqual(['status page']);
      expect(secrets.at(-1)).toContain(digests[0]);
    },
  },
  'Assign unassigned issues': {
    after({ service }) {
      const team = [...service.org.teams.values()].find(({ handle }) => handle === 'payments');
      const owned = [...service.org.issues.values()].filter(({ teams }) => teams.includes(team?.id ?? ''));
      expect(owned.length).toBeGreaterThan(0);
      const open = owned.filter(({ state }) => state === 'OPEN' || state === 'ACKNOWLEDGED');
      expect(open.filter(({ assignee }) => assignee === undefined)).toEqual([]);
    },
  },
  'Roles and their permissions as tables': {
    after({ file }) {
      expect(file('permissions.csv')).toMatch(/^id,name,group_name\r\n/);
      expect(file('roles.csv')).toMatch(/^("[^\n]+","[0-9a-f-]+"\n)+$/);
    },
  },
  'Copy retention filters to another organization': {
    before: ({ other }) => {
      // Those that are built in come with every organization.
      for (const [id, { name }] of other.org.filters)
        if (/^[A-M](?!.* Default$)/.test(name)) other.org.filters.delete(id);
    },
    after({ service, other }) {
      const namesOf = ({ org }: Simulator) => [...org.filters.values()].map(({ name }) => name).toSorted();
      expect(namesOf(other)).toEqual(namesOf(service));
    },
  },
  'Write down new alerts': {
    args: ['20'],
    during({ service, home }) {
      const calm = [...service.org.monitors.values()].find(({ overall }) => overall === 'OK')?.id ?? '';
      turned.set(home, [...(turned.get(home) ?? []), calm]);
      service.forgets();
      // After the first read, which says what is present.
      const timer = setInterval(() => {
        if (service.received('GET', 'search').length === 0) return;
        clearInterval(timer);
        service.turns(calm, 'Alert');
      }, 200);
    },
    after({ file, home }) {
      const ids = file('alerts.tsv')
        .trim()
        .split('\n')
        .map((line) => line.split('\t')[1]);
      expect(ids).toEqual(expect.arrayContaining([...(turned.get(home) ?? [])]));
      expect(new Set(ids).size).toBe(ids.length);
    },
  },
  'Hand over a shift': {
    after: ({ home }) => {
      const day = new Date().toISOString().slice(0, 10);
      expect(readFileSync(join(home, `handover-${day}.md`), 'utf8')).toMatch(/^# Handover of mine\n/);
    },
  },
  'Resolve the issues that came with a version': {
    before({ service }) {
      const [issue] = service.org.issues.values();
      Object.assign(issue ?? {}, { service: 'payments-api', firstVersion: '4.33.0', state: 'OPEN' });
    },
    after({ service }) {
      const resolved = [...service.org.issues.values()].filter(({ firstVersion }) => firstVersion === '4.33.0');
      expect(resolved.map(({ state }) => state)).toEqual(['RESOLVED']);
    },
  },
};

test('every script of the page has a case', () => {
  expect(scripts.map(({ title }) => title)).toEqual(Object.keys(cases));
  for (const { script } of scripts) expect(script).toMatch(/^#!\/usr\/bin\/env bash\nset -euo pipefail\n/);
});

test.concurrent.for(scripts)('$title, twice in a row', { tags: ['long'] }, async ({ title, script }, { skip }) => {
  if (lacking.length > 0) skip(`${lacking.join(' and ')} is not installed`);
  const [service, other] = [1, 2].map(() => createSimulator({ seed: 2026, monitors: 60, issues: 40, lively: false }));
  if (!service || !other) return;
  const home = runner.home();
  const scene: Scene = { service, other, home, file: (name) => readFileSync(join(home, name), 'utf8') };
  const [mine, elsewhere] = [await service.start(), await other.start()];
  const env: Record<string, string> = {};
  for (const [name, there] of [
    ['old', mine],
    ['new', elsewhere],
    ['mine', mine],
  ] as const) {
    Object.assign(env, { [`${name}_api`]: there.apiKey, [`${name}_app`]: there.appKey });
    const keys = `--api-key-env ${name}_api --app-key-env ${name}_app`;
    const added = await runner.bash(`orgdeck profiles add ${name} --base-url ${there.url} ${keys}`, home, env);
    expect(added).toMatchObject({ exit: 0 });
  }
  await runner.bash('orgdeck profiles use mine', home, env);
  const { before: prepares, during, after, args } = cases[title] ?? { after() {} };
  prepares?.(scene);
  for (const run of [1, 2]) {
    during?.(scene);
    expect(await runner.bash(script, home, env, args)).toMatchObject({
      exit: 0,
      err: expect.not.stringMatching(/error/i),
    });
    after(scene, run);
  }
  await Promise.all([service.stop(), other.stop()]);
});
