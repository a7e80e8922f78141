import { expect, test } from 'vitest';
import { filterList } from '../../screens/retention.ts';
import { updateFilter } from '../../src/api/retention-filters.ts';
import { action } from '../../src/describe/action.ts';
import { list } from '../../src/describe/screen.ts';
import { journey } from '../support/journey.tsx';

const asked = { count: 0, texts: 0, sources: 0 };
const counts = action<unknown>({
  id: 'count.try',
  key: 'T',
  title: 'try',
  help: 'tells how often the bindings were listed',
  uses: [updateFilter],
  enabled() {
    asked.count += 1;
    return true;
  },
  send: () => ({}) as never,
  done: () => '',
});
const columns = filterList.columns.map((column) => ({
  ...column,
  text(...of: Parameters<typeof column.text>) {
    asked.texts += 1;
    return column.text(...of);
  },
}));
const load: typeof filterList.load = (...of) => {
  asked.sources += 1;
  return filterList.load(...of);
};
const own = list({ ...filterList, columns, load, id: 'counting', order: undefined as never, actions: [counts] });

test(
  'three keys compute three lists of bindings, however often frame and key handling use them',
  journey(
    async (user, _, clock) => {
      const { session } = user;
      await user.presses('k');
      await user.screen();
      // Nothing else asks meanwhile: no second passes, and nothing is polled.
      clock.stops();
      session.now().bindings.length;
      asked.count = 0;
      for (const name of ['j', 'j', 'k']) {
        session.press({ name, text: name, alone: true });
        for (let look = 0; look < 5; look += 1) expect(session.now().bindings).toBe(session.now().below);
      }
      await user.screen();
      expect(asked.count).toBe(3);
      // Each context has the current time.
      expect(session.now().context).not.toBe(session.now().context);
      // A source is kept as long as the search.
      asked.sources = 0;
      await user.presses('j');
      await user.screen();
      expect(asked.sources).toBe(0);
    },
    { screens: [{ id: 'counting', title: 'Counting', key: '1', lists: [own] }], monitors: 0, issues: 0 },
  ),
);
