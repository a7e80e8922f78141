// With `node --import`: writes the URL of each module that is loaded into the file that LOADED_MODULES names.
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

registerHooks({
  load(url, context, next) {
    if (process.env.LOADED_MODULES) appendFileSync(process.env.LOADED_MODULES, `${url}\n`);
    return next(url, context);
  },
});
