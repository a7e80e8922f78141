import type { Command } from 'commander';

/** Every list by its id, as the help speaks of it. The words of its commands are those of the id: `tables rows`. */
const says: Readonly<Record<string, string>> = {
  home: 'what needs attention now',
  issues: 'error issues',
  monitors: 'monitors',
  mutes: 'mutes and downtimes',
  hygiene: 'problems that do not alert, and how to fix them',
  'keys-own': 'your own application keys',
  'keys-org': 'application keys of the organization',
  'api-keys': 'API keys',
  'api-keys-v1': 'API keys, over the v1 API',
  people: 'users and service accounts',
  roles: 'roles',
  permissions: 'the catalog of permissions',
  'role-templates': 'templates of roles',
  mappings: 'mappings from the identity provider to roles and teams',
  integrations: 'integrations with clouds',
  'integrations.a': 'accounts of provider_a',
  'integrations.b-v1': 'accounts of provider_b in their deprecated form',
  'integrations.b': 'federated service accounts of provider_b',
  tables: 'reference tables',
  'tables.rows': 'rows of a reference table',
  retention: 'retention filters',
  archives: 'log archives',
  service: 'everything about a service, a team or a tag',
};

/** Words that people try for the verbs of resources. Help and completion have the verb alone. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  get: ['show'],
  create: ['new', 'add'],
  edit: ['update'],
  delete: ['rm', 'remove'],
  'set-order': ['order'],
  clone: ['copy'],
};

/** Lets a verb of a domain be called by other words, too. */
export const withAliases = (verb: Command): Command => verb.aliases(aliases[verb.name()] ?? []);

/** Ids of everything that has commands of its own; `integrations` has no list, only lists below it. */
export const domains: readonly string[] = Object.keys(says);

/** The lists of which two rows can be compared. */
export const comparedLists = ['roles', 'monitors', 'mappings', 'retention', 'archives'] as const;

/** What `--kind` of `export`, `diff` and `apply` offers: the first words of the kinds of files. */
export const keptAsFiles = [...comparedLists, 'integrations', 'tables'] as const;

const wordsOf = (id: string): readonly string[] => id.split('.');

/** Adds the first word of each domain, empty: `addDomainCommands` puts the commands under those that a line names. */
export function addDomains(root: Command): void {
  for (const id of domains) if (wordsOf(id).length === 1) domainCommand(root, id);
}

/**
 * The command that everything about a list is added to: `tables rows` for `tables.rows`. It is made when it is first asked
 * for. Verbs of its actions and `list`, `get` stand below it.
 */
export function domainCommand(root: Command, id: string): Command {
  const path: string[] = [];
  return wordsOf(id).reduce((parent, word) => {
    path.push(word);
    const there = parent.commands.find((command) => command.name() === word);
    if (there) return there;
    const made = parent.command(word).description(says[path.join('.')] ?? word);
    return parent === root ? made.helpGroup('Lists:') : made;
  }, root);
}

/** Says what each domain is in other words: those of the deployment. */
export function nameDomains(root: Command, inWords: (says: string) => string): void {
  for (const [id, text] of Object.entries(says)) domainCommand(root, id).description(inWords(text));
}

/**
 * Whether an argument line may be about one of the domains: then their commands are worth making. The screen to begin with is
 * none, and the manual makes all of them itself.
 */
export const namesDomain = (argv: readonly string[]): boolean =>
  argv.some((word, at) => says[word] !== undefined && !['--screen', 'man'].includes(argv[at - 1] ?? ''));
