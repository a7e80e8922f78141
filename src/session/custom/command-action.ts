import type { AnyAction, JobAction } from '../../describe/action.ts';
import { quoteWord } from '../../describe/command.ts';
import type { Context } from '../../describe/context.ts';
import { type Programs, programsKind } from '../../describe/job.ts';
import type { AnyList } from '../../describe/screen.ts';
import { whyNoLinks } from '../../describe/web-link.ts';
import { plural } from '../../lib/text.ts';
import type { Row } from '../rows/list-state.ts';
import type { CustomCommand } from './custom.ts';

const placeholder = /\{(id|name|link|service)\}/g;

/** What a placeholder stands for on a row; undefined where the row has none. */
function placed(name: string, list: AnyList, row: Row, context: Context): string | undefined {
  if (name === 'id') return list.idOf(row);
  if (name === 'name') return list.nameOf(row);
  return name === 'link' ? list.link?.(row, context) : list.services?.(row, context)[0];
}

/** Why a command cannot run on a row: the first placeholder that the row has nothing for. */
function lacking(argv: CustomCommand['argv'], list: AnyList, row: Row, context: Context): string | undefined {
  for (const [, name = ''] of argv.join('\n').matchAll(placeholder))
    if (placed(name, list, row, context) === undefined)
      return (name === 'link' && whyNoLinks(list, context)) || `this row has no ${name}`;
  return undefined;
}

/** The program and its arguments for a row. Each stays one argument, whatever the row's texts have in them. */
const argvFor = (argv: CustomCommand['argv'], list: AnyList, row: Row, context: Context): readonly string[] =>
  argv.map((part) => part.replace(placeholder, (_, name: string) => placed(name, list, row, context) ?? ''));

/** A command of a person's own as an action of a list: it sends nothing and runs its program once for each row. */
export function commandAction(command: CustomCommand, list: AnyList): AnyAction {
  const { argv, title } = command;
  const action: JobAction<Row, Programs> = {
    id: `command.${title}`,
    key: command.key,
    title,
    help: `run ${argv.map(quoteWord).join(' ')}`,
    uses: [],
    enabled: (row, context) => lacking(argv, list, row, context) ?? true,
    values: (rows, context) => ({
      title,
      runs: rows.map((row) => ({ name: list.nameOf(row), argv: argvFor(argv, list, row, context) })),
      isShown: command.output === 'view',
    }),
    confirm(rows, { runs }) {
      if (!command.confirm && rows.length < 2) return undefined;
      return {
        question: rows.length > 1 ? `${title}: run it ${plural(rows.length, 'time')}?` : `${title}: run it?`,
        details: runs.slice(0, mostDetails).map((run) => run.argv.map(quoteWord).join(' ')),
      };
    },
    job: (_, values) => ({
      kind: programsKind,
      title,
      values,
      isProgram: true,
      ...(values.isShown ? {} : { isAside: true }),
    }),
  };
  return action;
}

/** Command lines that a question shows. */
const mostDetails = 5;
