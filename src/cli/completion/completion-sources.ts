import * as v from 'valibot';
import { screens } from '../../../screens/index.ts';
import { endpoints } from '../../api/all-endpoints.ts';
import { helpContext } from '../../describe/context.ts';
import type { AnyList } from '../../describe/screen.ts';
import { directories } from '../../profiles/directories.ts';
import type { Flags, ResolvedSettings } from '../../profiles/resolve-settings.ts';
import { savedViews } from '../../session/list/resume-session.ts';
import type { Ports } from '../command-ports.ts';
import { readSearch } from '../search-flags.ts';
import { sessionFile, snapshotFile } from '../session-files.ts';
import type { CompletionSources } from './complete.ts';
import { keptNamesFile } from './kept-names.ts';

/**
 * Where completion finds its words: rows are those that the dashboard or a command kept last on this machine, so that a Tab
 * sends nothing and asks for no key. The rows of the demo organization, which is in this process, are read.
 */
export function readCompletionSources(ports: Ports, flags: Flags): CompletionSources {
  return {
    async rows(id) {
      const list = screens.flatMap(({ lists }) => lists).find((one) => one.id === id);
      return list ? readNamedRows(ports, flags, list) : [];
    },
    async profiles() {
      const listing = await ports.profiles.list();
      return listing.ok ? listing.value.profiles.map(({ name, baseUrl }) => ({ value: name, says: baseUrl })) : [];
    },
    operations: async () => endpoints.map(({ id, method, path }) => ({ value: id, says: `${method} ${path}` })),
    screens: async () => screens.map(({ id, title }) => ({ value: id, says: title })),
    async monitorTypes() {
      const { knownTypes } = await import('../../query/check-query.ts');
      return knownTypes().map((value) => ({ value }));
    },
    async views() {
      const settings = await ports.resolve(flags);
      if (!settings.ok) return [];
      const session = await sessionFile(locateFiles(ports, settings.value)).read();
      const views = session.ok && session.value ? savedViews(session.value) : [];
      return views.map(({ name, screen }) => ({ value: name, says: screen }));
    },
  };
}

/** Where the dashboard keeps its files for the profile of these settings. */
const locateFiles = (ports: Ports, settings: ResolvedSettings) => ({
  directory: directories(ports.io.env).state,
  redact: (text: string) => text,
  settings,
});

interface Named {
  readonly id: string;
  readonly name: string;
}

/** The ids and names of a list's rows, as they were kept last. */
async function readNamedRows(ports: Ports, flags: Flags, list: AnyList): Promise<readonly Named[]> {
  const named = (rows: readonly unknown[]) => rows.map((row) => ({ id: list.idOf(row), name: list.nameOf(row) }));
  const settings = await ports.resolve(flags);
  if (!settings.ok) return [];
  const { demo, resolved } = settings.value;
  // Without a profile a command needs --demo.
  if (demo && resolved[0]?.from === 'default') return [];
  if (!demo) {
    const [snapshot, names] = await Promise.all([
      snapshotFile(locateFiles(ports, settings.value)).read(),
      keptNamesFile(directories(ports.io.env).state, settings.value).read(),
    ]);
    const drawn = snapshot.ok ? snapshot.value?.find((one) => one.list === list.id) : undefined;
    const printed = names.ok ? names.value?.[list.id] : undefined;
    if (printed && printed.at > (drawn?.at ?? 0)) return printed.rows.map(([id, name]) => ({ id, name }));
    const { kept } = list;
    return named((drawn?.rows ?? []).filter((row) => kept && v.is(kept, row)));
  }
  const connection = await ports.connect(settings.value);
  if (!connection.ok) return [];
  try {
    const context = { ...helpContext, now: ports.io.clock.now() };
    const asked = readSearch(list, {}, undefined, context);
    if (!asked.ok) return [];
    const result = await connection.value.client.run(list.load(asked.value, context).plan(context));
    return result.ok ? named(result.value.rows) : [];
  } finally {
    await connection.value.close();
  }
}
