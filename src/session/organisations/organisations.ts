import type { Cache } from '../../cache/cache.ts';
import type { Client } from '../../client/client.ts';
import type { Context, Person } from '../../describe/context.ts';
import { createOrganisation, type Organisation, type Tagged } from '../../describe/organisation.ts';
import { lacking } from '../../describe/rights.ts';
import type { AnyList, Screen } from '../../describe/screen.ts';
import type { Single } from '../../describe/source.ts';
import { present } from '../../lib/present.ts';
import { ofOrganisation, peopleOf } from '../context.ts';
import type { Editing } from '../effects.ts';
import { handoverFacts, type Shift } from '../handover.ts';
import type { Row } from '../list/list-state.ts';
import type { Outside, Profile } from '../outside.ts';
import type { State } from '../state.ts';
import { combinedScreens } from './combined-list.ts';
import { joinJournals } from './join-journals.ts';
import { joinCaches } from './joined-cache.ts';

/** One of several organisations that a session shows together: everything that is its own. */
export interface Part {
  readonly client: Client;
  readonly cache: Cache;
  readonly profile: Profile;
  readonly outside: Pick<
    Outside,
    'journal' | 'unsettled' | 'entry' | 'unfinished' | 'remember' | 'waysBack' | 'undone'
  >;
  readonly whoAmI?: Single<Person>;
  readonly knowMe?: (me: Person) => void;
}

/** The owner of the keys, once known, and whether the service is still being asked. */
export interface Owner {
  me: Person | undefined;
  asksMe: boolean;
}

/** The profiles as one: production where one of them is, read-only where all are, polled as slowly as the slowest. */
function joinProfiles(first: Profile, profiles: readonly Profile[]): Profile {
  const production = profiles.some((profile) => profile.production);
  const environments = [...new Set(profiles.map(({ environment }) => environment))];
  const { web: _, ...others } = first;
  return {
    ...others,
    name: profiles.map(({ name }) => name).join(' + '),
    environment: production ? 'prod' : environments.filter((word) => word !== '').join(' + '),
    production,
    readOnly: profiles.every((profile) => profile.readOnly),
    pollMs: Math.max(...profiles.map(({ pollMs }) => pollMs)),
    isNotified: profiles.some((profile) => profile.isNotified),
  };
}

/** An organisation whose rows are described with what is its own of the context. */
function organisationOf(
  part: Part,
  own: (organisation: Organisation) => Pick<Context, 'me' | 'asksMe' | 'recent' | 'lacks' | 'trend' | 'rows'>,
): Organisation {
  const { client, profile } = part;
  const organisation: Organisation = createOrganisation(profile.name, ({ me: _, ends: __, web: ___, ...base }) => ({
    ...base,
    ...ofOrganisation(client, profile, part.outside),
    ...own(organisation),
  }));
  return organisation;
}

/** Several organisations as one session sees them. */
export interface Joined {
  readonly screens: readonly Screen[];
  readonly cache: Cache;
  readonly profile: Profile;
  readonly outside: Outside;
  /** The context of one for what is read about its keys. */
  context(name: string, base: Context): Context;
  /** What edits of each are sent with, by name. */
  readonly editing: ReadonlyMap<string, Editing>;
}

/** Further organisations, and what joins them, which is loaded with the first of them. */
export interface Others {
  readonly parts: readonly [Part, ...Part[]];
  readonly join: typeof joinOrganisations;
}

/** Joins organisations: lists that can show the rows of all; everything else is of the first. */
export function joinOrganisations(with_: {
  readonly parts: readonly [Part, Part, ...Part[]];
  readonly outside: Outside;
  /** The screens in the words of a deployment. */
  readonly screens: (client: Client) => readonly Screen[];
  readonly owner: (part: Part) => Owner;
  /** Names of permissions that its owner lacks, as its service writes them. */
  readonly missing: (part: Part) => ReadonlySet<string>;
  readonly state: () => State;
  readonly context: () => Context;
  /** Samples of the list in front, oldest first, by the id of a row there. */
  readonly trend: (rowId: string) => readonly number[];
  /** Rows as last read; undefined where they were not. */
  readonly rows: (list: AnyList) => readonly Row[] | undefined;
}): Joined {
  const { parts, outside, state } = with_;
  const each = parts.map((part, at) => ({
    ...part,
    isFirst: at === 0,
    screens: with_.screens(part.client),
    organisation: organisationOf(part, (organisation) => ({
      ...present({ me: with_.owner(part).me }),
      asksMe: with_.owner(part).asksMe,
      lacks: (endpoint) => lacking(endpoint, with_.missing(part), part.client),
      recent: peopleOf(state().recent.filter(({ profile }) => profile === part.profile.name)),
      trend: (rowId) => with_.trend(organisation.id(rowId)),
      rows: () => ownRows(with_.context().rows?.() ?? [], organisation),
    })),
  })) as unknown as readonly [JoinedPart, ...JoinedPart[]];
  const screens = combinedScreens(each);

  /** What the hand-over report says of one organisation: of lists that show it. */
  const facts = ({ organisation, isFirst }: JoinedPart, shift: Shift) => {
    const lists = new Set<AnyList>();
    const shown = screens.map((screen) => ({
      ...screen,
      lists: screen.lists.map((list) => {
        const own = list.parts?.find((part) => part.organisation === organisation);
        if (own || isFirst) lists.add(own ?? list);
        return own ?? list;
      }),
    }));
    const readOf = (list: AnyList) => (lists.has(list) ? with_.rows(list) : []);
    return handoverFacts(shift, shown, organisation.context(with_.context()), readOf);
  };

  return {
    screens,
    cache: joinCaches(each),
    profile: joinProfiles(
      parts[0].profile,
      parts.map(({ profile }) => profile),
    ),
    outside: {
      ...outside,
      ...joinJournals(each.map((part) => ({ ...part, facts: (shift) => facts(part, shift) }))),
    },
    context: (name, base) =>
      each.find(({ organisation }) => organisation.name === name)?.organisation.context(base) ?? base,
    editing: new Map(
      each.map(({ client, cache, profile, outside: journal }) => [profile.name, { client, cache, journal }]),
    ),
  };
}

interface JoinedPart extends Part {
  readonly isFirst: boolean;
  readonly screens: readonly Screen[];
  readonly organisation: Organisation;
}

/** The rows of one organisation among those of a list in front; all where its rows are of no other. */
const ownRows = (rows: readonly unknown[], organisation: Organisation): readonly unknown[] =>
  rows.flatMap((row) => {
    const { organisation: of, row: own } = row as Partial<Tagged>;
    return of === undefined ? [row] : of === organisation ? [own] : [];
  });
