import type { Endpoint } from '../../src/api/endpoint.ts';
import { headingsOf } from './readme.ts';
import type { Source } from './sources.ts';

/** A page, perhaps a heading of it, perhaps further headings: `docs/design/screens.md#forms, #color`. */
const citation = /(?<![\w./-])((?:docs|src|screens|components|test)\/[\w./-]*\.md)((?:#[\w-]+)?(?:, #[a-z][\w-]*)*)/g;

/** Other ways to name a page of docs/contract or docs/design; those of the second only in a comment. */
const otherPaths = /(?<![\w/]|\]\()(?:contract|design)\/[\w-]+\.md/g;
const otherWords = /\((?:spec|design|contract)(?:: |, | \d)|\bcontract section \d/g;

/** Pages and headings that a file cites and that are not there, and citations in another form. `read` gives a page's text, if it exists. */
export function citationFaults({ path, text }: Source, read: (page: string) => string | undefined): string[] {
  const cited = [...text.matchAll(citation)].flatMap(([, page = '', names = '']) => {
    const content = read(page);
    if (content === undefined) return [`${path} cites ${page}, which does not exist`];
    const headings = headingsOf(content);
    return (names.match(/[\w-]+/g) ?? [])
      .filter((name) => !headings.includes(name))
      .map((name) => `${path} cites ${page}#${name}, which is no heading there`);
  });
  const comments = text.split('\n').filter((line) => /\/\/|\/\*|^\s*\*/.test(line));
  const others = [...(text.match(otherPaths) ?? []), ...(comments.join('\n').match(otherWords) ?? [])];
  return [...cited, ...others.map((form) => `${path} cites "${form}": write docs/contract/page.md#heading`)];
}

/** Tests that a page with promises names and that are not there, and files that it names without the title of a test: `file` *title*. */
export function untitledPromises(page: string, read: (path: string) => string | undefined): string[] {
  const rows = page.split('\n').filter((line) => /^\| .*`test\//.test(line));
  return rows.flatMap((row) =>
    [...row.matchAll(/`(test\/[^`]+)`((?:,? \*[^*]+\*)*)/g)].flatMap(([, path = '', named = '']) => {
      const titles = [...named.matchAll(/\*([^*]+)\*/g)].map(([, title = '']) => title);
      if (titles.length === 0) return [`${path} is named without the title of a test`];
      return titles.filter((title) => !read(path)?.includes(title)).map((title) => `${path} has no test "${title}"`);
    }),
  );
}

/** Operations without a page of the contract, or whose page names neither the end of their path nor a permission that they need. */
export function operationFaults(
  endpoints: readonly Pick<Endpoint, 'id' | 'path' | 'permission' | 'source'>[],
  read: (page: string) => string | undefined,
): string[] {
  return endpoints.flatMap(({ id, path, permission, source }) => {
    const page = /^(docs\/contract\/[\w-]+\.md)#[\w-]+$/.exec(source)?.[1];
    const text = page && read(page);
    if (!text) return [`${id} cites no page of the contract`];
    const named = [path.slice(path.lastIndexOf('/')), ...permission];
    return named.filter((name) => !text.includes(name)).map((name) => `${page} does not name ${name} of ${id}`);
  });
}

/** Comments of a file that name a file of code which is not among `names`. */
export const unknownFiles = ({ path, text }: Source, names: ReadonlySet<string>): readonly string[] =>
  text.split('\n').flatMap((line, at) => {
    const cited = /^\s*(?:\*|\/[/*])/.test(line) ? (line.match(/\b[a-z][a-z0-9-]*\.tsx?\b/g) ?? []) : [];
    return cited.flatMap((name) => (names.has(name) ? [] : [`${path}:${at + 1} names ${name}, which does not exist`]));
  });
