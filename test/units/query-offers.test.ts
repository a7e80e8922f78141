import { expect, test } from 'vitest';
import { check } from '../../src/query/check-query.ts';
import { takenOf } from '../support/queries.ts';

const known = {
  tags: ['env:prod', 'service:api', 'team:core'],
  keys: ['host', 'env'],
  objectives: ['slo-a1'],
};

const taken = (type: string, marked: string): string[] => takenOf(type, marked, known);

test('accepting the first suggestion that continues ends in a valid query', () => {
  const types = [
    'log alert',
    'event-v2 alert',
    'network-path alert',
    'error-tracking alert',
    'process alert',
    'slo alert',
  ];
  const ended = types.map((type) => {
    let text = '|';
    for (let step = 0; step < 40 && !/[<>=] \|$/.test(text); step += 1) {
      const offers = taken(type, text);
      // Quoted text could continue without end: one word suffices.
      text = offers.find((offer) => offer === text.replace('|")', '")|')) ?? offers[0] ?? 'nothing is offered |';
    }
    const query = text.replace('|', '1');
    return `${query}: ${check(type, query).verdict}`;
  });
  expect(ended).toMatchInlineSnapshot(`
    [
      "logs("").index("*").rollup("count").by("host").last("5m") > 1: fine",
      "events("").rollup("count").by("host").last("5m") > 1: fine",
      "network-path("").index("netpath-path").rollup("count").by("host").last("5m") > 1: fine",
      "error-tracking("").source("all").new().rollup("count").by("@issue.id").last("5m") > 1: fine",
      "processes("").over("*").by("host").rollup("count").last("30s") > 1: fine",
      "error_budget("slo-a1").over("7d") > 1: fine",
    ]
  `);
});
