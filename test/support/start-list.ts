import { basename } from 'node:path';
import type { Metafile } from 'esbuild';

/** Chunks of the bundle with the bytes of each source file in them. */
type Bundle = Readonly<Record<string, Readonly<Record<string, number>>>>;

export const bytesByChunk = ({ outputs }: Metafile): Bundle =>
  Object.fromEntries(
    Object.entries(outputs).map(([chunk, { inputs }]) => [
      basename(chunk),
      Object.fromEntries(Object.entries(inputs).map(([file, { bytesInOutput }]) => [file, bytesInOutput])),
    ]),
  );

/** A package or a room, and how many kilobytes (1,000 bytes) of it are loaded. */
export type StartList = Readonly<Record<string, number>>;

/** Less than this part of what the list allows is reported, so that a gain is kept. */
const tooFew = 0.6;

/** Bytes by package and room in the chunks that a start has loaded. */
export function loadedParts(bundle: Bundle, chunks: readonly string[]): Record<string, number> {
  const parts: Record<string, number> = {};
  for (const chunk of chunks)
    for (const [file, bytes] of Object.entries(bundle[chunk] ?? {})) {
      const name = partOf(file);
      parts[name] = (parts[name] ?? 0) + bytes;
    }
  return parts;
}

/** The package of a library's file, wherever it lies; the room of a file of ours. */
function partOf(file: string): string {
  const library = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
  return (
    library ??
    file
      .split('/')
      .slice(0, file.startsWith('src/') ? 2 : 1)
      .join('/')
  );
}

/** How what is loaded differs from the list, as sentences that name it. Parts under 1,000 bytes count in the total only. */
export function startFaults(parts: Readonly<Record<string, number>>, list: StartList, total: number): string[] {
  const all = Object.values(parts).reduce((sum, bytes) => sum + bytes, 0);
  return [
    ...Object.entries(parts).flatMap(([name, bytes]) => {
      const allowed = list[name];
      if (allowed === undefined)
        return bytes < 1000 ? [] : [`${name} is loaded before the first frame, ${bytes} bytes, and is not in the list`];
      if (bytes > allowed * 1000)
        return [`${bytes} bytes of ${name} are loaded at the start, start-list.json allows ${allowed} kB`];
      return bytes < allowed * 1000 * tooFew && allowed > 4
        ? [`only ${bytes} bytes of ${name} are loaded at the start: lower its ${allowed} kB in the list`]
        : [];
    }),
    ...Object.keys(list)
      .filter((name) => !(name in parts))
      .map((name) => `${name} is no longer loaded at the start: take it off the list`),
    ...(all > total * 1000 ? [`${all} bytes are loaded at the start, start-list.json allows ${total} kB`] : []),
  ];
}
