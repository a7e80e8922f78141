import { test } from 'vitest';
import { screens } from '../../screens/index.ts';
import { detailTabs } from '../../src/describe/list-detail.ts';
import { clientAt } from '../support/client-at.ts';
import { journey } from '../support/journey.tsx';
import { leaving, offerLines, unlessThrown } from '../support/offer-lines.ts';
import { firstOf, storedAs, unreadOf } from '../support/sweeps.ts';
import { there } from '../support/there.ts';

const lists = screens.flatMap((screen) => screen.lists.map((list, at) => [list.id, screen, at] as const));

test.each(lists)('the actions of %s offer what was reviewed', (id, screen, at) =>
  journey(
    async ({ session, settles }, service) => {
      session.send({ type: 'openScreen', id: screen.id });
      if (at > 0) session.send({ type: 'moveTab', by: at });
      await settles();
      const { view, context } = session.now();
      const rows = view.ids.slice(0, 12).map((one) => there(view.rows.get(one)) as object);
      const client = clientAt({ url: context.origin, ...service.keys.make({}) });
      const found = rows.flatMap((row, place) => {
        const words = view.list.words?.(row, context).trim() ?? '';
        return words === '' ? [] : [`row ${place + 1} is found by: ${words}`];
      });
      const lines = [...firstOf(found, 5)];
      const [first] = rows;
      for (const tab of first && view.list.detail ? detailTabs(view.list.detail, first, undefined, context) : [])
        if (tab.kind === 'rows')
          lines.push(`columns of ${tab.id}, by the order in which they leave: ${leaving(tab.columns)}`);
      const read = new Set<string>();
      for (const action of view.list.actions) {
        lines.push(
          `# ${action.id}: ${unlessThrown(() => action.ready?.(context)) ?? ''} ${action.offers?.(context) ?? ''}`.trimEnd(),
        );
        const saying = new Map<string, number[]>();
        for (const [place, row] of rows.entries()) {
          const nameless = (line: string) =>
            line.replaceAll(view.list.idOf(row), 'ID').replaceAll(view.list.nameOf(row) || 'NAME', 'NAME');
          const said = (await offerLines(action, row, context, (plan) => client.run(plan))).map(nameless).join('\n');
          saying.set(said, [...(saying.get(said) ?? []), place + 1]);
        }
        for (const [said, same] of [...saying].slice(0, 5)) {
          const told = unreadOf(said.split('\n'), read, (line) => line.replace(/"(?:\\.|[^"\\])*"/, '')).map(
            (line) => `    ${line}`,
          );
          lines.push(`  rows ${same.join(' ')}:`, ...told);
        }
      }
      await storedAs(`offers/${id}`, lines);
    },
    { monitors: 16, issues: 12, stoppedAt: Date.UTC(2026, 4, 6, 12) },
  )(),
);
