import { choiceField, type Fields, numberField, textField, toggleField } from '../../describe/field.ts';
import { readBaseUrl } from '../../lib/base-url.ts';
import { themeNames } from '../../lib/theme-names.ts';
import { toWord } from '../../lib/unchecked-values.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * The form of a profile: the organization's address, and the source of the keys of a new one
 * (docs/contract/conventions.md#authentication).
 * `now`: what an existing one says; its keys stay.
 */
export function profileFields(now?: Values): Fields {
  const { name, baseUrl, environment, production, readOnly, fleet, pollSeconds, theme, notify, mouse } = now ?? {};
  const { notifyPriority, notifyIssues, snapshot, webUrl, handle, vocabulary } = now ?? {};
  const number = (value: unknown) => (typeof value === 'number' ? value : undefined);
  return {
    name: textField('Name', toWord(name), {
      required: true,
      placeholder: 'acme-prod',
      hint: 'Letters, digits, - and _',
    }),
    baseUrl: textField('Base URL', toWord(baseUrl), {
      required: true,
      placeholder: 'https://api.example.test',
      check: (text) => {
        const read = readBaseUrl(text);
        return read.ok || read.text;
      },
    }),
    environment: textField('Environment', toWord(environment), { placeholder: 'prod', hint: 'A word for the badge' }),
    production: toggleField('Production', production === true, 'Edits ask for confirmation'),
    readOnly: toggleField('Read-only', readOnly === true, 'Block all edits'),
    fleet: toggleField('Fleet', fleet === true, 'The list of profiles shows its alerts and issues, read every minute'),
    pollSeconds: numberField('Poll interval, s', number(pollSeconds) ?? 15, {
      min: 10,
      max: 300,
      whole: true,
      hint: '10 to 300 seconds',
    }),
    theme: choiceField('Theme', toWord(theme) || 'shared', [
      { value: 'shared', label: 'as in config.json' },
      ...themeNames,
    ]),
    notify: choiceField('Notify by', toWord(notify) || 'shared', [
      { value: 'shared', label: 'as in config.json, else the bell' },
      { value: 'off', label: 'nothing' },
      { value: 'bell', label: 'the bell' },
      { value: 'osc9', label: 'desktop (OSC 9)' },
      { value: 'osc777', label: 'desktop (OSC 777)' },
    ]),
    mouse: choiceField('Mouse', mouse === undefined ? 'shared' : mouse === true ? 'on' : 'off', [
      { value: 'shared', label: 'as in config.json, else off' },
      { value: 'on', label: 'on: Shift selects text' },
      { value: 'off', label: 'off until :mouse' },
    ]),
    notifyPriority: numberField('Notify of alerts', number(notifyPriority), {
      min: 1,
      max: 5,
      whole: true,
      hint: 'Up to this priority, 1 is the most urgent; empty = 2',
    }),
    notifyIssues: numberField('Notify of issues', number(notifyIssues), {
      min: 0,
      whole: true,
      hint: 'New issues with at least this many errors; empty = 1000',
    }),
    snapshot: toggleField('Snapshot', snapshot !== 'off', 'Keep the last lists on the disk (0600) for the next start'),
    webUrl: textField('Web address', toWord(webUrl), {
      hint: "Address of the service's web pages, for links",
      check: (text) => {
        const read = readBaseUrl(text);
        return text.trim() === '' || read.ok || read.text;
      },
    }),
    handle: textField('Handle', toWord(handle), { hint: 'Who you are, where the service does not report it' }),
    vocabulary: textField('Vocabulary', toWord(vocabulary), {
      isPath: true,
      hint: "Path of a file with the deployment's own words, if it has any",
    }),
    ...(now ? {} : sourceFields()),
  };
}

/** Where the keys of a new profile come from. */
const sourceFields = (): Fields => ({
  source: choiceField('Keys from', 'typed', [
    { value: 'typed', label: 'typed now, kept in memory only' },
    { value: 'stored', label: 'typed now, kept in the profile file (0600)' },
    { value: 'env', label: 'environment variables (their names below)' },
    { value: 'file', label: 'files, 0600 (their paths below)' },
    { value: 'command', label: 'commands (below)' },
  ]),
  apiKey: textField('API key', '', { secret: typesKeys, required: true, hint: 'The key, or where it comes from' }),
  appKey: textField('Application key', '', {
    secret: typesKeys,
    required: true,
    hint: 'The key, or where it comes from',
  }),
});

/** Whether the key fields hold keys, which are secret; a variable's name, a path and a command are not. */
const typesKeys = (texts: Readonly<Record<string, string>>) => texts.source === 'typed' || texts.source === 'stored';

/** The form that asks for keys which are typed at each start and kept in memory only. */
export function keyFields(): Fields {
  return {
    apiKey: textField('API key', '', { secret: true, required: true, hint: 'Kept in memory only' }),
    appKey: textField('Application key', '', { secret: true, required: true, hint: 'Kept in memory only' }),
  };
}
