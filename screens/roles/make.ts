import { type Call, call } from '../../src/api/endpoint.ts';
import { cloneRole, createRole, deleteRole, listPermissions, type Role } from '../../src/api/roles.ts';
import { action } from '../../src/describe/action.ts';
import { callCommand } from '../../src/describe/command.ts';
import type { Context } from '../../src/describe/context.ts';
import { changedOnly, checksField, toggleField } from '../../src/describe/field.ts';
import { field, idIn } from '../../src/lib/loose.ts';
import { plural } from '../../src/lib/text.ts';
import { inheritsField, nameField } from './fields.ts';
import { grantable } from './load.ts';
import { inheritsOf, nameOf, permissionIds, type RoleRow } from './row.ts';

/** What the forms for a new role ask; `name` is a proposal. */
const newFields = (context: Context, name = '') => ({
  name: nameField(name),
  inherits: inheritsField([], context),
  permissions: checksField('permissions', [], () => grantable(), {
    hint: 'Enter opens the list; the defaults of every role come by themselves',
  }),
  bare: toggleField('without the defaults', false, 'yes: it holds exactly what is chosen here, nothing else'),
});

interface NewRole {
  readonly name: string;
  readonly inherits: string[];
  readonly permissions: string[];
  readonly bare: boolean;
}

function createCall({ name, inherits, permissions, bare }: NewRole) {
  return call(createRole, {
    body: {
      data: {
        type: 'roles',
        attributes: {
          name,
          ...(inherits.length > 0 ? { receives_permissions_from: inherits } : {}),
          ...(bare ? { default_permissions_opt_out: true } : {}),
        },
        ...(permissions.length > 0 || bare
          ? {
              relationships: { permissions: { data: permissions.map((id) => ({ type: 'permissions' as const, id })) } },
            }
          : {}),
      },
    },
  });
}

const made = (answer: unknown): string | undefined => idIn(field(answer, 'data'));

/** A role that has just been made can be unmade: nobody has it yet. */
function unmade(answer: unknown): readonly Call[] {
  const id = made(answer);
  return id === undefined ? [] : [call(deleteRole, { role_id: id })];
}

function createdWords(verb: string, name: string, answer: unknown): string {
  const it = field(answer, 'data') as Role | undefined;
  const held = permissionIds({ relationships: it?.relationships });
  return `${verb} ${it?.attributes?.name ?? name}${held ? ` with ${plural(held.length, 'permission')}` : ''}; nobody has it yet`;
}

/** `n`: a new role. */
export const newAction = action({
  id: 'roles.new',
  key: 'n',
  on: 'list',
  title: 'new',
  help: 'a new role with the permissions chosen; nobody has it yet',
  uses: [createRole, listPermissions, deleteRole],
  form: (_: RoleRow | undefined, context) => newFields(context),
  send: (_, values) => createCall(values),
  made,
  done: (_, values, answer) => createdWords('created', values.name, answer),
  undo: (_, __, answer) => unmade(answer),
  command: (_, values) => callCommand(createCall(values)),
});

/** What a template proposes. */
export interface TemplateRow {
  readonly id: string;
  readonly name: string;
  readonly about: string;
}

/** `n` on a template: there is no call that creates from one, so its name goes into an ordinary new role. */
export const fromTemplateAction = action({
  id: 'roles.new-from-template',
  key: 'n',
  main: true,
  title: 'new role',
  help: 'a new role that takes the name of the template; the permissions are yours to choose, a template tells none',
  uses: [createRole, listPermissions, deleteRole],
  bulk: false,
  form: (row: TemplateRow, context) => newFields(context, row.name),
  send: (_, values) => createCall(values),
  done: (_, values, answer) => `${createdWords('created', values.name, answer)}; [ shows the roles`,
  undo: (_, __, answer) => unmade(answer),
  command: (_, values) => callCommand(createCall(values)),
});

function cloneCall(
  row: RoleRow,
  { name, inherits }: { readonly name: string; readonly inherits?: string[] | undefined },
) {
  return call(cloneRole, {
    role_id: row.id,
    body: {
      data: {
        type: 'roles',
        attributes: { name, ...(inherits === undefined ? {} : { receives_permissions_from: inherits }) },
      },
    },
  });
}

/** `c`: a copy with the permissions and without the users; built-in roles can be copied too. */
export const cloneAction = action({
  id: 'roles.clone',
  key: 'c',
  title: 'copy',
  help: 'a copy under another name: the permissions, not the users; a copy of a built-in role can be changed',
  uses: [cloneRole, deleteRole],
  bulk: false,
  form: (row: RoleRow, context) => ({
    name: nameField(`${nameOf(row)} copy`),
    inherits: changedOnly(inheritsField(inheritsOf(row), context)),
  }),
  send: (row, values) => cloneCall(row, values),
  made,
  done: (_, values, answer) => createdWords('copied to', values.name, answer),
  undo: (_, __, answer) => unmade(answer),
  command: (row, values) => callCommand(cloneCall(row, values)),
});
