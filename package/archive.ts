/**
 * `npm run dist`: one archive for machines like this one that have no Node. It holds the package as npm packs it, Node with
 * its license, and a starter. Prints the name of the archive.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');
const machine = `${process.platform}-${process.arch}`;

/** What package.json says of the program. */
export const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Readonly<{
  version: string;
  description: string;
  license: string;
}>;

/** The name of the archive, and of the only folder in it. */
export const archiveName = `orgdeck-${manifest.version}-${machine}`;

/** Packs a folder or a package of the registry into `to`, and gives the name of the tarball. */
export const pack = (what: readonly string[], to: string): string =>
  execFileSync('npm', ['pack', ...what, '--silent', '--ignore-scripts', '--pack-destination', to], {
    cwd: root,
    encoding: 'utf8',
  }).trim();

/** Writes the archive into a folder, and gives its name. */
export function archive(to: string): string {
  const place = mkdtempSync(join(tmpdir(), 'orgdeck-dist-'));
  const unpack = (what: readonly string[], folder: string, members: readonly string[]) => {
    mkdirSync(folder, { recursive: true });
    const file = join(place, pack(what, place));
    execFileSync('tar', ['-xzf', file, '-C', folder, '--strip-components=1', ...members]);
  };
  try {
    const content = join(place, archiveName);
    unpack([], join(content, 'package'), ['package']);
    // The package that `node` installs its program from, already in npm's cache; unlike `node` it has the license.
    const node = `node-${machine}@${process.versions.node}`;
    unpack([node, '--prefer-offline'], join(content, 'node'), ['package/bin/node', 'package/LICENSE']);
    cpSync(join(root, 'package/orgdeck.sh'), join(content, 'orgdeck'));
    execFileSync('tar', ['-czf', join(to, `${archiveName}.tar.gz`), '-C', place, archiveName]);
    return `${archiveName}.tar.gz`;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

if (import.meta.main) process.stdout.write(`${archive(root)}\n`);
