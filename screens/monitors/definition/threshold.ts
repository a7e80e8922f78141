const number = String.raw`[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?`;
const ending = new RegExp(String.raw`(?:<=|>=|==|!=|<|>)\s*(${number})\s*$`);

/**
 * The number that a query ends in, behind its operator; undefined where it ends otherwise
 * (docs/contract/monitor-queries.md#common-rules). The
 * grammars know it as well, but what is sent must not wait for them.
 */
export function readThreshold(query: string): number | undefined {
  const found = ending.exec(query)?.[1];
  return found === undefined ? undefined : Number(found);
}
