import type { Client } from '../client/client.ts';
import type { Context, Person } from '../describe/context.ts';
import { lacking } from '../describe/rights.ts';
import type { Clock } from '../lib/clock.ts';
import { present } from '../lib/present.ts';
import type { Row } from './list/list-state.ts';
import type { Outside, Profile } from './outside.ts';
import type { State } from './state.ts';

/** Picks of a picker of people, as people. */
export const peopleOf = (picks: State['recent']): readonly Person[] =>
  picks.map(({ id, label, hint }) => ({ id, name: label, ...present({ handle: hint }) }));

/** What descriptions may know of an organisation: its profile, its client and what waits in its directory. */
export const ofOrganisation = (client: Client, profile: Profile, outside: Pick<Outside, 'unfinished'>) => ({
  ...present({ ends: client.ends(), web: profile.web }),
  profile: {
    name: profile.name,
    production: profile.production,
    readOnly: profile.readOnly,
    isKiosk: profile.isKiosk,
  },
  notify: { priority: profile.notifyPriority, issues: profile.notifyIssues },
  origin: client.origin,
  vocabulary: client.vocabulary,
  offered: (id: string) => client.offered(id),
  unfinished: outside.unfinished?.() ?? [],
});

/** Makes what descriptions may know besides their row: values of the moment at which it is called. */
export function createContexts(with_: {
  readonly client: Client;
  readonly clock: Clock;
  readonly outside: Pick<Outside, 'unfinished'>;
  readonly profile: Profile;
  readonly zone: string;
  readonly ascii: boolean;
  /** The owner of the keys, once known, and whether the service is still being asked. */
  readonly owner: () => { readonly me: Person | undefined; readonly asksMe: boolean };
  /** Names of permissions that the owner lacks, as the service writes them; none while that is unknown. */
  readonly missing: () => ReadonlySet<string>;
  readonly lastLook: (state: State) => number | undefined;
  /** Rows of the list in front, as last read. */
  readonly rows: (state: State) => readonly Row[];
  /** Ids of the same rows in an order that is not saved yet. */
  readonly unsavedOrder: (state: State) => readonly string[] | undefined;
  /** Samples of that list's trend for one row, oldest first. */
  readonly trend: (state: State, rowId: string) => readonly number[];
}): (state: State, subRowId?: string) => Context {
  const { client, clock, outside, profile } = with_;
  return (state, subRowId) => {
    const { me, asksMe } = with_.owner();
    return {
      now: clock.now(),
      zone: with_.zone,
      ...ofOrganisation(client, profile, outside),
      ...present({ me, subRowId, lastLook: with_.lastLook(state), unsavedOrder: with_.unsavedOrder(state) }),
      asksMe,
      recent: peopleOf(state.recent),
      lacks: (endpoint) => lacking(endpoint, with_.missing(), client),
      trend: (id) => with_.trend(state, id),
      rows: () => with_.rows(state),
      ascii: with_.ascii,
    };
  };
}
