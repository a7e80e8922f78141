#!/usr/bin/env node
// The first file that runs, which becomes dist/orgdeck.js. Its syntax is old on purpose: a Node that is too old
// for the bundle must be able to read it and say so.
// Without a listener Node opens its inspector at this signal: anybody with this account, or a web page that finds the
// port, could then read the keys. A flag (--disable-sigusr1) would need a second start.
process.on('SIGUSR1', function () {});

var parts = process.versions.node.split('.');
var major = Number(parts[0]);
var minor = Number(parts[1]);

if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    'orgdeck needs Node 22.19 or newer, this is ' +
      process.versions.node +
      ': install a newer Node, or take the archive that brings its own; in a checkout, npm start uses its own.\n',
  );
  process.exitCode = 1;
} else {
  require('./start.js')
    .runBundle()
    .catch(function (error) {
      process.stderr.write(
        'orgdeck could not start: ' + (error instanceof Error ? error.message : 'unknown cause') + '\n',
      );
      process.exitCode = 1;
    });
}
