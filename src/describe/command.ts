import type { Call } from '../api/endpoint.ts';
import { hideSecrets } from '../api/secrets.ts';
import { stringifyExact } from '../lib/json.ts';
import type { VocabularyContext } from './vocabulary-words.ts';

/** One word of a shell command, quoted where a shell would read more into it. */
export function quoteWord(word: string): string {
  return /^[\w@%+:,./][\w@%+=:,./-]*$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A command for a shell: a text, or a call that becomes one when it is written down. */
export type ShellCommand = string | Call;

/**
 * The text of a command. A call is `orgdeck call <operation> --name value … --body JSON`, in the deployment's words
 * behind the id of the operation. It carries no secret: one of the path is named by a variable (`--key env:KEY`), and a
 * body that holds one is read from standard input.
 */
export function commandLine(command: ShellCommand, { vocabulary }: VocabularyContext): string {
  if (typeof command === 'string') return command;
  const { endpoint, params, query, body } = command;
  const { secrets = [] } = endpoint;
  const places = Object.entries(params).map(([name, value]) =>
    secrets.includes(`{${name}}`) ? `--${name} env:${name.toUpperCase()}` : `--${name} ${quoteWord(value)}`,
  );
  const asked = Object.entries(vocabulary?.out.query(endpoint, query) ?? query).filter(([, value]) => value != null);
  const flags = [...places, ...asked.map(([name, value]) => `--${name} ${quoteWord(String(value))}`)];
  return ['orgdeck call', endpoint.id, ...flags, ...(body === undefined ? [] : [`--body ${bodyWord()}`])].join(' ');

  function bodyWord(): string {
    if (hideSecrets(body, secrets).count > 0) return '-';
    return quoteWord(stringifyExact(vocabulary ? vocabulary.out.body(endpoint, body) : body));
  }
}
