import { describe, expect, test } from 'vitest';
import { check } from '../../src/query/check-query.ts';
import { completeQuery } from '../../src/query/complete.ts';
import { formula } from '../../src/query/formula.ts';
import type { FormulaTerm } from '../../src/query/formula-tree.ts';
import { said, withoutPlaces } from '../support/queries.ts';

const cost = {
  name: 'query1',
  data_source: 'cloud_cost',
  aggregator: 'sum',
  query: 'sum:all.cost{service:api} by {team}',
};
const count = { data_source: 'rum', compute: { aggregation: 'count' }, search: { query: '' } };

describe('the contract', () => {
  test('the single-quoted form of the specification is the same', () => {
    expect(said('log alert', "formula('a + b').last('5m') > 1")).toBe('');
  });
});

describe('variables', () => {
  const over = (type: string, expression: string, options: unknown) =>
    said(type, `formula("${expression}").last("7d") > 1`, options);

  test('a name without a variable is reported at its first position', () => {
    expect(over('cost alert', 'query1 + query2 * query2', { variables: [cost] })).toBe(
      'wrong query2: there is no variable query2 (options.variables has query1)',
    );
  });

  test('without any variables: wrong for costs, doubtful elsewhere, fine where options are unknown', () => {
    const sentence = 'query1: the options have no variables (options.variables says what each name stands for)';
    for (const options of [{}, { variables: [] }, { variables: null }]) {
      expect(over('cost alert', 'query1', options)).toBe(`wrong ${sentence}`);
      expect(over('query alert', 'query1', options)).toBe(`doubtful ${sentence}`);
    }
    for (const options of [undefined, null, 'x']) expect(over('cost alert', 'query1', options)).toBe('');
    expect(over('cost alert', '5', {})).toMatch(/^doubtful "5": the formula uses no variable/);
  });

  test('the threshold has its own name and is no variable', () => {
    expect(over('cost alert', 'query1 / threshold', { variables: [cost] })).toBe('');
  });

  test('each variable needs these members', () => {
    const ask = (variable: unknown) => over('query alert', 'query1', { variables: [variable] });
    const asked = { ...count, name: 'query1' };
    expect(
      [
        { ...asked, compute: { aggregation: 'avg' } },
        { ...asked, compute: {} },
        { ...asked, compute: { aggregation: 'mode', metric: '@duration' } },
        { ...asked, search: undefined },
        { ...cost, query: ' ' },
        { ...cost, aggregator: 'mode' },
      ]
        .map((value) => ask(value))
        .join('\n'),
    ).toMatchInlineSnapshot(`
      "wrong query1: variable query1: avg needs compute.metric (name the measure or the facet)
      wrong query1: variable query1 has no compute.aggregation (such as count, or avg with a metric)
      doubtful query1: variable query1: mode is not a known aggregation (count, cardinality, median, pc75, pc90, pc95, pc98, pc99, sum, min, max or avg)
      doubtful query1: variable query1 has no search.query (write "*" for all)
      wrong query1: variable query1 has no query
      doubtful query1: variable query1: mode is not a known aggregator (avg, sum, max, min, last, area, l2norm, percentile or stddev)"
    `);
    expect(ask({ ...asked, compute: { aggregation: 'pc95', metric: '@duration' } })).toBe('');
    expect(over('query alert', 'query1', { variables: [cost, { ...cost, query: 'sum:b{*}' }] })).toContain(
      'two variables',
    );
    expect(over('query alert', 'query1', { variables: [{}, cost] })).toBe('');
    expect(over('query alert', 'query2', { variables: [{}, cost] })).toMatch(/^doubtful query2/);
  });

  test('unknown variants are accepted', () => {
    for (const more of [
      { data_source: 'data_quality_metrics', measure: 'row_count', filter: 'x', group_by: ['id'] },
      { data_source: 'aggregate_filtered_query', base_query: {}, filters: [] },
      { data_source: 'aggregate_augmented_query', compute: [{ aggregation: 'max' }], base_query: {} },
      { job_type: 'batch.job', jobs_query: '*', query_dialect: 'metric' },
      {},
    ])
      expect(over('data-quality alert', 'query1', { variables: [{ name: 'query1', ...more }] })).toBe('');
  });
});

test('printing the tree of any text gives a text with the same tree', () => {
  const text = ' formula ( "a +b" ) . by( "x", "y" ).last ( "5m" )>= .5 ';
  const tree = formula.parse(text);
  expect(formula.print(tree)).toBe('formula("a +b").by("x","y").last("5m") >= .5');
  expect(withoutPlaces(formula.parse(formula.print(tree)))).toEqual(withoutPlaces(tree));
});

test('operators have the usual precedence, and each node its position', () => {
  const text = 'formula("a - b * f(c, \'x\')").last("5m") > 1';
  const { expression } = formula.parse(text).body;
  const names = (term: FormulaTerm): unknown =>
    term.kind === 'joined'
      ? [names(term.head), ...term.tail.map((joined) => names(joined.right))]
      : text.slice(term.start, term.end);
  expect(names(expression)).toEqual(['a', ['b', "f(c, 'x')"]]);
});

describe('completion', () => {
  const offered = (type: string, before: string) =>
    completeQuery(type, before, before.length, {
      variables: ['query1', 'query2'],
      keys: ['host', 'service'],
    })?.items.map((item) => item.text);

  test('completes from an empty text to a whole query', () => {
    expect(offered('cost alert', '')).toEqual(['formula("")']);
    expect(offered('cost alert', 'formula("')).toContain('query1');
    expect(offered('cost alert', 'formula("qu')).toEqual(['query1', 'query2']);
    expect(offered('cost alert', 'formula("query1 / ')).toContain('query2');
    expect(offered('cost alert', 'formula("query1").')).toContain('.last("")');
    expect(offered('cost alert', 'formula("query1").la')).toEqual(['.last("")']);
    expect(offered('cost alert', 'formula("query1").last("')).toContain('30d');
    expect(offered('cost alert', 'formula("query1").last("7d").anomaly(')).toContain('direction=""');
    expect(offered('cost alert', 'formula("query1").last("7d").anomaly(direction="')).toContain('above');
    expect(offered('cost alert', 'formula("query1").last("7d") ')).toContain('>= ');
    expect(offered('rum alert', 'formula("query1").by("')).toContain('service');
  });

  test('does not offer steps that are present already or that the type lacks', () => {
    const steps = offered('cost alert', 'formula("query1").last("7d").') ?? [];
    expect(steps).not.toContain('.last("")');
    expect(steps).not.toContain('.by("")');
    expect(offered('rum alert', 'formula("query1").')).not.toContain('.forecast()');
  });
});

test('only types with variables take formulas', () => {
  expect(check('composite', 'formula("a").last("5m") > 1').verdict).toBe('wrong');
  expect(check('log alert', ' formula ("a").last("5m") > 1').tree?.kind).toBe('formula');
});
