import { action } from '../../src/describe/action.ts';
import type { Source } from '../../src/describe/context.ts';
import { choiceField, manyField, queryField, textField, toggleField } from '../../src/describe/field.ts';
import type { AnyList } from '../../src/describe/screen.ts';
import { bothSides } from '../../src/lib/text-matches.ts';
import type { Pending } from '../../src/session/send/pending-edit.ts';
import type { Layer, LayerOf } from '../../src/session/state/state.ts';

/** Text with escape sequences that is too wide and too high. */
export const unruly = `\x1b[8m\u202e${'wide '.repeat(45)}\x1b[2J\x1b[31m\x1b[8m\x1b]8;;http://x\x07\r\n\t値が未定義です 👩‍👩‍👧 ❤️ e\u0301 🇩🇪 \u202e${'長'.repeat(60)}`;

const line = { text: unruly, cursor: 7 };
const many = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `${at} ${unruly}`);
const nobody: Source<{ id: string; label: string }> = {
  key: 'nobody',
  of: [],
  // biome-ignore lint/correctness/useYield: nothing has to be asked
  *plan() {
    return { ok: true, value: { rows: [] }, status: 200, unread: [] };
  },
};

/** One layer of every kind with maximal content, by its kind; a kind without an example does not compile. */
export function everyLayer(list: AnyList): readonly (readonly [string, Layer])[] {
  const fields = {
    name: textField(unruly, unruly, { hint: unruly, placeholder: unruly }),
    key: textField('Key', 'secret', { secret: true }),
    order: choiceField('Order', 'b', many(9)),
    on: toggleField('On', true, unruly),
    states: manyField('States', ['0'], many(30)),
    query: queryField(unruly, `${unruly}\n`.repeat(9), () => new Promise(() => {}), { hint: unruly }),
  };
  const pending: Pending = {
    action: action({
      id: 'law.try',
      key: 'T',
      title: 'try',
      help: 'for the law alone',
      uses: [],
      send: () => ({}) as never,
      done: () => '',
    }),
    list,
    rows: [],
  };
  const form: LayerOf<'form'> = {
    kind: 'form',
    title: unruly,
    fields,
    lines: {
      ...Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { text: field.initial, cursor: 3 }])),
      // A value of the service that is not among the options.
      order: { text: 'quantum\x1b[8m\x1b]8;;http://x\x07', cursor: 0 },
      states: { text: `0,${unruly}`, cursor: 0 },
    },
    own: [],
    written: {
      query: {
        diagnostics: [0, 30, 400].map((start) => ({
          verdict: start === 0 ? 'doubtful' : 'wrong',
          message: unruly,
          hint: unruly,
          start,
          end: start + 20,
        })),
        trouble: unruly,
      },
    },
    focus: 0,
    errors: { name: unruly, states: unruly },
    touched: true,
    busy: false,
    problem: unruly,
    leaving: true,
    labels: {},
    files: {},
    for: { kind: 'action', pending },
  };
  const offers = {
    completion: { start: 3, end: 7, items: many(20).map((text) => ({ text, hint: unruly })) },
    cursor: 12,
  };
  const confirm = { question: unruly, details: many(12), destructive: true };
  const yes = { type: 'closeLayer' } as const;
  const bar: LayerOf<'bar'> = {
    kind: 'bar',
    bar: {
      title: unruly,
      choices: many(9).map((title, at) => ({ key: String(at), title, values: {} })),
      inputs: [{ key: 't', name: 'until', field: fields.name, ends: true }],
      cycles: [{ key: 's', name: 'scope', title: unruly, options: [{ value: 'all', label: unruly }] }],
      values: { scope: 'all' },
    },
    values: { scope: 'all', until: unruly },
    pending,
  };
  const at = Date.UTC(2026, 10, 21);
  const layers: { readonly [K in Layer['kind']]: readonly Extract<Layer, { kind: K }>[] } = {
    form: [
      form,
      { ...form, focus: 4, leaving: false, busy: true, problem: undefined },
      { ...form, focus: 5, problem: undefined },
      { ...form, focus: 5, written: { query: { diagnostics: [], offers } } },
      { ...form, review: many(20).map((label) => ({ label, parts: bothSides(unruly, unruly) })) },
    ],
    wait: [{ kind: 'wait', title: unruly, pending }],
    take: [
      {
        kind: 'take',
        name: 'states',
        title: unruly,
        several: true,
        free: true,
        picks: () => nobody,
        taken: many(20).map((label) => ({ id: label, label })),
        query: line,
        asked: unruly,
        typing: true,
        cursor: 0,
      },
    ],
    secret: [false, true].map((shown) => ({
      kind: 'secret',
      secret: { title: unruly, value: unruly, notes: many(20) },
      shown,
      copied: false,
      leaving: shown,
    })),
    job: [
      {
        kind: 'job',
        id: 'j',
        since: 0,
        title: unruly,
        progress: { step: unruly, share: 0.4, notes: many(30) },
        stopping: true,
      },
      { kind: 'job', id: 'j', since: 0, title: unruly, stopping: false, ended: { at: 0, ok: false, text: unruly } },
    ],
    confirm: [
      { kind: 'confirm', confirm, typed: { text: '', cursor: 0 }, yes },
      { kind: 'confirm', confirm: { ...confirm, typed: unruly }, typed: line, yes },
      { kind: 'confirm', confirm: { question: 'Quit orgdeck?' }, typed: { text: '', cursor: 0 }, yes },
      { kind: 'confirm', confirm: { ...confirm, enter: unruly }, typed: { text: '', cursor: 0 }, yes },
    ],
    bar: [bar, { ...bar, input: { name: 'until', line, error: unruly } }],
    pick: [false, true].map((typing) => ({
      kind: 'pick',
      picker: {
        title: unruly,
        first: many(typing ? 0 : 30).map((label) => ({ id: label, label, hint: unruly })),
        asksMe: typing,
        load: () => nobody,
        values: () => ({}),
      },
      query: typing ? line : { text: '', cursor: 0 },
      asked: '',
      typing,
      cursor: 17,
      pending,
    })),
    find: [{ kind: 'find', line, from: { id: unruly, tab: 0, top: 0 } }],
    filter: [{ kind: 'filter', list: list.id, line }],
    help: [
      { kind: 'help', query: { text: '', cursor: 0 }, cursor: 12, searching: false },
      { kind: 'help', query: line, cursor: 0, searching: true },
    ],
    palette: [
      { kind: 'palette', query: { text: '', cursor: 0 }, cursor: 11 },
      { kind: 'palette', query: line, cursor: 0 },
    ],
    menu: [
      {
        kind: 'menu',
        title: unruly,
        items: many(40).map((label) => ({ id: label, label, key: 'ctrl+p', hint: unruly, refused: unruly, run: yes })),
        cursor: 33,
      },
    ],
    text: [{ kind: 'text', title: unruly, lines: many(80), top: 30 }],
    results: [
      {
        kind: 'results',
        title: unruly,
        results: many(40).map((name, at) => ({ id: name, name, row: undefined, ok: at % 2 === 0, text: unruly })),
        cursor: 39,
        pending,
      },
    ],
    timeline: [
      { kind: 'timeline', view: 'messages', entries: [], cursor: 0, unsettled: false },
      { kind: 'timeline', view: 'edits', entries: [], cursor: 0, unsettled: true },
      { kind: 'timeline', view: 'handover', entries: [], cursor: 0, unsettled: false, isLoading: true },
      ...[1, 2].map((count) => ({
        kind: 'timeline' as const,
        view: 'handover' as const,
        entries: [],
        cursor: 35,
        unsettled: false,
        report: {
          profile: unruly,
          shift: unruly,
          by: unruly,
          sections: many(4).map((title, part) => ({
            ...{ title, count: 10 },
            ...(part % count === 0 && { isDense: true as const }),
            items: many(10).map((name, at) => ({
              lead: unruly,
              ...(at % 2 === 0 && { name, rest: unruly }),
              more: many(at),
              entries: [],
            })),
          })),
        },
      })),
      {
        kind: 'timeline',
        view: 'all',
        changes: many(3).map((name) => {
          return {
            at,
            id: name,
            name,
            list: 'things',
            from: { word: unruly, level: 0 },
            to: { word: unruly, level: 1 },
          };
        }),
        entries: many(40).map((target) => ({
          id: target,
          at,
          operation: unruly,
          target,
          outcome: 'unknown',
          text: unruly,
          undoable: true,
          checkable: true,
        })),
        cursor: 25,
        unsettled: false,
      },
    ],
    profiles: [
      {
        kind: 'profiles',
        items: many(40).map((name, at) => ({ name, says: unruly, current: at === 3 })),
        cursor: 30,
      },
      {
        kind: 'profiles',
        items: [{ name: 'acme', says: unruly, current: true, facts: many(3).map((label) => [label, unruly] as const) }],
        cursor: 0,
      },
      {
        kind: 'profiles',
        items: many(9).map((name) => ({ name, says: unruly, current: false, isOfFleet: true })),
        fleet: Object.fromEntries(
          many(6).map((name, at) => [name, at > 2 ? { problem: unruly } : { alerting: at, issues: '100+' }]),
        ),
        cursor: 3,
      },
    ],
  };
  return Object.entries(layers).flatMap(([kind, all]) => all.map((form) => [kind, form] as const));
}
