import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file of the project, by its path from the root. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** One import of a file. `isType`: type-only. */
export interface Import {
  readonly from: string;
  /** A path from the root for a file of the project, else the specifier. */
  readonly to: string;
  readonly isType: boolean;
}

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Every TypeScript and JavaScript file that git tracks: a law is about the project, not about what lies in the folder. */
export function sources(folder = '', project = root): Source[] {
  const tracked = execFileSync('git', ['ls-files', '-z', '--', folder || '.'], { cwd: project, encoding: 'utf8' });
  return tracked
    .split('\0')
    .filter((path) => /\.(ts|tsx|js|mjs)$/.test(path) && !path.startsWith('docs/') && existsSync(join(project, path)))
    .map((path) => ({ path, text: readFileSync(join(project, path), 'utf8') }));
}

/** The file without its comments, each line still in its place. */
export function code(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, (text) => text.replace(/[^\n]/g, ' '))
    .replace(/(^|[\s;{(,])\/\/[^\n]*/g, (_, before: string) => before);
}

const statement = /(?:^|\n)[ \t]*(?:import|export)\s+(type\s+)?([^'"`;=()]*?)\s*from\s*['"]([^'"]+)['"]/g;
const bare = /(?:^|\n)[ \t]*import\s*['"]([^'"]+)['"]/g;
const later = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

/** Everything that a file imports or re-exports, `import()` included. */
export function importsOf({ path, text }: Source): Import[] {
  const plain = code(text);
  const place = (name: string) => (name.startsWith('.') ? normalize(join(dirname(path), name)) : name);
  const found: Import[] = [];
  for (const [, word, names = '', name = ''] of plain.matchAll(statement))
    found.push({ from: path, to: place(name), isType: word !== undefined || onlyTypes(names) });
  for (const [, name = ''] of plain.matchAll(bare)) found.push({ from: path, to: place(name), isType: false });
  for (const [, name = ''] of plain.matchAll(later)) found.push({ from: path, to: place(name), isType: false });
  return found;
}

/** `{ type A, type B }`: a list in which every name is a type. */
function onlyTypes(names: string): boolean {
  const list = /^\{([\s\S]*)\}$/.exec(names.trim())?.[1];
  const each =
    list
      ?.split(',')
      .map((text) => text.trim())
      .filter(Boolean) ?? [];
  return each.length > 0 && each.every((text) => text.startsWith('type '));
}
