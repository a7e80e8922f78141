import type { Endpoint } from '../../api/endpoint.ts';
import type { Upload } from '../kinds/table-store.ts';
import type { User } from './access.ts';
import type { Random } from './random.ts';
import type { Org } from './store.ts';

/** The caller: the owner of the application key and the key's permissions. */
export interface Caller {
  readonly user: User;
  /** Whether the key is limited to scopes; some operations refuse such keys. */
  readonly scoped: boolean;
  /** Whether the owner is an administrator, which some operations require beside a permission. */
  readonly admin: boolean;
  may(permission: string): boolean;
}

/** A request whose keys and permissions have been checked. */
export interface ApiRequest {
  readonly endpoint: Endpoint;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Parsed JSON; undefined when there was none or it could not be read. */
  readonly body: unknown;
  readonly caller: Caller;
  /** Time in the organization, epoch milliseconds. */
  readonly now: number;
}

/** A request before its keys are checked, in the neutral vocabulary. */
export interface IncomingRequest extends Omit<ApiRequest, 'endpoint' | 'caller'> {
  /** Undefined: no operation has this path. */
  readonly endpoint: Endpoint | undefined;
  readonly apiKey: string | undefined;
  readonly appKey: string | undefined;
  /** Who sends the request: a fault may have another operator send a copy of it. */
  readonly by: 'caller' | 'other operator';
}

/** Middleware around every operation: may change the request, the organization and the response. */
export type Intercept = (
  incoming: IncomingRequest,
  world: ServiceWorld,
  next: (incoming: IncomingRequest) => ApiResponse,
) => ApiResponse;

/** A response. `body` undefined = empty; a string is sent unchanged; an empty `type` = no content type. */
export interface ApiResponse {
  readonly status: number;
  readonly body?: unknown;
  /** Text appended to the JSON body. */
  readonly tail?: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The state that handlers read and change. */
export interface ServiceWorld {
  readonly org: Org;
  readonly random: Random;
  /** Makes the application keys of a disabled user stop working. */
  revokeKeysOf(user: string): void;
  /** The pre-signed URL to which a part of an upload is sent. */
  partUrl(upload: Upload, part: number): string;
}

/** Implements one operation: reads the request, changes the world, returns the response. */
export type Handler = (request: ApiRequest, world: ServiceWorld) => ApiResponse;

/** Whether a value is a response instead of the object that was looked up. */
export const isResponse = (value: object): value is ApiResponse =>
  'status' in value && typeof value.status === 'number';

/** 200 with a body. */
export const ok = (body: unknown): ApiResponse => ({ status: 200, body });
/** 204 with the content type that the public service sends with it (docs/contract/conventions.md#statuses). */
export const noContent: ApiResponse = { status: 204, type: 'text/plain' };
/** A refusal with the error body of the specification. */
export const refused = (status: number, ...errors: string[]): ApiResponse => ({ status, body: { errors } });
