// With `node --import`: each stretch of the main thread without a pause, as `epoch CPU-milliseconds`, into the file that BLOCKS names.
import { appendFileSync } from 'node:fs';

const least = 5;
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
let before = cpuMs();
const look = () => {
  const now = cpuMs();
  if (now - before > least) appendFileSync(process.env.BLOCKS, `${Date.now()} ${(now - before).toFixed(0)}\n`);
  before = cpuMs();
  setTimeout(look, 1).unref();
};
if (process.env.BLOCKS) look();
