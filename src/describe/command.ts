import type { Call } from '../api/endpoint.ts';
import { hideSecrets } from '../api/secrets.ts';
import { stringifyExact } from '../lib/json.ts';

/** One word of a shell command, quoted where a shell would read more into it. */
export function quoted(word: string): string {
  return /^[\w@%+:,./][\w@%+=:,./-]*$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * The shell command that sends a call: `orgdeck call <operation> --name value … --body JSON`. It carries no secret: one
 * of the path is named by a variable (`--key env:KEY`), and a body that holds one is read from standard input.
 */
export function callCommand(it: Call): string {
  const { secrets = [] } = it.endpoint;
  const params = Object.entries(it.params).map(([name, value]) =>
    secrets.includes(`{${name}}`) ? `--${name} env:${name.toUpperCase()}` : `--${name} ${quoted(value)}`,
  );
  const query = Object.entries(it.query).filter(([, value]) => value != null);
  const flags = [...params, ...query.map(([name, value]) => `--${name} ${quoted(String(value))}`)];
  const body = it.body === undefined ? [] : [`--body ${bodyWord(it)}`];
  return ['orgdeck call', it.endpoint.id, ...flags, ...body].join(' ');
}

const bodyWord = ({ body, endpoint }: Call): string =>
  hideSecrets(body, endpoint.secrets).count > 0 ? '-' : quoted(stringifyExact(body));
