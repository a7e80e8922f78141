import { call } from '../../src/api/endpoint.ts';
import { getIssue, setIssueState } from '../../src/api/error-tracking.ts';
import { createClient, type Recorder } from '../../src/client/client.ts';
import { createJournal } from '../../src/journal/journal.ts';
import { systemClock as clock } from '../../src/lib/time.ts';

/**
 * A process that resolves issues, three at a time, and kills itself at a boundary of the n-th edit. Arguments: origin,
 * state directory, boundary, n, ids of the issues; the keys are in its environment. At boundaries that it cannot see it goes on.
 */
const [origin = '', directory = '', boundary = '', nth = '', ...queue] = process.argv.slice(2);
const { ORGDECK_API_KEY: apiKey = '', ORGDECK_APP_KEY: appKey = '' } = process.env;
const journal = createJournal({ directory, clock, origin, profile: 'test' });
const count = { intents: 0 };
const doomed = new Set<string>();
const die = (at: string, isMeant: boolean) => {
  if (at === boundary && isMeant) process.kill(process.pid, 'SIGKILL');
};

const recorder: Recorder = {
  async intent(edit, purpose) {
    count.intents += 1;
    const isNth = count.intents === Number(nth);
    die('before the journal', isNth);
    const entry = await journal.intent(edit, purpose);
    if (isNth && entry.ok) doomed.add(entry.value);
    die('after the journal', isNth);
    return entry;
  },
  async outcome(entry, outcome) {
    die('after the answer', doomed.has(entry));
    const written = journal.outcome(entry, outcome);
    die('before the outcome is written', doomed.has(entry));
    await written;
  },
};
const keys = { apiKey, appKey };
const find = (id: string) => (id === getIssue.id ? getIssue : undefined);
const client = createClient({ origin, keys, readOnly: false, clock, recorder, random: Math.random, find });

const worker = async () => {
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    const attributes = { state: 'RESOLVED' };
    const body = { data: { id, type: 'error_tracking_issue' as const, attributes } };
    const purpose = { action: 'issues.resolve', target: { id, name: id }, before: { id, state: 'OPEN' } };
    await client.send(call(setIssueState, { issue_id: id, body }), { purpose });
  }
};
await Promise.all([worker(), worker(), worker()]);
await client.close();
