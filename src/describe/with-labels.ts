import type { Translator } from '../api/vocabulary/translator.ts';
import type { AnyAction } from './action.ts';
import type { Column } from './column.ts';
import type { AnyList, Screen } from './screen.ts';

/** Screens whose fixed texts (titles, helps, what an empty list says) have the deployment's labels; as they are without a vocabulary. */
export function withLabels(
  screens: readonly Screen[],
  vocabulary: Pick<Translator, 'says'> | undefined,
): readonly Screen[] {
  if (!vocabulary) return screens;
  const { says: describe } = vocabulary;
  const column = <Row>(column: Column<Row>): Column<Row> => ({ ...column, title: describe(column.title) });
  const action = (target: AnyAction): AnyAction => ({
    ...target,
    title: describe(target.title),
    help: describe(target.help),
    ...(target.noun === undefined ? {} : { noun: describe(target.noun) }),
  });
  const list = (target: AnyList): AnyList => ({
    ...target,
    title: describe(target.title),
    empty: describe(target.empty),
    columns: target.columns.map(column),
    actions: target.actions.map(action),
    ...(target.states ? { states: target.states.map((state) => ({ ...state, label: describe(state.label) })) } : {}),
  });
  return screens.map((screen) => ({ ...screen, title: describe(screen.title), lists: screen.lists.map(list) }));
}
