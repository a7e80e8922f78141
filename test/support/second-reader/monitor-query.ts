import type { ReadQuery } from '../../../src/simulator/query/monitor-query.ts';
import { readTerms } from '../../../src/simulator/query/search-terms.ts';
import { groupsOf, type Link, minutesOf, named, one, readChain } from './chain.ts';
import { readFormula } from './formula.ts';
import { readMetric } from './metric.ts';
import { type End, empty, found, invalidQuery, wrong } from './read.ts';

const noOperator: ReadQuery = { ok: false, text: `${invalidQuery}: invalid operator specified: ` };
const badSearch: ReadQuery = {
  ok: false,
  text: `${invalidQuery}: Invalid query: Check for invalid tags or facets in your query.`,
};

/** Source word, classification and rules per type (docs/contract/monitor-queries.md#events); `index`: may, must, or never. */
const sources: Readonly<Record<string, readonly [source: string, classification: string, index?: 'may' | 'must']>> = {
  'event-v2 alert': ['events', 'event-v2'],
  'event alert': ['events', 'event'],
  'log alert': ['logs', 'log', 'may'],
  'trace-analytics alert': ['trace-analytics', 'apm'],
  'rum alert': ['rum', 'rum', 'may'],
  'audit alert': ['audits', 'audit'],
  'ci-pipelines alert': ['ci-pipelines', 'ci-pipelines'],
  'ci-tests alert': ['ci-tests', 'ci-tests'],
  'database-monitoring alert': ['database-monitoring', 'database-monitoring'],
  'network-performance alert': ['network-performance', 'network-performance'],
  'network-path alert': ['network-path', 'network-path', 'must'],
  'error-tracking alert': ['error-tracking', 'error-tracking'],
  'llm-observability alert': ['llm-observability', 'llm-observability'],
};

/** Reads a query without the grammars of the program: both must agree (query-differential.test.ts). */
export function readQuery(type: string, text: string, options: unknown): ReadQuery {
  if (type === 'composite') return readComposite(text);
  const tail = /^([\s\S]*?)\s*(<=|>=|==|!=|<|>)\s*(-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*$/.exec(text);
  if (type === 'service check') return readCheck(text);
  if (!tail) return sources[type] ? noOperator : wrong;
  const [, body = '', operator = '', number = ''] = tail;
  const end = { operator, threshold: Number(number) };
  if (type === 'query alert' || type === 'metric alert') {
    if (/^\s*formula\(/.test(body)) return readFormula(body, end, 'metric', options);
    const metric = readMetric(body.trim(), operator, end.threshold);
    return metric ? { ok: true, query: { ...empty, ...metric, ...end } } : wrong;
  }
  if (/^\s*formula\(/.test(body)) return readFormula(body, end, sources[type]?.[1] ?? kindOf(type), options);
  const links = readChain(body.trim());
  if (!links) return wrong;
  if (type === 'process alert') return readProcess(links, end);
  if (type === 'slo alert') return readObjective(links, end);
  const rule = sources[type];
  if (!rule) return wrong;
  return type === 'error-tracking alert' ? readErrors(links, end) : readEvents(links, end, rule);
}

const kindOf = (type: string): string => type.replace(/ alert$/, '');
/** `.rollup("count")`, `.rollup("avg","m")`, `.rollup("cardinality","f")`. */
function rollupFits(link: Link | undefined): boolean {
  const [method, measure] = link?.args.map((arg) => arg.text) ?? [];
  if (method === 'count') return true;
  return (method === 'avg' || method === 'cardinality') && Boolean(measure);
}

/** 1 minute to 48 hours (docs/contract/monitor-queries.md#events), or a window of the calendar; never both. */
function windowFits(links: readonly Link[]): boolean {
  if (one(links, 'current')) return !one(links, 'last') && periods.includes(one(links, 'current')?.args[0]?.text ?? '');
  const minutes = minutesOf(one(links, 'last')?.args[0]?.text ?? '', 'mhd');
  return minutes >= 1 && minutes <= 2880;
}

const periods: readonly string[] = ['1h', '1d', '1mo'];

/** Names of calendar windows (docs/contract/monitor-queries.md#metric). */
function currentOf(links: readonly Link[]): { current?: string } {
  const period = one(links, 'current')?.args[0]?.text;
  return period === undefined ? {} : { current: `current_${period}` };
}

const doubled = (links: readonly Link[]): boolean => links.every((link) => link.args.every((arg) => arg.quote === '"'));
const groupingFits = (links: readonly Link[]): boolean =>
  !one(links, 'by') ||
  (groupsOf(links).length > 0 && groupsOf(links).every(Boolean)) ||
  one(links, 'by')?.args[0]?.text === '*';

function readEvents(
  links: Link[],
  end: End,
  [source, classification, index]: readonly [string, string, string?],
): ReadQuery {
  const steps = [...(index ? ['index'] : []), 'rollup', 'by', 'last', 'current'];
  const search = links[0]?.args[0]?.text;
  if (links[0]?.name !== source || links[0].args.length !== 1 || !doubled(links) || !named(links, steps)) return wrong;
  if (index === 'must' && !['netpath-path', 'netpath-hop'].includes(one(links, 'index')?.args[0]?.text ?? ''))
    return wrong;
  if (!rollupFits(one(links, 'rollup')) || !windowFits(links) || !groupingFits(links)) return wrong;
  if (!readTerms(search ?? '').ok) return badSearch;
  return found({ classification, groups: groupsOf(links), scope: scopeOf(search ?? ''), ...currentOf(links), ...end });
}

function readErrors(links: Link[], end: End): ReadQuery {
  const old = links[0]?.name === 'error-tracking-rum';
  if (!(old || links[0]?.name === 'error-tracking') || links[0]?.args.length !== 1 || !doubled(links)) return wrong;
  if (!named(links, [...(old ? [] : ['source', 'new', 'impact']), 'rollup', 'by', 'last', 'current'])) return wrong;
  if (!old && Boolean(one(links, 'new')) === Boolean(one(links, 'impact'))) return wrong;
  const source = one(links, 'source')?.args[0]?.text ?? 'all';
  if (!['all', 'browser', 'mobile', 'backend'].includes(source)) return wrong;
  if (one(links, 'rollup') && !rollupFits(one(links, 'rollup'))) return wrong;
  if (!groupsOf(links).some((key) => key === 'issue.id' || key === '@issue.id') || !windowFits(links)) return wrong;
  return found({
    classification: 'error-tracking',
    groups: groupsOf(links),
    scope: scopeOf(links[0].args[0]?.text ?? ''),
    ...currentOf(links),
    ...end,
  });
}

function readProcess(links: Link[], end: End): ReadQuery {
  const minutes = minutesOf(one(links, 'last')?.args[0]?.text ?? '', 'smhd');
  const fits =
    links[0]?.name === 'processes' && links[0].args.length === 1 && named(links, ['over', 'rollup', 'last', 'by']);
  if (!fits || one(links, 'rollup')?.args[0]?.text !== 'count' || !(minutes > 0)) return wrong;
  const scope = (one(links, 'over')?.args ?? []).map((arg) => arg.text);
  return found({ classification: 'process', groups: groupsOf(links), scope, ...end });
}

function readObjective(links: Link[], end: End): ReadQuery {
  const [kind] = links;
  const fits = (kind?.name === 'error_budget' || kind?.name === 'burn_rate') && kind.args.length === 1;
  const window = one(links, 'over')?.args[0]?.text ?? '';
  if (!fits || !['7d', '30d', '90d'].includes(window) || !['>', '>='].includes(end.operator)) return wrong;
  if (kind.name === 'burn_rate') {
    const long = minutesOf(one(links, 'long_window')?.args[0]?.text ?? '', 'mh');
    const short = minutesOf(one(links, 'short_window')?.args[0]?.text ?? '', 'mh');
    if (!named(links, ['over', 'long_window', 'short_window']) || !(long >= 60 && long <= 2880) || !(short >= 1))
      return wrong;
  } else if (!named(links, ['over'])) return wrong;
  const current = kind.name === 'burn_rate' ? { current: 'burn' } : {};
  return found({ classification: 'slo', objective: kind.args[0]?.text ?? '', ...current, ...end });
}

/** Checks with a grouping of their own; all others are custom checks. */
const builtIn = /^"(host\.up|ntp\.in_sync|process\.up|tcp\.can_connect|http\.can_connect|[\w]+\.can_connect)"$/;

function readCheck(text: string): ReadQuery {
  const links = readChain(text.trim());
  const [check] = links ?? [];
  if (!links || !check?.name.startsWith('"')) return wrong;
  if (!named(links, ['over', 'exclude', 'by', 'last', 'count_by_status', 'pct_by_status']) || !doubledCheck(links))
    return wrong;
  if (!one(links, 'count_by_status') && !one(links, 'pct_by_status')) return wrong;
  if (['over', 'by'].some((step) => one(links, step)?.args.every((arg) => arg.text.trim() === ''))) return wrong;
  const last = one(links, 'last')?.args[0]?.text ?? '';
  const count = /^\d+$/.test(last) ? Number(last) : 0;
  if (count < 1 || count > 100) return wrong;
  if (!one(links, 'by') && !builtIn.test(check.name))
    return { ok: false, text: 'A grouping must be specified for custom checks' };
  const scope = (one(links, 'over')?.args ?? []).map((arg) => arg.text).filter((tag) => tag !== '*');
  const classification = builtIn.test(check.name) ? (check.name.split('.')[0] ?? '').slice(1) : 'custom';
  return found({ classification, groups: groupsOf(links), scope, metrics: [check.name.slice(1, -1)], count });
}

const doubledCheck = (links: readonly Link[]): boolean =>
  links.every((link) => link.name === 'last' || link.args.every((arg) => arg.quote === '"'));

function readComposite(text: string): ReadQuery {
  const tokens =
    text
      .replaceAll(/\s+/g, ' ')
      .trim()
      .match(/\d+|&&|\|\||[!()]|\S/g) ?? [];
  let at = 0;
  const any = (): boolean => {
    do if (!single()) return false;
    while (['&&', '||'].includes(tokens[at] ?? '') && ++at);
    return true;
  };
  const single = (): boolean => {
    while (tokens[at] === '!') at += 1;
    if (tokens[at] !== '(') return /^\d+$/.test(tokens[at++] ?? '');
    at += 1;
    return any() && tokens[at++] === ')';
  };
  if (!any() || at < tokens.length) return wrong;
  return found({ classification: 'composite', members: [...new Set(tokens.filter((token) => /^\d+$/.test(token)))] });
}

/** `service:api env:prod` as tags: only plain terms. */
function scopeOf(search: string): string[] {
  return [...search.matchAll(/(?:^|\s)([a-z][\w.]*:[\w./-]+)/g)].map((match) => match[1] as string);
}
