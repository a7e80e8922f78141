import { type Call, call } from '../../src/api/endpoint.ts';
import { createMapping, deleteMapping, updateMapping } from '../../src/api/mappings.ts';
import { ask, type Plan } from '../../src/api/plan.ts';
import type { Result } from '../../src/api/problem.ts';
import { action, type Confirm, type Pick } from '../../src/describe/action.ts';
import { callCommand } from '../../src/describe/command.ts';
import { choiceField, pickField, shownWhen, textField } from '../../src/describe/field.ts';
import { rolePicks, teamPicks } from '../../src/describe/picks.ts';
import { field, idIn, items } from '../../src/lib/loose.ts';
import { type MappingRow, nameOf, readMapping, type Target, targetSays } from './row.ts';

/** What a form has of a mapping; of role and team the one that its kind says. */
interface Values {
  readonly key: string;
  readonly value: string;
  readonly kind: Target['kind'];
  readonly role?: string;
  readonly team?: string;
}

/** What a mapping leads to, as it is sent. */
type Led = Omit<Target, 'name'>;

const formOf = (row?: MappingRow) => {
  const target = row?.target;
  const pick = (kind: Target['kind']): Pick | undefined =>
    target?.kind === kind ? { id: target.id, label: target.name ?? target.id } : undefined;
  return {
    key: textField('attribute key', row?.key, {
      required: true,
      hint: 'what the identity provider calls it, for example groups',
    }),
    value: textField('attribute value', row?.value, { required: true, hint: 'exactly as it is sent' }),
    kind: choiceField('leads to', target?.kind ?? 'role', ['role', 'team'] as const),
    role: shownWhen(
      (texts) => texts.kind !== 'team',
      pickField('role', pick('role'), rolePicks, { required: true, hint: 'Enter picks: who has the value gets it' }),
    ),
    team: shownWhen(
      (texts) => texts.kind === 'team',
      pickField('team', pick('team'), teamPicks, { required: true, hint: 'Enter picks: who has the value joins it' }),
    ),
  };
};

const targetOf = ({ kind, role, team }: Values): Led => ({ kind, id: (kind === 'team' ? team : role) ?? '' });

const relation = ({ kind, id }: Led) =>
  kind === 'team'
    ? { team: { data: { id, type: 'team' as const } } }
    : { role: { data: { id, type: 'roles' as const } } };

const make = (it: { readonly key: string; readonly value: string }, target: Led): Call =>
  call(createMapping, {
    body: {
      data: {
        type: 'authn_mappings',
        attributes: { attribute_key: it.key, attribute_value: it.value },
        relationships: relation(target),
      },
    },
  });

const take = (id: string): Call => call(deleteMapping, { authn_mapping_id: id });

/** Only what differs is sent: what is left out stays (contract 3). */
function change(row: MappingRow, next: { readonly key: string; readonly value: string; readonly target?: Led }): Call {
  const { target } = next;
  const isLed = target !== undefined && (target.kind !== row.target?.kind || target.id !== row.target?.id);
  return call(updateMapping, {
    authn_mapping_id: row.id,
    body: {
      data: {
        id: row.id,
        type: 'authn_mappings',
        attributes: {
          ...(next.key === row.key ? {} : { attribute_key: next.key }),
          ...(next.value === row.value ? {} : { attribute_value: next.value }),
        },
        ...(isLed ? { relationships: relation(target) } : {}),
      },
    },
  });
}

const rowIn = (answer: unknown) => readMapping(field(answer, 'data'), items(field(answer, 'included')));

/** What an answer says is true now. */
function says(answer: unknown, fallback: { readonly key: string; readonly value: string }): string {
  const now = rowIn(answer);
  if (!now) return `${nameOf(fallback)}; the service did not say what it leads to`;
  return `${nameOf(now)} leads to ${targetSays(now.target)}`;
}

/** `n` */
export const createAction = action({
  id: 'mappings.create',
  key: 'n',
  title: 'new',
  main: true,
  on: 'list',
  help: 'whoever signs in with this attribute gets a role, or joins a team',
  uses: [createMapping, deleteMapping],
  form: () => formOf(),
  send: (_: MappingRow, values) => make(values, targetOf(values)),
  done: (_, values, answer) => `created: ${says(answer, values)}`,
  made: (answer) => idIn(field(answer, 'data')),
  undo(_, __, answer) {
    const id = idIn(field(answer, 'data'));
    return id === undefined ? [] : [take(id)];
  },
});

/** Whether an edit would turn a mapping to a role into one to a team, or the other way. */
const turns = (row: MappingRow, values: Values): boolean => row.target !== undefined && values.kind !== row.target.kind;

/**
 * Nothing is known of deployments that turn one kind into the other, so another mapping is made in its place: first
 * the new one, so that nobody is without in between (contract 3).
 */
function* replaced(row: MappingRow, values: Values): Plan<Result<unknown>> {
  const made = yield* ask(make(values, targetOf(values)));
  if (!made.ok) return made;
  const gone = yield* ask(take(row.id));
  if (gone.ok || gone.problem.kind === 'notFound') return made;
  const text = `a mapping to a ${values.kind} was made, but the old one is still there: ${gone.problem.text}`;
  return { ok: false, problem: { ...gone.problem, text } };
}

/** `e` */
export const editAction = action({
  id: 'mappings.edit',
  key: 'e',
  title: 'edit',
  main: true,
  help: 'another key, value, role or team; the difference is shown first',
  uses: [updateMapping, createMapping, deleteMapping],
  bulk: false,
  reviews: true,
  form: (row: MappingRow) => formOf(row),
  confirm: ([row]: readonly MappingRow[], values): Confirm | undefined =>
    row && turns(row, values)
      ? {
          question: `put a mapping to a ${values.kind} in the place of ${nameOf(row)}? y = yes`,
          details: [
            `one that leads to a ${row.target?.kind} cannot be turned into one to a ${values.kind}`,
            'the new one is made first, then this one is deleted; the id is another then',
          ],
        }
      : undefined,
  send: (row: MappingRow, values) =>
    turns(row, values) ? replaced(row, values) : change(row, { ...values, target: targetOf(values) }),
  show(row: MappingRow, values) {
    const target = targetOf(values);
    const isSame = row.target?.kind === target.kind && row.target.id === target.id;
    return { ...row, key: values.key, value: values.value, ...(isSame ? {} : { target, about: {} }) };
  },
  truth(row: MappingRow, answer) {
    const now = rowIn(answer);
    return now ? { ...now, id: row.id } : row;
  },
  done: (row: MappingRow, values, answer) => `${turns(row, values) ? 'replaced' : 'saved'}: ${says(answer, values)}`,
  undo(before: MappingRow, values, answer) {
    const id = idIn(field(answer, 'data'));
    if (!before.target) return [];
    if (!turns(before, values)) {
      const now: MappingRow = { ...before, key: values.key, value: values.value, target: targetOf(values) };
      return [change(now, before)];
    }
    return id !== undefined ? [make(before, before.target), take(id)] : [];
  },
  command: (row: MappingRow, values) => callCommand(change(row, { ...values, target: targetOf(values) })),
});

/** What has to be typed: the value where a keyboard has it, else the id. */
const typedName = (row: MappingRow): string =>
  /^[\x21-\x7e]([\x20-\x7e]{0,58}[\x21-\x7e])?$/.test(row.value) ? row.value : row.id;

/** `d` */
export const deleteAction = action<MappingRow>({
  id: 'mappings.delete',
  key: 'd',
  title: 'delete',
  help: 'who signs in with the attribute no longer gets what it leads to; the value is typed first',
  uses: [deleteMapping, createMapping],
  removes: true,
  confirm(rows) {
    const [row] = rows;
    const single = rows.length === 1 ? row : undefined;
    return {
      question: single
        ? `delete ${nameOf(single)}, which leads to ${targetSays(single.target)}?`
        : `delete ${rows.length} mappings?`,
      details: [
        'at their next sign-in people lose what they have through it alone',
        'undo makes an equal one, with another id',
      ],
      destructive: true,
      typed: single ? typedName(single) : String(rows.length),
    };
  },
  send: (row) => take(row.id),
  done: (row) => `deleted ${nameOf(row)}, which led to ${targetSays(row.target)}`,
  undo: (before) => (before.target && before.key !== '' && before.value !== '' ? [make(before, before.target)] : []),
  command: (row) => callCommand(take(row.id)),
});
