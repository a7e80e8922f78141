import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findSites, type Site, withSites } from './sites.ts';

/** The directory of the project. */
export const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

/** Where changes are made: every room. */
const changed = ['src/*/**/*.{ts,tsx}', 'components/**/*.{ts,tsx}', 'screens/**/*.ts'];
/** The runner puts another text in the place of this one (`createWorkers`). */
const unchanged = ['src/lib/bounded-cache.ts'];

/** The paths of the files in which changes are made. */
export const changedFiles = (): readonly string[] => globSync(changed, { cwd: projectRoot, exclude: unchanged }).sort();

/** A change with the file that has it. */
export interface Mutant {
  readonly path: string;
  readonly site: Site;
  /** Number of the change among all changes to this state of the code. */
  readonly number: number;
  /** The line of the file, without its indentation. */
  readonly text: string;
  /** Stays the same when other lines change. */
  readonly key: string;
}

/** Every change that can be made to the code, and the code with all of them in it, each one off. */
export interface Catalog {
  readonly mutants: readonly Mutant[];
  /** The changed text of a file by its path from the root; undefined for a file without changes. */
  switched(path: string, text: string): string | undefined;
}

export function readCatalog(): Catalog {
  const mutants: Mutant[] = [];
  const files = new Map<string, { readonly sites: readonly Site[]; readonly first: number }>();
  for (const path of changedFiles()) {
    const code = readFileSync(join(projectRoot, path), 'utf8');
    const sites = findSites(path, code);
    const lines = code.split('\n');
    const times = new Map<string, number>();
    files.set(path, { sites, first: mutants.length });
    for (const site of sites) {
      const text = lines[site.line - 1]?.trim() ?? '';
      const name = `${path}\n${text}\n${site.change}`;
      const time = times.get(name) ?? 0;
      times.set(name, time + 1);
      mutants.push({ path, site, number: mutants.length, text, key: digest(`${name}\n${time}`) });
    }
  }
  return {
    mutants,
    switched(path, text) {
      const file = files.get(path);
      return file && withSites(text, file.sites, file.first);
    },
  };
}

/** Twelve hexadecimal digits that stand for a text. */
export const digest = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** The mutants in the order that a seed gives them: the first ten of it stay nearly the same when code is added. */
export function shuffled(mutants: readonly Mutant[], seed: string): readonly Mutant[] {
  return mutants
    .map((mutant) => ({ mutant, at: digest(`${seed} ${mutant.key}`) }))
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ mutant }) => mutant);
}
