import type { Flags, ResolvedSettings } from '../../profiles/resolve-settings.ts';
import { readTmuxOptions } from '../../terminal/programs.ts';
import { readTerminalReplies } from '../../terminal/terminal-capabilities.ts';
import { safeJson } from '../command-messages.ts';
import type { Ports } from '../command-ports.ts';
import { type Exit, exits } from '../io.ts';
import { envelope } from '../output/formats.ts';
import { accessFacts } from './access-facts.ts';
import { type DoctorFact, factAbout, worstFact } from './fact.ts';
import { fileFacts } from './file-facts.ts';
import { linkFacts } from './link-facts.ts';
import { authorityFact, proxyFact, versionFact } from './machine-facts.ts';
import { printFacts } from './print-facts.ts';
import { terminalFacts, tmuxFacts } from './terminal-facts.ts';

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
  if (settings.demo && settings.resolved[0]?.from === 'default')
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
