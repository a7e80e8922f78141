import { spawn } from 'node:child_process';

/**
 * `node side-by-side.ts types lint`: runs these scripts of package.json at the same time, prints what each one says when it
 * ends, and ends with 1 when one of them fails.
 */
const ended = process.argv.slice(2).map(
  (script) =>
    new Promise<boolean>((done) => {
      const run = spawn(process.execPath, ['--run', script], { stdio: ['ignore', 'pipe', 'pipe'] });
      const said: Buffer[] = [];
      for (const stream of [run.stdout, run.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk));
      run.on('close', (code) => {
        process.stdout.write(Buffer.concat(said));
        if (code !== 0) process.stdout.write(`npm run ${script} failed\n`);
        done(code === 0);
      });
    }),
);
process.exitCode = (await Promise.all(ended)).every(Boolean) ? 0 : 1;
