import { call } from '../api/endpoint.ts';
import { problemResult, type Result } from '../api/problem.ts';
import { createUpload } from '../api/tables.ts';
import { plural } from '../lib/text.ts';
import type { UploadPlan } from './upload-plan.ts';
import { type TableContext, type TableRequest, uploadPurpose } from './upload-table.ts';

/** An upload created on the service. */
export interface StartedUpload {
  readonly id: string;
  /** One for each part, in order. */
  readonly urls: readonly string[];
  /** When they die, wall clock: from before we asked, and a little earlier. */
  readonly until: number;
}

const margin = 2000;
const mostTries = 3;

/** Creates an upload. Repeats after an unknown outcome: an unused upload has no effect. */
export async function startUpload(
  means: TableContext,
  plan: UploadPlan,
  table: TableRequest,
  livesMs: number,
): Promise<Result<StartedUpload>> {
  const { partCount, partSize, headers } = plan;
  const attributes = { table_name: table.name, headers: [...headers], part_count: partCount, part_size: partSize };
  const asked = call(createUpload, { body: { data: { type: 'upload', attributes } } });
  const purpose = uploadPurpose(means, table);
  for (let tries = 1; ; tries++) {
    const before = means.clock.now();
    const answer = await means.client.send(asked, { signal: means.signal, purpose });
    if (!answer.ok) {
      if (answer.problem.kind === 'unknown' && tries < mostTries && !means.signal.aborted) continue;
      return answer;
    }
    const resource = answer.value?.data;
    const urls = resource?.attributes?.part_urls ?? [];
    if (resource?.id === null || resource?.id === undefined || urls.length !== partCount)
      return problemResult(
        'unreadable',
        `the service gave ${plural(urls.length, 'address')} for ${plural(partCount, 'part')}`,
      );
    return { ...answer, value: { id: String(resource.id), urls, until: before + livesMs - margin } };
  }
}
