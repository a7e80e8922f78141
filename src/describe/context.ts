import type { Endpoint } from '../api/endpoint.ts';
import type { Translator } from '../api/vocabulary/translator.ts';
import type { Unfinished } from './job.ts';
import type { LoggedEdit } from './logged-edit.ts';
import type { SeenStates } from './seen-states.ts';

/** A person as pickers and receipts name them. `name` is never empty: name, else e-mail, else handle, else id. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly handle?: string | undefined;
  readonly email?: string | undefined;
  /** The id of the organization; of the owner of the keys alone. */
  readonly organization?: string | undefined;
}

/** Read-only snapshot passed to descriptions beside the row. */
export interface Context {
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** IANA zone that times are typed and shown in. */
  readonly zone: string;
  /** The owner of the application key, where the deployment tells. */
  readonly me?: Person;
  /** The request for the current user is pending: `me` may follow. */
  readonly asksMe?: boolean;
  /**
   * Up to when the person has seen what changed, epoch milliseconds: the last key of the visit before, or a later look at the
   * whole of a board. A visit begins with a key after ten minutes without one, also across a restart; the first one of all
   * begins with the session.
   */
  readonly lastLook?: number;
  /** People chosen lately, newest first. */
  readonly recent: readonly Person[];
  readonly profile: {
    readonly name: string;
    readonly production: boolean;
    readonly readOnly: boolean;
    /** Programs, files and other profiles are off. */
    readonly isKiosk?: boolean | undefined;
    /** The dashboard began with the fleet: a kiosk shows it too. */
    readonly showsFleet?: boolean | undefined;
  };
  /** What the profile wants to be notified of: the least urgent priority of monitors, the least errors of a new issue. */
  readonly notify?: { readonly priority?: number | undefined; readonly issues?: number | undefined };
  /** Scheme, host and port of the deployment. */
  readonly origin: string;
  /** Address of the service's web pages, where the profile has one. */
  readonly web?: string;
  /** The deployment's own words, in which a person reads and types identifiers (vocabulary-words.ts). */
  readonly vocabulary?: Translator | undefined;
  /** The last four characters of the keys in use; used to warn before the key in use is deleted. */
  readonly ends?: { readonly apiKey: string; readonly appKey: string };
  /** False once the deployment has answered 404 or 405 for the operation itself. */
  offered(endpointId: string): boolean;
  /** The permissions that the person is known to lack for an operation, in the deployment's words. */
  lacks?(endpoint: Endpoint): string | undefined;
  /** Samples of the list's `trend` for a row, oldest first: the last one of each two and a half minutes, an hour at most. */
  trend(rowId: string): readonly number[];
  /** What this program has seen of the state of a row of a list that tracks it, in the last day; undefined where nothing polls. */
  seen?(listId: string, rowId: string): SeenStates;
  /** Id of the row under the cursor of the detail's list (a monitor's group), where there is one. */
  readonly subRowId?: string;
  /** What the action's `needs` read, for everything that follows its form. */
  readonly known?: unknown;
  /** What was picked before the form opened, where the action asks for that first. */
  readonly picked?: unknown;
  /** Ids of the rows of the list in front in an order that is not saved yet. */
  readonly unsavedOrder?: readonly string[];
  /** The rows of the list in front as they were last read; none where a list has not been read. */
  rows?(): readonly unknown[];
  /** The rows of another list as they were last read, by its id; none where it has not been read. */
  loaded?(listId: string): readonly unknown[];
  /** The edits of the journal, newest first; absent where it is not read, as by a command. */
  edits?(): readonly LoggedEdit[];
  /** Jobs that an earlier run has not finished, newest first. */
  readonly unfinished?: readonly Unfinished[];
  /** Rows of a list keep the object as it was read: a command prints more of it than a list shows. */
  readonly keepsRaw?: boolean;
  /** There is a browser that links are opened in. */
  readonly browses?: boolean;
  /** Only ASCII may be drawn. */
  readonly ascii: boolean;
}

/** What is said of an operation that the deployment does not have. */
export const notOfferedHere = 'not offered by this deployment';

/** Why an operation cannot be sent: the deployment lacks it, or the roles. Undefined where nothing is known against it. */
export function whyUnavailable(endpoint: Endpoint, context: Context): string | undefined {
  if (!context.offered(endpoint.id)) return notOfferedHere;
  const lacked = context.lacks?.(endpoint);
  return lacked === undefined ? undefined : `needs ${lacked}, which your roles lack`;
}
