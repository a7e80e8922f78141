import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where a planted secret was found, and in which form. */
export interface Leak {
  readonly secret: string;
  readonly form: string;
  readonly place: string;
}

/** The forms in which a secret may hide in a text. */
function formsOf(secret: string): ReadonlyMap<string, string> {
  const bytes = Buffer.from(secret);
  // Base64 depends on where in the text the secret begins; its ends depend on the neighbors and are left out.
  const base64 = [0, 1, 2].map((shift) => {
    const whole = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    return [`base64 at ${shift}`, whole.slice(Math.ceil((shift * 8) / 6), -4)] as const;
  });
  return new Map([
    ['raw', secret],
    ['URL', encodeURIComponent(secret)],
    ['JSON', JSON.stringify(secret).slice(1, -1)],
    ['hex', bytes.toString('hex')],
    ...base64,
  ]);
}

/** Finds secrets, given by name, in texts, given by place. */
export function findLeaks(
  secrets: Readonly<Record<string, string>>,
  texts: Iterable<readonly [place: string, text: string]>,
): readonly Leak[] {
  const forms = Object.entries(secrets).map(([secret, value]) => [secret, formsOf(value)] as const);
  return [...texts].flatMap(([place, text]) =>
    forms.flatMap(([secret, all]) =>
      [...all].filter(([, form]) => text.includes(form)).map(([form]) => ({ secret, form, place })),
    ),
  );
}

/** Every file below a directory with its bytes as Latin-1 text, and the names themselves. */
export function filesBelow(directory: string): readonly (readonly [string, string])[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    const path = join(directory, name);
    const isFile = lstatSync(path).isFile();
    return [[`the name ${name}`, name] as const, ...(isFile ? [[name, readFileSync(path, 'latin1')] as const] : [])];
  });
}

/**
 * Looks every `everyMs` at the arguments of the processes for which `isOwn` answers true and of all their descendants, and at the
 * environment of the descendants; but not of those that do not run a program of their own yet: between `fork` and `exec` they show
 * what their parent has.
 */
export function watchProcesses(
  isOwn: (pid: number, commandLine: string) => boolean,
  sees: (place: string, text: string) => void,
  everyMs = 30,
): { stop(): void } {
  const read = (pid: number, what: string) => {
    try {
      return readFileSync(`/proc/${pid}/${what}`, 'latin1');
    } catch {
      return '';
    }
  };
  const look = () => {
    const parents = new Map<number, number>();
    /** Where in memory the environment lies: another place after each `exec`. */
    const places = new Map<number, string | undefined>();
    for (const name of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const pid = Number(name);
      const [, parent, ...facts] = read(pid, 'stat')
        .replace(/^.*\) /s, '')
        .split(' ');
      if (parent !== undefined) parents.set(pid, Number(parent));
      places.set(pid, facts[45]);
    }
    const lines = new Map(parents.keys().map((pid) => [pid, read(pid, 'cmdline')]));
    const isProgram = (pid: number) => isOwn(pid, lines.get(pid) ?? '');
    const isBelow = (pid: number): boolean => {
      const parent = parents.get(pid);
      return parent !== undefined && (isProgram(parent) || isBelow(parent));
    };
    const isCopy = (pid: number) => places.get(pid) === places.get(parents.get(pid) ?? 0);
    for (const [pid, line] of lines) {
      const below = isBelow(pid) && !isCopy(pid);
      if (below || isProgram(pid)) sees(`the arguments of ${pid}`, line);
      if (below) sees(`the environment of ${pid}, ${line}`, read(pid, 'environ'));
    }
  };
  const timer = setInterval(look, everyMs);
  return { stop: () => clearInterval(timer) };
}
