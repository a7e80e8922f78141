import { directories } from '../profiles/directories.ts';
import type { Flags, ResolvedSetting } from '../profiles/resolve-settings.ts';
import { safeJson, tell, usage } from './command-messages.ts';
import type { Ports } from './command-ports.ts';
import { type Exit, exits } from './io.ts';
import { envelope } from './output/formats.ts';

/** `orgdeck info`: what holds, who said it, where things are kept. Reads no key and sends nothing. */
export async function info(ports: Ports, flags: Flags, asJson: boolean): Promise<Exit> {
  const { io, profiles } = ports;
  const settings = await ports.resolve(flags);
  if (!settings.ok) return usage(io, settings.text);
  const { notes } = settings.value;
  const zone = ports.zone();
  const from = zone.by === '--tz' ? 'flag' : zone.by === 'TZ' ? 'environment' : 'default';
  const shownSettings: readonly ResolvedSetting[] = [
    ...settings.value.resolved,
    { title: 'time zone', value: zone.name, from, by: zone.by },
  ];
  const { state } = directories(io.env);
  if (asJson) {
    const files = { profile_file: profiles.path, journal: `${state}/journal.jsonl`, pages: io.pages?.() ?? null };
    io.out(`${safeJson(envelope(shownSettings, { notes, ...files }))}\n`);
    return exits.done;
  }
  tell(io, [
    ...lines(shownSettings),
    `${'profile file'.padEnd(16)} ${profiles.path}`,
    `${'journal'.padEnd(16)} ${state}/journal.jsonl`,
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
