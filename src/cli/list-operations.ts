import { screens } from '../../screens/index.ts';
import { endpoints } from '../api/all-endpoints.ts';
import type { Endpoint } from '../api/endpoint.ts';
import type { Flags } from '../profiles/resolve-settings.ts';
import { complain, safeJson, tell } from './command-messages.ts';
import type { Ports } from './command-ports.ts';
import { formatUsage } from './endpoint-command.ts';
import { type Exit, exits } from './io.ts';
import { envelope } from './output/formats.ts';

/** `orgdeck call --list`: every operation with its origin, screens and permission; as JSON with all that is known of it. */
export async function listOperations(ports: Ports, flags: Flags, asJson: boolean): Promise<Exit> {
  const { io } = ports;
  const here = endpoints.map(await namedFor(ports, flags));
  if (asJson) {
    io.out(`${safeJson(envelope(here.map(operation)))}\n`);
    return exits.done;
  }
  const rows = here.map((endpoint) => [
    endpoint.id,
    endpoint.method,
    endpoint.origin,
    screensOf(endpoint).join(',') || '-',
    endpoint.permission.join(',') || '-',
    endpoint.path,
    endpoint.title,
  ]);
  const widths = [0, 1, 2, 3, 4].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  tell(
    io,
    rows.map((row) => row.map((text, at) => text.padEnd(widths[at] ?? 0)).join('  ')),
  );
  return exits.done;
}

/** An operation with path, permissions and title in the deployment's words; its id is not translated. */
async function namedFor({ io, resolve }: Ports, flags: Flags): Promise<(endpoint: Endpoint) => Endpoint> {
  const settings = await resolve(flags);
  if (!settings.ok) complain(io, settings.text);
  const words = settings.ok ? settings.value.words : undefined;
  if (!words) return (endpoint) => endpoint;
  const { path, permission, says: describe } = words;
  return (endpoint) => ({
    ...endpoint,
    path: path(endpoint),
    permission: endpoint.permission.map(permission),
    title: describe(endpoint.title),
    ...(endpoint.deprecated === undefined ? {} : { deprecated: describe(endpoint.deprecated) }),
  });
}

/** The screens whose lists read with an operation, or whose actions use it. */
function screensOf({ id }: Endpoint): string[] {
  const has = (some: readonly Endpoint[] = []) => some.some((endpoint) => endpoint.id === id);
  return screens
    .filter((screen) => screen.lists.some((list) => has(list.reads) || list.actions.some((one) => has(one.uses))))
    .map((screen) => screen.id);
}

const operation = (endpoint: Endpoint) => ({
  id: endpoint.id,
  title: endpoint.title,
  method: endpoint.method,
  path: endpoint.path,
  permission: endpoint.permission,
  origin: endpoint.origin,
  repeat: endpoint.repeat,
  screens: screensOf(endpoint),
  usage: formatUsage(endpoint),
  deprecated: endpoint.deprecated ?? null,
});
