import { code, importsOf, type Source } from './sources.ts';

/** A word that only a few files may contain. */
interface Rule {
  readonly what: string;
  readonly found: RegExp;
  /** Paths or path prefixes where the word is allowed. */
  readonly allowed: readonly string[];
  readonly why: string;
  /** The rule also covers comments. */
  readonly inComments?: boolean;
}

/** A package that only a few files may import. */
interface Door {
  readonly packages: RegExp;
  readonly allowed: readonly string[];
  readonly why: string;
}

const program = ['src/', 'components/', 'screens/'];

const rules: readonly Rule[] = [
  {
    what: 'process.stdout',
    found: /\bprocess\.stdout\b/,
    allowed: ['src/terminal/', 'src/cli/', 'src/main.tsx'],
    why: 'one writer: whatever else writes there tears the frame, or lets a sequence out',
  },
  {
    what: 'console',
    found: /\bconsole\s*\.\s*\w+\s*\(/,
    allowed: [],
    why: 'it bypasses painting and redaction',
  },
  {
    what: 'a timer',
    found: /\bset(Timeout|Interval|Immediate)\s*\(/,
    // The command that prints a key, and the wait for another process's lock, are real time; slices only let others have their turn.
    allowed: [
      'src/lib/private-file.ts',
      'src/lib/time.ts',
      'src/lib/slices.ts',
      'src/terminal/',
      'src/simulator/',
      'src/client/',
      'src/profiles/keyring.ts',
    ],
    why: 'time comes from the clock that was passed in, so that a test can let an hour pass',
  },
  {
    what: 'the wall clock',
    found: /\bDate\.now\s*\(|\bnew Date\(\s*\)|\bperformance\.now\s*\(/,
    // The last write to a blocked terminal has a real deadline; the throttled object store uses real time.
    allowed: ['src/lib/time.ts', 'src/terminal/output.ts', 'src/main.tsx', 'src/simulator/server/object-store.ts'],
    why: 'time comes from the clock that was passed in',
  },
  {
    what: 'fetch',
    found: /^(?![\s\S]*\b(function|const) fetch\b)[\s\S]*(?<![\w.])fetch\s*\(|globalThis\.fetch/,
    allowed: [],
    why: 'it follows redirects and carries the keys to another host',
  },
  {
    what: 'encodeURIComponent',
    found: /\bencodeURI(Component)?\b/,
    allowed: ['src/lib/paint.ts'],
    why: 'it throws at half a character, which a service may send in any id',
  },
  {
    what: 'a variable of the module',
    found: /^(export\s+)?(let|var)\s/m,
    allowed: ['src/launch.js'],
    why: 'state lives in what a create function returns: two profiles must never share it',
  },
  {
    what: 'a text called painted',
    found: /\bas Painted\b/,
    allowed: ['src/lib/paint.ts', 'src/lib/painted.ts'],
    why: 'a text becomes Painted by paint() or by plain``, and by nothing else',
  },
  {
    what: 'a text drawn past the spans',
    found: /<(Text|TextInput|Transform)[\s>]/,
    allowed: ['components/Field.tsx'],
    why: 'spans take painted texts only',
  },
  {
    what: 'the set of all emoji',
    found: /RGI_Emoji\}/,
    allowed: [],
    why: 'it takes 45 ms in one stretch: src/lib/text.ts asks smaller sets',
  },
  {
    what: 'a type check switched off',
    found: /@ts-(ignore|nocheck|expect-error)|\bas any\b/,
    allowed: [],
    why: 'the compiler is the first test',
    inComments: true,
  },
];

const doors: readonly Door[] = [
  { packages: /^undici($|\/)/, allowed: ['src/client/'], why: 'the only network' },
  {
    packages: /^csv-parse/,
    allowed: ['src/upload/'],
    why: 'the simulator reads CSV by itself, so that two readings must agree',
  },
  { packages: /^conf$/, allowed: ['src/profiles/'], why: 'the only store of settings' },
  { packages: /^@tanstack\//, allowed: ['src/cache/'], why: 'the cache is one room' },
  { packages: /^(ink|ink-.+)$/, allowed: ['components/', 'src/shell/', 'src/main.tsx', 'src/cli/'], why: 'drawing' },
  { packages: /^commander$/, allowed: ['src/cli/', 'src/main.tsx'], why: 'arguments are read in one place' },
  {
    packages: /^node:(https?|http2|net|tls|dgram|dns)$/,
    allowed: ['src/client/', 'src/simulator/'],
    why: 'the only network',
  },
];

/** A template text with the program of another process, which the rules do not cover. */
const scripts = /= `\n[\s\S]*?\n`;/g;

const isIn = (path: string, places: readonly string[]) =>
  places.some((place) => path === place || path.startsWith(place));

/** Restricted words outside their allowed files. */
export function wordFaults(files: readonly Source[]): string[] {
  return files
    .filter((file) => isIn(file.path, program))
    .flatMap(({ path, text }) => {
      const plain = code(text).replace(scripts, '');
      return rules
        .filter((rule) => !isIn(path, rule.allowed) && rule.found.test(rule.inComments ? text : plain))
        .map((rule) => `${path} has ${rule.what}: ${rule.why}`);
    });
}

/** Restricted packages imported outside their allowed files; type-only imports are free. */
export function doorFaults(files: readonly Source[]): string[] {
  return files
    .filter((file) => isIn(file.path, program))
    .flatMap(importsOf)
    .filter((imported) => !imported.isType)
    .flatMap(({ from, to }) =>
      doors
        .filter((door) => door.packages.test(to) && !isIn(from, door.allowed))
        .map((door) => `${from} must not import ${to}: ${door.why}`),
    );
}

/** Skipped tests and notes to oneself. */
export function leftovers(files: readonly Source[]): string[] {
  const marks = new RegExp(['TO', 'DO|FIX', 'ME|XX', 'X'].join(''));
  const asleep = /\b(test|it|describe)\.(skip|only|todo)\b/;
  return files.flatMap(({ path, text }) => [
    ...(new RegExp(`\\b(${marks.source})\\b`).test(text) ? [`${path} has a note about work to be done`] : []),
    ...(asleep.test(code(text)) ? [`${path} has a test that does not run`] : []),
  ]);
}

const keyLike = /\b([0-9a-f]{40}|[0-9a-f]{32})\b/g;

/** Texts that look like a key: 32 or 40 random hexadecimal digits, or the header of a private key. */
export function secretFaults(files: readonly Source[]): string[] {
  return files
    .filter(({ text }) => (text.match(keyLike) ?? []).some(isRandom) || /-----BEGIN [A-Z ]*KEY-----/.test(text))
    .map(({ path }) => `${path} holds what looks like a secret`);
}

/** Whether digits look random: test keys use few digits (`aaaabbbb`) or count upward (`a0b1c2`). */
function isRandom(text: string): boolean {
  const digits = [...text].map((one) => Number.parseInt(one, 16));
  const steps = digits.filter((one, at) => at >= 2 && Math.abs(one - (digits[at - 2] as number)) <= 1);
  return new Set(digits).size > 9 && steps.length < digits.length / 2;
}

/** Files over 400 lines. Test files are exempt. */
export const longFaults = (files: readonly Source[]): string[] =>
  files
    .filter((file) => !/\.test\.tsx?$/.test(file.path) && file.text.split('\n').length > 401)
    .map(({ path }) => `${path} is over 400 lines: look for the seam`);
