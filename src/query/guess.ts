/** Wire types by the first word of their queries (contract/monitors.md 5.1). */
const bySource: Readonly<Record<string, string>> = {
  events: 'event-v2 alert',
  logs: 'log alert',
  'trace-analytics': 'trace-analytics alert',
  rum: 'rum alert',
  audits: 'audit alert',
  'ci-pipelines': 'ci-pipelines alert',
  'ci-tests': 'ci-tests alert',
  'database-monitoring': 'database-monitoring alert',
  'network-performance': 'network-performance alert',
  'network-path': 'network-path alert',
  'llm-observability': 'llm-observability alert',
  'error-tracking': 'error-tracking alert',
  'error-tracking-rum': 'error-tracking alert',
  processes: 'process alert',
  error_budget: 'slo alert',
  burn_rate: 'slo alert',
};

/** The type that a query is most likely of, by how it begins; `query alert` where nothing tells. */
export function guessType(query: string): string {
  const text = query.trimStart();
  if (/^["']/.test(text)) return 'service check';
  if (/^[(!\s]*\d/.test(text)) return 'composite';
  if (/^formula\b/.test(text))
    return /\.(?:current|change|anomaly|forecast)\s*\(|\.last\(\s*["']?\d+d/.test(text) ? 'cost alert' : 'query alert';
  const word = /^([a-z_-]+)\s*\(/.exec(text)?.[1] ?? '';
  return Object.hasOwn(bySource, word) ? (bySource[word] as string) : 'query alert';
}
