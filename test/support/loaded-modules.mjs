// With `node --import`: writes the URL of each module that is loaded into the file that LOADED_MODULES names, for one of Node with
// the time in ms of the epoch, the name of each part of ICU that is asked for, whose first use loads tables for 6 to 13 ms, and when the engine of itself
// collected all garbage, in ms of the epoch.
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { constants, PerformanceObserver } from 'node:perf_hooks';

const record = (line) => {
  if (process.env.LOADED_MODULES) appendFileSync(process.env.LOADED_MODULES, `${line}\n`);
};

registerHooks({
  load(url, context, next) {
    record(url.startsWith('node:') ? `${url} ${Date.now()}` : url);
    return next(url, context);
  },
});

for (const name of ['Segmenter', 'Collator', 'DateTimeFormat', 'NumberFormat'])
  Intl[name] = new Proxy(Intl[name], {
    construct(made, given) {
      record(`Intl.${name}`);
      return Reflect.construct(made, given);
    },
    apply(made, self, given) {
      record(`Intl.${name}`);
      return Reflect.apply(made, self, given);
    },
  });

const { NODE_PERFORMANCE_GC_MAJOR, NODE_PERFORMANCE_GC_FLAGS_FORCED } = constants;
new PerformanceObserver((list) => {
  for (const { detail, startTime } of list.getEntries())
    if (detail.kind === NODE_PERFORMANCE_GC_MAJOR && detail.flags !== NODE_PERFORMANCE_GC_FLAGS_FORCED)
      record(`Collection ${performance.timeOrigin + startTime}`);
}).observe({ entryTypes: ['gc'] });
