import { describe, expect, test } from 'vitest';
import { screens } from '../../screens/index.ts';
import { type ActionCommand, commandName } from '../../src/cli/actions/shape.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { Received } from '../../src/simulator/server/http.ts';
import { actionLines, wordsOfActions } from '../support/action-lines.ts';
import { servedCommands } from '../support/served-commands.ts';
import type { Simulator } from '../support/simulator.ts';

const verbs = screens.flatMap(({ lists }) =>
  lists.flatMap((list) => list.actions.map((action): ActionCommand => ({ list, action }))),
);
/** The actions of a list follow each other in one organization. */
const cases = Map.groupBy(
  Object.keys(actionLines).flatMap((id) => verbs.find(({ action }) => action.id === id) ?? []),
  ({ list }) => list.id,
);

const noon = Date.UTC(2026, 4, 6, 12);
/** What each test run or process gives another name. */
const byChance = ['entry', 'group', 'at', 'organization', 'actor', 'action'];

const edits = /^(?:POST|PUT|PATCH|DELETE) /;
/** What the service does with the edits of a command. */
const failures: Readonly<Record<string, (simulator: Simulator) => void>> = {
  'is refused': ({ refuses }) => refuses(403, { times: 9, match: edits }),
  'finds nothing': ({ refuses }) => refuses(404, { times: 9, match: edits }),
};

/** The request as one line. */
const lineOf = ({ method, path, query, body }: Received): string =>
  [method, decodeURIComponent(path), ...[query, body].map(toText).filter((part) => part !== '{}' && part !== '')].join(
    ' ',
  );
const toText = (value: unknown): string => JSON.stringify(value) ?? '';

/** What a command wrote, of receipts a line for each, without the members that are empty. */
function linesOf(out: string): readonly string[] {
  if (!out.startsWith('{')) return out.trimEnd().split('\n');
  return JSON.parse(out).items.map((item: object) =>
    toText(
      Object.fromEntries(
        Object.entries(item).filter(
          ([name, value]) => !byChance.includes(name) && value && !['[]', '{}'].includes(toText(value)),
        ),
      ),
    ),
  );
}

describe.each([...cases])('the actions of %s', (list, actions) => {
  // Waits are short, and what is given up after a while is not given up sooner.
  const clock = {
    now: () => noon,
    after: (ms: number, then: () => void) => systemClock.after(ms < 15_000 ? ms / 100 : ms, then),
  };
  const { simulator, there, machine, orgdeck } = servedCommands({ monitors: 30, issues: 20, clock });

  test('ask, send, say and take back what was reviewed', async () => {
    await machine.orgdeck(['profiles', 'add', 'acme', '--base-url', there.url, '--production']);
    const env = { FAKE_CLIENT_SECRET: 'fake-client-secret' };
    const wordsOf = wordsOfActions(orgdeck, machine.directory);
    const pages: string[] = [];
    for (const verb of actions) {
      const line = [...commandName(verb).split(' '), ...(await wordsOf(verb.action.id))];
      pages.push(`# ${line.join(' ')}`);
      const step = async (title: string, words: readonly string[], types?: readonly string[]) => {
        simulator.forgets();
        const { exit, out, err } = await orgdeck(words, { env, ...(types && { types }) });
        const lines = [...simulator.received().map(lineOf), ...linesOf(out), ...linesOf(err)];
        pages.push(
          `${title}: ${exit}`,
          ...lines.filter((each) => each !== '' && !each.startsWith('acme is')).map((each) => `  ${each}`),
        );
      };
      await step('asks', [...line, '--profile', 'acme'], ['n']);
      for (const [title, fails] of Object.entries(failures)) {
        fails(simulator);
        await step(title, [...line, '--yes']);
        simulator.recovers();
      }
      await step('does', [...line, '--yes', '--json']);
      await step('undoes', ['undo', '--yes']);
      simulator.appliesThenFails(1, { status: 502, match: edits });
      await step('does it again, without an answer', [...line, '--yes']);
      simulator.recovers();
      await step('and once more', [...line, '--yes']);
    }
    const text = pages
      .join('\n')
      .replaceAll(machine.directory, 'DIRECTORY')
      .replaceAll(there.url.slice('http://'.length), 'ORIGIN')
      .replaceAll(/(?<=orgdeck undo )[0-9a-f]{8}/g, 'ENTRY')
      .replaceAll(/\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '$1');
    await expect(`${text}\n`).toMatchFileSnapshot(`../support/stored/edits/${list}.txt`);
  });
});
