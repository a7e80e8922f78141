import { expect, test } from 'vitest';
import { screens } from '../../screens/index.ts';
import type { AnyAction } from '../../src/describe/action.ts';
import type { Context } from '../../src/describe/context.ts';
import type { Fields } from '../../src/describe/field.ts';
import { journey } from '../support/journey.tsx';
import { there } from '../support/there.ts';

const lists = screens.flatMap((screen) => screen.lists.map((list, at) => [list.id, screen, at] as const));

type Values = Readonly<Record<string, unknown>>;

/** What a form gives where nothing is typed, and where each text has one more letter and each choice another option. */
function valuesOf(fields: Fields): readonly Values[] {
  const read = (change: boolean) =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([name, field]) => {
        const options = 'options' in field && Array.isArray(field.options) ? field.options : [];
        const other = options.find(({ value }: { value: string }) => value !== field.initial)?.value;
        const typed =
          field.kind === 'toggle' ? (field.initial === 'yes' ? 'no' : 'yes') : (other ?? `${field.initial}x`);
        const given = field.read(change ? typed : field.initial);
        return given.ok ? [[name, given.value]] : [];
      }),
    );
  return [read(false), read(true)];
}

function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

const text = (value: unknown): string => JSON.stringify(value) ?? '';

/** The members of a row that an action shows otherwise until the service answers. */
function changes(before: object, after: object): readonly string[] {
  const old: Values = { ...before };
  return Object.entries(after).flatMap(([name, value]) => {
    if (text(value) === text(old[name])) return [];
    return name === 'attributes' ? changes(old.attributes ?? {}, value) : [`${name} ${text(value)}`];
  });
}

/** What an action says of a row, with each of the values that it could have. */
function told(action: AnyAction, row: object, context: Context): readonly string[] {
  const enabled = action.enabled?.(row, context) ?? true;
  const already = action.already?.(row, context);
  if (enabled !== true || already !== undefined) return [`${enabled} ${already ?? ''}`.trim()];
  const form = action.needs ? undefined : attempt(() => action.form?.(row, context, undefined));
  const bar = action.bar?.([row], context);
  const own = action.values?.([row], context);
  const all = [...(own ? [own] : []), ...(bar ? [bar.values] : []), ...(form ? valuesOf(form) : [])];
  return (all.length > 0 ? all : [{}]).flatMap((values) => {
    const shown = 'show' in action ? attempt(() => action.show?.(row, values, context)) : undefined;
    const command = attempt(() => action.command?.(row, values, context));
    return [
      text(attempt(() => action.confirm?.([row], values, context))),
      typeof command === 'object'
        ? [command.endpoint.id, command.params, command.query, command.body].map(text).join(' ')
        : (command ?? ''),
      typeof shown === 'object' && shown !== null ? changes(row, shown).join('; ') : '',
    ].filter((line) => line !== '');
  });
}

test.each(lists)('the actions of %s offer what was reviewed', (id, screen, at) =>
  journey(
    async ({ session, settles }) => {
      session.send({ type: 'openScreen', id: screen.id });
      if (at > 0) session.send({ type: 'moveTab', by: at });
      await settles();
      const { view, context } = session.now();
      const rows = view.ids.slice(0, 12).map((one) => there(view.rows.get(one)) as object);
      const pages = view.list.actions.flatMap((action) => {
        const nameless = (row: object) => (line: string) =>
          line.replaceAll(view.list.idOf(row), 'ID').replaceAll(view.list.nameOf(row) || 'NAME', 'NAME');
        const saying = Map.groupBy(rows.entries(), ([, row]) =>
          told(action, row, context).map(nameless(row)).join('\n    '),
        );
        const lines = [...saying].map(
          ([said, same]) => `  rows ${same.map(([place]) => place + 1).join(' ')}:\n    ${said}`,
        );
        const first = `# ${action.id}: ${attempt(() => action.ready?.(context)) ?? ''} ${action.offers?.(context) ?? ''}`;
        return [first.trimEnd(), ...lines.slice(0, 5)];
      });
      await expect(`${pages.join('\n')}\n`).toMatchFileSnapshot(`../support/stored/offers/${id}.txt`);
    },
    { monitors: 16, issues: 12, stoppedAt: Date.UTC(2026, 4, 6, 12) },
  )(),
);
