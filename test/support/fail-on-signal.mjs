// Loaded before the built program: at SIGUSR2 it does what TEST_FAULT says, as a mistake of the program would.
import { writeFileSync } from 'node:fs';

const kept = [];
const faults = {
  timer: () => setTimeout(() => fail('thrown in a timer')),
  listener() {
    process.stdin.once('data', () => fail('thrown in a listener'));
    process.stdin.emit('data', Buffer.from('j'));
  },
  promise: () => void Promise.reject(new Error('rejected by nobody')),
  text: () => void Promise.reject('only a \u001B]52;c;QQ==\u0007text'),
  drawing() {
    // What compares a row of a frame with the one that is shown.
    Int32Array.prototype.fill = () => fail('thrown while drawing');
    process.stdin.emit('data', Buffer.from('j'));
  },
  calls: () => setTimeout(deeper),
  exit: () => process.exit(7),
  stuck: () => process.kill(process.pid, 'SIGTERM'),
  abort: () => process.abort(),
  memory() {
    for (;;) kept.push(Array(100_000).fill(String(kept.length)));
  },
  loop() {
    for (;;);
  },
  // No fault: says how much memory is in use, after all that can be freed has been.
  measure() {
    globalThis.gc();
    const { heapUsed, external, arrayBuffers } = process.memoryUsage();
    writeFileSync(process.env.TEST_MEASURED, String(heapUsed + external + arrayBuffers));
  },
  hangup: () => process.stdin.emit('end'),
  lost: () => process.stdin.emit('error', Object.assign(new Error('read EIO'), { code: 'EIO' })),
};

function fail(text) {
  throw new Error(text);
}

function deeper() {
  return deeper() + 1;
}

// Before libraries keep what Node has.
if (process.env.TEST_FAULT === 'stuck')
  process.reallyExit = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);

process.on('SIGUSR2', () => faults[process.env.TEST_FAULT]());
