import { request } from 'undici';
import { findEndpoint } from '../../src/api/all-endpoints.ts';
import type { Call, Plan } from '../../src/api/endpoint.ts';
import type { Result } from '../../src/api/problem.ts';
import { judge } from '../../src/client/response-result.ts';
import { toWireRequest } from '../../src/client/wire-request.ts';
import { stringifyExact } from '../../src/lib/json.ts';
import { kept } from './plans.ts';

/** A body as it came over the wire, with its status. */
export interface RecordedBody {
  readonly status: number;
  readonly text: string;
}

/** Recorded responses of a service by operation, for replay with mutations. */
export interface Recording {
  /** Sends one call and records the response. */
  send(call: Call): Promise<Result<unknown>>;
  /** Runs a plan over HTTP and records the responses. */
  run<T>(plan: Plan<T, unknown>): Promise<T>;
  /** The newest recorded response of an operation; a 404 page when none was recorded. */
  of(operation: string): RecordedBody;
}

/** Records a service at this address. */
export function record(at: { readonly url: string; readonly apiKey: string; readonly appKey: string }): Recording {
  const bodies = new Map<string, RecordedBody>();
  const send = async (call: Call): Promise<Result<unknown>> => {
    const wired = toWireRequest(call, new URL(at.url));
    if (!wired.ok) return wired;
    const { method, path, headers, body } = wired.wired;
    const keys = { 'SERVICE-API-KEY': at.apiKey, 'SERVICE-APPLICATION-KEY': at.appKey };
    const plain = { ...headers, ...keys, 'accept-encoding': 'identity' };
    const answer = await request(at.url + path, { method, headers: plain, body: body ?? null });
    const received = { status: answer.statusCode, text: await answer.body.text() };
    if (received.status < 300) bodies.set(call.endpoint.id, received);
    return read(call, received);
  };
  return {
    send,
    async run(plan) {
      let step = plan.next();
      while (!step.done)
        step =
          'endpoint' in step.value
            ? plan.next(await send(step.value))
            : plan.next({ ok: true, value: 0, status: 0, unread: [] });
      return step.value;
    },
    of: (operation) => bodies.get(operation) ?? { status: 404, text: '<html><title>Not Found</title></html>' },
  };
}

/** The body as the client reads it. */
export function read(call: Call, { status, text }: RecordedBody): Result<unknown> {
  if (!findEndpoint(call.endpoint.id)) throw new Error(`there is no operation ${call.endpoint.id}`);
  const sent = { kind: 'answer', status, headers: {}, text } as const;
  return kept(call, judge(call.endpoint, sent, 'api.example.test', undefined).result);
}

/** A value as a body that succeeds. */
export const bodyOf = (value: unknown, status = 200): RecordedBody => ({
  status,
  text: value === undefined ? '' : stringifyExact(value),
});
