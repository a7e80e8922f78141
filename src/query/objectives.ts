import {
  type Chain,
  type ChainArgument,
  chainDiagnostics,
  chainOutline,
  findStep,
  printChain,
  readChain,
} from './chain.ts';
import { type Diagnostic, doubtful, type Language, wrong } from './language.ts';
import { objectiveOffers } from './offer-table.ts';
import { objectiveShapes } from './query-shapes.ts';
import { day, hour, toMinutes } from './window-lengths.ts';

/** `error_budget("a").over("30d") > 75`, and burn rates (docs/contract/monitor-queries.md#slo). */
export interface Objective extends Chain {
  readonly kind: 'objective';
  /** The id of the SLO. */
  readonly objective: ChainArgument | undefined;
  /** The time of the SLO. */
  readonly window: ChainArgument | undefined;
  readonly longWindow: ChainArgument | undefined;
  readonly shortWindow: ChainArgument | undefined;
}

/** Times that an SLO can have (docs/contract/monitor-queries.md#slo). */
const windows = ['7d', '30d', '90d'];
/** The largest burn rate that a target of four nines leaves; larger targets are rare (docs/contract/monitor-queries.md#slo). */
const fastest = 10_000;

const isBurnRate = ({ source }: Chain): boolean => source.text === 'burn_rate';

function idDiagnostics({ source, objective }: Objective): Diagnostic[] {
  if (objective && objective.text.trim() !== '') return [];
  return [wrong(objective ?? source, 'the id of the SLO is missing', `write ${source.text}("…") with its id`)];
}

function overDiagnostics(tree: Objective): Diagnostic[] {
  const { window } = tree;
  const hint = 'write 7d, 30d or 90d';
  if (!window) {
    const place = findStep(tree, 'over') ?? tree.source;
    return [wrong(place, 'the time window of the SLO is missing', 'write .over("30d")')];
  }
  if (window.flaw || windows.includes(window.text)) return [];
  if (window.text.trim() === '') return [wrong(window, 'the time window of the SLO is empty', hint)];
  const sure = toMinutes(window.text) !== undefined && !isBurnRate(tree);
  return [(sure ? wrong : doubtful)(window, `${window.text} is not a time window of an SLO`, hint)];
}

function burnDiagnostics(tree: Objective): Diagnostic[] {
  if (!isBurnRate(tree)) return [];
  const { longWindow, shortWindow } = tree;
  const [long, short] = [longWindow, shortWindow].map((window) => toMinutes(window?.text ?? ''));
  return [
    ...oddWindow(tree, longWindow, long, 'long', '1h'),
    ...oddWindow(tree, shortWindow, short, 'short', '5m'),
    ...(longWindow && long !== undefined && (long < hour || long > 2 * day)
      ? [doubtful(longWindow, `long window ${longWindow.text} is outside 1h to 48h`, 'write 1h to 48h')]
      : []),
    ...(shortWindow && long !== undefined && short !== undefined && short >= long
      ? [
          doubtful(
            shortWindow,
            `short window ${shortWindow.text} is not shorter than ${longWindow?.text}`,
            twelfth(long),
          ),
        ]
      : []),
  ];
}

function oddWindow(
  { source }: Objective,
  window: ChainArgument | undefined,
  minutes: number | undefined,
  which: 'long' | 'short',
  such: string,
): Diagnostic[] {
  if (!window) return [doubtful(source, `a burn rate needs a ${which} window`, `write .${which}_window("${such}")`)];
  if (minutes || window.flaw) return [];
  return [doubtful(window, `${window.text || 'an empty text'} is not a window`, `write a number and m or h: ${such}`)];
}

const twelfth = (minutes: number): string => `a twelfth is usual: ${Math.max(1, Math.round(minutes / 12))}m`;

function thresholdDiagnostics(tree: Objective): Diagnostic[] {
  const { threshold } = tree.comparison;
  if (threshold.value < 0) return [doubtful(threshold, `${threshold.text} is below 0`, 'write a number above 0')];
  if (isBurnRate(tree))
    return threshold.value > fastest
      ? [doubtful(threshold, `${threshold.text} is faster than any budget burns`, 'at most 1 / (1 - target)')]
      : [];
  return threshold.value > 100
    ? [doubtful(threshold, `${threshold.text} is over 100 percent of the budget`, 'write 0 to 100')]
    : [];
}

/** SLO alerts: how much of the error budget is used up, or how fast. */
export const objective: Language<Objective> = {
  parse(text) {
    const chain = readChain(text);
    const windowOf = (name: string) => findStep(chain, name)?.list[0];
    return {
      ...chain,
      kind: 'objective',
      objective: chain.list[0],
      window: windowOf('over'),
      longWindow: windowOf('long_window'),
      shortWindow: windowOf('short_window'),
    };
  },
  print: printChain,
  rules: (tree) =>
    chainDiagnostics(tree, objectiveShapes[isBurnRate(tree) ? 'burn_rate' : 'error_budget'], () => [
      ...idDiagnostics(tree),
      ...overDiagnostics(tree),
      ...burnDiagnostics(tree),
      ...thresholdDiagnostics(tree),
    ]),
  outline: () =>
    chainOutline({ ...objectiveShapes.error_budget, monitorNoun: 'an SLO monitor' }, '("a1b2c3").over("30d") > 80'),
  offers: () => objectiveOffers,
};
