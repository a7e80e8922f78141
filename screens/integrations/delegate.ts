import { call, type ResponseOf } from '../../src/api/endpoint.ts';
import { ask, type Plan } from '../../src/api/plan.ts';
import { type Result, toResult } from '../../src/api/problem.ts';
import { getDelegate, makeDelegate } from '../../src/api/provider-b.ts';
import { action } from '../../src/describe/action.ts';
import type { Single } from '../../src/describe/source.ts';
import type { AccountRowB } from './provider-b.ts';

/** The e-mail of the delegate that an answer tells. */
export function emailIn(answer: ResponseOf<typeof getDelegate>): string | undefined {
  const { id, attributes } = answer?.data ?? {};
  return attributes?.delegate_account_email ?? (id == null ? undefined : String(id));
}

/** The delegate as the service tells it; null before it was made. */
function* readDelegate(): Plan<Result<string | null>> {
  const answer = yield* ask(call(getDelegate));
  return answer.ok ? { ...answer, value: emailIn(answer.value) ?? null } : answer;
}

/** The delegate as a text for the detail, or why it could not be read. */
export function* delegateTold(): Plan<Result<{ readonly text: string; readonly isTold: boolean }>> {
  const read = yield* readDelegate();
  const text = read.ok ? (read.value ?? 'none yet. x: create it') : `not read: ${read.problem.text}`;
  return toResult({ text, isTold: read.ok && read.value !== null });
}

const delegate: Single<string | null> = {
  key: 'provider_b delegate',
  of: ['provider_b_sts_delegate'],
  plan: readDelegate,
};

/** Creates the delegate, which a service account must trust. */
export const delegateAction = action({
  id: 'integrations.create-delegate-b',
  on: 'list',
  title: 'create delegate',
  preposition: 'of',
  help: 'Create the delegate that each account must trust; you always get the same one',
  uses: [makeDelegate, getDelegate],
  needs: () => delegate,
  confirm: (_, __, { known }) => ({
    question:
      typeof known === 'string'
        ? `The delegate service account is ${known}. Request it again?`
        : 'Create the delegate service account?',
    details: [
      'You always get the same one; it cannot be deleted',
      'Allow it to impersonate your service account at the provider, then add that',
    ],
  }),
  send: (_row: AccountRowB) => call(makeDelegate, { body: {} }),
  made(answer) {
    const email = emailIn(answer);
    return email === undefined ? undefined : { id: email, name: email };
  },
  makesKind: 'provider_b_sts_delegate',
  done: (_, __, answer) =>
    `Delegate service account: ${emailIn(answer) ?? 'unknown'}. Allow it to impersonate your service account, then add that`,
  command: () => call(makeDelegate, { body: {} }),
});
