import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, expect, type TestContext, test } from 'vitest';
import { type Block, blockFaults, blocksOf } from '../support/document-blocks.ts';
import { createScriptRunner, lackingPrograms } from '../support/script-runner.ts';
import { createSimulator } from '../support/simulator.ts';

const documents = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
  ...readdirSync('docs').flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
].map((path) => ({ path, markdown: readFileSync(path, 'utf8') }));
const blocks = documents.flatMap(({ path, markdown }) => blocksOf(path, markdown));
const [run, notRun] = [blocks.filter((block) => !block.notRun), blocks.filter((block) => block.notRun)];

/** Programs that a machine may lack: blocks that need one are not run there. */
const lacking = lackingPrograms(['jq', 'man', 'fish']);

const runner = createScriptRunner();
afterAll(runner.ends);

/** Runs a script with an empty home, on the demo organization as a service of its own, without a terminal. */
async function bash(script: string) {
  const service = createSimulator({ seed: 2026, monitors: 60, issues: 40, lively: false });
  const there = await service.start();
  const env = { ORGDECK_BASE_URL: there.url, ORGDECK_API_KEY: there.apiKey, ORGDECK_APP_KEY: there.appKey };
  const ran = await runner.bash(`set -euo pipefail\n${script}`, runner.home(), env);
  await service.stop();
  return ran;
}

test('every block of the documents is a known one, and one that is not run says why', () => {
  expect(documents.flatMap(({ path, markdown }) => blockFaults(path, markdown))).toEqual([]);
  expect(blocks.length).toBeGreaterThan(15);
  const left = notRun.map(({ at, notRun: why }) => `${at.replace(/:\d+$/, '')}: ${why}`);
  expect(left).toEqual([
    'README.md: they install packages, open a dashboard that stays, and run this test; .ci/run packs, installs and unpacks, and tries each program',
    'CONTRIBUTING.md: these are the checks themselves, this test among them',
    'CONTRIBUTING.md: a dashboard needs a terminal, a debugger somebody to look',
    'docs/commands.md: it runs until Ctrl-C',
    'docs/ssh.md: they need another machine',
  ]);
});

test('a block without a language, a reason without a word and a command that is not run are faults', () => {
  const markdown = '```\nset -g mouse\n```\n<!-- not run: -->\n```sh\nnpm ci\n```\n```text\norgdeck info\n```\n';
  expect(blockFaults('a.md', markdown)).toEqual([
    expect.stringMatching(/^a\.md:1: name the language/),
    'a.md:5: say why it is not run',
    expect.stringMatching(/^a\.md:8: commands are in a block/),
  ]);
});

const works = async ({ script, prints, language }: Block, { skip }: TestContext) => {
  const missing = lacking.find((name) => name === language || new RegExp(`\\b${name}\\b`).test(script));
  if (missing !== undefined) skip(`${missing} is not installed`);
  const ran = await bash(language === 'fish' ? `fish --no-config <<'SCRIPT'\n${script}\nSCRIPT` : script);
  if (prints !== undefined) return expect(`${ran.out}${ran.err}`.trim()).toBe(prints);
  expect(ran).toEqual({
    exit: 0,
    // What fish reads it does not print.
    out: expect.stringMatching(language === 'fish' ? /^/ : /./),
    err: expect.not.stringContaining('nothing to do'),
  });
};

// test/terminal/scripts.test.ts runs those of docs/scripts.md, twice.
for (const block of run.filter(({ at }) => !at.startsWith('docs/scripts.md'))) {
  const tags = block.at.startsWith('README.md') ? [] : ['long'];
  test.concurrent(`what ${block.at} says works as it stands`, { tags }, (context) => works(block, context));
}
