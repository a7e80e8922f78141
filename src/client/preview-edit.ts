import type { Call } from '../api/endpoint.ts';
import { problemResult, type Result } from '../api/problem.ts';
import { hideParams, hideSecrets } from '../api/secrets.ts';
import type { AttemptContext } from './send-once.ts';
import { toWireRequest } from './wire-request.ts';

/** An edit as it would be sent, in the deployment's words; its secrets are masked. */
export interface PreviewedRequest {
  readonly method: string;
  readonly url: string;
  /** JSON text. */
  readonly body: string | undefined;
}

/** Gives `preview` an edit in place of the service; what is left is that nothing was sent. */
export function previewEdit(
  { connection, vocabulary }: AttemptContext,
  call: Call,
  preview: (request: PreviewedRequest) => void,
): Result<never> {
  if (!connection.ok) return connection;
  const { endpoint, params, body } = call;
  const { secrets } = endpoint;
  const shown = { ...call, params: hideParams(params, secrets).value, body: hideSecrets(body, secrets).value };
  const wired = toWireRequest(shown, connection.base, vocabulary);
  if (!wired.ok) return wired;
  const { method, path, body: text } = wired.wired;
  preview({ method, url: `${connection.base.origin}${path}`, body: text });
  return problemResult('dryRun', `not sent (--dry-run): ${endpoint.title.toLowerCase()}`);
}
