import * as v from 'valibot';
import { type Field, fileField } from '../../src/describe/field.ts';
import { parseExact } from '../../src/lib/json.ts';
import { isObject } from '../../src/lib/object-paths.ts';
import type { ParseResult } from '../../src/lib/parse-result.ts';

const needed = v.pipe(v.string(), v.nonEmpty());
/** The members of a key file that the contract names (docs/contract/integrations.md#provider_b-v1). */
const members = v.object({
  type: needed,
  project_id: needed,
  client_email: needed,
  client_id: needed,
  private_key: needed,
  private_key_id: needed,
  auth_uri: v.optional(needed),
  token_uri: v.optional(needed),
  auth_provider_x509_cert_url: v.optional(needed),
  client_x509_cert_url: v.optional(needed),
});

/** The key of a service account, out of a file of this machine. */
export interface KeyFile {
  readonly key: v.InferOutput<typeof members>;
  /** Names of the other members of the file: they are not sent. */
  readonly left: readonly string[];
}

function readKeyFile(content: string): ParseResult<KeyFile> {
  try {
    const file = parseExact(content);
    const read = v.safeParse(members, file);
    if (read.success) {
      const left = Object.keys(isObject(file) ? file : {}).filter((name) => !Object.hasOwn(members.entries, name));
      return { ok: true, value: { key: read.output, left } };
    }
    const lacks = read.issues.map((issue) => v.getDotPath(issue)).filter(Boolean);
    return { ok: false, text: `Not a key file of a service account: it lacks ${[...new Set(lacks)].join(', ')}` };
  } catch {
    return { ok: false, text: 'Not a key file of a service account: it is not JSON' };
  }
}

/** Asks for a key file. What it holds is sent once and stands nowhere. */
export const keyFileField = (): Field<KeyFile> =>
  fileField('Key file', readKeyFile, {
    limit: 64 * 1024,
    required: true,
    hint: 'Path of the JSON key of the service account; sent once, never shown',
  });

/** The end of the receipt: members of the key file that were not sent, else the next step. */
export function besides({ left }: KeyFile): string {
  if (left.length === 0) return ' as a deprecated account; a federated one needs no key file';
  const more = left.length > 3 ? ` and ${left.length - 3} more` : '';
  return `; ignored in the key file: ${left.slice(0, 3).join(', ')}${more}`;
}
