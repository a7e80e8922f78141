#!/usr/bin/env node
// The first file that runs, copied to dist/orgdeck.js as it is. Its syntax is old on purpose: a Node that is too old
// for the bundle must be able to read it and say so.
var parts = process.versions.node.split('.');
var major = Number(parts[0]);
var minor = Number(parts[1]);

if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write('orgdeck needs Node 22.19 or newer, this is ' + process.versions.node + '.\n');
  process.exitCode = 1;
} else {
  import('node:module')
    .then(function (node) {
      // Compiled code is kept beside the bundle; where that cannot be written, it is compiled at each start.
      node.enableCompileCache(decodeURIComponent(new URL('./.cache', import.meta.url).pathname));
      return import('./main.js');
    })
    .catch(function (error) {
      process.stderr.write(
        'orgdeck could not start: ' + (error instanceof Error ? error.message : 'unknown cause') + '\n',
      );
      process.exitCode = 1;
    });
}
