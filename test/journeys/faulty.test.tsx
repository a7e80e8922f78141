import { expect, test } from 'vitest';
import { filterList } from '../../screens/retention.ts';
import { call } from '../../src/api/endpoint.ts';
import { createFilter } from '../../src/api/retention-filters.ts';
import { type Action, type AnyAction, action } from '../../src/describe/action.ts';
import { textField } from '../../src/describe/field.ts';
import { type List, list, type Screen } from '../../src/describe/screen.ts';
import { createTheme } from '../../src/scene/theme.ts';
import { readStanding } from '../../src/shell/header.ts';
import { scene } from '../../src/shell/scene.ts';
import { journey, type User } from '../support/journey.tsx';
import type { Simulator } from '../support/simulator.ts';

type FilterRow = Parameters<typeof filterList.idOf>[0];

/** When a description throws, only its cell, pane, read or edit fails. */

function planted(): never {
  throw new TypeError('planted');
}

const tries = (more: Partial<Action<FilterRow, object>>): AnyAction =>
  action<FilterRow, object>({
    id: 'faulty.try',
    key: 'T',
    title: 'try',
    help: 'makes a filter',
    uses: [createFilter],
    send: () =>
      call(createFilter, {
        body: {
          data: {
            type: 'apm_retention_filter',
            attributes: {
              name: 'tried',
              enabled: true,
              filter: { query: '*' },
              filter_type: 'spans-sampling-processor',
              rate: 1,
            },
          },
        },
      }),
    done: () => 'tried it',
    undo: () => [],
    ...more,
  });

function screenOf(more: Partial<List<FilterRow>>, act: Partial<Action<FilterRow, object>> = {}): Screen {
  const own = list<FilterRow>({
    ...filterList,
    id: 'faulty',
    title: 'Faulty',
    order: undefined as never,
    actions: [tries(act)],
    ...more,
  });
  return { id: 'faulty', title: 'Faulty', key: '1', lists: [own] };
}

const detail = filterList.detail as NonNullable<typeof filterList.detail>;
const [first] = filterList.columns;
const column = first as NonNullable<typeof first>;
const walks = ['j', 'k', 'return', ']', 'esc'];
const edits = (service: Simulator) => service.received('POST', '/retention-filters').length;

/** What throws, the keys that call it, and the text shown. */
const inLists: Record<string, [more: Partial<List<FilterRow>>, keys: string[], says: RegExp]> = {
  'the text of a column': [{ columns: [{ ...column, text: planted }] }, [], /> *\(/],
  'the tone of a column': [{ columns: [{ ...column, tone: planted }] }, [], /tried it|Faulty/],
  'the order of a column': [
    { columns: [{ ...column, sort: planted }], sorted: { by: column.id, down: false } },
    [],
    /Faulty/,
  ],
  'the name of a row': [{ nameOf: planted }, ['return'], /Faulty: this cannot be shown: an/],
  'the id of a row': [{ idOf: planted }, [], /this cannot be read: an/],
  'what is searched in': [{ words: planted }, ['/', 'x', 'esc'], /Faulty/],
  'the read of the list': [
    { load: planted },
    [],
    /this cannot be read: an internal error of orgdeck \(TypeError: planted\)/,
  ],
  'the plan of the list': [
    { load: () => ({ key: 'planted', of: [], plan: planted }) },
    [],
    /this cannot be read: an internal error of orgdeck \(TypeError: planted\)/,
  ],
  'the preview': [
    { detail: { ...detail, preview: planted } },
    [],
    /1 +on +Error Default.*\n(?:.*\n)*.*this cannot be shown: an/,
  ],
  'the page of a detail': [{ detail: { ...detail, sections: planted } }, ['return'], /this detail cannot be shown: an/],
  'the tabs of a detail': [{ detail: { ...detail, tabs: planted } }, ['return'], /this detail cannot be shown: an/],
  'the read of a detail': [{ detail: { ...detail, load: planted } }, ['return'], /this cannot be read: an/],
  'what is derived': [{ derived: { feeds: {}, rows: planted } }, [], /this cannot be read: an/],
  'the blocks of a board': [
    { derived: { feeds: {}, rows: () => [] }, board: { blocks: planted } },
    [],
    /this cannot be read: an/,
  ],
  'the alarms': [{ alarms: planted }, [], /Faulty/],
  'the trend': [{ trend: planted }, [], /Faulty/],
  'the link': [{ link: planted }, ['o'], /Link: an internal error of orgdeck \(TypeError: planted\)/],
};

test.each(Object.keys(inLists))('when %s throws, the screen shows an error and the program continues', (what) => {
  const [more, keys, says] = inLists[what] as (typeof inLists)[string];
  return journey(
    async (user) => {
      await user.presses(...keys);
      await user.sees(says);
      await isAlive(user);
    },
    { screens: [screenOf(more)], columns: 160, rows: 30, monitors: 0, issues: 0, web: 'https://app.example.test' },
  )();
});

const asked = { name: textField('Name', '') };
const inActions: Record<string, [more: Partial<Action<FilterRow, object>>, says: RegExp, sent: number]> = {
  'whether it may be done': [{ enabled: planted }, /Try: an internal error of orgdeck \(TypeError: planted\)/, 0],
  'where it goes': [{ goes: planted as never }, /Nothing was done: .*planted/, 0],
  'its form': [{ form: planted }, /Nothing was done: .*planted/, 0],
  'its picker': [{ pick: planted }, /Nothing was done: .*planted/, 0],
  'its bar': [{ bar: planted }, /Nothing was done: .*planted/, 0],
  'its values': [{ values: planted }, /Nothing was done: .*planted/, 0],
  'its question': [{ confirm: planted }, /Nothing was done: .*planted/, 0],
  'what it needs': [{ needs: planted }, /This failed: .*planted/, 0],
  'its request': [{ send: planted }, /not sent: .*planted/, 0],
  'what it shows meanwhile': [{ show: planted }, /tried it/, 1],
  'what is true after it': [{ truth: planted }, /tried it/, 1],
  'its receipt': [{ done: planted }, /✓ try: applied, but its result cannot be shown: .*planted/, 1],
  'its way back': [{ undo: planted }, /✓ try: applied, but its result cannot be shown: .*planted/, 1],
  'what it has made': [{ made: planted }, /✓ try: applied, but its result cannot be shown: .*planted/, 1],
  'its secret': [{ secret: planted }, /✓ try: applied, but its result cannot be shown: .*planted/, 1],
  'a field of its form': [{ form: () => ({ name: { ...asked.name, read: planted } }) }, /Name/, 0],
};

test.each(Object.keys(inActions))(
  'when %s throws during an edit, the edit ends with its true outcome and the program continues',
  (what) => {
    const [more, says, sent] = inActions[what] as (typeof inActions)[string];
    return journey(
      async (user, service) => {
        await user.presses('T');
        await user.sees(says);
        if (says.source === 'Name') {
          await user.presses('ctrl+s');
          await user.sees(/Nothing was done: .*planted/);
        }
        expect(edits(service)).toBe(sent);
        await user.presses('esc', 'esc');
        await isAlive(user);
      },
      { screens: [screenOf({}, more)], columns: 160, rows: 30, monitors: 0, issues: 0 },
    )();
  },
);

test(
  'a list that cannot be made leaves the other screens as they are',
  journey(
    async (user) => {
      await user.sees(/Not loaded: this cannot be read: an/);
      await user.presses('2');
      await user.sees(/1 +on +Error Default/);
    },
    {
      ...{ columns: 160, rows: 30, monitors: 0, issues: 0 },
      screens: [
        screenOf({ idOf: planted }),
        { id: 'sound', title: 'Sound', key: '2', lists: [{ ...filterList, id: 'sound' }] },
      ],
    },
  ),
);

test(
  'a frame that cannot be made is one sentence with the name of the screen',
  journey(
    async ({ session }) => {
      const now = {
        ...session.now(),
        get bindings() {
          return planted();
        },
      };
      const theme = createTheme({ name: 'mono', noColor: true, ascii: false });
      const standing = readStanding(session, false);
      const { blocks, header } = scene(now, { theme, pending: new Set(), standing });
      expect([blocks.length, header]).toEqual([1, undefined]);
      const text = blocks[0]?.lines
        .map(({ spans }) =>
          spans
            .map((one) => one.text)
            .join('')
            .trim(),
        )
        .join(' ');
      expect(text).toMatch(
        /Monitors: this cannot be shown: an internal error of orgdeck \(TypeError: planted\); q goes back/,
      );
    },
    { columns: 160, rows: 30, screen: 'monitors' },
  ),
);

/** Checks that keys and drawing still work. */
async function isAlive(user: User): Promise<void> {
  await user.presses(...walks, 'esc', 'esc', '?');
  await user.sees('Enter run ');
}
