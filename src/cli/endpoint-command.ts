import { Command, InvalidArgumentError, Option } from 'commander';
import * as v from 'valibot';
import { screens } from '../../screens/index.ts';
import { endpoints } from '../api/all-endpoints.ts';
import { type AnySchema, type Endpoint, entriesOf, isRead, pathNames } from '../api/endpoint.ts';
import { findPaging } from '../api/paging.ts';
import { answersSecret, schemaShape } from '../api/vocabulary/schema-shape.ts';
import type { Translator } from '../api/vocabulary/translator.ts';
import type { Flags } from '../profiles/resolve-settings.ts';
import type { Ports } from './command-ports.ts';
import { withGlobals } from './flags.ts';
import { complain, type Exit, exits, safeJson, tell } from './io.ts';
import { envelope } from './output/formats.ts';

/** What was given to the command of an operation, as typed. */
export interface CallFlags {
  /** Texts by the name of the path or the query; a list has several. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** JSON text, `-` for standard input, or `@` and the path of a file. */
  readonly body?: string;
  readonly reveal: boolean;
  readonly secretFile?: string;
  readonly paginate: boolean;
}

/** The names that an operation takes: those of its path, then those of its query. */
const namesOf = (endpoint: Endpoint): readonly string[] => [
  ...pathNames(endpoint.path),
  ...Object.keys(entriesOf(endpoint.query)),
];

const isListSchema = (schema: AnySchema): boolean => takes(schema, ['x']) || takes(schema, [1]);
const takes = (schema: AnySchema, value: unknown): boolean => v.safeParse(schema, value).success;

/** Whether a call is impossible without this name: every name of the path is needed. */
function isRequired(endpoint: Endpoint, name: string): boolean {
  const schema = entriesOf(endpoint.query)[name];
  return schema === undefined || !takes(schema, undefined);
}

/** How an operation is called, in one line. */
function formatUsage(endpoint: Endpoint): string {
  const names = namesOf(endpoint).map((name) =>
    isRequired(endpoint, name) ? ` --${name} VALUE` : ` [--${name} VALUE]`,
  );
  return `orgdeck call ${endpoint.id}${names.join('')}${endpoint.body ? ' --body JSON|-|@FILE' : ''}`;
}

/** Kept apart from the flags of every command, whatever a name is. */
const kept = (name: string): string => `name ${name}`;

/** An option for a name of the path or the query. What is given is collected, so that a list takes several. */
class NameOption extends Option {
  readonly #name: string;
  constructor(flag: string, says: string, name: string, isList: boolean) {
    super(`--${flag} <value>`, says);
    this.#name = name;
    this.argParser((text: string, before: readonly string[] = []) => {
      if (before.length > 0 && !isList) throw new InvalidArgumentError('It can be given once only.');
      return [...before, text];
    });
  }
  override attributeName(): string {
    return kept(this.#name);
  }
}

/**
 * The command of one operation, made from its endpoint. Its words are the deployment's where `words` are given. The word
 * after an option is its value whatever it looks like, because ids may begin with a dash. An underscore of a name may be
 * typed as a dash.
 */
export function endpointCommand(
  endpoint: Endpoint,
  act: (flags: CallFlags, command: Command) => Promise<void>,
  words?: Translator,
): Command {
  const query = entriesOf(endpoint.query);
  const command = new Command(endpoint.id)
    .description(words?.says(endpoint.title) ?? endpoint.title)
    .usage(formatUsage(endpoint).replace(`orgdeck call ${endpoint.id}`, '').trim() || '[options]')
    .addHelpText('after', `\n${about(endpoint, words)}`);
  // Checked by ourselves: of an option with a typing error commander would only say that it is missing.
  const needed: Option[] = [];
  for (const name of namesOf(endpoint)) {
    // A name of the path has none.
    const schema = query[name];
    const isList = schema !== undefined && isListSchema(schema);
    const isNeeded = isRequired(endpoint, name);
    const help = schema ? querySays(endpoint, name, schema, isList, words) : pathSays(endpoint, name);
    const option = new NameOption(name, withNeed(help, isNeeded), name, isList);
    command.addOption(option);
    if (isNeeded) needed.push(option);
    const other = name.replaceAll('_', '-');
    if (other !== name) command.addOption(new NameOption(other, help, name, isList).hideHelp());
  }
  if (endpoint.body) {
    const isNeeded = !takes(endpoint.body, undefined);
    const says = 'JSON, - for standard input, @FILE for a file';
    const option = new Option('--body <json>', withNeed(says, isNeeded));
    command.addOption(option);
    if (isNeeded) needed.push(option);
  }
  if (findPaging(endpoint)) command.option('--paginate', 'every page, joined into one answer');
  if (endpoint.secrets?.some((place) => !place.startsWith('{')))
    command.option('--reveal', 'print the secrets of the answer instead of masking them');
  if (answersSecret(endpoint))
    command.option('--secret-file <file>', 'write the secret into this new file (0600), and print the rest');
  return withGlobals(command, isRead(endpoint) ? ['organization'] : ['organization', 'edit']).action(
    async (given: Record<string, unknown>, self: Command) => {
      const lacking = needed.filter((option) => given[option.attributeName()] === undefined);
      if (lacking.length > 0)
        self.error(`${lacking.map(({ flags }) => flags).join(' and ')} missing: ${formatUsage(endpoint)}`);
      await act(readFlags(endpoint, given), self);
    },
  );
}

/** The flags of a call among the options that commander has read. */
function readFlags(endpoint: Endpoint, given: Readonly<Record<string, unknown>>): CallFlags {
  const values = namesOf(endpoint).flatMap((name): [string, readonly string[]][] => {
    const texts = given[kept(name)];
    return Array.isArray(texts) ? [[name, texts]] : [];
  });
  const { body, secretFile } = given;
  return {
    values: new Map(values),
    ...(typeof body === 'string' ? { body } : {}),
    ...(typeof secretFile === 'string' ? { secretFile } : {}),
    reveal: given.reveal === true,
    paginate: given.paginate === true,
  };
}

function about(endpoint: Endpoint, words: Translator | undefined): string {
  const { method, permission, deprecated } = endpoint;
  const needs = permission.map((name) => words?.permission(name) ?? name);
  return [
    `${method} ${words?.path(endpoint) ?? endpoint.path}`,
    `Needs: ${needs.join(', ') || 'any valid keys'}. ${isRead(endpoint) ? 'It only reads.' : 'It edits.'}`,
    ...(endpoint.origin === 'addition' ? ['A deployment may not offer it.'] : []),
    ...(deprecated ? [`Deprecated: ${words?.says(deprecated) ?? deprecated}`] : []),
  ].join('\n');
}

const withNeed = (says: string, isNeeded: boolean): string =>
  [says, isNeeded ? 'required' : ''].filter(Boolean).join('; ');

const pathSays = (endpoint: Endpoint, name: string): string =>
  endpoint.secrets?.includes(`{${name}}`) ? 'a secret: env:VARIABLE names the variable that holds it' : 'an id';

/** The kind of value, and the values that are known: a deployment may have others. */
function querySays(
  endpoint: Endpoint,
  name: string,
  schema: AnySchema,
  isList: boolean,
  words: Translator | undefined,
): string {
  const { text, item } = schemaShape(schema);
  const knownWords = (text ?? item?.text)?.known.map((word) =>
    String(words ? Object.values(words.out.query(endpoint, { [name]: word }))[0] : word),
  );
  const kind = takes(schema, true) ? 'true or false' : takes(schema, 1) && !takes(schema, 'x') ? 'a number' : '';
  const list = isList ? 'repeatable, or separated by commas' : '';
  return [kind, knownWords?.length ? `known values: ${knownWords.join(', ')}` : '', list].filter(Boolean).join('; ');
}

/** `orgdeck call --list`: every operation with its origin, screens and permission; as JSON with all that is known of it. */
export async function listOperations(ports: Ports, flags: Flags, asJson: boolean): Promise<Exit> {
  const { io } = ports;
  const here = endpoints.map(await namedFor(ports, flags));
  if (asJson) {
    io.out(`${safeJson(envelope(here.map(operation)))}\n`);
    return exits.done;
  }
  const rows = here.map((endpoint) => [
    endpoint.id,
    endpoint.method,
    endpoint.origin,
    screensOf(endpoint).join(',') || '-',
    endpoint.permission.join(',') || '-',
    endpoint.path,
    endpoint.title,
  ]);
  const widths = [0, 1, 2, 3, 4].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  tell(
    io,
    rows.map((row) => row.map((text, at) => text.padEnd(widths[at] ?? 0)).join('  ')),
  );
  return exits.done;
}

/** An operation with path, permissions and title in the deployment's words; its id is not translated. */
async function namedFor({ io, resolve }: Ports, flags: Flags): Promise<(endpoint: Endpoint) => Endpoint> {
  const settings = await resolve(flags);
  if (!settings.ok) complain(io, settings.text);
  const words = settings.ok ? settings.value.words : undefined;
  if (!words) return (endpoint) => endpoint;
  const { path, permission, says: describe } = words;
  return (endpoint) => ({
    ...endpoint,
    path: path(endpoint),
    permission: endpoint.permission.map(permission),
    title: describe(endpoint.title),
    ...(endpoint.deprecated === undefined ? {} : { deprecated: describe(endpoint.deprecated) }),
  });
}

/** The screens whose lists read with an operation, or whose actions use it. */
function screensOf({ id }: Endpoint): string[] {
  const has = (some: readonly Endpoint[] = []) => some.some((endpoint) => endpoint.id === id);
  return screens
    .filter((screen) => screen.lists.some((list) => has(list.reads) || list.actions.some((one) => has(one.uses))))
    .map((screen) => screen.id);
}

const operation = (endpoint: Endpoint) => ({
  id: endpoint.id,
  title: endpoint.title,
  method: endpoint.method,
  path: endpoint.path,
  permission: endpoint.permission,
  origin: endpoint.origin,
  repeat: endpoint.repeat,
  screens: screensOf(endpoint),
  usage: formatUsage(endpoint),
  deprecated: endpoint.deprecated ?? null,
});
