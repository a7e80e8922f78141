#!/usr/bin/env node
// The first file that runs, which becomes dist/orgdeck.js. Its syntax is old on purpose: a Node that is too old
// for the bundle must be able to read it and say so.
// Without a listener Node opens its inspector at this signal: anybody with this account, or a web page that finds the
// port, could then read the keys. A flag (--disable-sigusr1) would need a second start.
process.on('SIGUSR1', function () {});

var fs = require('fs');
var os = require('os');
var path = require('path');

var parts = process.versions.node.split('.');
var major = Number(parts[0]);
var minor = Number(parts[1]);

if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    'orgdeck needs Node 22.19 or newer, this is ' +
      process.versions.node +
      ': install a newer Node, or, in a checkout, start it with npm start, which uses its own.\n',
  );
  process.exitCode = 1;
} else {
  try {
    launch().catch(cannotStart);
  } catch (error) {
    cannotStart(error);
  }
}

/** Runs the bundle with the code that an earlier run has compiled; the bundle keeps it. */
function launch() {
  var vm = require('vm');
  var main = path.join(__dirname, 'main.js');
  var files = compiledCode();
  // The dashboard is started without a command. Either has compiled little that the other needs.
  var both = /^(-|$)/.test(process.argv[2] || '') ? ['dashboard', 'command'] : ['command', 'dashboard'];
  if (both[0] === 'dashboard') collectFirst(vm);
  var kept = files && (readCode(files, both[0]) || readCode(files, both[1]));
  var script = new vm.Script(readFile(main).latin1Slice(), {
    filename: main,
    cachedData: kept ? kept.code : undefined,
  });
  var bundle = { exports: {} };
  var keptBy = kept && !script.cachedDataRejected ? kept.by : undefined;
  script.runInThisContext()(require, bundle, files && { script: script, files: files, keptBy: keptBy });
  return bundle.exports.started;
}

/**
 * Collects the garbage of a heap that is almost empty, in 4 ms, after which V8 lets it grow to 80 MB before it collects everything again.
 * Its own limit sinks with each collection of young objects until it is 8 MB above what is alive, so a start would collect
 * everything before its first rows, in 25 ms, although nearly all of it is alive.
 */
function collectFirst(vm) {
  var setFlag = require('v8').setFlagsFromString;
  setFlag('--heap-growing-percent=1500');
  setFlag('--expose-gc');
  vm.runInNewContext('typeof gc === "function" && gc()');
  // V8 takes compiled code only under the flags under which it was kept.
  setFlag('--no-expose-gc');
  setFlag('--heap-growing-percent=0');
}

function cannotStart(error) {
  process.stderr.write('orgdeck could not start: ' + (error instanceof Error ? error.message : 'unknown cause') + '\n');
  process.exitCode = 1;
}

function readCode(files, by) {
  try {
    return { by: by, code: readFile(files[by]) };
  } catch (_) {
    return undefined;
  }
}

/**
 * The file, in pages of its own, as a buffer has them that can grow. Where 2 MB that are malloc's are freed, malloc gives nothing smaller
 * back to the system from then on, and each thread keeps twice as much.
 */
function readFile(name) {
  var file = fs.openSync(name);
  var size = fs.fstatSync(file).size;
  var bytes = Buffer.from(new ArrayBuffer(size, { maxByteLength: size }));
  var read = fs.readSync(file, bytes);
  fs.closeSync(file);
  if (read < size) throw new Error('cut');
  return bytes;
}

/**
 * The files of this build's compiled code, in this account's cache and writable for nobody else: compiled code that another
 * account could have written is not run. The first start of a build removes those not begun within a day. Undefined where nothing can
 * be kept: the code is compiled at each start.
 */
function compiledCode() {
  var place = '';
  var version = process.version + '-' + process.arch;
  try {
    place = ownPlace();
  } catch (_) {
    return undefined;
  }
  return { dashboard: path.join(place, version + '-dashboard'), command: path.join(place, version + '-command') };
}

/** One by one: Node's own recursive way tries for ever where a directory that exists may have none in it, as /proc does. */
function makeDirectories(place) {
  if (fs.existsSync(place)) return;
  if (path.dirname(place) !== place) makeDirectories(path.dirname(place));
  try {
    fs.mkdirSync(place, 448);
  } catch (error) {
    // Another run may have made it in between.
    if (error.code !== 'EEXIST') throw error;
  }
}

function ownPlace() {
  var build = 'code-' + 'unbuilt';
  var env = process.env;
  var usual = path.join(os.homedir(), process.platform === 'darwin' ? 'Library/Caches' : '.cache');
  if (process.platform === 'win32' && env.LOCALAPPDATA) usual = env.LOCALAPPDATA;
  // XDG base directory specification: relative paths are ignored.
  var own = path.join(path.isAbsolute(env.XDG_CACHE_HOME || '') ? env.XDG_CACHE_HOME : usual, 'orgdeck');
  if (!path.isAbsolute(own)) throw new Error('no home');
  var place = path.join(own, build);
  if (!fs.existsSync(place)) {
    makeDirectories(place);
    fs.readdirSync(own).forEach(function (name) {
      var other = path.join(own, name);
      if (/^code-/.test(name) && fs.statSync(other).mtimeMs < Date.now() - 86400000)
        fs.rmSync(other, { recursive: true, force: true });
    });
  }
  [own, place].forEach(function (directory) {
    var found = fs.statSync(directory);
    if (process.getuid && (found.uid !== process.getuid() || (found.mode & 18) !== 0))
      throw new Error('not ours alone');
  });
  return place;
}
