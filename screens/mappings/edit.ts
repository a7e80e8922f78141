import { createMapping, deleteMapping, getMapping, updateMapping } from '../../src/api/authn-mappings.ts';
import { type AttributesOf, ask, call, type Plan } from '../../src/api/endpoint.ts';
import { problemResult, type Result } from '../../src/api/problem.ts';
import type { Action } from '../../src/describe/action.ts';
import type { Context } from '../../src/describe/context.ts';
import { choiceField, pickField, shownWhen, textField } from '../../src/describe/field.ts';
import { rolePicks, teamPicks } from '../../src/describe/picks.ts';
import { namePart, type Receipt, receipt, warning } from '../../src/describe/receipt.ts';
import { defineSettings, differenceText, formOnly, type SettingValues } from '../../src/describe/setting.ts';
import { type EditedRow, editing, mergeEdit, readToRestore } from '../../src/describe/setting-edits.ts';
import { deleting, type Made, nameBehindNoun } from '../../src/describe/standard-actions.ts';
import type { JsonObject } from '../../src/lib/values.ts';
import { type MappingRow, mappingKind, mappingTarget, type TargetKind, targetText, targetTypes } from './kind.ts';

const { nameOf } = mappingKind;

/** The initial choice of the field of a kind; undefined where the mapping leads to the other kind. */
function targetPick(row: MappingRow | undefined, kind: TargetKind) {
  const target = row && mappingTarget(row);
  return target?.kind === kind ? { id: target.id, label: target.name ?? target.id } : undefined;
}

const setting = defineSettings(mappingKind);

/** The settings of a mapping; `kind` says whether `role` or `team` applies. */
const settings = {
  key: setting('attribute', 'attribute_key', (now) =>
    textField('Attribute', now, {
      required: true,
      hint: 'Attribute of the identity provider, for example groups',
    }),
  ),
  value: setting('value', 'attribute_value', (now) =>
    textField('Value', now, { required: true, hint: 'Exactly as the identity provider sends it' }),
  ),
  kind: formOnly('grants', (row: MappingRow | undefined) =>
    choiceField('Grants', (row && mappingTarget(row)?.kind) ?? 'role', ['role', 'team'] as const),
  ),
  role: setting('role', 'role', (_, row) =>
    shownWhen(
      (texts) => texts.kind !== 'team',
      pickField('Role', targetPick(row, 'role'), rolePicks, {
        required: true,
        hint: 'Enter opens the list',
      }),
    ),
  ),
  team: setting('team', 'team', (_, row) =>
    shownWhen(
      (texts) => texts.kind === 'team',
      pickField('Team', targetPick(row, 'team'), teamPicks, {
        required: true,
        hint: 'Enter opens the list',
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
  // Members that the request leaves out stay as they are (docs/contract/authn-mappings.md#bodies).
  patch: (id, { role, team, ...attributes }: AttributesOf<typeof updateMapping> & TargetIds) =>
    call(updateMapping, {
      authn_mapping_id: id,
      body: { data: { id, type: 'authn_mappings', attributes, ...relationship({ role, team }) } },
    }),
});

export const { comparable } = edits;

/** What the mapping leads to, as the answer tells it, and what of it is not as asked. */
function resultOf(
  { before, asked, now }: Made<MappingRow> & { readonly before?: MappingRow },
  context: Context,
): Receipt {
  const difference = differenceText({ kind: mappingKind, settings }, before, asked, now, context);
  const said = receipt`${namePart(nameOf(now ?? asked))}${now ? ` grants ${targetText(now)}` : ''}${difference}`;
  return difference === '' ? said : warning(said);
}

/** `n`: a new mapping to a role or to a team. */
export const createAction = edits.make({
  id: 'mappings.create',
  help: 'Create a mapping: users with this attribute get a role or join a team',
  main: true,
  uses: [createMapping],
  create: createCall,
  done: (_, __, answer, context) => receipt`Created mapping ${resultOf(answer, context)}`,
});

type MappingEdit = Action<MappingRow, SettingValues<typeof settings>, EditedRow<MappingRow>>;

/** Whether an edit changes the target from a role to a team, or from a team to a role. */
function changesTargetKind(row: MappingRow, { kind }: SettingValues<typeof settings>): boolean {
  const now = mappingTarget(row)?.kind;
  return now !== undefined && kind !== undefined && kind !== now;
}

/**
 * An update that changes the kind of target is not documented, so a new mapping replaces the old one. The new one is
 * created first, so that no user loses access in between (docs/contract/authn-mappings.md#bodies).
 */
function* replaceMapping(seen: MappingRow, wanted: MappingRow, context: Context): Plan<Result<EditedRow<MappingRow>>> {
  const read = yield* mappingKind.fresh(seen);
  if (!read.ok) return read;
  const before = read.value;
  const merged = mergeEdit({ kind: mappingKind, settings }, seen, wanted.attributes as JsonObject, before, context);
  if (!merged.ok) return merged;
  const requested: MappingRow = { ...before, attributes: merged.value };
  const [create] = recreateCalls(requested);
  const created = create && (yield* ask(create));
  if (!created?.ok) return created ?? problemResult('invalid', 'the new mapping has no role or team');
  const now = mappingKind.row(created.value.data, { place: before.place, included: created.value.included });
  if (!now) return problemResult('unreadable', 'the response does not show the new mapping, so the old one was kept');
  const deleted = yield* ask(call(deleteMapping, { authn_mapping_id: before.id }));
  if (deleted.ok || deleted.problem.kind === 'notFound')
    return { ...created, value: { before, asked: requested, now } };
  const isUnknown = deleted.problem.kind === 'unknown';
  const old = isUnknown ? 'whether the old one is deleted is unknown' : 'the old one still exists';
  const text = `the mapping to the ${mappingTarget(requested)?.kind} was created, but ${old}: ${deleted.problem.text}`;
  return { ok: false, problem: { ...deleted.problem, text } };
}

const plainEdit: MappingEdit = edits.edit({
  id: 'mappings.edit',
  help: 'Edit key, value, role or team; shows the differences before saving',
  confirm([row], values) {
    if (!row || !changesTargetKind(row, values)) return undefined;
    return {
      question: `Replace ${nameOf(row)} with a mapping to a ${values.kind}?`,
      details: [
        `A mapping to a ${mappingTarget(row)?.kind} cannot become one to a ${values.kind}`,
        'The new mapping is created first, with a new ID; then this one is deleted',
      ],
    };
  },
  // The new mapping is read with the list; until then the old row shows its attributes.
  truth: (row, { asked, now = asked }) => ({ ...row, ...now, id: row.id, place: row.place }),
  done: (row, values, answer, context) =>
    receipt`${changesTargetKind(row, values) ? 'Replaced' : 'Saved'} mapping ${resultOf(answer, context)}`,
});

/** `e`: sends only what differs; a change of the kind of target replaces the mapping. */
export const editAction: MappingEdit = {
  ...plainEdit,
  uses: [...plainEdit.uses, createMapping, deleteMapping],
  send: (row, values, context) =>
    changesTargetKind(row, values)
      ? replaceMapping(row, plainEdit.show?.(row, values, context) ?? row, context)
      : plainEdit.send(row, values, context),
  undo(before, values, answer, context) {
    if (!changesTargetKind(before, values)) return plainEdit.undo?.(before, values, answer, context) ?? [];
    const [create] = recreateCalls(answer.before);
    return create && answer.now ? [create, call(deleteMapping, { authn_mapping_id: answer.now.id })] : [];
  },
};

/** `d`: the value is typed first. */
export const deleteAction = deleting({
  id: 'mappings.delete',
  kind: mappingKind,
  help: 'Delete the mapping: users with the attribute no longer get the role or team',
  question: (row) => `Delete ${nameOf(row)}, which grants ${targetText(row)}?`,
  details: () => ['Users who have this role or team only through this mapping lose it at next sign-in'],
  typed: (row) => row.attributes.attribute_value ?? '',
  done: (row) => receipt`Deleted mapping ${namePart(nameBehindNoun(mappingKind, row))} to ${targetText(row)}`,
  restore: {
    read: (row) => readToRestore(mappingKind, row),
    refuses: (row) =>
      recreateCalls(row).length > 0 ? undefined : 'a mapping without attribute, value and target cannot be created',
    calls: recreateCalls,
    uses: [createMapping, getMapping],
    lost: [],
  },
});
