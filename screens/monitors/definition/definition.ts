import type { Resource } from '../../../src/describe/resource.ts';
import { type JsonObject, without } from '../../../src/lib/object-paths.ts';
import { objectOf } from '../row.ts';

/** What a monitor is, as the service reads and sends it (spec: Monitor). Members that nobody here knows are in it too. */
export type Definition = JsonObject;

/** A definition as it was read: its members are the attributes, `unread` those that could not be read. */
export type Stored = Resource<Definition>;

/** The options of a definition. */
export const optionsOf = (definition: Definition): Definition => objectOf(definition.options);

/** Options as they are sent: what is muted is left out, because the service keeps it then (contract/monitors.md 2.4). */
export const sentOptions = (definition: Definition): Definition => without(optionsOf(definition), ['silenced']);
