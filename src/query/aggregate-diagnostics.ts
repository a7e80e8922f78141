import { type Chain, type ChainStep, findStep, groupingStepKeys } from './chain.ts';
import { type Diagnostic, doubtful, wrong } from './language.ts';
import type { EventShape } from './query-shapes.ts';
import type { QuerySpan, Word } from './query-tree.ts';
import { orList } from './syntax.ts';
import { day, toMinutes } from './window-lengths.ts';

// What the event family and error tracking have in common: rollup, grouping, window (docs/contract/monitor-queries.md#events).

/** Rollups of the specification, with what they give; the last two need something to look at. */
export const eventRollups = { count: 'how many', avg: 'the average of a measure', cardinality: 'how many different' };

/** Undocumented rollups that services were seen to accept. */
const further = ['sum', 'min', 'max', 'median', 'pc75', 'pc90', 'pc95', 'pc98', 'pc99'];

const longest = 2 * day;

/** Diagnostics of `.rollup(…)`; a missing one is wrong only when `needed`. */
export function rollupDiagnostics(chain: Chain, shape: EventShape, needed: boolean): Diagnostic[] {
  const step = findStep(chain, 'rollup');
  if (!step)
    return needed ? [wrong(chain.source, `${shape.monitorNoun} needs a rollup`, 'write .rollup("count")')] : [];
  const [method, measure] = step.list;
  if (!method || method.text.trim() === '')
    return [wrong(method ?? step, 'the rollup has no method', `write ${orList(Object.keys(eventRollups))}`)];
  if (method.flaw) return [];
  const bare = !measure || measure.text.trim() === '';
  switch (method.text) {
    case 'count':
      return bare
        ? []
        : [doubtful(measure, 'count takes no measure', 'leave it out, or count different ones: cardinality')];
    case 'avg':
    case 'cardinality': {
      const [what, such] = method.text === 'avg' ? ['a measure', '@duration'] : ['a facet', '@usr.id'];
      return bare ? [wrong(method, `${method.text} needs ${what}`, `write .rollup("${method.text}","${such}")`)] : [];
    }
    default:
      return undocumentedRollupDiagnostics(method, shape);
  }
}

function undocumentedRollupDiagnostics(method: Word, { monitorNoun, refusedRollups }: EventShape): Diagnostic[] {
  const write = `write ${orList(Object.keys(eventRollups))}`;
  if (refusedRollups?.includes(method.text))
    return [wrong(method, `${method.text} is not a rollup of ${monitorNoun}`, write)];
  if (further.includes(method.text))
    return [doubtful(method, `${method.text} is outside the documented rollups, but may be taken`)];
  const percentile = further.find((name) => name === method.text.replace(/^p(?=\d)/, 'pc'));
  return [doubtful(method, `${method.text} is not a known rollup`, percentile ? `write ${percentile}` : write)];
}

/** Diagnostics of `.by(…)`; none when it is absent. */
export function groupDiagnostics(step: ChainStep | undefined, shape: EventShape): Diagnostic[] {
  if (!step) return [];
  const keys = groupingStepKeys(step);
  const hint = 'name a facet, or remove .by';
  const empty = step.list.find((argument) => argument.text.trim() === '');
  if (keys.length === 0 && empty) return [wrong(empty, 'the grouping is empty', hint)];
  if (keys.length === 0) return [doubtful(step, 'the grouping is empty', hint)];
  const gap = step.list.find((argument) => argument.text.split(',').some((key) => key.trim() === ''));
  const second = shape.isOneGroupText ? step.list[1] : undefined;
  const joined = `write .by("${keys.map((key) => key.text).join(',')}")`;
  const twice = keys.find((key, at) => keys.findIndex((one) => one.text === key.text) < at);
  return [
    ...(gap ? [doubtful(gap, 'a group between the commas has no name', 'remove the comma')] : []),
    ...(second ? [doubtful(second, 'groups in more than one text may be refused', joined)] : []),
    ...(twice ? [doubtful(twice, `the groups name ${twice.text} twice`, 'remove one of them')] : []),
  ];
}

/** Diagnostics of the window: 1m to 48h (docs/contract/monitor-queries.md#events). */
export function eventWindowDiagnostics(chain: Chain, shape: EventShape): Diagnostic[] {
  const step = findStep(chain, 'last', 'current');
  if (!step) return [missingWindow(chain, shape.monitorNoun)];
  const [window] = step.list;
  if (!window || window.text.trim() === '') return [emptyWindow(window ?? step)];
  if (window.flaw) return [];
  if (step.name.text === 'current')
    return ['1h', '1d', '1mo'].includes(window.text)
      ? []
      : [doubtful(window, `${window.text} is not a known current window`, 'write 1h, 1d or 1mo')];
  const minutes = toMinutes(window.text);
  if (minutes === undefined) return [strangeWindow(window, 'm, h or d: 5m, 1h, 1d')];
  const whose = `for ${plural(shape.monitorNoun)}`;
  if (minutes === 0) return [wrong(window, `window ${window.text} is under the 1m limit ${whose}`, limits)];
  if (minutes < 1) return [doubtful(window, `window ${window.text} is under the 1m limit ${whose}`, limits)];
  if (minutes <= longest) return [];
  const say = shape.overLong === 'wrong' ? wrong : doubtful;
  return [say(window, `window ${window.text} is over the 48h limit ${whose}`, limits)];
}

const limits = 'write 1m to 2880m, or 1h to 48h';

/** No step names a window. */
export const missingWindow = (chain: Chain, of: string): Diagnostic =>
  wrong(chain.steps.at(-1) ?? chain.source, `${of} needs a window`, 'add .last("5m") after it');

/** A step names a window, and it is empty. */
export const emptyWindow = (place: QuerySpan): Diagnostic => wrong(place, 'the window is empty', 'write .last("5m")');

/** Diagnostic for text that is not a window; fractions of a unit are undocumented but may be accepted. */
export const strangeWindow = (window: Word, units: string): Diagnostic =>
  (/^\d*\.\d+[a-z]+$/.test(window.text) ? doubtful : wrong)(
    window,
    `${window.text} is not a window`,
    `write a number and ${units}`,
  );

const plural = (of: string): string => `${of.replace(/^an? /, '')}s`;
