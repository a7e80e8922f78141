import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { createTheme } from '../../src/scene/theme.ts';
import { createRowsInSight } from '../../src/shell/attached.ts';
import { showPlain } from '../../src/shell/plain.ts';
import { showSession } from '../../src/shell/show.tsx';
import { bareSession, heldReads, notedClient } from '../support/bare-session.ts';
import { createSteppedClock, settled } from '../support/steppedclock.ts';
import { bareList } from '../support/things.ts';

const theme = createTheme({ name: 'default', noColor: false, ascii: false });

/** A session of five things on the first of two screens, and a terminal that notes what is done to it. */
async function bench(name: string) {
  const { held, source } = heldReads<{ readonly id: string }>();
  const things = (...ids: readonly string[]) => ids.map((id) => ({ id }));
  held.things = things('a', 'b', 'c', 'd', 'e');
  const text = ({ id }: { readonly id: string }) => id;
  const columns = [{ id: 'name', title: 'NAME', min: 4, priority: 1, text }];
  const list = bareList({ load: () => source('things'), columns });
  const screens = ['one', 'two'].map((id, at) => ({ id, title: id, key: `${at + 1}`, lists: [{ ...list, id }] }));
  const client = { ...notedClient().client, refusals: () => 0, keysRefused: () => false };
  const profile = { name, environment: 'dev', production: false, readOnly: false, pollMs: 15_000 };
  const { session, clock } = await bareSession(screens, { client, profile });
  const did: string[] = [];
  const notes = (what: string) => (given: unknown) => void did.push(`${what} ${given}`);
  /** Of a frame the chosen row, of lines all. */
  const write = (frame: string) => did.push(frame.includes('│') ? (/> \w/.exec(frame)?.[0] ?? 'nothing') : frame) > 0;
  const stdout = Object.assign(new EventEmitter(), { columns: 90, rows: 24, write }) as unknown as NodeJS.WriteStream;
  const drains: Promise<boolean>[] = [];
  const keys = new EventEmitter();
  const use = {
    ...{
      clock,
      keys,
      stdout,
      raw: notes('raw'),
      control: (bytes: string) => notes('control')(bytes.replaceAll('\u001b', '^')),
    },
    ...{ drained: async () => drains.shift() ?? true, replied: notes('replied'), crashed: notes('crashed') },
    ...{ mayAsk: true, behind: () => false, marksPastes: true },
    drawn: { session, theme, pending: () => new Set<string>() },
  };
  return {
    ...{ session, clock, held, things, use, keys, stdout, drains },
    /** What was done since the last time. */
    async did() {
      await settled();
      return did.splice(0);
    },
    sends: (bytes: string) => void keys.emit('data', Buffer.from(bytes)),
  };
}

const click = (column: number, row: number) => `\u001b[<0;${column + 1};${row + 1}M`;
const wheelDown = '\u001b[<65;5;5M';

test('a session on a screen is drawn, hears keys, replies and the mouse, and lends the terminal', async () => {
  const stage = await bench('first');
  const shown = showSession(stage.use);
  const size = () => stage.session.store.getState().state.size;
  expect(await stage.did()).toEqual(['control ^[?2004h', 'raw true', '> a', 'control ^[?u']);
  stage.sends('j');
  expect(await stage.did()).toEqual(['> b']);
  // The terminal has codes of keys; it is asked once.
  stage.sends('\u001b[?1u\u001b[?1u');
  expect(await stage.did()).toEqual(['control ^[>5u', 'replied \u001b[?1u', 'replied \u001b[?1u']);
  stage.sends(wheelDown);
  expect(await stage.did()).toEqual([]);
  stage.session.send({ type: 'toggleMouse' });
  await stage.did();
  stage.sends(wheelDown);
  stage.sends('\u001b[<64;5;5M');
  stage.sends(wheelDown);
  expect(await stage.did()).toEqual(['> e']);
  stage.sends(click(3, 3));
  expect(await stage.did()).toEqual(['> a']);
  stage.sends(click(3, 20));
  expect(await stage.did()).toEqual([]);

  const takeKeys = shown.releaseKeys();
  stage.sends('j');
  expect(await stage.did()).toEqual([...['raw false', 'control ^[?2004l', 'control ^[<u', 'control ^[?1006l^[?1000l']]);
  stage.stdout.emit('resize');
  expect(size()).toEqual({ columns: 90, rows: 24 });
  await stage.did();
  takeKeys();
  expect(await stage.did()).toEqual([
    ...['control ^[?2004h', 'control ^[>5u', 'raw true', 'control ^[?1000h^[?1006h', '> a'],
  ]);

  const other = await bench('second');
  shown.turn(other.use.drawn);
  expect(other.session.store.getState().state.size).toEqual(size());
  expect(await stage.did()).toEqual(['control ^[?1006l^[?1000l', '> a']);
  stage.session.send({ type: 'toggleMouse' });
  stage.sends('jj');
  expect(await stage.did()).toEqual(['> c']);
  stage.sends('/\u001b[200~zz\u001b[201~');
  expect(await stage.did()).toEqual(['nothing']);
  shown.close();
  stage.sends('j');
  other.session.send({ type: 'moveCursor', by: 1 });
  expect(await stage.did()).toEqual(['raw false']);
  expect([stage.stdout.eventNames(), stage.keys.eventNames()]).toEqual([[], []]);
});

test('new rows count as seen at a key, a second after the terminal has taken the frame that shows them', async () => {
  const stage = await bench('first');
  const shown = showSession(stage.use);
  await stage.did();
  const fresh = () => [...stage.session.now().view.counts.fresh];
  const reads = async (...ids: readonly string[]) => {
    stage.held.things = stage.things(...ids);
    stage.session.send({ type: 'refresh' });
    await stage.clock.passes(0);
  };
  stage.drains.push(Promise.resolve(false), Promise.resolve(true));
  await reads('n', 'a', 'b', 'c', 'd', 'e');
  await stage.clock.passes(999);
  stage.sends('j');
  expect([fresh(), stage.drains]).toEqual([['n'], []]);
  await stage.clock.passes(1);
  stage.sends('j');
  expect(fresh()).toEqual([]);
  // What was on the terminal before another program had it is counted anew.
  await reads('o', 'n', 'a', 'b', 'c', 'd', 'e');
  await stage.clock.passes(999);
  const takeBack = shown.releaseKeys();
  await stage.clock.passes(2000);
  takeBack();
  stage.sends('j');
  expect(fresh()).toEqual(['o']);
  await stage.clock.passes(999);
  stage.sends('j');
  expect(fresh()).toEqual(['o']);
  await stage.clock.passes(1);
  stage.sends('j');
  expect(fresh()).toEqual([]);
  // While it has the terminal, nothing is on it.
  const { promise, resolve } = Promise.withResolvers<boolean>();
  stage.drains.push(promise);
  await reads('p', 'o', 'n', 'a', 'b', 'c', 'd', 'e');
  const takeKeys = shown.releaseKeys();
  resolve(true);
  await stage.clock.passes(2000);
  takeKeys();
  stage.sends('j');
  expect(fresh()).toEqual(['p']);
  shown.close();
});

test('only new rows in the window of a list with nothing over it can be seen', () => {
  const clock = createSteppedClock();
  const list = { id: 'things' };
  const at = (state: object = {}, view: object = {}) =>
    ({
      state: { layers: [], size: { columns: 80, rows: 24 }, ...state },
      view: {
        ...{
          list,
          ids: ['a', 'b', 'c', 'd'],
          top: 1,
          room: { listRows: 2 },
          counts: { fresh: new Set(['a', 'c', 'd']) },
        },
        ...view,
      },
    }) as never;
  const sight = createRowsInSight(clock);
  const inSight = sight.undrawn(at());
  expect(inSight).toEqual({ list: 'things', ids: ['c'] });
  expect(sight.undrawn(at())).toBe(inSight);
  expect(sight.undrawn(at({}, { list: { id: 'others' } }))).not.toBe(inSight);
  expect(
    [
      at({ layers: [{}] }),
      at({ size: { columns: 59, rows: 24 } }),
      at({}, { detail: {} }),
      at({}, { list: { ...list, board: {} } }),
      at({}, { top: 0 }),
    ].map(sight.undrawn),
  ).toEqual([undefined, undefined, undefined, undefined, { list: 'things', ids: ['a'] }]);
  // The frame that was taken showed others.
  sight.shown(inSight as object);
  expect(sight.pressed()).toBeUndefined();
  sight.shown(sight.undrawn(at()) as object);
  expect(sight.pressed()).toBeUndefined();
});

test('a session in lines is said once things have settled, and again where lines were left out', async () => {
  const stage = await bench('first');
  const shown = showPlain(stage.use);
  const said = async () => {
    await stage.clock.passes(10);
    return (await stage.did()).join('|');
  };
  await stage.clock.passes(9);
  expect(await stage.did()).toEqual(['control ^[?2004h', 'raw true']);
  const keys = 'Keys: Enter open, / filter, x more, Space mark, : palette, ? help, q quit\n';
  expect(stage.session.store.getState().state.size).toEqual({ columns: 80, rows: 24 });
  expect(await said()).toBe(`orgdeck, first, dev. ? is help\nThings\n5 rows\nRow 1 of 5: a\n${keys}`);
  stage.sends('jj');
  expect(await said()).toBe('Row 3 of 5: c\n');
  stage.session.send({ type: 'showFlash', flash: { text: 'Saved', tone: 'good', at: stage.clock.now() } });
  expect(await said()).toBe('Saved\n');
  shown.again();
  expect(await said()).toBe('Things\n5 rows\nRow 3 of 5: c\nSaved\n');
  const takeKeys = shown.releaseKeys();
  stage.session.send({ type: 'moveCursor', by: 1 });
  stage.sends('j');
  expect(await said()).toBe('raw false|control ^[?2004l');
  takeKeys();
  expect(await said()).toBe('control ^[?2004h|raw true|Things\n5 rows\nRow 4 of 5: d\nSaved\n');
  const other = await bench('second');
  shown.turn(other.use.drawn);
  stage.session.send({ type: 'moveCursor', by: -1 });
  expect(await said()).toBe('orgdeck, second, dev. ? is help\nThings\n5 rows\nRow 1 of 5: a\n');
  shown.close();
  other.session.send({ type: 'moveCursor', by: 1 });
  stage.sends('j');
  expect(await said()).toBe('raw false');
  expect(stage.keys.eventNames()).toEqual([]);
});
