import { getMonitor, updateMonitor, validateExistingMonitor } from '../../../src/api/monitors.ts';
import { listRoles } from '../../../src/api/roles.ts';
import type { Action } from '../../../src/describe/action.ts';
import type { Context } from '../../../src/describe/context.ts';
import { idOf, listOf, type MonitorRow, numberOf, objectOf, readMonitor, textOf } from '../row.ts';
import { blamed } from './blame.ts';
import { defined, formOf, type Opened, type Values } from './form.ts';
import { rowsOf } from './make.ts';
import { changedBody, changing, openedOf, type Stored, stored, wayBack } from './send.ts';
import { otherwise } from './told.ts';

const opened = (context: Context): Opened => openedOf(context.known as Stored, rowsOf(context));

/** What the list shows until the service answers. */
function shown(row: MonitorRow, { name, query, tags, priority }: Values): MonitorRow {
  return {
    ...row,
    ...(textOf(name) === undefined ? {} : { name: String(name), named: true }),
    ...(textOf(query) === undefined ? {} : { query: String(query) }),
    ...(tags === undefined ? {} : { tags: listOf(tags).map(String) }),
    ...(priority === undefined ? {} : { priority: numberOf(priority) }),
  };
}

/**
 * The row with what an answer tells of its definition, and what was sent where it tells nothing. Its state and its mutes
 * are told by reading alone.
 */
function told(row: MonitorRow, answer: unknown, values: Values): MonitorRow {
  const asked = shown(row, values);
  const { name, query, tags, priority = null } = asked;
  const raw = { ...objectOf(row.raw), ...(asked.named ? { name } : {}), query, tags, priority, ...objectOf(answer) };
  const it = readMonitor({ ...raw, id: row.id }, 0);
  // An answer about something else tells nothing of this one.
  if (!it || (idOf(objectOf(answer).id) ?? row.id) !== row.id) return asked;
  const { named, restricted, modified } = it;
  return {
    ...asked,
    name: it.name,
    named,
    query: it.query,
    tags: it.tags,
    priority: it.priority,
    restricted,
    modified,
    raw,
  };
}

/** `e`: everything about a monitor but its mutes. Only what was changed is sent; the difference is shown before. */
export const editAction: Action<MonitorRow, Values> = {
  id: 'monitors.edit',
  key: 'e',
  title: 'edit',
  help: 'query, message, thresholds and options; what nobody here knows stays, the difference is shown before it is sent',
  uses: [getMonitor, validateExistingMonitor, updateMonitor, listRoles],
  bulk: false,
  reviews: true,
  enabled: (row) => row.bare !== true || 'this deployment does not let it be read',
  needs: (row) => stored(row),
  form: (_, context) => formOf(opened(context)),
  send: (row, values, context) => changing(row, opened(context), values, context),
  blames: blamed,
  show: shown,
  truth: told,
  done(row, values, answer, context) {
    const it = opened(context);
    return `saved ${told(row, answer, values).name}${otherwise(changedBody(it.base, defined(it, values)), answer, it.base)}`;
  },
  undo: (before, values, answer, context) => wayBack(before.id, opened(context), values, answer),
};
