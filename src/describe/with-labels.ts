import type { AnyAction } from './action.ts';
import type { Column } from './column.ts';
import type { AnyList, Screen } from './screen.ts';

/** Screens whose fixed texts (titles, helps, what an empty list says) have the deployment's labels. */
export function withLabels(screens: readonly Screen[], says: (sentence: string) => string): readonly Screen[] {
  const column = <Row>(it: Column<Row>): Column<Row> => ({ ...it, title: says(it.title) });
  const action = (it: AnyAction): AnyAction => ({ ...it, title: says(it.title), help: says(it.help) });
  const list = (it: AnyList): AnyList => ({
    ...it,
    title: says(it.title),
    empty: says(it.empty),
    columns: it.columns.map(column),
    actions: it.actions.map(action),
  });
  return screens.map((it) => ({ ...it, title: says(it.title), lists: it.lists.map(list) }));
}
