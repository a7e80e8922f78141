import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { type ParseResult, unreadable } from '../lib/function-results.ts';
import { readJsonLines } from '../lib/json-lines.ts';
import { directoryRefusal, errorCode, quotePath, readOpenFile } from '../lib/private-file.ts';
import { readKeyName } from '../lib/setting-values.ts';
import { isObject } from '../lib/values.ts';
import { type SharedSettings, settingList } from './profile.ts';

/** Something in the configuration file that is not used: its line, from 1, and what to write instead. */
export interface ConfigMistake {
  readonly line: number;
  readonly text: string;
}

/** The configuration file as far as it can be used. */
export interface ConfigFile {
  readonly path: string;
  /** False where there is none. */
  readonly exists: boolean;
  readonly config: Config;
  readonly mistakes: readonly ConfigMistake[];
  /** The line of a part of the file, by its path in the JSON; that of what is around it where it is not there. */
  lineOf(path: readonly (string | number)[]): number;
}

const line = (most: number, says: string) =>
  v.pipe(v.string(says), v.trim(), v.regex(/^[^\p{C}]+$/u, says), v.maxLength(most, says));
const names = (says: string) => v.array(v.string(says), says);

const key = v.pipe(
  v.string('write a key as text, such as "R" or "Ctrl-E"'),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const read = readKeyName(dataset.value);
    if (read.ok) return read.value;
    addIssue({ message: read.text });
    return NEVER;
  }),
);

const argument = v.pipe(v.string('write each argument as a text'), v.excludes('\0', 'an argument has no NUL'));

const command = v.strictObject(
  {
    key,
    title: line(40, 'write a title, one line of at most 40 letters'),
    argv: v.pipe(
      v.array(argument, 'write the program and its arguments as a list of texts; no shell reads it'),
      v.minLength(1, 'write the program first'),
      v.check(
        ([program]) => !/^\s*$|\{(id|name|link|service)\}/.test(program ?? 'x'),
        'the program cannot be a placeholder',
      ),
      v.check(
        (all) => all.every((part) => !/\{(?!(?:id|name|link|service)\})\w*\}/.test(part)),
        'the placeholders are {id}, {name}, {link} and {service}',
      ),
    ),
    screens: v.optional(names('write a list of screens, such as ["issues", "monitors"]')),
    confirm: v.optional(v.boolean('confirm is true or false'), false),
    output: v.optional(v.picklist(['view', 'none'], 'output is "view" or "none"'), 'view'),
  },
  (issue) =>
    issue.expected === 'never'
      ? 'is not a member of a command: key, title, argv, screens, confirm and output are'
      : 'a command is an object with key, title and argv',
);

/** Members with one value, and the schema of each. */
const single = new Map<string, v.GenericSchema>(
  settingList.flatMap(([name, { home, schema }]) => (home === 'shared' ? [[name, schema]] : [])),
);

/** Members with several entries: a wrong one is left out alone. */
const several = {
  keys: { entry: key, shape: 'object', says: 'keys is an object: {"issues.resolve": "R"}' },
  columns: {
    entry: names('write a list of columns, such as ["state", "name"]'),
    shape: 'object',
    says: 'columns is an object: {"monitors": ["state", "name"]}',
  },
  commands: { entry: command, shape: 'array', says: 'commands is a list of objects with key, title and argv' },
} as const;

/** The schemas of all members but `version`. */
export const configSchemas = { single, several };

/** A command of a person's own; `at` is its place in the file, from 0. */
export type ConfigCommand = v.InferOutput<typeof command> & { readonly at: number };

/** What the file says; what it does not say is left to profiles and to what holds by default. */
export interface Config extends SharedSettings {
  /** Keys as the keyboard names them, by the id of their action. */
  readonly keys: Readonly<Record<string, string>>;
  /** Ids of columns in their order, by the id of their list. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  readonly commands: readonly ConfigCommand[];
}

/** The configuration of nothing. */
export const emptyConfig: Config = { keys: {}, columns: {}, commands: [] };

/** The path of the configuration file, beside the profiles. */
export const configPath = (directory: string): string => join(directory, 'config.json');

/** Reads the configuration file of a directory. A file that cannot be used is one mistake, a missing one is none. */
export async function openConfigFile(directory: string): Promise<ConfigFile> {
  const path = configPath(directory);
  const text = await readText(path);
  if (!text.ok) return { path, exists: true, ...unused(1, text.text) };
  if (text.value === undefined) return { path, exists: false, config: emptyConfig, mistakes: [], lineOf: () => 1 };
  return { path, exists: true, ...readConfig(text.value) };
}

/** Reads the text of a configuration file: each mistake is told with its line, and what it is about is left out. */
export function readConfig(text: string): Pick<ConfigFile, 'config' | 'mistakes' | 'lineOf'> {
  const json = readJsonLines(withoutComments(text));
  if (!json.ok) return unused(json.line, `this is not JSON: ${json.text}`);
  const { value: file, lineOf } = json;
  if (!isObject(file)) return unused(1, 'the file is one object: {"version": 1, "keys": {…}}');
  const mistakes: ConfigMistake[] = json.duplicates.map((path) => ({
    line: lineOf(path),
    text: `${nameOf(path)} is there twice: this one is used`,
  }));
  if (file.version !== 1) {
    const isNewer = typeof file.version === 'number' && file.version > 1;
    if (isNewer) return unused(lineOf(['version']), 'version: this orgdeck reads version 1: write "version": 1');
    mistakes.push({ line: lineOf(['version']), text: 'version: write "version": 1' });
  }

  const entry = <const S extends v.GenericSchema>(schema: S, value: unknown, path: readonly (string | number)[]) => {
    const read = v.safeParse(schema, value);
    if (read.success) return [read.output];
    for (const issue of read.issues) {
      const inside = (issue.path ?? []).map((part) => part.key as string | number);
      // A member that is missing is told with what belongs there.
      mistakes.push({
        line: lineOf([...path, ...inside]),
        text: `${nameOf([...path, ...inside])}: ${missing(issue, inside) ?? issue.message}`,
      });
    }
    return [];
  };

  const config: Record<string, unknown> = { ...emptyConfig };
  const readEntries = (name: keyof typeof several, value: unknown): void => {
    const { entry: schema, shape, says: describe } = several[name];
    if (shape === 'array' && Array.isArray(value))
      config[name] = value.flatMap((one, at) =>
        entry(schema, one, [name, at]).map((read) => ({ ...(read as object), at })),
      );
    else if (shape === 'object' && isObject(value))
      config[name] = Object.fromEntries(
        Object.entries(value).flatMap(([id, one]) => entry(schema, one, [name, id]).map((read) => [id, read])),
      );
    else mistakes.push({ line: lineOf([name]), text: `${name}: ${describe}` });
  };
  for (const [name, value] of Object.entries(file)) {
    if (name === 'version' || name === '$schema') continue;
    const schema = single.get(name);
    if (schema) {
      const [read] = entry(schema, value, [name]);
      if (read !== undefined) config[name] = read;
    } else if (Object.hasOwn(several, name)) {
      readEntries(name as keyof typeof several, value);
    } else {
      const all = [...single.keys(), ...Object.keys(several)].join(', ');
      mistakes.push({ line: lineOf([name]), text: `${name}: there is no such member: there are version, ${all}` });
    }
  }
  return { config: config as unknown as Config, mistakes: inOrder(mistakes), lineOf };
}

/** Spaces in the place of comments and of a byte order mark, so that all else keeps its line. */
const withoutComments = (text: string): string =>
  text.replace(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|^\ufeff/g, (part) =>
    part.startsWith('"') ? part : part.replace(/[^\n]/g, ' '),
  );

/** Mistakes in the order of their lines. */
export const inOrder = (mistakes: readonly ConfigMistake[]): readonly ConfigMistake[] =>
  mistakes.toSorted((one, other) => one.line - other.line);

/** A path as a person finds it: `commands[2].key`. */
const nameOf = (path: readonly (string | number)[]): string =>
  path.reduce<string>((name, part) => {
    if (typeof part === 'number') return `${name}[${part}]`;
    return name === '' ? part : /^\w+$/.test(part) ? `${name}.${part}` : `${name}["${part}"]`;
  }, '');

const wanted: Readonly<Record<string, string>> = { key: '"key": "L"', title: '"title": "logs"', argv: '"argv": ["…"]' };

function missing(issue: v.BaseIssue<unknown>, inside: readonly (string | number)[]): string | undefined {
  const member = wanted[String(inside.at(-1))];
  return issue.received === 'undefined' && member !== undefined ? `this is missing: write ${member}` : undefined;
}

const unused = (at: number, text: string): Pick<ConfigFile, 'config' | 'mistakes' | 'lineOf'> => ({
  config: emptyConfig,
  mistakes: [{ line: at, text }],
  lineOf: () => 1,
});

/**
 * The text of the file; undefined where there is none. Others may read it, and a link to it is followed, but what others
 * may write in, or exchange, is not used: it names programs to run.
 */
async function readText(path: string): Promise<ParseResult<string | undefined>> {
  const isNone = (error: unknown) => (errorCode(error) === 'ENOENT' ? undefined : path);
  const place = await realpath(path).catch(isNone);
  if (place === undefined) return { ok: true, value: undefined };
  const refused = (await directoryRefusal(path)) ?? (await directoryRefusal(place));
  if (refused !== undefined) return unreadable(refused);
  return readOpenFile(path, 'the file', undefined, ({ uid, mode }) => {
    if (![0, process.geteuid?.()].includes(uid)) return `the file belongs to uid ${uid}, so it is not used`;
    if ((mode & 0o022) === 0) return undefined;
    return `others can write to the file, so it is not used: run  chmod go-w ${quotePath(path)}`;
  });
}
