import { type Endpoint, isRead, pathNames } from '../../src/api/endpoint.ts';

const ids = /^[a-z][a-z0-9-]*\.[a-z][a-z0-9-]*$/;
const repeats: Readonly<Record<string, readonly string[]>> = {
  list: ['read'],
  get: ['read'],
  search: ['read'],
  check: ['read'],
  create: ['once', 'settable'],
  update: ['settable', 'replace'],
  delete: ['delete'],
  act: ['settable', 'replace', 'delete', 'once', 'part'],
};

/** What is wrong with the values themselves, whatever the specification says. */
export function endpointFaults(all: readonly Endpoint[], unread: Readonly<Record<string, string>> = {}): string[] {
  const byId = new Map(all.map((it) => [it.id, it]));
  const kinds = new Set(all.filter(isRead).map((it) => it.of));
  return all.flatMap((it) => {
    const say = (wrong: boolean, text: string) => (wrong ? [`${it.id}: ${text}`] : []);
    const back = it.readBack === undefined ? undefined : byId.get(it.readBack);
    return [
      ...say(byId.get(it.id) !== it, 'another operation has this id'),
      ...say(
        all.some((one) => one !== it && one.method === it.method && one.path === it.path),
        'another operation has this method and path',
      ),
      ...say(!ids.test(it.id), 'an id is domain.verb in lower case'),
      ...say(!/^[A-Z].*[^.]$/.test(it.title), 'a title begins with a capital and ends without a full stop'),
      ...say(!/^\/api\/v[12]\/[^?\s]+$/.test(it.path), 'a path begins with /api/v1/ or /api/v2/'),
      ...say(new Set(pathNames(it.path)).size !== pathNames(it.path).length, 'a path names each parameter once'),
      ...say(it.source === '', 'it does not say where it comes from'),
      ...say(!(repeats[it.verb] ?? []).includes(it.repeat), `${it.verb} cannot be repeated as ${it.repeat}`),
      ...say(isRead(it) && it.readBack !== undefined, 'a read is not read back'),
      ...say(it.method === 'GET' && (!isRead(it) || it.body !== undefined), 'a GET reads and has no body'),
      ...say(
        it.repeat === 'settable' && back === undefined && !unread[it.id],
        'names no operation that shows what became of it',
      ),
      ...say(unread[it.id] !== undefined && (it.repeat !== 'settable' || back !== undefined), 'needs no excuse'),
      ...say(it.readBack !== undefined && back === undefined, `${it.readBack} is no operation`),
      ...say(back !== undefined && !isRead(back), `${it.readBack} is no read`),
      ...say(
        back !== undefined && pathNames(back.path).some((name) => !pathNames(it.path).includes(name)),
        `${it.readBack} asks for a parameter that the edit does not have`,
      ),
      ...say(
        (it.touches ?? []).some((kind) => !kinds.has(kind)),
        `touches a kind that nothing reads: ${(it.touches ?? []).filter((kind) => !kinds.has(kind)).join(', ')}`,
      ),
      ...(it.secrets ?? [])
        .filter((place) => place.startsWith('{') && !pathNames(it.path).includes(place.slice(1, -1)))
        .map((place) => `${it.id}: ${place} is no parameter of its path`),
    ];
  });
}

/** `METHOD path` with the names of the parameters left out: how the specification is compared. */
export const shape = (method: string, path: string) => `${method} ${path.replace(/\{[^}]*\}/g, '{}')}`;

/** Operations by `METHOD path`, with their permissions; null where the specification names none. */
export type Listed = Readonly<Record<string, readonly string[] | null>>;

/**
 * Operations of the specification that are missing, and values that claim to be of it and are not. `pathless` are
 * those that it describes without method or path: both origins are true of them.
 */
export function specFaults(all: readonly Endpoint[], spec: Listed, pathless: Listed = {}): string[] {
  const wanted = new Map(
    Object.entries({ ...spec, ...pathless }).map(([line, permission]) => {
      const [method = '', path = ''] = line.split(' ');
      return [shape(method, path), { line, permission }] as const;
    }),
  );
  const ours = new Map(all.map((it) => [shape(it.method, it.path), it]));
  return [
    ...[...wanted].filter(([key]) => !ours.has(key)).map(([, { line }]) => `${line} is missing`),
    ...all.flatMap((it) => {
      const known = wanted.get(shape(it.method, it.path));
      const isOpen = known !== undefined && known.line in pathless;
      if (!isOpen && (known !== undefined) !== (it.origin === 'spec'))
        return [`${it.id}: its origin is not ${it.origin}`];
      if (!known) return [];
      const names = pathNames(known.line).join();
      if (pathNames(it.path).join() !== names) return [`${it.id}: the specification calls its parameters ${names}`];
      const asked = known.permission;
      const same = asked === null || [...asked].sort().join() === [...it.permission].sort().join();
      return same ? [] : [`${it.id}: the specification asks for ${asked.join(', ')}`];
    }),
  ];
}
