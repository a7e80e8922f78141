import type { Problem } from '../../api/problem.ts';
import { receiptText } from '../../describe/receipt.ts';
import { absolute } from '../../lib/time-text.ts';
import { noticeParts, noticeText } from './log.ts';
import type { Flash } from './message.ts';
import type { Moment } from './moment.ts';
import type { State } from './state.ts';
import type { View } from './view.ts';

/** The problem of the list's or the detail's last read, if any. */
function readProblem(view: View): Problem | undefined {
  return view.read.problem ?? view.detail?.whole.problem;
}

/** A failed read as a sentence. `isShown`: rows of an earlier read are still on the screen. */
export const failedReadText = ({ text }: Pick<Problem, 'text'>, isShown: boolean): string =>
  `${isShown ? 'Not refreshed' : 'Not loaded'}: ${text}`;

/** What the log shows: notices that wait, the problem or the first note of the rows in front, then the messages of this run. */
export function messagesNow(state: State, view: View, now: number): readonly Flash[] {
  const problem = readProblem(view);
  const { notes = [] } = view.read.value ?? {};
  const instant = view.read.at ?? now;
  // A waiting notice is shown at the head, so that its first message is left out below.
  const waiting = new Set(state.notices.map((notice) => noticeText(notice, notice.at)));
  return [
    ...state.notices.map((notice): Flash => {
      const parts = noticeParts(notice, now);
      return { text: receiptText({ parts }), parts, at: notice.at, tone: 'warn', notice: notice.key };
    }),
    ...(problem
      ? [
          {
            text: failedReadText(problem, view.total > 0),
            tone: 'bad' as const,
            at: instant,
            problem,
            details: leftOutLines(view),
          },
        ]
      : []),
    ...(!problem && notes.length > 0
      ? [{ text: notes[0] ?? '', tone: 'warn' as const, at: instant, details: leftOutLines(view) }]
      : []),
    ...state.messages.filter(({ text }) => !waiting.has(text)),
  ];
}

/** Notes about the rows in front, and the places of what was left out of them. */
function leftOutLines({ read }: View): readonly string[] {
  const { notes = [], unread = [] } = read.value ?? {};
  return [...notes, ...unread.map((place) => `Left out   ${place}`)];
}

/** A message in full, as lines: when, the whole sentence, and everything known about its problem. */
export function messageLines(message: Flash, { context, view }: Moment): readonly string[] {
  const { text, at: instant, problem, details = [] } = message;
  const subject = problem !== undefined && problem === readProblem(view) ? 'reading' : 'edit';
  return [
    text,
    '',
    `Time       ${absolute(instant, context.zone)}`,
    ...(problem ? problemLines(subject, problem) : []),
    ...(details.length > 0 ? ['', ...details] : []),
  ];
}

function problemLines(subject: string, problem: Problem): string[] {
  return [
    `Action     ${subject}`,
    `Kind       ${problem.kind}`,
    ...(problem.operation ? [`Operation  ${problem.operation}`] : []),
    ...(problem.status ? [`Status     ${problem.status}`] : []),
    ...(problem.permission?.length ? [`Requires   ${problem.permission.join(', ')}`] : []),
    ...problem.messages.map((words) => `Server     ${words}`),
    ...(problem.fields ?? []).map((field) => `Field      ${field}`),
  ];
}
