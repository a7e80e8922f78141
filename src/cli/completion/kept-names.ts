import * as v from 'valibot';
import type { AnyList } from '../../describe/screen.ts';
import { storedTime } from '../../lib/values.ts';
import { createProfileFile, type ProfileFile } from '../../profiles/profile-file.ts';
import type { ResolvedSettings } from '../../profiles/resolve-settings.ts';
import type { OpenConnection } from '../start.ts';

/** Ids and names of the rows of lists, as commands read them last. Schema of their file. */
export const keptNamesSchema = v.record(
  v.string(),
  v.object({ at: storedTime, rows: v.array(v.tuple([v.string(), v.string()])) }),
);
type KeptNames = v.InferOutput<typeof keptNamesSchema>;

/** The file of one organization. */
export const keptNamesFile = (
  directory: string,
  { name, baseUrl }: Pick<ResolvedSettings, 'name' | 'baseUrl'>,
  redact: (text: string) => string = (text) => text,
): ProfileFile<KeptNames> =>
  createProfileFile({
    directory,
    redact,
    profile: name,
    origin: baseUrl,
    what: 'names',
    schema: keptNamesSchema,
    depth: 1,
  });

/** Keeps the names of a whole list for completion, unless the profile keeps no lists. A failure changes nothing. */
export async function keepNames(
  { settings, directory, redact }: OpenConnection,
  list: AnyList,
  rows: readonly unknown[],
  index: number,
): Promise<void> {
  if (settings.demo) return;
  const file = keptNamesFile(directory, settings, redact);
  if (settings.snapshot !== 'on') return file.remove();
  const before = await file.read();
  const names = rows.map((row): [string, string] => [list.idOf(row), list.nameOf(row)]);
  await file.write({ ...(before.ok ? before.value : {}), [list.id]: { at: index, rows: names } });
}
