import type { Client } from '../client/client.ts';
import type { Context, Person } from '../describe/context.ts';
import type { LoggedEdit } from '../describe/logged-edit.ts';
import { lacking } from '../describe/rights.ts';
import type { Clock } from '../lib/clock.ts';
import { present } from '../lib/present-members.ts';
import type { Owner } from './key-owner.ts';
import type { Outside, SessionProfile } from './outside/outside.ts';
import type { Row } from './rows/list-state.ts';
import type { State } from './state/state.ts';

/** Picks of a picker of people, as people. */
const peopleOf = (picks: State['recent']): readonly Person[] =>
  picks.map(({ id, label, hint }) => ({ id, name: label, ...present({ handle: hint }) }));

/** Makes what descriptions may know besides their row: values of the moment at which it is called. */
export function createContexts(with_: {
  readonly client: Client;
  readonly clock: Clock;
  readonly outside: Pick<Outside, 'unfinished' | 'browse'>;
  readonly profile: SessionProfile;
  readonly zone: string;
  readonly ascii: boolean;
  readonly owner: Pick<Owner, 'me' | 'asksMe' | 'missing'>;
  readonly lastLook: (state: State) => number | undefined;
  /** Rows of the list in front, as last read. */
  readonly rows: (state: State) => readonly Row[];
  /** Rows of a list, as last read. */
  readonly loaded: (state: State, listId: string) => readonly Row[];
  readonly edits: () => readonly LoggedEdit[];
  /** Ids of the same rows in an order that is not saved yet. */
  readonly unsavedOrder: (state: State) => readonly string[] | undefined;
  /** Samples of that list's trend for one row, oldest first. */
  readonly trend: (state: State, rowId: string) => readonly number[];
  readonly seen: NonNullable<Context['seen']>;
}): (state: State, subRowId?: string) => Context {
  const { client, clock, outside, profile, owner } = with_;
  const { name, production, readOnly, isKiosk, showsFleet, notifyPriority, notifyIssues, web } = profile;
  return (state, subRowId) => ({
    now: clock.now(),
    zone: with_.zone,
    ...present({ ends: client.ends(), web, me: owner.me(), subRowId }),
    ...present({ lastLook: with_.lastLook(state), unsavedOrder: with_.unsavedOrder(state) }),
    profile: { name, production, readOnly, isKiosk, showsFleet },
    notify: { priority: notifyPriority, issues: notifyIssues },
    origin: client.origin,
    vocabulary: client.vocabulary,
    offered: (id) => client.offered(id),
    unfinished: outside.unfinished?.() ?? [],
    asksMe: owner.asksMe(),
    recent: peopleOf(state.recent),
    lacks: (endpoint) => lacking(endpoint, owner.missing(), client),
    trend: (id) => with_.trend(state, id),
    seen: with_.seen,
    rows: () => with_.rows(state),
    loaded: (listId) => with_.loaded(state, listId),
    edits: with_.edits,
    ascii: with_.ascii,
    browses: outside.browse !== undefined,
  });
}
