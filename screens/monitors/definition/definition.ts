import type { Resource } from '../../../src/describe/resource-spec.ts';
import { type JsonObject, without } from '../../../src/lib/object-paths.ts';
import { toObject } from '../row.ts';

/** A monitor's JSON as the service sends it, unknown members included (docs/contract/monitors.md#monitor). */
export type Definition = JsonObject;

/** A definition as it was read: its members are the attributes, `unread` those that could not be read. */
export type Stored = Resource<Definition>;

/** The options of a definition. */
export const readOptions = (definition: Definition): Definition => toObject(definition.options);

/** Options to send, without `silenced`, which the service then keeps (docs/contract/monitors.md#edit). */
export const sentOptions = (definition: Definition): Definition => without(readOptions(definition), ['silenced']);
