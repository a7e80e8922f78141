import fc from 'fast-check';

const builtIn = fc.constantFrom('ntp.in_sync', 'host.up', 'process.up', 'tcp.can_connect', 'db.can_connect');
const name = fc.oneof(builtIn, fc.constantFrom('custom.check', 'orders.settled', 'nightly'));
const tag = fc.constantFrom('*', 'env:prod', 'db', 'url:http://a.test/b?c=d', 'host:web-1', 'process:é');
const listed = (step: string, arbitrary: fc.Arbitrary<string>) =>
  fc.uniqueArray(arbitrary, { minLength: 1, maxLength: 3 }).map((all) => `.${step}("${all.join('","')}")`);
const maybe = (arbitrary: fc.Arbitrary<string>) => fc.oneof(fc.constant(''), arbitrary);

const over = maybe(listed('over', tag));
const exclude = maybe(listed('exclude', tag));
const by = listed('by', fc.constantFrom('*', 'host', 'port', 'kube.pod', 'environment:foo'));
const last = fc.integer({ min: 1, max: 100 }).map((value) => `.last(${value})`);
const status = fc.constantFrom('.count_by_status()', '.pct_by_status()');

/** Service checks; only those with a grouping of their own may omit it (docs/contract/monitor-queries.md#service-check). */
export const sentences = fc
  .oneof(
    fc.tuple(name, over, exclude, by, last, status),
    fc.tuple(name, over, exclude, last, by, status),
    fc.tuple(builtIn, over, exclude, last, status),
  )
  .map(([check, ...steps]) => ({ type: 'service check', query: `"${check}"${steps.join('')}` }));
