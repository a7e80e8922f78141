import * as v from 'valibot';
import { fileVersion, newerVersion, present, storedVersion } from '../lib/values.ts';
import { type Profile, readProfile } from './profile.ts';

/** A profile in the file that cannot be used; it is kept as it is until a person mends or removes it. */
interface BrokenProfile {
  readonly name: string;
  readonly text: string;
}

/** What the profile file says, as one value of one moment. */
export interface ProfileList {
  readonly profiles: readonly Profile[];
  readonly broken: readonly BrokenProfile[];
  /** Name of the profile in use. */
  readonly current?: string;
}

/** The file as it lies on the disk: entries stay raw, so that what a newer version wrote is not lost. */
export interface Contents {
  readonly version: number;
  /** Version of the file if a newer program wrote it; such a file is never changed. */
  readonly newer?: number;
  readonly current?: string;
  readonly profiles: readonly Readonly<Record<string, unknown>>[];
}

export const emptyContents: Contents = { version: fileVersion, profiles: [] };

const contentsSchema = v.looseObject({
  version: storedVersion,
  current: v.exactOptional(v.string()),
  profiles: v.exactOptional(v.array(v.record(v.string(), v.unknown())), []),
});

/** Reads the file's text; undefined = it is not what we write, in whole. */
export function readContents(text: string): Contents | undefined {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), contentsSchema), text);
  if (!read.success) return undefined;
  return { ...read.output, ...present({ newer: newerVersion(read.output.version) }) };
}

/** The profiles of the file, those that can be used and those that cannot. */
export function toListing(contents: Contents): ProfileList {
  const profiles: Profile[] = [];
  const broken: BrokenProfile[] = [];
  const names = Map.groupBy(contents.profiles, ({ name }) => name);
  for (const entry of contents.profiles) {
    const read = readProfile(entry);
    const text = `the file has ${names.get(entry.name)?.length} profiles of this name: give each its own`;
    if (read.ok && names.get(entry.name)?.length === 1) profiles.push(read.value);
    else if (read.ok) broken.push({ name: read.value.name, text });
    else broken.push({ name: typeof entry.name === 'string' ? entry.name : '(no name)', text: read.text });
  }
  const current = contents.current;
  return { profiles, broken, ...(profiles.some((profile) => profile.name === current) ? { current } : {}) };
}
