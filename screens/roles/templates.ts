import { call } from '../../src/api/endpoint.ts';
import { ask, type Plan } from '../../src/api/plan.ts';
import type { Result } from '../../src/api/problem.ts';
import { listRoleTemplates } from '../../src/api/roles.ts';
import { head, section, textLine } from '../../src/describe/column.ts';
import { listOf } from '../../src/describe/kind-list.ts';
import { kind, type RowOf } from '../../src/describe/resource.ts';
import { type Rows, withMissing } from '../../src/describe/source.ts';
import { textColumn } from '../../src/describe/standard-columns.ts';
import { plural } from '../../src/lib/text.ts';
import { idIn } from '../../src/lib/unchecked-values.ts';
import { fromTemplateAction } from './edit.ts';

const templateKind = kind({
  noun: 'template',
  of: ['roles'],
  list: () => call(listRoleTemplates),
  name: (row) => row.attributes.name,
});
type TemplateRow = RowOf<typeof templateKind>;

const nameIn = (row: TemplateRow): string => row.attributes.name?.trim() ?? '';

const noTemplates =
  'this deployment has no role templates (a preview feature). [: back to the roles, where n creates one';

/** Templates for roles: a preview, which a deployment may not offer. */
export const templateList = listOf(templateKind, {
  id: 'role-templates',
  title: 'Templates',
  load: () => ({
    key: 'role templates',
    of: ['roles'],
    *plan(): Plan<Result<Rows<TemplateRow>>> {
      const answer = yield* ask(call(listRoleTemplates));
      if (!answer.ok) {
        const { problem } = answer;
        // A deployment may refuse a preview as well as not have it (docs/contract/roles.md#operations).
        const isClosed = problem.kind === 'notOffered' || problem.status === 404 || problem.status === 403;
        return isClosed ? { ok: false, problem: { ...problem, kind: 'notOffered', text: noTemplates } } : answer;
      }
      const all = answer.value?.data ?? [];
      // A template without an id is identified by its name.
      const rows = all.flatMap(
        (template) => templateKind.row({ ...template, id: idIn(template) ?? template.attributes?.name }) ?? [],
      );
      const leftOut = all.length - rows.length;
      const notes = leftOut > 0 ? [`${plural(leftOut, 'template')} without an id and a name left out`] : [];
      return { ...answer, value: { rows, notes, ...withMissing(notes) } };
    },
  }),
  every: 300,
  columns: [
    textColumn({
      id: 'name',
      min: 20,
      max: 40,
      priority: 1,
      text: (row) => nameIn(row) || '(no name)',
      tone: (row) => (nameIn(row) === '' ? 'dim' : 'plain'),
    }),
    {
      id: 'about',
      title: 'DESCRIPTION',
      min: 20,
      flex: true,
      priority: 2,
      text: (row) => row.attributes.description ?? '',
    },
  ],
  detail: {
    sections: (row) => [section('template', '', [head(nameIn(row) || '(no name)'), ...templateLines(row)])],
    preview: (row) => templateLines(row),
  },
  reads: [listRoleTemplates],
  actions: [fromTemplateAction],
  empty: 'No templates: [: back to the roles, where n creates one',
  command: () => call(listRoleTemplates),
});

const templateLines = (row: TemplateRow) => [
  textLine(row.attributes.description || 'No description'),
  textLine('n: create a role with this name and permissions that you select', 'dim'),
];
