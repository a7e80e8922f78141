import type { Layer } from './layers.ts';
import type { Source } from './sources.ts';
import { code, importsOf } from './sources.ts';

/** The parts of package.json that the laws read. */
export interface Manifest {
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
  readonly scripts: Readonly<Record<string, string>>;
}

/** Packages that are missing from the table of CONTRIBUTING, or stand there without being installed. */
export function dependencyFaults(page: string, { devDependencies }: Manifest): string[] {
  const head = page.indexOf('| package | why |');
  const rows = page.slice(head).split('\n\n')[0]?.split('\n').slice(2) ?? [];
  const named = new Map(rows.map((row) => [/^\| `([^`]+)` \|/.exec(row)?.[1] ?? row, row.split('|')[2]?.trim() ?? '']));
  const all = Object.keys(devDependencies);
  return [
    ...all.filter((name) => !named.get(name)).map((name) => `${name} has no reason in CONTRIBUTING`),
    ...[...named.keys()]
      .filter((name) => !all.includes(name))
      .map((name) => `${name} is in CONTRIBUTING and not in package.json`),
  ];
}

/** Packages that nothing imports. `tools` are run or read by name. */
export function idleFaults(files: readonly Source[], manifest: Manifest, tools: readonly string[]): string[] {
  const imported = new Set(files.flatMap(importsOf).map(({ to }) => /^(@[^/]+\/)?[^/]+/.exec(to)?.[0]));
  return Object.keys(manifest.devDependencies)
    .filter((name) => !tools.includes(name) && !imported.has(name))
    .map((name) => `nothing uses ${name}`);
}

/** Variables of ours that the program reads and the page does not explain, and the other way round. */
export function variableFaults(page: string, files: readonly Source[]): string[] {
  const ours = /\bORGDECK_[A-Z_]*[A-Z]\b/g;
  const read = new Set(
    files
      .filter((file) => /^(src|components|screens)\//.test(file.path))
      .flatMap((file) => code(file.text).match(ours) ?? []),
  );
  const documented = new Set([...page.matchAll(/^\| `(ORGDECK_[A-Z_]+)` \|/gm)].map((match) => match[1] as string));
  return [
    ...[...read].filter((name) => !documented.has(name)).map((name) => `${name} is not documented`),
    ...[...documented].filter((name) => !read.has(name)).map((name) => `${name} is documented and read by nothing`),
  ];
}

/** Commands of the README that package.json does not have, and links to files that are not there. */
export function promiseFaults(readme: string, { scripts }: Manifest, exists: (path: string) => boolean): string[] {
  const run = [...readme.matchAll(/npm run ([a-z-]+(?::[a-z-]+)*)/g)].map((match) => match[1] as string);
  const links = [...readme.matchAll(/\]\(([^):#]+)\)/g)].map((match) => match[1] as string);
  return [
    ...run.filter((script) => !scripts[script]).map((script) => `npm run ${script} does not exist`),
    ...links.filter((link) => !exists(link)).map((text) => `${text} does not exist`),
  ];
}

/** Files of code that a document names and that are not there; a name may leave out where a file is. */
export function fileFaults(page: string, files: readonly Pick<Source, 'path'>[]): string[] {
  const named = [...page.matchAll(/`([\w./-]+\.(?:tsx?|mjs))`/g)].map((match) => match[1] as string);
  return named
    .filter((name) => !files.some(({ path }) => `/${path}`.endsWith(`/${name}`)))
    .map((name) => `there is no ${name}`);
}

/** Messages that the page quotes, `…` for what differs, and that no text of the program has. */
export function messageFaults(page: string, files: readonly Source[]): string[] {
  const program = files
    .filter(({ path }) => /^(src|components|screens)\//.test(path) && !path.startsWith('src/simulator/'))
    .map(({ text }) => code(text))
    .join('\n');
  const tables = page.split('| message | what to do |\n| --- | --- |\n').slice(1);
  return tables
    .flatMap((table) => (table.split('\n\n')[0] ?? '').trim().split('\n'))
    .flatMap((row) => row.split('|')[1]?.trim() ?? [])
    .filter((message) => !message.split('…').every((part) => program.includes(part.trim())))
    .map((message) => `nothing says "${message}"`);
}

/** Laws that the page does not name in its table, and named ones that are not there. */
export function lawFaults(page: string, names: readonly string[]): string[] {
  const named = [...page.matchAll(/^\| `([\w-]+\.test\.tsx?)` \| [^|\s]/gm)].map((match) => match[1] as string);
  return [
    ...names.filter((name) => !named.includes(name)).map((name) => `the law ${name} is not in the table`),
    ...named.filter((name) => !names.includes(name)).map((name) => `there is no law ${name}`),
  ];
}

/** Rooms that the page describes otherwise than the table of layers, or not at all. */
export function roomFaults(page: string, layers: Readonly<Record<string, Layer>>): string[] {
  const rows = new Map([...page.matchAll(/^\| `([\w./]+)` \| \S.* \| ([^|]*) \|$/gm)].map((row) => [row[1], row[2]]));
  return Object.entries(layers).flatMap(([room, { reaches, types = [] }]) => {
    const short = (path: string) => path.replace('src/', '');
    const all = [...[...reaches].map(short), ...types.map((path) => `types of ${short(path)}`)];
    const says = reaches === 'everything' ? 'everything' : all.join(', ') || 'nothing';
    return rows.get(room) === says ? [] : [`${room} may import ${says}; the page says ${rows.get(room)}`];
  });
}

/**
 * Names of the code that a page for engineers uses, in examples and as `camelCase`, and that the code has not, and functions that it calls and
 * nobody can import; `others` are of libraries.
 */
export function nameFaults(page: string, files: readonly Source[], others: readonly string[]): string[] {
  const examples = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].flatMap(([, example = '']) => words(code(example)));
  const named = [...page.matchAll(/`([^`\n]+)`/g)].flatMap(([, text = '']) => words(text).filter(isCamelCase));
  const known = new Set([...files.flatMap(({ text }) => words(text)), ...others]);
  const quoted = [...page.matchAll(/```ts\n([\s\S]*?)```|`([^`\n]+)`/g)].map(([, block, text = '']) =>
    code(block ?? text),
  );
  const called = quoted.flatMap((text) => text.match(/(?<![\w.])[a-z]\w{2,}(?=\()/g) ?? []);
  const own = page.replace(/^const/gm, 'export const');
  const offers = new Set([own, ...files.map(({ text }) => text)].flatMap((text) => text.match(offered) ?? []));
  return [
    ...[...new Set([...examples, ...named])].filter((name) => !known.has(name)).map((name) => `there is no ${name}`),
    ...called.filter((name) => known.has(name) && !offers.has(name)).map((name) => `nothing exports ${name}()`),
  ];
}

/** The name of an export, or of a member of a type such as `replace?(id: string): Call;`. */
const offered =
  /(?<=^(?:export (?:const|(?:async )?function\*?)|[ \t]+readonly) )\w+|(?<=^[ \t]+\*?)\w+(?=\??(?:[<:]|\((?:[^()]|\([^()]*\))*\)[:;]))/gm;

const words = (text: string): readonly string[] => text.match(/[A-Za-z_]\w{2,}/g) ?? [];
const isCamelCase = (name: string): boolean => /[a-z][A-Z]/.test(name);

/** Links of a page to headings that are not there; `read` gives the text of another page. */
export function headingFaults(page: string, read: (path: string) => string): string[] {
  const links = [...page.matchAll(/\]\(([^):#]*)#([^)]+)\)/g)];
  return links
    .filter(([, path = '', name]) => !headingsOf(path === '' ? page : read(path)).includes(name ?? ''))
    .map(([, path, name]) => `${path} has no heading ${name}`);
}

/** The headings of a page as links name them. */
export const headingsOf = (page: string): readonly string[] =>
  [...page.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
