import { type AnySchema, type Endpoint, isRead } from '../../src/api/endpoint.ts';
import type { AnyAction } from '../../src/describe/action.ts';

/** The parts of a valibot schema that are needed to find members. */
interface Inside {
  readonly type?: string;
  readonly entries?: Readonly<Record<string, AnySchema>>;
  readonly wrapped?: AnySchema;
  readonly options?: readonly AnySchema[];
  readonly pipe?: readonly AnySchema[];
}

/** Every object schema inside a schema: wrappers are unwrapped, variants and unions expanded. */
function objectsIn(schema: AnySchema | undefined): readonly Readonly<Record<string, AnySchema>>[] {
  const { entries, wrapped, options, pipe } = (schema ?? {}) as Inside;
  if (entries) return [entries];
  if (wrapped) return objectsIn(wrapped);
  if (options) return options.flatMap((option) => (typeof option === 'object' ? objectsIn(option) : []));
  return pipe ? objectsIn(pipe.find((one) => (one as Inside).type === 'loose_object')) : [];
}

/** Schemas of a member, by its path. */
function membersAt(schema: AnySchema | undefined, path: string): readonly AnySchema[] {
  return path
    .split('.')
    .reduce<readonly AnySchema[]>(
      (inner, name) => inner.flatMap((one) => objectsIn(one).flatMap((entries) => entries[name] ?? [])),
      schema ? [schema] : [],
    );
}

/** The schemas of a body's attributes: in an envelope, beside relationships, or bare. */
const attributesIn = (schema: AnySchema | undefined): readonly AnySchema[] => {
  const inner = membersAt(schema, 'data.attributes');
  return inner.length > 0 ? [...inner, ...membersAt(schema, 'data.relationships')] : schema ? [schema] : [];
};

/** Paths of all leaf members. */
function leaves(schemas: readonly AnySchema[], before = ''): readonly string[] {
  const names = [...new Set(schemas.flatMap(objectsIn).flatMap((entries) => Object.keys(entries)))];
  const inner = names.flatMap((name) => {
    const members = schemas.flatMap((schema) => membersAt(schema, name));
    const path = `${before}${name}`;
    return members.some((member) => objectsIn(member).length > 0) ? leaves(members, `${path}.`) : [path];
  });
  return [...new Set(inner)];
}

const covers = (path: string, leaf: string): boolean => leaf === path || leaf.startsWith(`${path}.`);

/** Settings without a schema member, members without a setting or reason, and needless reasons. */
export function settingFaults(actions: readonly AnyAction[]): string[] {
  return actions.flatMap((action) => {
    const { id, settings, fixed = {} } = action;
    if (!settings) return [];
    const writes: readonly Endpoint[] = action.uses.filter((one) => one.body && one.repeat !== 'read');
    const known = action.uses.flatMap((one) => [...attributesIn(one.body), ...attributesIn(one.response)]);
    const paths = Object.values(settings).flatMap((setting) => setting.path ?? []);
    const settable = leaves(writes.filter((one) => one.verb === 'update').flatMap((one) => attributesIn(one.body)));
    return [
      ...paths
        .filter((path) => known.every((schema) => membersAt(schema, path).length === 0))
        .map((path) => `${id}: no operation in its uses has ${path}`),
      ...settable
        .filter((leaf) => ![...paths, ...Object.keys(fixed)].some((path) => covers(path, leaf)))
        .map((leaf) => `${id}: ${leaf} can be sent, is no setting and has no reason in fixed`),
      ...Object.keys(fixed)
        .filter((path) => settable.length > 0 && !settable.some((leaf) => covers(path, leaf)))
        .map((path) => `${id}: ${path} cannot be sent, so it needs no reason`),
    ];
  });
}

/** Creates that do not identify their new row. */
export const createFaults = (actions: readonly AnyAction[]): string[] =>
  actions
    .filter(({ job, made, uses }) => !job && !made && uses.find((one) => !isRead(one))?.verb === 'create')
    .map(({ id }) => `${id}: a create says which row it has made`);

const saysNothing = /=>\s*(undefined|\[\])\s*$/;

/** Writes whose confirmation or undo is empty. */
export const emptyFaults = (actions: readonly AnyAction[]): string[] =>
  actions
    .filter(({ undo, confirm }) => {
      const asks = confirm && !saysNothing.test(String(confirm));
      const goesBack = undo && !saysNothing.test(String(undo));
      return (confirm || undo) && !asks && !goesBack;
    })
    .map(({ id }) => `${id}: it neither asks nor can be undone`);
