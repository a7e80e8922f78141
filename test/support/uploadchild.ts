import { readFileSync } from 'node:fs';
import { findEndpoint } from '../../src/api/all-endpoints.ts';
import { createClient } from '../../src/client/client.ts';
import { createParts } from '../../src/client/upload-parts.ts';
import { systemClock as clock } from '../../src/lib/time.ts';
import { upload } from '../../src/upload/upload.ts';
import { planUpload } from '../../src/upload/upload-plan.ts';

/**
 * A process that checks and uploads a file. Arguments: origin, file, name of the table and state directory;
 * the keys are in its environment. Prints each phase, and at the end the result and the peak memory
 * in MB, without the program itself.
 */
const [origin = '', file = '', name = '', directory = ''] = process.argv.slice(2);
const { ORGDECK_API_KEY: apiKey = '', ORGDECK_APP_KEY: appKey = '' } = process.env;
const said = (value: object) => process.stdout.write(`${JSON.stringify(value)}\n`);
/**
 * MB. Excludes the shared pages of Node's executable where the system reports them. On Linux `maxRSS` is never less
 * than what the process that started this one had in use: VmHWM begins with this program.
 */
const most = { memory: 0 };
const look = () => {
  if (process.platform !== 'linux') {
    most.memory = process.resourceUsage().maxRSS / 1024 - 45;
    return;
  }
  const status = readFileSync('/proc/self/status', 'utf8');
  const mb = (field: string) => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
  most.memory = Math.max(most.memory, mb('VmHWM') - mb('RssFile'));
};
const client = createClient({
  origin,
  keys: { apiKey, appKey },
  readOnly: false,
  recorder: {
    intent: async () => ({ ok: true, value: '', status: 200, unread: [] }),
    outcome: async () => {},
  },
  clock,
  random: Math.random,
  find: findEndpoint,
});
const parts = createParts({ origin, clock, random: Math.random });
const planned = await planUpload(file, { firstKey: true });
if (!planned.ok) throw new Error(JSON.stringify(planned.faults));
const { plan } = planned;
look();
said({ checked: plan.rows, ...most });
const work = upload({ plan, table: { name, key: plan.headers[0] ?? '' }, client, parts, clock, directory });
let last = '';
work.subscribe((uploadProgress) => {
  look();
  const line = `${uploadProgress.phase} ${uploadProgress.parts.done}`;
  if (line !== last)
    said({ phase: uploadProgress.phase, done: uploadProgress.parts.done, remarks: uploadProgress.remarks });
  last = line;
});
const end = await work.done;
said({ end: end.ok ? end.value : end.problem, ...most });
await parts.close();
await client.close();
