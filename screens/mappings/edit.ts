import { createMapping, deleteMapping, updateMapping } from '../../src/api/authn-mappings.ts';
import { type AttributesOf, call } from '../../src/api/endpoint.ts';
import { ask, type Plan } from '../../src/api/plan.ts';
import { type Result, refusal } from '../../src/api/problem.ts';
import type { Action } from '../../src/describe/action.ts';
import { deleting } from '../../src/describe/delete-action.ts';
import { choiceField, pickField, shownWhen, textField } from '../../src/describe/field.ts';
import { namePart, type Receipt, receipt, warning } from '../../src/describe/receipt.ts';
import { rolePicks, teamPicks } from '../../src/describe/resource-picks.ts';
import { formOnly, settingsOf, type Values } from '../../src/describe/setting.ts';
import type { Made } from '../../src/describe/setting-creates.ts';
import { type Edited, editing } from '../../src/describe/setting-edits.ts';
import { type MappingRow, mappingKind, type TargetKind, targetOf, targetText, targetTypes } from './kind.ts';

const { nameOf } = mappingKind;

/** The initial choice of the field of a kind; undefined where the mapping leads to the other kind. */
function targetPick(row: MappingRow | undefined, kind: TargetKind) {
  const target = row && targetOf(row);
  return target?.kind === kind ? { id: target.id, label: target.name ?? target.id } : undefined;
}

const setting = settingsOf(mappingKind);

/** The settings of a mapping; `kind` says whether `role` or `team` applies. */
const settings = {
  key: setting('attribute key', 'attribute_key', (now) =>
    textField('attribute key', now, {
      required: true,
      hint: 'what the identity provider calls it, for example groups',
    }),
  ),
  value: setting('attribute value', 'attribute_value', (now) =>
    textField('attribute value', now, { required: true, hint: 'exactly as it is sent' }),
  ),
  kind: formOnly('kind of target', (row: MappingRow | undefined) =>
    choiceField('leads to', (row && targetOf(row)?.kind) ?? 'role', ['role', 'team'] as const),
  ),
  role: setting('role', 'role', (_, row) =>
    shownWhen(
      (texts) => texts.kind !== 'team',
      pickField('role', targetPick(row, 'role'), rolePicks, {
        required: true,
        hint: 'Enter picks: who has the value gets it',
      }),
    ),
  ),
  team: setting('team', 'team', (_, row) =>
    shownWhen(
      (texts) => texts.kind === 'team',
      pickField('team', targetPick(row, 'team'), teamPicks, {
        required: true,
        hint: 'Enter picks: who has the value joins it',
      }),
    ),
  ),
};

/** The target of a request: the id of a role or of a team. */
interface TargetIds {
  readonly role?: string | null | undefined;
  readonly team?: string | null | undefined;
}

function relationship({ role, team }: TargetIds) {
  if (role != null) return { relationships: { role: { data: { id: role, type: targetTypes.role } } } };
  return team == null ? {} : { relationships: { team: { data: { id: team, type: targetTypes.team } } } };
}

const createCall = ({ role, team, ...attributes }: AttributesOf<typeof createMapping> & TargetIds) =>
  call(createMapping, {
    body: { data: { type: 'authn_mappings', attributes, ...relationship({ role, team }) } },
  });

/** The call that creates an equal mapping; none where a part of it is unknown. */
function recreateCalls({ attributes: { attribute_key, attribute_value, role, team } }: MappingRow) {
  const isComplete = attribute_key && attribute_value && (role ?? team) !== undefined;
  return isComplete ? [createCall({ attribute_key, attribute_value, role, team })] : [];
}

const edits = editing({
  kind: mappingKind,
  settings,
  uses: [updateMapping],
  own: ['created_at', 'modified_at'],
  tidy: (attributes, { kind }) =>
    kind === undefined ? attributes : { ...attributes, [kind === 'team' ? 'role' : 'team']: undefined },
  // Members that the request leaves out stay as they are (contract/authn-mappings.md 3).
  patch: (id, { role, team, ...attributes }: AttributesOf<typeof updateMapping> & TargetIds) =>
    call(updateMapping, {
      authn_mapping_id: id,
      body: { data: { id, type: 'authn_mappings', attributes, ...relationship({ role, team }) } },
    }),
});

export const { comparable } = edits;

/** What the mapping leads to, as the answer tells it. */
const resultOf = ({ asked, now }: Made<MappingRow>): Receipt =>
  now
    ? receipt`${namePart(nameOf(now))} leads to ${targetText(now)}`
    : warning(receipt`${namePart(nameOf(asked))}; the service did not say what it leads to`);

/** `n`: a new mapping to a role or to a team. */
export const createAction = edits.make({
  id: 'mappings.create',
  help: 'whoever signs in with this attribute gets a role, or joins a team',
  main: true,
  uses: [createMapping],
  create: createCall,
  done: (_, __, answer) => receipt`created: ${resultOf(answer)}`,
});

type MappingEdit = Action<MappingRow, Values<typeof settings>, Edited<MappingRow>>;

/** Whether an edit changes the target from a role to a team, or from a team to a role. */
function changesTargetKind(row: MappingRow, { kind }: Values<typeof settings>): boolean {
  const now = targetOf(row)?.kind;
  return now !== undefined && kind !== undefined && kind !== now;
}

/**
 * An update that changes the kind of target is not documented, so a new mapping replaces the old one. The new one is
 * created first, so that nobody loses access in between (contract/authn-mappings.md 3).
 */
function* replaceMapping(before: MappingRow, asked: MappingRow): Plan<Result<Edited<MappingRow>>> {
  const [create] = recreateCalls(asked);
  const made = create && (yield* ask(create));
  if (!made?.ok) return made ?? refusal('invalid', 'nothing that is known here stands in its place');
  const deleted = yield* ask(call(deleteMapping, { authn_mapping_id: before.id }));
  if (deleted.ok || deleted.problem.kind === 'notFound') {
    const now = mappingKind.row(made.value.data, { place: before.place, included: made.value.included });
    return { ...made, value: { before, asked, now } };
  }
  const text = `a mapping to a ${targetOf(asked)?.kind} was made, but the old one is still there: ${deleted.problem.text}`;
  return { ok: false, problem: { ...deleted.problem, text } };
}

const plainEdit: MappingEdit = edits.edit({
  id: 'mappings.edit',
  help: 'another key, value, role or team; the difference is shown first',
  confirm([row], values) {
    if (!row || !changesTargetKind(row, values)) return undefined;
    return {
      question: `put a mapping to a ${values.kind} in the place of ${nameOf(row)}? y = yes`,
      details: [
        `one that leads to a ${targetOf(row)?.kind} cannot be turned into one to a ${values.kind}`,
        'the new one is made first, then this one is deleted; the id is another then',
      ],
    };
  },
  // The new mapping is read with the list; until then the old row shows its attributes.
  truth: (row, { asked, now = asked }) => ({ ...row, ...now, id: row.id, place: row.place }),
  done: (row, values, answer) => receipt`${changesTargetKind(row, values) ? 'replaced' : 'saved'}: ${resultOf(answer)}`,
});

/** `e`: sends only what differs; a change of the kind of target replaces the mapping. */
export const editAction: MappingEdit = {
  ...plainEdit,
  uses: [...plainEdit.uses, createMapping, deleteMapping],
  send: (row, values, context) =>
    changesTargetKind(row, values)
      ? replaceMapping(row, plainEdit.show?.(row, values, context) ?? row)
      : plainEdit.send(row, values, context),
  undo(before, values, answer, context) {
    if (!changesTargetKind(before, values)) return plainEdit.undo?.(before, values, answer, context) ?? [];
    const [create] = recreateCalls(before);
    return create && answer.now ? [create, call(deleteMapping, { authn_mapping_id: answer.now.id })] : [];
  },
};

/** `d`: the value is typed first. */
export const deleteAction = deleting({
  id: 'mappings.delete',
  kind: mappingKind,
  help: 'who signs in with the attribute no longer gets what it leads to; the value is typed first',
  uses: [createMapping],
  question: (row) => `delete ${nameOf(row)}, which leads to ${targetText(row)}?`,
  details: () => [
    'at their next sign-in people lose what they have through it alone',
    'undo makes an equal one, with another id',
  ],
  typed: (row) => row.attributes.attribute_value ?? '',
  done: (row) => receipt`deleted ${namePart(nameOf(row))}, which led to ${targetText(row)}`,
  undo: recreateCalls,
});
