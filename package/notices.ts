import { readdir, readFile } from 'node:fs/promises';

/** The part of esbuild's metafile that is read here. */
interface Metafile {
  readonly outputs: Readonly<
    Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>
  >;
}

/** Packages that carry no license file: their own headers name the license and the holder. */
const withoutFile: Readonly<Record<string, { readonly license: string; readonly holder: string }>> = {
  'yoga-layout': { license: 'MIT', holder: 'Copyright (c) Meta Platforms, Inc. and affiliates.' },
};

/** Folders of the packages whose code is in the bundle, by esbuild's metafile; paths from the root. */
export function bundledPackages({ outputs }: Metafile): string[] {
  const files = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
  );
  const folders = files.flatMap((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? []);
  return [...new Set(folders)].sort();
}

/**
 * The license notices of packages as one text: a heading `name version (license)` and the files LICENSE and NOTICE of
 * each. Throws for a package that says no license, or has no text of it.
 */
export async function notices(root: string, folders: readonly string[]): Promise<string> {
  const mit = (await readFile(`${root}LICENSE`, 'utf8')).replace(/^[\s\S]*?(?=Permission is hereby granted)/, '');
  const parts = await Promise.all(
    folders.map(async (folder) => {
      const { name, version, license } = JSON.parse(await readFile(`${root}${folder}/package.json`, 'utf8'));
      const known = withoutFile[name];
      const files = (await readdir(`${root}${folder}`)).filter((file) => /^(licen[cs]e|notice)(\.|$)/i.test(file));
      const texts = await Promise.all(files.sort().map((file) => readFile(`${root}${folder}/${file}`, 'utf8')));
      if (texts.length === 0 && known && known.license === license) texts.push(`${known.holder}\n\n${mit}`);
      if (!license || texts.length === 0) throw new Error(`${name} has no license notice to pass on`);
      return [`${name} ${version} (${license})`, ...texts.map((text) => text.trim())].join('\n\n');
    }),
  );
  const distinct = [...new Set(parts)];
  return `orgdeck contains these packages.\n\n${distinct.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
