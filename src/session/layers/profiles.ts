import { choiceField, type Fields, numberField, textField, toggleField } from '../../describe/field.ts';
import { paint } from '../../lib/paint.ts';
import { joinPainted, type Painted, plain, spaces } from '../../lib/painted.ts';
import { readBaseUrl, themeNames } from '../../lib/setting-values.ts';
import { cells, fit, wrap } from '../../lib/text.ts';
import { span } from '../../lib/time.ts';
import { toWord } from '../../lib/values.ts';
import { asLines, type Spans } from '../../scene/scene.ts';
import { listTexts } from '../../scene/span.ts';
import { lossText } from '../form/quitting.ts';
import type { FleetStanding, ProfileLine } from '../outside/outside.ts';
import { confirmLayer } from '../stack/confirm.ts';
import { type LayerKind, rowsPane, stepKeys } from '../stack/kind.ts';
import type { MessageOf } from '../state/message.ts';
import { type Binding, leave, type Moment, type Next, on } from '../state/moment.ts';
import type { LayerOf, State } from '../state/state.ts';
import { flash, formLayer, pop, push, pushOnce, withLayers } from '../state/state-changes.ts';

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

/** The profiles of this machine. */
export const profiles: LayerKind<LayerOf<'profiles'>> = {
  keys: ({ items, cursor }) => [
    ...stepKeys(true),
    on(['return'], 'use', { type: 'runOnProfile', what: 'use' }, 1),
    on(['n'], 'new', { type: 'runOnProfile', what: 'new' }, 3),
    on(['e'], 'edit', { type: 'runOnProfile', what: 'edit' }, 4, {
      help: 'Edit the profile; its keys stay',
      ...ofBuiltIn(items[cursor]),
    }),
    on(['t'], 'test', { type: 'runOnProfile', what: 'test' }, 5),
    on(['d'], 'remove', { type: 'runOnProfile', what: 'remove' }, 6, ofBuiltIn(items[cursor])),
    leave(),
  ],
  place: 'body',
  lines({ items, cursor, fleet = {} }, now, room) {
    const { width, height, theme } = room;
    const names = items.map(({ name }) => paint(name));
    const isBoard = items.some(({ isOfFleet }) => isOfFleet);
    const head = isBoard ? plain`PROFILE` : plain``;
    const widest = Math.min(Math.max(...[head, ...names].map(cells)), Math.floor((width + 2) / 3));
    const rows = items.map(
      ({ name, current, says, isOfFleet }): Spans => [
        { text: current ? plain`${theme.glyphs.live} ` : plain`  `, tone: 'good' },
        { text: plain`${fit(paint(name), widest, 'left', theme.glyphs.ellipsis)}  ` },
        ...(isOfFleet ? standingCells(fleet[name], now) : [{ text: spaces(isBoard ? standingWidth : 0) }]),
        { text: paint(says), tone: 'dim' },
      ],
    );
    const heads = plain`    ${fit(head, widest)}  ${joinPainted(standingHeads.map(([head, size]) => fit(head, size)))}SERVICE`;
    const empty = plain`No profile yet: n adds one. Until then this is the demo organization`;
    const choose = { type: 'runOnProfile', what: 'use' } as const;
    const speeches = () =>
      items.map((item) => {
        const about = item.isOfFleet ? standingTexts(fleet[item.name], now) : [];
        return listTexts([paint(item.name), item.current ? plain`in use` : plain``, ...about, paint(item.says)]);
      });
    const list = { title: plain`Profiles`, rows, says: speeches, cursor, choose, empty };
    const lists = rowsPane(list, now, isBoard ? { ...room, height: height - 1 } : room);
    const pane = isBoard
      ? {
          ...lists,
          lines: [{ spans: [{ text: heads, tone: 'label' as const }], role: 'heads' as const }, ...lists.lines],
        }
      : lists;
    const besides = width - 4 - widest - 2 - (isBoard ? standingWidth : 0);
    const facts = factLines(items[cursor], fleet, now, width, besides);
    const hasRoom = pane.lines.length + 1 + facts.length <= height;
    return hasRoom ? { ...pane, lines: [...pane.lines, ...asLines([[], ...facts])] } : pane;
  },
  isShowing: true,
  takesText: () => false,
  rowKeys: (layer) => layer.items.map(({ name }) => name),
  update: {
    runOnProfile(state, layer, { what: command }, world) {
      if (command === 'new')
        return { state: push(state, formLayer('New profile', profileFields(), { kind: 'profile' })) };
      const name = layer.items[layer.cursor]?.name;
      if (name === undefined) return { state };
      switch (command) {
        case 'use':
          return openProfile(state, { type: 'useProfile', name }, world);
        case 'edit': {
          const { values } = layer.items[layer.cursor] ?? {};
          if (!values) return { state: flash(state, `${name} cannot be edited`, 'warn', world.context.now) };
          const form = formLayer(`Edit profile ${name}`, profileFields(values), { kind: 'profile', name });
          return { state: push(state, form) };
        }
        case 'test': {
          const next = flash(state, `Testing ${name}`, 'info', world.context.now);
          return { state: next, effects: [{ ask: 'testProfile', name }] };
        }
        case 'remove': {
          const question = `Remove profile ${name}?`;
          const details = ['Deletes its settings from this machine; the organization is not changed.'];
          const confirm = { question, details, destructive: true, typed: name };
          return { state: push(state, confirmLayer(confirm, { type: 'removeProfile', name }, world)) };
        }
        default:
          return command satisfies never;
      }
    },
  },
};

/** What is known of a profile below the list; what its row cuts first. `besides`: cells that the row has for its service. */
function factLines(
  item: ProfileLine | undefined,
  fleet: Readonly<Record<string, FleetStanding>>,
  { context }: Moment,
  width: number,
  besides: number,
): readonly Spans[] {
  if (item === undefined) return [];
  const standing = item.isOfFleet ? fleet[item.name] : undefined;
  const problem = standing && 'problem' in standing ? standing.problem : '';
  return [
    ...(cells(paint(problem)) > standingWidth - 2 ? [['Problem', problem] as const] : []),
    ...(cells(paint(item.says)) > besides ? [['Service', item.says] as const] : []),
    // Where keys are kept is nothing for a terminal that several people use.
    ...(context.profile.isKiosk ? [] : (item.facts ?? [])),
  ].flatMap(([label, text]) =>
    wrap(paint(text), Math.max(1, width - factFrom - factCells)).map(
      (line, at): Spans => [
        { text: plain`${spaces(factFrom)}${fit(at === 0 ? paint(label) : plain``, factCells)}`, tone: 'label' },
        { text: line },
      ],
    ),
  );
}

/** The heads of the columns of how an organization stands, each with its cells. */
const standingHeads = [
  [plain`ALERTING`, 10],
  [plain`ISSUES`, 8],
  [plain`MUTE ENDS`, 11],
  [plain`QUOTA`, 7],
] as const;
const standingWidth = standingHeads.reduce((sum, [, size]) => sum + size, 0);

/** How an organization stands, below the heads. */
function standingCells(standing: FleetStanding | undefined, { context }: Moment): Spans {
  if (standing === undefined) return [{ text: fit(plain`reading`, standingWidth), tone: 'dim' }];
  if ('problem' in standing)
    return [{ text: plain`${fit(paint(standing.problem), standingWidth - 2)}  `, tone: 'warn' }];
  const { alerting, issues, muteEnds, quota } = standing;
  const ends = muteEnds === undefined ? '' : span(muteEnds - context.now);
  const cellSpans: Spans = [
    { text: plain`${alerting}`, tone: alerting > 0 ? 'bad' : 'plain' },
    { text: paint(issues) },
    { text: paint(ends) },
    { text: quotaText(quota), tone: 'dim' },
  ];
  return cellSpans.map((cell, at) => ({ ...cell, text: fit(cell.text, standingHeads[at]?.[1] ?? 0) }));
}

const quotaText = (share: number | undefined): Painted =>
  share === undefined ? plain`` : plain`${Math.round(share * 100)}%`;

/** The same in words, where no heads are heard. */
function standingTexts(standing: FleetStanding | undefined, { context }: Moment): readonly Painted[] {
  if (standing === undefined) return [plain`reading`];
  if ('problem' in standing) return [paint(standing.problem)];
  const { alerting, issues, muteEnds, quota } = standing;
  return [
    plain`${alerting} alerting`,
    plain`${paint(issues)} ${issues === '1' ? plain`issue` : plain`issues`}`,
    paint(muteEnds === undefined ? '' : `mute ends ${span(muteEnds - context.now)}`),
    quota === undefined ? plain`` : plain`quota ${quotaText(quota)}`,
  ];
}

/** The worst organization first: what alerts, what cannot be read, what is being read, the rest by issues; then those that are not read. */
function worstFirst(
  items: readonly ProfileLine[],
  fleet: Readonly<Record<string, FleetStanding>>,
): readonly ProfileLine[] {
  return items.toSorted((one, other) => badness(other, fleet) - badness(one, fleet));
}

function badness({ name, isOfFleet }: ProfileLine, fleet: Readonly<Record<string, FleetStanding>>): number {
  if (!isOfFleet) return -1;
  const standing = fleet[name];
  if (standing === undefined) return 10_000;
  if ('problem' in standing) return 20_000;
  // A search tells 100 issues at most: `100+`.
  return standing.alerting > 0 ? 100_000 + standing.alerting : Number.parseInt(standing.issues, 10);
}

/** Cells before the labels of a profile's facts, and cells of the labels. */
const [factFrom, factCells] = [5, 18];

/** The built-in demo profile cannot be edited or removed: these keys are refused there, and no hints. */
const ofBuiltIn = (item: LayerOf<'profiles'>['items'][number] | undefined): Partial<Binding> =>
  item?.isBuiltIn ? { refused: `${item.name} is built in`, hint: undefined } : {};

/** Opens this profile; asks first where unsaved or unfinished work would be lost. */
export function openProfile(state: State, message: MessageOf<'useProfile'>, world: Moment): Next {
  const { name, sure } = message;
  const lost = lossText(state, world.screens);
  if (lost === '' || sure)
    return {
      // A command that prints a key may take half a minute: no key acts on the old rows until then.
      state: withLayers({ ...state, flash: undefined }, [{ kind: 'wait', title: `Opening ${name}` }]),
      effects: [{ ask: 'useProfile', name }],
    };
  const { name: own } = world.context.profile;
  const details = state.underWay.length > 0 ? [`Only the journal of ${own} records its outcome`] : [];
  const question = `${lost}. Change to ${name} now?`;
  return { state: push(state, confirmLayer({ question, details }, { ...message, sure: true }, world)) };
}

/** Profiles were read: opens or updates their list, and closes the form that created one. */
export function profilesRead(state: State, { items, at: index }: MessageOf<'profilesRead'>): State {
  const fleet = state.layers.find((layer) => layer.kind === 'profiles')?.fleet ?? {};
  const sorted = worstFirst(items, fleet);
  const cursor = sorted.findIndex((item) => (index === undefined ? item.current : item.name === index));
  const layer: LayerOf<'profiles'> = { kind: 'profiles', items: sorted, cursor: Math.max(0, cursor), fleet };
  const top = state.layers.at(-1);
  const kept = top?.kind === 'form' && top.for.kind === 'profile' ? pop(state) : state;
  return pushOnce(kept, layer);
}

/** It was read how the organization of a profile stands. The cursor stays on its profile where the order changes. */
export const fleetRead = (state: State, { name, standing }: MessageOf<'fleetRead'>): State => ({
  ...state,
  layers: state.layers.map((layer) => {
    if (layer.kind !== 'profiles') return layer;
    const fleet = { ...layer.fleet, [name]: standing };
    const items = worstFirst(layer.items, fleet);
    const chosen = layer.items[layer.cursor];
    return { ...layer, fleet, items, cursor: chosen ? items.indexOf(chosen) : layer.cursor };
  }),
});
