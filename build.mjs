// Builds dist/: `orgdeck.js`, which any Node can parse, `start.js`, which it calls, and the minified bundle behind them; with
// `--debug` the bundle is readable and has source maps.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import peggy from 'peggy';
import { bundle, starter } from './package/bundle.ts';
import { bundledPackages, notices } from './package/notices.ts';

const home = fileURLToPath(new URL('.', import.meta.url));
const dist = `${home}dist`;

// Generates the parsers of the query languages into src/query/made, which is not committed.
const grammars = `${home}src/query/grammars`;
const made = `${home}src/query/made`;
const tokens = await readFile(`${grammars}/tokens.peggy`, 'utf8');
/** Available in every grammar action: the location of the match, and a list of operators of equal precedence. */
const helpers = `{
  const at = () => { const { start, end } = range(); return { start, end }; };
  const joined = (head, tail) => (tail.length === 0 ? head : { kind: 'joined', head, tail, start: head.start, end: tail.at(-1).right.end });
}
`;
const typed = 'export function parse(text: string, options?: Readonly<Record<string, unknown>>): unknown;\n';
await mkdir(made, { recursive: true });
for (const file of await readdir(grammars)) {
  const name = file.replace(/\.peggy$/, '');
  if (name === file || name === 'tokens') continue;
  const text = `${helpers}${await readFile(`${grammars}/${file}`, 'utf8')}\n${tokens}`;
  // A grammar may be entered at every rule whose name begins with `query`.
  const allowedStartRules = text.match(/^query\w*$/gm);
  const source = peggy.generate(text, { format: 'es', output: 'source', grammarSource: file, allowedStartRules });
  await writeFile(`${made}/${name}.js`, source);
  await writeFile(`${made}/${name}.d.ts`, typed);
}

await mkdir(dist, { recursive: true });
for (const old of await readdir(dist)) await rm(`${dist}/${old}`, { recursive: true });

const { script, metafile } = await bundle(home, process.argv.includes('--debug'));
await writeFile(`${dist}/main.js`, script);
// All three are scripts.
await writeFile(`${dist}/package.json`, '{"type":"commonjs"}\n');

// The generated parsers contain peggy's own code.
const packages = [...bundledPackages(metafile), 'node_modules/peggy'];
await writeFile(`${dist}/THIRD-PARTY-NOTICES`, await notices(home, packages));

const buildId = createHash('sha256').update(script).digest('hex').slice(0, 12);
await writeFile(`${dist}/start.js`, await starter(home, buildId));
await writeFile(`${dist}/orgdeck.js`, await readFile(`${home}src/launch.js`), { mode: 0o755 });

// The manual pages come from the commands, so the program prints them; each begins with its heading.
const manual = spawnSync(process.execPath, [`${dist}/orgdeck.js`, 'man', '--all'], { encoding: 'utf8' });
if (manual.status !== 0) throw new Error(`no manual page: ${manual.stderr}`);
await mkdir(`${dist}/man`);
for (const page of manual.stdout.split(/^(?=\.TH )/m)) {
  const name = page.split(' ')[1]?.toLowerCase();
  await writeFile(`${dist}/man/${name}.1`, page);
}
