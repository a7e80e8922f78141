/** What `npm pack --json` says of the tarball. */
export interface Packed {
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

/** The parts of package.json that decide what an installation brings. */
export interface PackageManifest {
  readonly private?: boolean;
  readonly bin: Readonly<Record<string, string>>;
  readonly man?: readonly string[];
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** Pictures of README.md and of the pages that are shipped. */
export const pictures = ['home', 'hygiene', 'issue', 'monitors', 'query', 'service', 'tour'].map(
  (name) => `docs/${name}.svg`,
);

/** Files of the tarball, with the pages of docs/. Nothing else is shipped. */
const shipped = [
  'package.json',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'SECURITY.md',
  ...pictures,
  'dist/main.js',
  'dist/orgdeck.js',
  'dist/package.json',
  'dist/start.js',
  'dist/THIRD-PARTY-NOTICES',
];

/** Bytes of an installation, at most. */
const maxInstalled = 3_500_000;

/** What is wrong with a tarball: files that are not listed, are missing or too large, and what an installation would add. */
export function packageFaults(
  { unpackedSize, files }: Packed,
  manifest: PackageManifest,
  pages: readonly string[] = [],
): string[] {
  const paths = files.map(({ path }) => path);
  const named = [...shipped, ...pages, ...Object.values(manifest.bin), ...(manifest.man ?? [])];
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = manifest;
  return [
    ...paths
      .filter((path) => !named.includes(path))
      .map((path) => `${path} is packed: name it in shipped, or in man of package.json`),
    ...named.filter((path) => !paths.includes(path)).map((path) => `${path} is missing from the tarball`),
    ...(unpackedSize > maxInstalled ? [`${unpackedSize} bytes are more than ${maxInstalled}`] : []),
    ...Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }).map(
      (name) => `${name} would be installed as well: the bundle contains what the program needs`,
    ),
    ...['preinstall', 'install', 'postinstall', 'prepare']
      .filter((script) => manifest.scripts[script] !== undefined)
      .map((script) => `the script ${script} makes npm warn whoever installs the tarball`),
    ...(manifest.private ? ['a private package cannot be published'] : []),
  ];
}

/** Packages of the bundle without a notice, by the headings `name version (license)` of the notices. */
export function noticeFaults(notices: string, bundled: readonly string[]): string[] {
  const named = new Set([...notices.matchAll(/^(\S+) \d+\.\d+\.\d+\S* \([\w. -]+\)\n\n\S/gm)].map(([, name]) => name));
  return bundled.filter((name) => !named.has(name)).map((name) => `${name} has no notice`);
}

/** Plugins of the build that put other contents in the place of files, but for what is empty, or only calls later, on purpose. */
export function rewriteFaults(build: string): string[] {
  const loads = [...build.matchAll(/onLoad\(\{[^}]*\}/g)].map(([load]) => load);
  return [
    ...loads
      .filter((load) => !/namespace: '(nothing|when-called)'/.test(load))
      .map((load) => `the build rewrites files: ${load}`),
    // What stands before a module may call it, and has no text of it.
    ...(/\breadFile|'(node:)?fs/.test(build) ? ['the build reads files of packages'] : []),
  ];
}
