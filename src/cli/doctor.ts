import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Environment, proxyIn } from '../client/transport.ts';
import { paint } from '../lib/paint.ts';
import { errorCode, fileRefusal, quotePath } from '../lib/private-file.ts';
import { isLoopback } from '../lib/setting-values.ts';
import { cells, fit, plural, wrap } from '../lib/text.ts';
import { type ConfigFile, configPath } from '../profiles/config-file.ts';
import { directories } from '../profiles/profiles.ts';
import type { Flags, ResolvedSetting, ResolvedSettings } from '../profiles/resolve-settings.ts';
import { readTmuxOptions, type TmuxOptions } from '../terminal/programs.ts';
import { clipboardRefusal } from '../terminal/sequences.ts';
import { readTerminalReplies, type TerminalReplies, terminalCapabilities } from '../terminal/terminal-capabilities.ts';
import { accessFacts, type DoctorFact, factAbout, linkFacts, worstFact } from './access-facts.ts';
import type { Ports } from './command-ports.ts';
import { type Exit, exits, type Io, safeJson, tell, usage } from './io.ts';
import { envelope } from './output/formats.ts';
import { styled, themeFor } from './output/print.ts';

/** Where profiles, journal and configuration are, and whether nobody else may read or write them. */
async function fileFacts(env: NodeJS.ProcessEnv, config: ConfigFile): Promise<DoctorFact[]> {
  const where = directories(env);
  return [
    await privateFact('profiles', 'profile files', where.config),
    ...(where.state === where.config ? [] : [await privateFact('state', 'journal and state', where.state)]),
    configFact(config),
  ];
}

async function privateFact(id: string, title: string, directory: string): Promise<DoctorFact> {
  const fact = factAbout(id, title);
  try {
    const { mode, uid } = await stat(directory);
    const names = await readdir(directory);
    // Others may read the configuration, which has a fact of its own.
    const paths = names.map((name) => join(directory, name)).filter((path) => path !== configPath(directory));
    // A link may lead nowhere, as that by which an editor locks a file does.
    const files = await Promise.all(
      paths.map(async (path) => ({ path, about: await stat(path).catch(() => undefined) })),
    );
    const refused = files.flatMap(({ about, path }) =>
      about?.isFile() ? (fileRefusal(about, path, 'the file') ?? []) : [],
    );
    const isMine = uid === process.geteuid?.();
    const advice = [
      ...(isMine && (mode & 0o077) === 0 ? [] : [`${isMine ? 'chmod 700' : 'chown $(id -u)'} ${quotePath(directory)}`]),
      ...refused.map((text) => text.replace(/^.*: run {2}/s, '')),
    ];
    if (advice.length === 0) return fact.ok(`${directory}, readable by you alone`);
    // Others who may only see the names of files see nothing secret.
    const isBad = !isMine || refused.length > 0 || (mode & 0o022) !== 0;
    return fact[isBad ? 'bad' : 'warn'](`others can open ${directory} or files in it`, ...advice);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return fact.ok(`${directory}, created on first use`);
    return fact.bad(
      `${directory} cannot be read (${errorCode(error)})`,
      'check who owns it, or give another directory in ORGDECK_CONFIG_DIR',
    );
  }
}

function configFact({ path, exists, mistakes }: ConfigFile): DoctorFact {
  const fact = factAbout('config', 'configuration');
  if (!exists) return fact.ok(`none (it would be ${path})`);
  if (mistakes.length === 0) return fact.ok(path);
  return fact.warn(
    `${path} has ${plural(mistakes.length, 'mistake')}: those parts are not used`,
    'orgdeck config check',
  );
}

/** The versions of the program and of the Node that runs it. */
const versionFact = (version: string, { version: node, platform, arch }: NodeJS.Process): DoctorFact =>
  factAbout('versions', 'versions').ok(`orgdeck ${version}, Node ${node.replace('v', '')}, ${platform} ${arch}`);

/** The proxy that requests to this address go through, without user and password. */
export function proxyFact(env: Environment, baseUrl: string | undefined): DoctorFact {
  const fact = factAbout('proxy', 'proxy');
  const proxy = proxyIn(env);
  if (!proxy) return fact.ok('none');
  const { name, uri, fault } = proxy;
  if (baseUrl && isLoopback(new URL(baseUrl).hostname))
    return fact.ok(`not used: the service is on this machine (${name} is set)`);
  if (fault !== undefined) {
    const [text = '', advice = ''] = fault.split(': ');
    return fact.bad(text, `${advice} in ${name}`);
  }
  const without = env.no_proxy ?? env.NO_PROXY ?? '';
  const { protocol, host } = new URL(uri);
  return fact.ok(`${protocol}//${host} (${name})${without === '' ? '' : `, but not to ${without} (NO_PROXY)`}`);
}

/** The certificates that are trusted besides those of Node. */
export async function authorityFact({ NODE_EXTRA_CA_CERTS: path }: Environment): Promise<DoctorFact> {
  const fact = factAbout('authorities', 'authorities');
  if (!path) return fact.ok('those of Node');
  // Node leaves out a file that it cannot read, with a warning that is easily missed.
  const wrong = (why: string): DoctorFact =>
    fact.bad(
      `${path} ${why}, so your own authority is not trusted`,
      'name a file with PEM certificates in NODE_EXTRA_CA_CERTS, or unset it',
    );
  try {
    const found = (await readFile(path, 'utf8')).split('-----BEGIN CERTIFICATE-----').length - 1;
    return found === 0
      ? wrong('holds no certificate')
      : fact.ok(`those of Node, and ${found} of ${path} (NODE_EXTRA_CA_CERTS)`);
  } catch (error) {
    return wrong(`cannot be read (${errorCode(error)})`);
  }
}

/** `✓ title  text`, wrapped to the terminal, and below it what to do. */
export function printFacts(
  io: Io,
  facts: readonly DoctorFact[],
  settings: Pick<ResolvedSettings, 'theme' | 'ascii'> | undefined,
): void {
  const theme = themeFor(io, { settings: settings ?? { theme: 'default', ascii: false } });
  const { glyphs } = theme;
  const signs = { ok: glyphs.ok, warn: glyphs.warn, bad: glyphs.bad };
  const tones = { ok: 'good', warn: 'warn', bad: 'bad' } as const;
  const titleWidth = Math.max(...facts.map(({ title }) => cells(paint(title))));
  const indent = titleWidth + 4;
  const room = io.isTerminal.stdout ? Math.max(30, (io.size?.().columns ?? 80) - indent) : Number.POSITIVE_INFINITY;
  const lines = facts.flatMap(({ state, title, text, advice = [] }) => {
    const [first = '', ...rest] = fitted(text, room);
    const head = `${styled(signs[state], theme.props(tones[state]))} ${fit(paint(title), titleWidth)}  ${first}`;
    const below = [...rest, ...advice.flatMap((step) => fitted(step, room - 2).map((line) => `  ${line}`))];
    return [head, ...below.map((line) => `${' '.repeat(indent)}${line}`)];
  });
  io.out(`${lines.join('\n')}\n`);
}

const fitted = (text: string, room: number): readonly string[] =>
  Number.isFinite(room) ? wrap(paint(text), room) : [paint(text)];

type TerminalEnvironment = Readonly<Record<string, string | undefined>>;

/** What the dashboard needs at least, and what shows all of it. */
const least = { columns: 60, rows: 16 };
const whole = { columns: 80, rows: 24 };
const enough = `${whole.columns}x${whole.rows} shows everything`;

/** The terminal as the environment and its own replies describe it; only `terminal` where there is none. */
export function terminalFacts(
  env: TerminalEnvironment,
  size: { readonly columns: number; readonly rows: number } | undefined,
  replies: TerminalReplies | undefined,
): DoctorFact[] {
  const terminal = factAbout('terminal', 'terminal');
  if (!size)
    return [
      terminal.ok(
        'none: standard input or output is a pipe or a file; commands work, the dashboard needs one (over SSH: ssh -t)',
      ),
    ];
  const able = terminalCapabilities(env, { stdin: { isTTY: true }, stdout: { isTTY: true, ...size } });
  const name = env.TERM ?? '';
  const isKnown = able.interactive && name !== '';
  return [
    isKnown
      ? terminal.ok(name)
      : terminal.bad(
          able.reason ?? 'TERM is not set',
          'set TERM to what your terminal is, such as xterm-256color, or use --plain',
        ),
    sizeFact(size),
    factAbout('colors', 'colors').ok(
      able.color
        ? colorText(env)
        : `none (${env.NO_COLOR ? 'NO_COLOR' : `TERM=${name}`}): marks and words say the same`,
    ),
    characterFact(env, able.ascii),
    repliesFact(replies),
    ...clipboardFacts(env, replies),
  ];
}

function sizeFact({ columns, rows }: { readonly columns: number; readonly rows: number }): DoctorFact {
  const size = `${columns}x${rows}`;
  const fact = factAbout('size', 'size');
  if (columns < least.columns || rows < least.rows)
    return fact.bad(
      `${size} is too small for the dashboard`,
      `make the terminal ${least.columns}x${least.rows} at least; ${enough}`,
    );
  const isWhole = columns >= whole.columns && rows >= whole.rows;
  return isWhole ? fact.ok(size) : fact.warn(`${size} hides some columns and hints`, enough);
}

const colorText = ({ COLORTERM = '', TERM = '' }: TerminalEnvironment): string =>
  /truecolor|24bit/.test(COLORTERM)
    ? '16 million, of which 16 are used'
    : /256/.test(TERM)
      ? '256, of which 16 are used'
      : '16';

function characterFact(env: TerminalEnvironment, isAscii: boolean): DoctorFact {
  const fact = factAbout('characters', 'characters');
  const name = ['LC_ALL', 'LC_CTYPE', 'LANG'].find((variable) => env[variable]);
  const locale = name === undefined ? 'no locale is set' : `${name}=${env[name]}`;
  if (!isAscii) return fact.ok(`UTF-8 (${locale})`);
  return env.TERM === 'linux' || env.TERM === 'dumb'
    ? fact.ok(`ASCII (TERM=${env.TERM})`)
    : fact.warn(`ASCII only (${locale})`, 'export LC_ALL=C.UTF-8');
}

function repliesFact(replies: TerminalReplies | undefined): DoctorFact {
  const fact = factAbout('replies', 'replies');
  if (!replies) return fact.ok('none: its features are unknown; use --theme light on a light background');
  const { isLight, isSynchronized, hasKittyKeys } = replies;
  const says = (known: boolean | undefined) => (known === undefined ? 'unknown' : known ? 'yes' : 'no');
  const background = isLight === undefined ? 'unknown' : isLight ? 'light' : 'dark';
  return fact.ok(
    `background (OSC 11) ${background}, whole frames (2026) ${says(isSynchronized)}, kitty keys ${says(hasKittyKeys)} (not needed)`,
  );
}

function clipboardFacts(env: TerminalEnvironment, replies: TerminalReplies | undefined): DoctorFact[] {
  const fact = factAbout('clipboard', 'clipboard');
  // tmux takes what is copied, and has a fact of its own.
  if (env.TMUX) return [];
  const why = clipboardRefusal(env);
  if (why !== undefined) return [fact.warn(`none for programs (${why})`, 'y shows the text, to be selected')];
  const text = replies?.hasClipboard
    ? 'the terminal accepts copies (OSC 52)'
    : 'copies are sent (OSC 52); the terminal does not confirm them';
  return [fact.ok(text)];
}

/** The lines of tmux.conf that are missing, each with what it is for. `options`: undefined where tmux does not answer. */
export function tmuxFacts(options: TmuxOptions | undefined, notify: string): DoctorFact[] {
  const fact = factAbout('tmux', 'tmux');
  if (!options)
    return [fact.warn('tmux does not answer: its settings are not known', 'put the directory of tmux into PATH')];
  const {
    'default-terminal': terminal = 'tmux-256color',
    'escape-time': wait = '0',
    'set-clipboard': clipboard = 'on',
  } = options;
  // Before tmux 3.3 there is no such option, and everything passes.
  const passes = options['allow-passthrough'] ?? 'on';
  const lacks = [
    ...(clipboard === 'off' ? [['copies do not reach your clipboard', 'set -g set-clipboard on']] : []),
    ...(passes === 'off' && notify.startsWith('osc')
      ? [[`notifications (${notify}) do not reach your terminal`, 'set -g allow-passthrough on']]
      : []),
    ...(Number(wait) > 50 ? [[`a lone Esc takes ${wait} ms`, 'set -sg escape-time 10']] : []),
    ...(/^(tmux|screen).*256color/.test(terminal)
      ? []
      : [[`colors may be wrong (default-terminal ${terminal})`, 'set -g default-terminal "tmux-256color"']]),
  ];
  if (lacks.length === 0) return [fact.ok('copies, Esc and colors work in it')];
  const lines = lacks.map(([, line = '']) => `  ${line}`);
  return [fact.warn(lacks.map(([says]) => says).join('; '), 'add to tmux.conf:', ...lines)];
}

/** `orgdeck doctor`: everything that a run depends on, and what to do where it is not well. Sends reads alone; 1 where something is bad. */
export async function examine(ports: Ports, version: string, flags: Flags, asJson: boolean): Promise<Exit> {
  const { io } = ports;
  const { env } = io;
  const isScreen = io.isTerminal.stdin && io.isTerminal.stdout;
  const settings = await ports.resolve(flags);
  const resolved = settings.ok ? settings.value : undefined;
  const replies = isScreen && env.TERM !== 'dumb' ? await io.askTerminal?.() : undefined;
  const facts: readonly DoctorFact[] = [
    versionFact(version, process),
    ...(await fileFacts(env, await ports.config())),
    ...terminalFacts(env, isScreen ? io.size?.() : undefined, readTerminalReplies(replies ?? '')),
    ...(env.TMUX ? tmuxFacts(await readTmuxOptions(env), resolved?.notify ?? 'bell') : []),
    proxyFact(env, resolved?.baseUrl),
    await authorityFact(env),
    ...(settings.ok ? await organizationFacts(ports, settings.value) : [ofOrganization.bad(settings.text)]),
  ];
  const worst = worstFact(facts.map(({ state }) => state));
  if (asJson) io.out(`${safeJson(envelope(facts, { state: worst }))}\n`);
  else printFacts(io, facts, resolved);
  return worst === 'bad' ? exits.failed : exits.done;
}

const ofOrganization = factAbout('organization', 'organization');

async function organizationFacts(ports: Ports, settings: ResolvedSettings): Promise<DoctorFact[]> {
  const { io } = ports;
  if (settings.isWelcome)
    return [
      ofOrganization.warn(
        'there is no profile yet, so orgdeck opens the demo organization',
        'orgdeck profiles add NAME --base-url URL, or look at the demo: orgdeck doctor --demo',
      ),
    ];
  const named = ofOrganization.ok(settings.name);
  const means = { environment: io.env, clock: io.clock };
  // The address of the demo is known once it has started.
  const connection = await ports.connect(settings, ports.ask);
  if (!connection.ok) {
    const { facts } = await linkFacts(settings, means);
    const advice = 'a profile names the source of its keys when it is added: orgdeck profiles add --help';
    return [named, ...facts, factAbout('keys', 'keys').bad(connection.text, advice)];
  }
  try {
    const { baseUrl } = connection.value.settings;
    const { facts, isReachable } = await linkFacts({ ...settings, baseUrl }, means);
    return [named, ...facts, ...(isReachable ? await accessFacts(connection.value, io.clock.now()) : [])];
  } finally {
    await connection.value.close();
  }
}

/** `orgdeck info`: what holds, who said it, where things are kept. Reads no key and sends nothing. */
export async function info(ports: Ports, flags: Flags, asJson: boolean): Promise<Exit> {
  const { io, profiles } = ports;
  const settings = await ports.resolve(flags);
  if (!settings.ok) return usage(io, settings.text);
  const { notes, demo } = settings.value;
  const zone = ports.zone();
  const from = zone.by === '--tz' ? 'flag' : zone.by === 'TZ' ? 'environment' : 'default';
  const shownSettings: readonly ResolvedSetting[] = [
    ...settings.value.resolved,
    { title: 'time zone', value: zone.name, from, by: zone.by },
  ];
  const journal = demo ? null : `${directories(io.env).state}/journal.jsonl`;
  if (asJson) {
    const files = { profile_file: profiles.path, journal, pages: io.pages?.() ?? null };
    io.out(`${safeJson(envelope(shownSettings, { notes, ...files }))}\n`);
    return exits.done;
  }
  tell(io, [
    ...lines(shownSettings),
    `${'profile file'.padEnd(16)} ${profiles.path}`,
    `${'journal'.padEnd(16)} ${journal ?? 'that of the demo is removed when it ends'}`,
    ...(io.pages ? [`${'documentation'.padEnd(16)} ${io.pages()}`] : []),
  ]);
  for (const note of notes) tell(io, [`note: ${note}`]);
  return exits.done;
}

const lines = (said: readonly ResolvedSetting[]): string[] => {
  const width = Math.max(...said.map((sentence) => sentence.value.length));
  return said.map((sentence) => {
    const by = sentence.by.startsWith(sentence.from) ? sentence.by : `${sentence.from}: ${sentence.by}`;
    return `${sentence.title.padEnd(16)} ${sentence.value.padEnd(width)}  (${by})`;
  });
};
