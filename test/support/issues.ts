import { issueId } from './issue-id.ts';
import type { User } from './journey.tsx';
import type { Simulator } from './simulator.ts';

export { issueId };

/** Puts the n-th issue into the organization: `E01`, `E02`, … in `web`, lower numbers have more errors. */
export function hasIssue(service: Simulator, n: number, fields: Readonly<Record<string, unknown>> = {}): string {
  const name = `E${String(n).padStart(2, '0')}`;
  return service.has('issue', {
    id: issueId(n),
    error_type: name,
    error_message: `message of ${name}`,
    service: 'web',
    total_count: 1000 - n * 10,
    first_seen: service.now() - 7_200_000,
    last_seen: service.now() - 120_000,
    ...fields,
  });
}

/** Issues 1 to `count`, which differ only in their numbers. */
export function hasIssues(service: Simulator, count: number, fields: Readonly<Record<string, unknown>> = {}): void {
  for (let n = 1; n <= count; n += 1) hasIssue(service, n, fields);
}

/** Adds `count` errors to the n-th issue just before now. */
export function happens(service: Simulator, n: number, count: number): void {
  const issue = service.org.issues.get(issueId(n));
  if (!issue) throw new Error(`there is no issue ${n}`);
  const at = service.now() - 1000;
  issue.stream = {
    ...issue.stream,
    bursts: [...issue.stream.bursts, { at, length: 1, count }],
    active: [{ from: issue.stream.active[0]?.from ?? at, to: null }],
  };
}

/** The stored state of the n-th issue. */
export const stateOf = (service: Simulator, n: number): string | undefined => service.org.issues.get(issueId(n))?.state;

/** The bodies of the received issue searches, oldest first. */
export const searches = (service: Simulator): Readonly<Record<string, unknown>>[] =>
  service
    .received('POST', 'issues/search')
    .map((request) => (request.body as { data: { attributes: Record<string, unknown> } }).data.attributes);

/** Waits until the current user is known, which is read at the start beside the list. */
export async function knowsMe(user: User): Promise<string> {
  for (;;) {
    const { me } = user.session.now().context;
    if (me) return me.id;
    await new Promise((done) => setTimeout(done, 5));
  }
}
