import { rm } from 'node:fs/promises';
import { parsedJson, stringifyExact } from '../lib/json.ts';
import { readPrivateFile, replacePrivateFile } from '../lib/private-file.ts';
import { isObject } from '../lib/values.ts';
import { keptFiles, largest, profilePath } from './profile-file.ts';

/**
 * Gives what a profile keeps to its new name, whatever version wrote it; the files of the old name stay until `removeOld`.
 * What another profile of the new name has left is removed. Throws what the system throws.
 */
export async function renameKept(directory: string, from: string, to: string): Promise<{ removeOld(): Promise<void> }> {
  const nameIn = async (path: string) => {
    const text = await readPrivateFile(path, 'the file', largest);
    const file = text.ok && text.value !== undefined ? parsedJson(text.value) : undefined;
    return isObject(file) ? file : undefined;
  };
  for (const noun of keptFiles) {
    const file = await nameIn(profilePath(directory, noun, from));
    const path = profilePath(directory, noun, to);
    if (file?.profile === from) await replacePrivateFile(path, `${stringifyExact({ ...file, profile: to })}\n`);
    else await rm(path, { force: true });
  }
  return {
    async removeOld() {
      for (const what of keptFiles) {
        const path = profilePath(directory, what, from);
        // Where the system ignores case, the new file may be this one.
        if ((await nameIn(path))?.profile === from) await rm(path, { force: true });
      }
    },
  };
}
