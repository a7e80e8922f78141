import { ask, call, type Plan, type ResponseOf } from '../../src/api/endpoint.ts';
import { assignIssue, getIssue, setIssueState, unassignIssue } from '../../src/api/error-tracking.ts';
import { problemResult, type Result } from '../../src/api/problem.ts';
import type { Action, Confirmation } from '../../src/describe/action.ts';
import type { Person } from '../../src/describe/context.ts';
import { shortPersonName, usersPicker } from '../../src/describe/picks.ts';
import { ignored, namePart, receipt, warning } from '../../src/describe/receipt.ts';
import { capitalized, pastTense } from '../../src/lib/text.ts';
import { idIn } from '../../src/lib/values.ts';
import { assigneeName, type IssueRow, issueName, issuesText } from './row.ts';

/** What an edit of an issue answers: the issue, and what it refers to. */
type IssueAnswer = ResponseOf<typeof setIssueState>;

/** The request that puts an issue into a state; always upper case (docs/contract/error-tracking.md#edit-the-state). */
function stateCall(issueId: string, state: string) {
  const data = { id: issueId, type: 'error_tracking_issue' as const, attributes: { state } };
  return call(setIssueState, { issue_id: issueId, body: { data } });
}

/** What an answer tells of the issue of a row: nothing where it is about another one. */
function issueIn(row: IssueRow, answer: IssueAnswer): IssueAnswer['data'] {
  return [undefined, row.id].includes(idIn(answer)) ? answer.data : undefined;
}

/** The state that an answer tells; undefined when it tells none. */
function stateIn(row: IssueRow, answer: IssueAnswer): string | undefined {
  return issueIn(row, answer)?.attributes?.state || undefined;
}

/** What a receipt about an issue tells a program. */
const issueFacts = ({ state, assignee }: IssueRow) => ({ state: state || null, assignee: assignee ?? null });

type StateAction = Action<IssueRow, Record<string, never>, IssueAnswer>;

/** `A`, `r`, `i`, `O`, `E`: any state may follow any other. */
export const stateActions: readonly StateAction[] = [
  stateAction('A', 'acknowledge', 'ACKNOWLEDGED', 'Someone is on it: state ACKNOWLEDGED'),
  stateAction('r', 'resolve', 'RESOLVED', 'Fixed: state RESOLVED, closes its case'),
  stateAction('i', 'ignore', 'IGNORED', 'Known, hide it: state IGNORED'),
  stateAction('O', 'reopen', 'OPEN', 'Reopen: state OPEN'),
  stateAction('E', 'exclude', 'EXCLUDED', 'Stop collecting this error: state EXCLUDED'),
];

function stateAction(key: string, title: string, state: string, help: string): StateAction {
  return {
    id: `issues.${title}`,
    key,
    main: state === 'RESOLVED',
    handover: 'triage',
    title,
    help,
    uses: [setIssueState],
    already: (row) => (row.state.toUpperCase() === state ? `already ${state}` : undefined),
    confirm(rows) {
      const question = `${capitalized(title)} ${issuesText(rows)}?`;
      const asked = askWithoutUndo(rows, question, (row) => row.state === '' && 'The current state is unknown');
      if (state !== 'EXCLUDED') return asked;
      const details = ['Stops collecting this error until its state is changed', ...(asked?.details ?? [])];
      return { question, details, destructive: true };
    },
    send: (row) => stateCall(row.id, state),
    show: (row) => ({ ...row, state }),
    // Only the state; other changes come with the next read.
    truth: (row, answer) => ({ ...row, state: stateIn(row, answer) ?? state }),
    done(row, _, answer) {
      const now = stateIn(row, answer);
      if (now === undefined)
        return warning(receipt`The response shows no state (requested: ${state}): ${namePart(issueName(row))}`);
      return now.toUpperCase() === state
        ? receipt`${capitalized(pastTense(title))} ${namePart(issueName(row))}`
        : ignored(receipt`STATE IS ${now}, not ${state}: ${namePart(issueName(row))}`);
    },
    facts: issueFacts,
    undo: (before) => (before.state === '' ? [] : [stateCall(before.id, before.state)]),
    command: (row) => stateCall(row.id, state),
  };
}

/** `a`: to a person; me first, recent ones next. May move OPEN to ACKNOWLEDGED (docs/contract/error-tracking.md#states). */
export const assign: Action<IssueRow, { person: Person }, IssueAnswer> = {
  id: 'issues.assign',
  handover: 'triage',
  key: 'a',
  main: true,
  title: 'assign',
  line: { asks: 'pick', noun: 'user', flag: 'to' },
  help: 'Assign to a user; you come first. The service may acknowledge the issue and open a case',
  brief: 'Assign to a user; the service may acknowledge the issue and open a case',
  uses: [assignIssue, unassignIssue, setIssueState],
  pick: (rows, context) =>
    usersPicker({
      title: `Assign ${issuesText(rows)} to`,
      context,
      values: (person) => ({ person }),
    }),
  already: (row, _, values) =>
    values && row.told && row.assignee === values.person.id ? `already assigned to ${values.person.name}` : undefined,
  confirm: (rows, { person }, context) =>
    askWithoutUndo(rows, `Assign ${issuesText(rows)} to ${person.name}?`, (row) =>
      row.told
        ? row.assignee === undefined &&
          !context.offered(unassignIssue.id) &&
          'No user is assigned and this deployment cannot unassign'
        : unknownAssignee,
    ),
  send: (row, { person }) => assignCall(row.id, person.id),
  show: (row, { person }) => ({ ...row, assignee: person.id, who: person }),
  // Only the assignee and the state; other changes come with the next read.
  truth: (row, answer, { person }) => {
    const now = assigneeIn(row, answer);
    return { ...row, assignee: now.told ? now.id : person.id, who: person, state: stateIn(row, answer) ?? row.state };
  },
  done(row, { person }, answer, context) {
    const whom = person.id === context.me?.id ? 'you' : person.name;
    const state = stateIn(row, answer);
    const moved = state !== undefined && state !== row.state ? `, now ${state}` : '';
    const now = assigneeIn(row, answer);
    if (!now.told)
      return warning(receipt`The response shows no assignee (requested: ${whom}): ${namePart(issueName(row))}${moved}`);
    // The sentence stands behind `Undone:`, too, where `now` would say the opposite.
    const also = moved !== '' && state === 'ACKNOWLEDGED' ? ' and acknowledged it' : moved;
    if (now.id === person.id) return receipt`Assigned ${namePart(issueName(row))} to ${whom}${also}`;
    return warning(
      receipt`ASSIGNEE IS ${now.id === undefined ? 'none' : shortPersonName(now.id)}, not ${whom}: ${namePart(issueName(row))}${moved}`,
    );
  },
  facts: issueFacts,
  undo(before, _, answer, context) {
    if (!before.told) return [];
    if (before.assignee === undefined && !context.offered(unassignIssue.id)) return [];
    const back = before.assignee === undefined ? unassignCall(before.id) : assignCall(before.id, before.assignee);
    const now = stateIn(before, answer);
    // The service acknowledges an open issue that is assigned, so undo restores the state too.
    const moved = now === undefined ? before.state.toUpperCase() === 'OPEN' : now !== before.state;
    return moved && before.state !== '' ? [back, stateCall(before.id, before.state)] : [back];
  },
  command: (row, values) => assignCall(row.id, values.person?.id ?? '00000000-0000-0000-0000-000000000000'),
};

/** `X`: removes the assignee. Not in the specification, so some deployments do not offer it. */
export const unassign: Action<IssueRow> = {
  id: 'issues.unassign',
  handover: 'triage',
  key: 'X',
  title: 'unassign',
  help: 'Remove the assignee; the state stays as it is',
  uses: [unassignIssue, assignIssue, setIssueState, getIssue],
  enabled(_, context) {
    return context.offered(unassignIssue.id) || 'this deployment cannot unassign issues';
  },
  already: (row) => (row.told && row.assignee === undefined ? 'not assigned' : undefined),
  confirm: (rows) => askWithoutUndo(rows, `Unassign ${issuesText(rows)}?`, (row) => !row.told && unknownAssignee),
  send: (row) => unassigning(row),
  show: withoutAssignee,
  truth: withoutAssignee,
  done: (row, _, __, context) => {
    const who = assigneeName(row, context);
    return receipt`Unassigned ${namePart(issueName(row))}${who === '' ? '' : `, was ${who}`}`;
  },
  facts: issueFacts,
  undo(before) {
    if (before.assignee === undefined) return [];
    const back = assignCall(before.id, before.assignee);
    return before.state === '' ? [back] : [back, stateCall(before.id, before.state)];
  },
  command: (row) => unassignCall(row.id),
};

/** Unassigns; on 404 reads the issue, because some deployments answer 404 for a missing operation too. */
function* unassigning(row: IssueRow): Plan<Result<unknown>> {
  const answer = yield* ask(unassignCall(row.id));
  if (answer.ok) return answer;
  const { kind, status } = answer.problem;
  if (kind !== 'notOffered' && status !== 404 && status !== 405) return answer;
  if (kind !== 'notOffered' && status === 404) {
    const there = yield* ask(call(getIssue, { issue_id: row.id }));
    if (!there.ok) return answer;
  }
  return problemResult('notOffered', 'this deployment cannot unassign issues', {
    messages: answer.problem.messages,
    status,
    operation: unassignIssue.id,
  });
}

const assignCall = (issueId: string, personId: string) =>
  call(assignIssue, { issue_id: issueId, body: { data: { id: personId, type: 'assignee' } } });

const unassignCall = (issueId: string) => call(unassignIssue, { issue_id: issueId });

/** The assignee in an answer; `told` is false for an answer without relationships. */
function assigneeIn(row: IssueRow, answer: IssueAnswer): { readonly told: boolean; readonly id?: string | undefined } {
  const related = issueIn(row, answer)?.relationships;
  return related ? { told: true, id: idIn(related.assignee) } : { told: false };
}

function withoutAssignee(row: IssueRow): IssueRow {
  return { ...row, assignee: undefined };
}

const unknownAssignee = 'The current assignee is unknown';

/** The question where undo cannot bring all of the issues back: why, and for how many of several. */
function askWithoutUndo(
  rows: readonly IssueRow[],
  question: string,
  whyLost: (row: IssueRow) => string | false,
): Confirmation | undefined {
  const whys = Map.groupBy(
    rows.flatMap((row) => whyLost(row) || []),
    (why) => why,
  );
  const details = [...whys].map(([why, { length }]) =>
    length === rows.length
      ? `${why}, so this cannot be undone`
      : `${why} for ${length} of ${rows.length}: undo leaves those out`,
  );
  return details.length === 0 ? undefined : { question, details };
}
