import * as v from 'valibot';
import {
  createBody,
  decimal,
  fields,
  flag,
  int,
  many,
  name,
  nothing,
  one,
  ratio,
  resource,
  resourceOperations,
  resourceRef,
  searchTerms,
  text,
  updateBody,
} from './envelope.ts';

const filterType = searchTerms(
  'spans-sampling-processor',
  'spans-errors-sampling-processor',
  'spans-appsec-sampling-processor',
);

/**
 * A retention filter: the first enabled one whose query matches decides which spans are indexed.
 * Times are epoch seconds, 0 on built-in filters; `execution_order` comes only in the list
 * (docs/contract/retention-filters.md#filter).
 */
export const retentionFilter = resource('apm_retention_filter', {
  name: text,
  enabled: flag,
  editable: flag,
  execution_order: int,
  filter: fields({ query: text }),
  filter_type: filterType,
  rate: decimal,
  trace_rate: decimal,
  created_at: int,
  created_by: text,
  modified_at: int,
  modified_by: text,
});

const settings = {
  name,
  enabled: flag,
  filter: v.looseObject({ query: name }),
  rate: ratio,
  trace_rate: v.optional(ratio),
};

const operations = resourceOperations({
  path: '/api/v2/apm/config/retention-filters',
  item: 'filter_id',
  responses: { list: many(retentionFilter), single: one(retentionFilter) },
  of: 'apm_retention_filter',
  reading: ['apm_retention_filter_read'],
  editing: ['apm_retention_filter_write'],
  origin: 'spec',
  source: 'docs/contract/retention-filters.md#operations',
});

/** The whole list in execution order; over 1,000 in one answer have been seen. */
export const listFilters = operations.list({ id: 'retention.list', title: 'List retention filters in order' });

/** Filters of the two built-in types cannot be created. New ones go to the end of the order. */
export const createFilter = operations.create({
  id: 'retention.create',
  title: 'Create a retention filter',
  body: createBody('apm_retention_filter', { ...settings, filter_type: v.literal('spans-sampling-processor') }),
});

export const getFilter = operations.get({
  id: 'retention.get',
  title: 'Show one retention filter',
  origin: 'addition',
});

/** A full replacement: every setting is sent. The path decides which filter, not the id in the body. */
export const updateFilter = operations.update({
  id: 'retention.update',
  title: 'Edit a retention filter',
  method: 'PUT',
  repeat: 'settable',
  readBack: 'retention.get',
  // The specification names what an update takes and requires none of it; what has no name keeps none.
  body: updateBody('apm_retention_filter', { ...settings, name: v.optional(name), filter_type: filterType }),
});

/** Answers 200 with `{}`, not 204. Built-in filters cannot be deleted. */
export const deleteFilter = operations.delete({
  id: 'retention.delete',
  title: 'Delete a retention filter',
  origin: 'addition',
});

/** The order of the array is the new order: send every id, as it was shown. */
export const orderFilters = operations.endpoint({
  id: 'retention.order',
  title: 'Reorder retention filters',
  verb: 'act',
  method: 'PUT',
  path: '/api/v2/apm/config/retention-filters-execution-order',
  origin: 'addition',
  repeat: 'replace',
  readBack: 'retention.list',
  body: v.looseObject({ data: v.array(resourceRef('apm_retention_filter')) }),
  response: nothing,
});

export type RetentionFilter = v.InferOutput<typeof retentionFilter>;

/** Every operation on retention filters. */
export const retentionEndpoints = operations.all;
