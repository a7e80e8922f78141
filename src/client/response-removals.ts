import type * as v from 'valibot';

/** A value removed from a response, and its path. */

export type PathKey = string | number;
export type ValuePath = readonly PathKey[];
export interface Removal {
  readonly path: readonly PathKey[];
  readonly found: unknown;
}
export type SchemaIssue = v.BaseIssue<unknown>;

/** The smallest value to remove: the field itself, or its parent when the field is absent. */
export function removalFor(answer: unknown, issue: SchemaIssue): Removal {
  const path = (issue.path ?? []).map((item) => item.key as PathKey);
  while (path.length > 0 && !has(answer, path)) path.pop();
  return { path, found: at(answer, path) };
}

const at = (root: unknown, path: readonly PathKey[]): unknown =>
  path.reduce<unknown>((inside, key) => (isContainer(inside) ? inside[key] : undefined), root);

const has = (root: unknown, path: readonly PathKey[]): boolean => {
  const parent = at(root, path.slice(0, -1));
  return isContainer(parent) && Object.hasOwn(parent, path.at(-1) as PathKey);
};

export const isContainer = (value: unknown): value is Record<PathKey, unknown> =>
  typeof value === 'object' && value !== null;

/** Removes values from lists and objects, and keeps naming elements by their original index. */
export function createRemover() {
  const cameWith = new Map<unknown[], number[]>();
  return {
    name(root: unknown, path: readonly PathKey[]): string {
      const parts = path.map((key, depth) => {
        const list = at(root, path.slice(0, depth));
        if (!Array.isArray(list)) return `${depth > 0 ? '.' : ''}${String(key).slice(0, 80)}`;
        return `[${cameWith.get(list)?.[Number(key)] ?? key}]`;
      });
      return parts.join('');
    },
    remove(root: unknown, cuts: readonly Removal[]): void {
      const shortened = new Map<unknown[], Set<number>>();
      for (const { path } of cuts) {
        const parent = at(root, path.slice(0, -1));
        const last = path.at(-1);
        if (last === undefined) continue;
        if (Array.isArray(parent)) shortened.set(parent, (shortened.get(parent) ?? new Set()).add(Number(last)));
        else if (isContainer(parent)) delete parent[last];
      }
      for (const [list, gone] of shortened) {
        const indices = (cameWith.get(list) ?? list.map((_, index) => index)).filter((_, index) => !gone.has(index));
        cameWith.set(list, indices);
        const rest = list.filter((_, index) => !gone.has(index));
        // Not by spread: a list of an answer may be longer than a call may have arguments.
        list.length = 0;
        for (const item of rest) list.push(item);
      }
    },
  };
}
