/** A request that the contract refuses, with the status and the errors of the response. `{name}` stands for the id of a fixture. */
export interface Refusal {
  /** Of the contract. */
  readonly section: string;
  /** Method and path. */
  readonly request: string;
  readonly status: number;
  /** The texts of all errors, joined by ` | `. */
  readonly error: string | RegExp;
  readonly body?: unknown;
  /** Names of the permissions of the caller; absent = an administrator. */
  readonly permissions?: readonly string[];
}

/** The id of nothing. */
export const nowhere = '00000000-0000-4000-8000-000000000000';

/** Section, request or several, status, error, and the bodies that cause it; without a body none is sent. */
type Row = readonly [
  section: string,
  request: string | readonly string[],
  status: number,
  error: string | RegExp,
  ...bodies: unknown[],
];

/** The refusals of a table: one for each request and body of a row. */
export const refusals = (rows: readonly Row[]): Refusal[] =>
  rows.flatMap(([section, request, status, error, ...bodies]) =>
    [request]
      .flat()
      .flatMap((request) =>
        (bodies.length > 0 ? bodies : [undefined]).map((body) => ({ section, request, status, error, body })),
      ),
  );

/** Requests that a caller with these permissions may not send. */
export const forbidden = (
  section: string,
  permissions: string,
  requests: readonly string[],
  error = 'Forbidden | Failed permission authorization checks',
): Refusal[] =>
  requests.map((request) => ({
    section,
    request,
    status: 403,
    error,
    permissions: permissions.split(' '),
    ...(request.startsWith('GET') ? {} : { body: {} }),
  }));

/** A v2 body. */
export const data = (type: string, attributes: object, id?: string, relationships?: object) => ({
  data: { type, ...(id === undefined ? {} : { id }), attributes, ...(relationships ? { relationships } : {}) },
});

/** A relationship to one object; also the body that adds or removes it. */
export const related = (type: string, id: string) => ({ data: { type, id } });
