/**
 * `npm run dist`: one archive for machines like this one that have no Node. It holds the package as npm packs it, Node with
 * its license, and a starter. Prints the name of the archive.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const machine = `${process.platform}-${process.arch}`;
const name = `orgdeck-${version}-${machine}`;
const place = mkdtempSync(join(tmpdir(), 'orgdeck-dist-'));

/** Packs a folder or a package of the registry, and unpacks these members of it into `to`. */
function unpack(what: readonly string[], to: string, members: readonly string[]): void {
  const pack = ['pack', ...what, '--silent', '--ignore-scripts', '--pack-destination', place];
  const file = execFileSync('npm', pack, { cwd: root, encoding: 'utf8' }).trim();
  mkdirSync(to, { recursive: true });
  execFileSync('tar', ['-xzf', join(place, file), '-C', to, '--strip-components=1', ...members]);
}

try {
  const content = join(place, name);
  unpack([], join(content, 'package'), ['package']);
  // The package that `node` installs its program from, already in npm's cache; unlike `node` it has the license.
  const node = `node-${machine}@${process.versions.node}`;
  unpack([node, '--prefer-offline'], join(content, 'node'), ['package/bin/node', 'package/LICENSE']);
  cpSync(join(root, 'package/orgdeck.sh'), join(content, 'orgdeck'));
  execFileSync('tar', ['-czf', join(root, `${name}.tar.gz`), '-C', place, name]);
  process.stdout.write(`${name}.tar.gz\n`);
} finally {
  rmSync(place, { recursive: true, force: true });
}
