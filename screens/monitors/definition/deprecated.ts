import { stringifyExact } from '../../../src/lib/json.ts';
import { objectOf } from '../row.ts';
import { at, type Path } from './definition.ts';
import { kept, optionalCount, type Part, placed, toggle } from './part.ts';

/** Something older that is shown where a monitor has it, and sent back as it came. */
function older(name: string, label: string, instead: string, isNothing: (value: unknown) => boolean): Part {
  const path: Path = ['options', name];
  return {
    name,
    takes: () => false,
    isSet: (now) => at(now, path) !== undefined && !isNothing(at(now, path)),
    field(now) {
      const value = at(now, path);
      return kept(`old: ${label}`, typeof value === 'string' ? value : stringifyExact(value), `deprecated, ${instead}`);
    },
    put: (_, into) => into,
  };
}

const isEmpty = (value: unknown): boolean => Object.keys(objectOf(value)).length === 0;

/** Deprecated options: only where a monitor has them, with what to use instead (spec: Monitor, options). */
export const deprecatedParts: readonly Part[] = [
  older('silenced', 'mutes', 'm and M mute and unmute', isEmpty),
  older('device_ids', 'devices', 'name devices in the query', (value) => Array.isArray(value) && value.length === 0),
  older('synthetics_check_id', 'test', 'the test keeps its monitor', (value) => value === ''),
  older('groupby_simple_monitor', 'one for all', 'use notify by: *', (value) => value === false),
  placed('locked', ['options', 'locked'], {
    takes: () => false,
    usual: false,
    field: (value) => toggle('old: locked', value, 'deprecated, use only these roles'),
  }),
  placed('new_host_delay', ['options', 'new_host_delay'], {
    takes: () => false,
    // What every service adds by itself (contract/monitors.md section 3).
    usual: 300,
    field: (value) => optionalCount('old: new host delay', value, 'seconds; deprecated, use new group delay'),
  }),
];
