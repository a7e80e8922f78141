import { call, type ResponseOf } from '../../src/api/endpoint.ts';
import { getIssue, setIssueState } from '../../src/api/error-tracking.ts';
import type { Action } from '../../src/describe/action.ts';
import type { ShellCommand } from '../../src/describe/command.ts';
import { ignored, namePart, receipt, warning } from '../../src/describe/receipt.ts';
import { capitalized } from '../../src/lib/text.ts';
import { type IssueRow, issueName, issuesText } from './row.ts';

/** What an edit of an issue answers: the issue, and what it refers to. */
export type IssueAnswer = ResponseOf<typeof setIssueState>;

type StateWord = 'OPEN' | 'ACKNOWLEDGED' | 'RESOLVED' | 'IGNORED' | 'EXCLUDED';

/** The request that puts an issue into a state; always upper case (docs/contract/error-tracking.md#edit-the-state). */
export function stateCall(issueId: string, state: string) {
  return call(setIssueState, { issue_id: issueId, body: stateBody(issueId, state) });
}

/** The state that an answer tells; undefined when it tells none. */
export function stateIn({ data }: IssueAnswer): string | undefined {
  return data?.attributes?.state || undefined;
}

/** What a receipt about an issue tells a program. */
export const issueFacts = ({ state, assignee }: IssueRow) => ({ state: state || null, assignee: assignee ?? null });

type StateAction = Action<IssueRow, Record<string, never>, IssueAnswer>;

/** `A`, `r`, `i`, `O`, `E`: any state may follow any other. */
export const stateActions: readonly StateAction[] = [
  stateAction(
    'issues.acknowledge',
    'A',
    'acknowledge',
    'ACKNOWLEDGED',
    'acknowledged',
    'Someone is on it: state ACKNOWLEDGED',
  ),
  stateAction('issues.resolve', 'r', 'resolve', 'RESOLVED', 'resolved', 'Fixed: state RESOLVED, closes its case'),
  stateAction('issues.ignore', 'i', 'ignore', 'IGNORED', 'ignored', 'Known, hide it: state IGNORED'),
  stateAction('issues.reopen', 'O', 'reopen', 'OPEN', 'reopened', 'Reopen: state OPEN'),
  stateAction('issues.exclude', 'E', 'exclude', 'EXCLUDED', 'excluded', 'Stop collecting this error: state EXCLUDED'),
];

function stateAction(
  id: string,
  key: string,
  title: string,
  state: StateWord,
  past: string,
  help: string,
): StateAction {
  return {
    id,
    key,
    main: state === 'RESOLVED',
    handover: 'triage',
    title,
    help,
    uses: [setIssueState],
    already: (row) => (row.state.toUpperCase() === state ? `already ${state}` : undefined),
    confirm(rows) {
      const unknown = rows.filter((row) => row.state === '').length;
      const warning = unknown > 0 ? ['Its state is unknown, so this cannot be undone'] : [];
      const subject = issuesText(rows);
      if (state === 'EXCLUDED')
        return {
          question: `Exclude ${subject}?`,
          details: ['Stops collecting this error until its state is changed', ...warning],
          destructive: true,
        };
      return unknown > 0 ? { question: `${capitalized(title)} ${subject}?`, details: warning } : undefined;
    },
    send: (row) => stateCall(row.id, state),
    show: (row) => ({ ...row, state }),
    // Only the state; other changes come with the next read.
    truth: (row, answer) => ({ ...row, state: stateIn(answer) ?? state }),
    done(row, _, answer) {
      const now = stateIn(answer);
      if (now === undefined)
        return warning(receipt`The response shows no state (requested: ${state}): ${namePart(issueName(row))}`);
      return now.toUpperCase() === state
        ? receipt`${capitalized(past)} ${namePart(issueName(row))}`
        : ignored(receipt`STATE IS ${now}, not ${state}: ${namePart(issueName(row))}`);
    },
    facts: issueFacts,
    undo: (before) => (before.state === '' ? [] : [stateCall(before.id, before.state)]),
    command: (row) => stateCall(row.id, state),
  };
}

/** The command that shows one issue. */
export function showCommand(row: IssueRow): ShellCommand {
  return call(getIssue, { issue_id: row.id });
}

function stateBody(issueId: string, state: string) {
  return { data: { id: issueId, type: 'error_tracking_issue' as const, attributes: { state } } };
}
