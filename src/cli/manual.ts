import type { Argument, Command, Option } from 'commander';

/** What happened, by exit code; docs/environment.md has the same table. */
export const exitTexts: readonly (readonly [code: number, text: string])[] = [
  [0, 'done, or so already'],
  [1, 'failed, refused, or answered no; `query check`, `config check` and `doctor` found something wrong'],
  [2, 'usage: wrong command line, or no terminal to ask on'],
  [
    3,
    'incomplete: some data was not read, some rows were not edited, a monitor is still muted after `unmute`, or others have changed since what was to be undone',
  ],
  [4, 'a key or permission is missing, or a key was not accepted'],
  [5, 'an edit was sent and its outcome is unknown: check it before you repeat it'],
  [
    78,
    'refused to start, because the environment is unsafe: certificates would not be checked, requests would be printed, or there is no home directory',
  ],
  [129, 'the terminal closed (SIGHUP)'],
  [130, 'Ctrl-C'],
  [131, 'SIGQUIT'],
  [137, 'killed (SIGKILL), for example by its own watcher after a hang'],
  [143, 'terminated (SIGTERM)'],
];

/** The variables that most people meet; docs/environment.md has all. */
const variables: readonly (readonly [name: string, text: string])[] = [
  ['ORGDECK_PROFILE', 'name of the profile to use'],
  ['ORGDECK_BASE_URL', 'address of the deployment, for a run without a profile'],
  ['ORGDECK_API_KEY, ORGDECK_APP_KEY', 'the two keys for such a run'],
  ['ORGDECK_VOCABULARY', "file with the deployment's own words"],
  ['ORGDECK_CONFIG_DIR', 'one directory for profiles, configuration and journal'],
  ['HTTPS_PROXY, ALL_PROXY, NO_PROXY', 'the proxy, and hosts to reach without it'],
  ['TZ, NO_COLOR, PAGER, EDITOR, BROWSER', 'as in other programs'],
];

const files: readonly (readonly [path: string, text: string])[] = [
  ['~/.config/orgdeck/profiles.json', 'the profiles, readable by you alone'],
  ['~/.config/orgdeck/config.json', 'keys, columns and commands of your own'],
  ['~/.local/state/orgdeck/journal.jsonl', 'every edit, before it is sent and after'],
];

/** Command lines by the name of a group; the help of the program has its own. */
const examples: Readonly<Record<string, readonly string[]>> = {
  monitors: [
    "orgdeck monitors list --query 'status:alert'",
    "orgdeck monitors mute 41001 --for 1h --reason 'deployment'",
    'orgdeck monitors get 41005 -o yaml',
  ],
  issues: [
    'orgdeck issues list --json id,name,count --limit 5',
    'orgdeck issues list --limit 2 --fields id | orgdeck issues acknowledge -',
  ],
  integrations: ['orgdeck integrations a list -o json'],
  service: ['orgdeck service checkout-api'],
  query: [
    `orgdeck query check 'logs("*").index("main").rollup("count").last("5m") > 100'`,
    'orgdeck query check --help',
  ],
  profiles: ['orgdeck profiles add beta --base-url https://api.example.test --production', 'orgdeck profiles list'],
  config: ['orgdeck config path', 'orgdeck config check'],
  vocabulary: ['orgdeck vocabulary check --help'],
};

/**
 * The manual page of a program in roff, from its commands, or of one group of them: `orgdeck man monitors`. `closing` is what the help says
 * at its end: of settings, and examples. Commands of a group stand in the page of the program by name alone.
 */
export function manualPage(root: Command, version: string, closing: string, group?: Command): string {
  const name = root.name();
  const shown = group ?? root;
  const page = group ? `${name}-${group.name()}` : name;
  const globals = new Set(visible(root).map(({ long }) => long));
  const path = group ? [group.name()] : [];
  const [summary = '', ...description] = shown.description().split('\n\n');
  const lines = [
    `.TH ${page.toUpperCase()} 1 "" "${name} ${version}" "User Commands"`,
    '.SH NAME',
    `${page} \\- ${plain(summary)}`,
    '.SH SYNOPSIS',
    `.B ${[name, ...path].join(' ')}`,
    '[options] [command]',
    ...description.flatMap((text) => ['.SH DESCRIPTION', plain(text)]),
    ...(group ? [] : ['.SH OPTIONS', plain(aboutFlags), ...visible(root).flatMap(optionLines)]),
    '.SH COMMANDS',
    ...leaves(shown, path).flatMap(({ command, path }) => [
      `.SS ${plain([name, ...path, ...command.registeredArguments.map(operandText)].join(' '))}`,
      plain(command.description()),
      ...(group || path.length === 1 ? visible(command) : [])
        .filter(({ long }) => !globals.has(long))
        .flatMap(optionLines),
    ]),
    ...(group
      ? ['.SH OPTIONS', plain(`Flags of every command are in ${name}(1).`)]
      : ['.SH SETTINGS', plain(closing.trim().split('\n')[0] ?? '')]),
    '.SH EXIT STATUS',
    ...exitTexts.flatMap(([code, text]) => termLines(String(code), text)),
    '.SH ENVIRONMENT',
    ...variables.flatMap(([variable, text]) => termLines(variable, text)),
    '.SH FILES',
    ...files.flatMap(([file, text]) => termLines(file, text)),
    '.SH EXAMPLES',
    '.nf',
    ...(group ? examplesOf(name, group.name()) : closing.split('\n').filter((line) => line.startsWith('  '))).map(
      plain,
    ),
    '.fi',
    '.SH SEE ALSO',
    plain(seeAlso(root, group)),
  ];
  return `${lines.join('\n')}\n`;
}

/** The manual pages that there are: of the program, and of each command that has commands. */
export const manualPages = (root: Command, version: string, closing: string): readonly string[] =>
  [undefined, ...groupsOf(root)].map((group) => manualPage(root, version, closing, group));

const groupsOf = (root: Command): readonly Command[] =>
  root
    .createHelp()
    .visibleCommands(root)
    .filter(({ commands }) => commands.length > 0);

const aboutFlags = 'Flags of the dashboard. Most of them also work after a command.';

/** Those of the group, else a list of it: each group of rows has one. */
const examplesOf = (name: string, group: string): readonly string[] =>
  (examples[group] ?? [`${name} ${group} list`, `${name} ${group} list -o json`]).map((line) => `  ${line}`);

function seeAlso(root: Command, group: Command | undefined): string {
  const pages = groupsOf(root).filter((one) => one !== group);
  const all = [...(group ? [root.name()] : []), ...pages.map((one) => `${root.name()}-${one.name()}`)];
  return `${all.map((page) => `${page}(1)`).join(', ')}; ${root.name()} info says where the pages of docs/ are.`;
}

const visible = (command: Command): readonly Option[] => command.createHelp().visibleOptions(command);

const termLines = (term: string, text: string): string[] => ['.TP', `.B ${plain(term)}`, plain(text)];

const optionLines = ({ flags, description }: Option): string[] => termLines(flags, description);

const operandText = (operand: Argument): string => {
  const text = `${operand.name()}${operand.variadic ? '...' : ''}`;
  return operand.required ? `<${text}>` : `[${text}]`;
};

interface Leaf {
  readonly command: Command;
  readonly path: readonly string[];
}

/** Commands that do something, with the words that lead to them. */
function leaves(of: Command, before: readonly string[]): Leaf[] {
  return of
    .createHelp()
    .visibleCommands(of)
    .filter((command) => before.length === 0 || command.name() !== 'help')
    .flatMap((command) => {
      const path = [...before, command.name()];
      const below = leaves(command, path);
      return command.commands.length === 0 ? [{ command, path }] : below;
    });
}

/** A text that roff prints as it is, in one line; for an ellipsis it has no sign where the locale is not UTF-8. */
const plain = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('\n', ' ')
    .replaceAll('…', '...')
    .replace(/^(?=[.'])/, '\\&');
