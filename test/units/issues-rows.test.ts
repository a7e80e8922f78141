import { describe, expect, test } from 'vitest';
import { detail, readIssue } from '../../screens/issues/detail.ts';
import {
  assigneeName,
  type IssueRow,
  issueName,
  rowOfAnswer,
  rowOfIssue,
  rowOfResult,
} from '../../screens/issues/row.ts';
import { issueList } from '../../screens/issues.ts';
import { byId, type Included } from '../../src/api/envelope.ts';
import type { SearchResult } from '../../src/api/error-tracking.ts';
import { commandLine } from '../../src/describe/action.ts';
import type { DetailLine, Section } from '../../src/describe/column.ts';
import { detailTabs } from '../../src/describe/list-detail.ts';
import { answered, contextOf, refused, walk } from '../support/plans.ts';
import { there } from '../support/there.ts';

const id = 'c1486d5e-0000-4000-8000-000000000001';
const who = '87cb0000-0000-4000-8000-000000000002';
const index = (...items: object[]) => byId(items as Included[]);
const context = contextOf();
const cell = (row: IssueRow, column: string, at = context) =>
  issueList.columns.find((candidate) => candidate.id === column)?.text(row, at);
const sectionsOf = (row: IssueRow, whole?: IssueRow): readonly Section[] =>
  detailTabs(detail, row, whole, context).flatMap((tab) => (tab.kind === 'page' ? tab.sections : []));
const texts = (sections: readonly Section[], id: string): string[] => {
  const one = sections.find((candidate) => candidate.id === id);
  if (!one) throw new Error(`no section ${id}`);
  return one.lines.map((line: DetailLine) =>
    line.kind === 'pair'
      ? `${line.label}: ${line.value}`
      : line.kind === 'gap'
        ? ''
        : line.kind === 'facts'
          ? line.facts.map((fact) => fact.text).join(' · ')
          : line.text,
  );
};
const whole = {
  id,
  type: 'issue',
  attributes: {
    error_type: 'TypeError',
    error_message: 'x is undefined\n  at render',
    file_path: '',
    function_name: 'render',
    first_seen: 1_753_944_082_256,
    first_seen_version: '',
    last_seen: context.now - 120_000,
    last_seen_version: '1.4.0',
    is_crash: false,
    languages: ['JAVASCRIPT'],
    platform: 'BROWSER',
    service: 'web',
    state: 'OPEN',
    regression: { regressed_at: '2026-05-01T10:00:00.123456Z', resolved_at: '2026-04-01T10:00:00Z' },
  },
  relationships: {
    assignee: { data: { id: who, type: 'user' } },
    case: { data: { id: 'f1b3', type: 'case' } },
    team_owners: { data: [{ id: 't1', type: 'team' }] },
  },
};

describe('joining included resources', () => {
  test('a result is joined with its issue, person, team and case by id, in any order', () => {
    const result = {
      id,
      attributes: { total_count: 82n, impacted_sessions: 90, impacted_users: null },
      relationships: { issue: { data: { id, type: 'issue' } } },
    } as SearchResult;
    const included = index(
      { id: 'f1b3', type: 'case', attributes: { key: 'ET-1', status: 'OPEN' } },
      { id: 't1', type: 'team', attributes: { name: 'Shop', handle: 'shop' } },
      { id: who, type: 'users', attributes: { name: null, email: 'ada@example.test' } },
      whole,
    );
    const row = rowOfResult(result, { total: 82 }, included);
    expect(row).toMatchObject({
      id,
      told: true,
      state: 'OPEN',
      counts: { total: 82 },
      line: 'x is undefined at render',
      assignee: who,
      who: { name: 'ada@example.test' },
      teams: [{ name: 'Shop' }],
      case: { attributes: { key: 'ET-1' } },
    });
  });

  test('a person is named from the response, else from known people, else by id; the current user is "you"', () => {
    const nameless = index({ id: who, type: 'user', attributes: { name: '', email: '', handle: '' } });
    const row = rowOfIssue(id, whole, nameless);
    expect(assigneeName(row, context)).toBe('user 87cb…');
    expect(assigneeName(row, contextOf({ recent: [{ id: who, name: 'Ada' }] }))).toBe('Ada');
    expect(assigneeName(row, contextOf({ me: { id: who, name: 'Ada' } }))).toBe('you');
    expect(assigneeName({ ...row, assignee: undefined }, context)).toBe('');
    const handle = index({ id: who, type: 'user', attributes: { handle: 'ada@shop' } });
    expect(assigneeName(rowOfIssue(id, whole, handle), context)).toBe('ada@shop');
  });

  test.each([
    ['nothing', undefined],
    ['null', null],
    ['text', 'issue'],
    ['no attributes', { id }],
    ['null everywhere', { id, attributes: null, relationships: null }],
  ])('an issue that is %s has a row, a detail and a name', (_, issue) => {
    const row = rowOfIssue(id, issue, index());
    for (const column of issueList.columns) expect(typeof column.text(row, context)).toBe('string');
    for (const column of issueList.columns) expect(() => column.sort?.(row, context)).not.toThrow();
    for (const section of sectionsOf(row)) expect(section.lines).not.toEqual([]);
    for (const line of detail.preview?.(row, context) ?? []) expect(line.kind).toBeTruthy();
    expect(issueName(row)).not.toBe('');
    expect(issueList.words?.(row, context)).toBeTypeOf('string');
  });
});

describe('drawing', () => {
  test('yellow is an open issue of the last hour that nobody has; its other states, and a crash, are no color', () => {
    const read = (changes: object): IssueRow => ({
      ...rowOfIssue(id, whole, index()),
      regression: undefined,
      assignee: undefined,
      ...changes,
    });
    const toneOf = (changes: object, column = 'state') =>
      issueList.columns.find((candidate) => candidate.id === column)?.tone?.(read(changes), context);
    const minutes = (ago: number) => context.now - ago * 60_000;
    const back = { at: new Date(minutes(10)).toISOString(), version: '', resolvedAt: '' };
    expect(toneOf({ firstSeen: minutes(59) })).toBe('warn');
    expect(toneOf({ firstSeen: minutes(900), regression: back })).toBe('warn');
    expect(toneOf({ firstSeen: minutes(61) })).toBe('plain');
    expect(toneOf({ firstSeen: minutes(5), assignee: who })).toBe('plain');
    expect(toneOf({ firstSeen: minutes(5), state: 'ACKNOWLEDGED' })).toBe('dim');
    expect(toneOf({ crash: true }, 'error')).toBe('plain');
    expect(issueList.states?.map(({ tone }) => tone)).toEqual(['plain', 'dim', 'dim', 'dim', 'dim']);
  });

  test('a missing count is not zero, and an incomplete one has a sign', () => {
    const row = {
      ...rowOfIssue(id, whole, index()),
      counts: { total: 12_345, totalAtLeast: true, users: 0, peopleAtLeast: true },
    };
    expect(cell(row, 'count')).toMatch(/^12\.3k\+$/);
    expect(cell(row, 'users')).toBe('0+');
    expect(cell(row, 'sessions')).toBe('–');
    expect(cell(row, 'last')).toBe('2m');
    expect(cell({ ...row, lastSeen: context.now + 900 }, 'last')).toBe('0s');
    expect(cell({ ...row, lastSeen: context.now + 3_600_000 }, 'last')).toBe('in 1h');
    expect(issueList.columns.find((column) => column.id === 'sessions')?.sort?.(row, context)).toBeNaN();
  });

  test('the trend is drawn from the polls, in ASCII on request', () => {
    const row = rowOfIssue(id, whole, index());
    expect(cell(row, 'trend', contextOf({ trend: () => [1, 5, 9] }))).toHaveLength(8);
    expect(cell(row, 'trend', contextOf({ trend: () => [1, 5, 9], ascii: true }))).toMatch(/^[ -~]+$/);
    for (const samples of [[], [5], [5, 5]]) expect(cell(row, 'trend', contextOf({ trend: () => samples }))).toBe('–');
  });
});

describe('the detail', () => {
  test('reads the issue with its relationships and keeps the counts of the list', () => {
    const row = { ...rowOfIssue(id, undefined, index()), counts: { total: 5 } };
    const { value, calls } = walk(readIssue(row).plan(context), () =>
      answered({ data: whole, included: [{ id: who, type: 'user', attributes: { name: 'Ada' } }] }),
    );
    expect(calls[0]?.endpoint.id).toBe('issues.get');
    expect(calls[0]?.params).toEqual({ issue_id: id });
    expect(calls[0]?.query.include).toEqual(['assignee', 'case', 'team_owners']);
    expect(value).toMatchObject({ ok: true, value: { told: true, counts: { total: 5 }, who: { name: 'Ada' } } });
  });

  test('returns the problem of its read', () => {
    const row = rowOfIssue(id, whole, index());
    expect(walk(readIssue(row).plan(context), () => refused('notFound', 'issue not found', 404)).value).toMatchObject({
      problem: { kind: 'notFound' },
    });
  });

  test('names that a response omits are kept, and a response without an issue changes nothing', () => {
    const before = rowOfIssue(
      id,
      whole,
      index({ id: who, attributes: { name: 'Ada' } }, { id: 't1', attributes: { name: 'Shop' } }),
    );
    const after = rowOfAnswer(before, {
      data: whole,
      included: [null, { id: who, type: 'user', attributes: { name: '' } }],
    });
    expect(after.who?.name).toBe('Ada');
    expect(after.teams[0]?.name).toBe('Shop');
    for (const nothing of [undefined, null, '', {}, { data: null }]) expect(rowOfAnswer(before, nothing)).toBe(before);
  });

  test('state and assignee come from the list, the rest from the second read', () => {
    const row = { ...rowOfIssue(id, whole, index()), state: 'RESOLVED', assignee: undefined };
    const further = rowOfIssue(id, { ...whole, attributes: { ...whole.attributes, function_name: 'newer' } }, index());
    const sections = sectionsOf(row, further);
    expect(texts(sections, 'state')).toContain('State: RESOLVED');
    expect(texts(sections, 'state')).toContain('Assignee: –');
    expect(texts(sections, 'place')).toContain('Function: newer');
  });

  test('the raw tab keeps ids beyond 2^53 exact', () => {
    const row = rowOfIssue(id, { attributes: { strange: 2n ** 63n } }, index());
    expect(texts(sectionsOf(row), 'raw').join('')).toContain('9223372036854775808');
  });
});

test('the link and the command show the row; a hostile id stays one shell word', () => {
  const row = rowOfIssue(id, whole, index());
  expect(issueList.link?.(row, { ...context, web: 'https://web.test/' })).toBe(
    `https://web.test/error-tracking/issue/${id}`,
  );
  expect(issueList.link?.(row, context)).toBeUndefined();
  expect(commandLine(issueList.command?.(row) ?? '', context)).toBe(`orgdeck call issues.get --issue_id ${id}`);
  expect(commandLine(issueList.command?.({ ...row, id: "a'; rm -rf ~" }) ?? '', context)).toBe(
    "orgdeck call issues.get --issue_id 'a'\\''; rm -rf ~'",
  );
});

test('an issue of which only the counts were told is not called unassigned, and an unknown count is not 0', () => {
  const known = there(rowOfAnswer(rowOfIssue(id, undefined, new Map()), { data: whole }));
  const [free, untold] = [{ ...known, assignee: undefined }, rowOfIssue(id, undefined, new Map())];
  expect(
    [free, untold].map((row) => issueList.columns.find((one) => one.id === 'assignee')?.says?.(row, context)),
  ).toEqual(['unassigned', 'assignee unknown']);
  expect(issueList.now?.(untold, context)).toBe('state unknown, assignee unknown');
  const counts: IssueRow['counts'][] = [{}, { total: 1 }, { total: 2000, totalAtLeast: true }, { total: 1 }];
  const [open] =
    issueList.openEnds?.(
      counts.map((one) => ({ ...free, state: 'OPEN', counts: one })),
      context,
    ) ?? [];
  expect([open?.count, ...(open?.named ?? []).map(({ rest }) => rest)]).toEqual([
    4,
    '(2000+ errors)',
    '(1 error)',
    '(1 error)',
  ]);
  const [unknown] = issueList.openEnds?.([{ ...free, state: 'OPEN', counts: {} }], context) ?? [];
  expect(unknown?.named[0]?.rest).toBe('(number of errors unknown)');
});
