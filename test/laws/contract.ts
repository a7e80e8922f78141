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
  act: ['settable', 'replace', 'delete', 'once'],
};

/** Faults of the endpoints themselves, independent of the specification. */
export function endpointFaults(all: readonly Endpoint[]): string[] {
  const byId = new Map(all.map((endpoint) => [endpoint.id, endpoint]));
  const kinds = new Set(all.filter(isRead).map((endpoint) => endpoint.of));
  return all.flatMap((endpoint) => {
    const say = (wrong: boolean, text: string) => (wrong ? [`${endpoint.id}: ${text}`] : []);
    const back = endpoint.readBack === undefined ? undefined : byId.get(endpoint.readBack);
    return [
      ...say(byId.get(endpoint.id) !== endpoint, 'another operation has this id'),
      ...say(
        all.some((one) => one !== endpoint && one.method === endpoint.method && one.path === endpoint.path),
        'another operation has this method and path',
      ),
      ...say(!ids.test(endpoint.id), 'an id is domain.verb in lower case'),
      ...say(!/^[A-Z].*[^.]$/.test(endpoint.title), 'a title begins with a capital and ends without a full stop'),
      ...say(!/^\/api\/v[12]\/[^?\s]+$/.test(endpoint.path), 'a path begins with /api/v1/ or /api/v2/'),
      ...say(
        new Set(pathNames(endpoint.path)).size !== pathNames(endpoint.path).length,
        'a path names each parameter once',
      ),
      ...say(endpoint.source === '', 'it does not say where it comes from'),
      ...say(
        !(repeats[endpoint.verb] ?? []).includes(endpoint.repeat),
        `${endpoint.verb} cannot be repeated as ${endpoint.repeat}`,
      ),
      ...say(isRead(endpoint) && endpoint.readBack !== undefined, 'a read is not read back'),
      ...say(
        endpoint.method === 'GET' && (!isRead(endpoint) || endpoint.body !== undefined),
        'a GET reads and has no body',
      ),
      ...say(endpoint.repeat === 'settable' && back === undefined, 'names no operation that shows what became of it'),
      ...say(endpoint.readBack !== undefined && back === undefined, `${endpoint.readBack} is no operation`),
      ...say(back !== undefined && !isRead(back), `${endpoint.readBack} is no read`),
      ...say(
        back !== undefined && pathNames(back.path).some((name) => !pathNames(endpoint.path).includes(name)),
        `${endpoint.readBack} asks for a parameter that the edit does not have`,
      ),
      ...say(
        (endpoint.touches ?? []).some((kind) => !kinds.has(kind)),
        `touches a kind that nothing reads: ${(endpoint.touches ?? []).filter((kind) => !kinds.has(kind)).join(', ')}`,
      ),
      ...(endpoint.secrets ?? [])
        .filter((place) => place.startsWith('{') && !pathNames(endpoint.path).includes(place.slice(1, -1)))
        .map((place) => `${endpoint.id}: ${place} is no parameter of its path`),
    ];
  });
}

/** `METHOD path` with the names of the parameters left out: how the specification is compared. */
const shape = (method: string, path: string) => `${method} ${path.replace(/\{[^}]*\}/g, '{}')}`;

/** Operations by `METHOD path`, with their permissions; null where the specification names none. */
export type Listed = Readonly<Record<string, readonly string[] | null>>;

/**
 * Operations of the specification that are missing, and endpoints wrongly marked as of the specification. `pathless` are
 * those that it describes without method or path: either origin is right for them.
 */
export function specFaults(all: readonly Endpoint[], spec: Listed, pathless: Listed = {}): string[] {
  const wanted = new Map(
    Object.entries({ ...spec, ...pathless }).map(([line, permission]) => {
      const [method = '', path = ''] = line.split(' ');
      return [shape(method, path), { line, permission }] as const;
    }),
  );
  const ours = new Map(all.map((endpoint) => [shape(endpoint.method, endpoint.path), endpoint]));
  return [
    ...[...wanted].filter(([key]) => !ours.has(key)).map(([, { line }]) => `${line} is missing`),
    ...all.flatMap((endpoint) => {
      const known = wanted.get(shape(endpoint.method, endpoint.path));
      const isOpen = known !== undefined && known.line in pathless;
      if (!isOpen && (known !== undefined) !== (endpoint.origin === 'spec'))
        return [`${endpoint.id}: its origin is not ${endpoint.origin}`];
      if (!known) return [];
      const names = pathNames(known.line).join();
      if (pathNames(endpoint.path).join() !== names)
        return [`${endpoint.id}: the specification calls its parameters ${names}`];
      const asked = known.permission;
      const same = asked === null || [...asked].sort().join() === [...endpoint.permission].sort().join();
      return same ? [] : [`${endpoint.id}: the specification asks for ${asked.join(', ')}`];
    }),
  ];
}
