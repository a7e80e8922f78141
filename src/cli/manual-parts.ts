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
export const variables: readonly (readonly [name: string, text: string])[] = [
  ['ORGDECK_PROFILE', 'name of the profile to use'],
  ['ORGDECK_BASE_URL', 'address of the deployment, for a run without a profile'],
  ['ORGDECK_API_KEY, ORGDECK_APP_KEY', 'the two keys for such a run'],
  ['ORGDECK_VOCABULARY', "file with the deployment's own words"],
  ['ORGDECK_CONFIG_DIR', 'one directory for profiles, configuration and journal'],
  ['HTTPS_PROXY, ALL_PROXY, NO_PROXY', 'the proxy, and hosts to reach without it'],
  ['TZ, NO_COLOR, PAGER, EDITOR, BROWSER', 'as in other programs'],
];

export const files: readonly (readonly [path: string, text: string])[] = [
  ['~/.config/orgdeck/profiles.json', 'the profiles, readable by you alone'],
  ['~/.config/orgdeck/config.json', 'keys, columns and commands of your own'],
  ['~/.local/state/orgdeck/journal.jsonl', 'every edit, before it is sent and after'],
];

/** Command lines by the name of a group; the help of the program has its own. */
export const examples: Readonly<Record<string, readonly string[]>> = {
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
