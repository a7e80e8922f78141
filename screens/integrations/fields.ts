import { type Field, listField, readAs, shownWhen, toggleField } from '../../src/describe/field.ts';
import type { ResourceKind } from '../../src/describe/resource.ts';
import type { Resource } from '../../src/describe/resource-spec.ts';
import { defineSettings } from '../../src/describe/setting.ts';
import { at } from '../../src/lib/object-paths.ts';
import { capitalized, commaWords } from '../../src/lib/text.ts';

/** Attributes without those that are only sent, also where a deployment returns them. */
export function withoutSecrets<A extends object>(attributes: A): A {
  const kept = Object.entries(attributes).filter(([name]) => !secrets.includes(name));
  return Object.fromEntries(kept) as A;
}

const secrets = ['client_secret', 'private_key', 'private_key_id'];

const filters = {
  hint: 'Comma-separated key:value; empty = all',
  check: (word: string) => /^!?[^:\s]+:\S/.test(word) || 'each filter is key:value, such as env:prod',
};

/** Filters by tag. */
export const filterField = (label: string, now: readonly string[] | null | undefined): Field<string[]> =>
  listField(label, now, filters);

/** A field for filters that the service keeps as one text with commas. */
export const filterText = (label: string, now: string | null | undefined): Field<string> =>
  readAs(filterField(label, commaWords(now)), (words) => ({ ok: true, value: words.join(',') }));

/** Declares switches of a kind: `untold` is what one is where the service does not tell it. */
export function switchFields<R extends Resource>(kind: ResourceKind<R>) {
  const setting = defineSettings(kind);
  return <const P extends string>(label: string, path: P, untold: boolean, hint?: string) =>
    setting(label, path, (now: unknown) => toggleField(capitalized(label), now == null ? untold : now === true, hint), {
      untold,
    });
}

/** The switch that provider_b has in both versions. */
export const commandCenterOf = <R extends Resource>(kind: ResourceKind<R>) =>
  switchFields(kind)(
    'command center',
    'is_security_command_center_enabled',
    false,
    'Requires more permissions of the service account',
  );

/** The switches of every provider: resource collection, scanning that needs it, muting of shutdowns. */
export function commonSwitches<R extends Resource>(kind: ResourceKind<R>, posture: Posture, untold: boolean) {
  const toggle = switchFields(kind);
  const scanning = toggle('security posture', posture, false, 'Requires resource collection');
  return {
    resources: toggle(
      'resource collection',
      'resource_collection_enabled',
      untold,
      'Security posture scanning requires it',
    ),
    posture: {
      ...scanning,
      field: (...now: Parameters<typeof scanning.field>) =>
        shownWhen((texts) => texts.resources === 'yes', scanning.field(...now)),
    },
    automute: toggle('mute on host shutdown', 'automute', false, 'Mutes monitors when a host is shut down as expected'),
  };
}

/** The member that is the scanning of the security posture. */
type Posture = 'cspm_enabled' | 'is_cspm_enabled';

interface Collecting {
  readonly resources?: boolean | undefined;
  readonly posture?: boolean | undefined;
}

/** Scanning ends with the resources that it needs, and begins with them where the service does not tell whether they are on. */
export const scanningField = (posture: Posture) => ({
  tidy<A extends { readonly resource_collection_enabled?: boolean | null | undefined }>(
    attributes: A,
    values: Collecting,
    before: A | undefined,
  ): A {
    if (values.resources === false && at(before, posture) === true) return { ...attributes, [posture]: false };
    const begins = values.posture === true && attributes.resource_collection_enabled == null;
    return begins ? { ...attributes, resource_collection_enabled: true } : attributes;
  },
  warns: ({ attributes }: Resource, { resources }: Collecting): readonly string[] =>
    resources === false && at(attributes, posture) === true
      ? ['Security posture scanning stops too: it requires resource collection']
      : [],
});
