// With `node --import`: writes the URL of each module that is loaded into the file that LOADED_MODULES names, for one of Node with
// the time in ms of the epoch, the name of each part of ICU that is asked for, whose first use loads tables for 6 to 13 ms, and, in ms of the epoch, when
// the engine of itself collected all garbage and when the terminal was given its first frame.
import fs, { appendFileSync } from 'node:fs';
import { registerHooks, syncBuiltinESMExports } from 'node:module';
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

const { writeSync } = fs;
fs.writeSync = (to, bytes, ...rest) => {
  if (Buffer.from(bytes).includes('DEMO')) {
    record(`Frame ${performance.timeOrigin + performance.now()}`);
    fs.writeSync = writeSync;
    syncBuiltinESMExports();
  }
  return writeSync(to, bytes, ...rest);
};
syncBuiltinESMExports();

const { NODE_PERFORMANCE_GC_MAJOR, NODE_PERFORMANCE_GC_FLAGS_FORCED } = constants;
new PerformanceObserver((list) => {
  for (const { detail, startTime } of list.getEntries())
    if (detail.kind === NODE_PERFORMANCE_GC_MAJOR && detail.flags !== NODE_PERFORMANCE_GC_FLAGS_FORCED)
      record(`Collection ${performance.timeOrigin + startTime}`);
}).observe({ entryTypes: ['gc'] });
