/**
 * `node package/commits.ts origin/main..HEAD`: the rules of commits (CONTRIBUTING.md). Prints each fault, and ends with 1 where there is one.
 */
import { execFileSync } from 'node:child_process';

/** Words that begin many subjects and say nothing of a change, or are no imperative. */
const noVerb = /^(\w+ed|\w+ing|The|A|An|Some|Various|Misc|Minor|WIP|More|New|Fixup|Squash)$/;
/** Verbs that end like these. */
const verbs = /^(Need|Feed|Seed|Embed|Speed|Shed|Bring|String|Ring)$/;

/** What is wrong with a message of a commit. */
export function commitFaults(message: string): string[] {
  const [subject = '', blank, ...body] = message.trimEnd().split('\n');
  const [first = ''] = subject.split(' ');
  return [
    ...(subject.length > 72 ? [`the subject has ${subject.length} characters: at most 72`] : []),
    ...(/^[A-Z][a-z]+$/.test(first) && (!noVerb.test(first) || verbs.test(first))
      ? []
      : [`"${first}" is no verb of change: begin with one, such as "Stop" or "Read"`]),
    ...(subject.endsWith('.') ? ['the subject ends with a period'] : []),
    ...(blank === undefined || blank === '' ? [] : ['the line behind the subject is not empty']),
    ...(body.join('').trim() === '' ? ['there is no body: say why'] : []),
  ];
}

if (import.meta.main) {
  const range = process.argv[2] ?? 'HEAD~1..HEAD';
  const log = execFileSync('git', ['log', '--no-merges', '--format=%h%n%B%x00', range], { encoding: 'utf8' });
  const faults = log
    .split('\0')
    .map((text) => text.trimStart())
    .filter((text) => text !== '')
    .flatMap((text) => {
      const [hash, ...message] = text.split('\n');
      return commitFaults(message.join('\n')).map((fault) => `${hash} ${message[0]}: ${fault}`);
    });
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
