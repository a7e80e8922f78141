import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import { flag, int, many, resource, text } from './envelope.ts';
import { numberedPages } from './request-schemas.ts';

/** A team (docs/contract/authn-mappings.md#team). `avatar`, `banner` and `summary` may be null; the last two are not documented. */
export const team = resource('team', {
  name: text,
  handle: text,
  summary: text,
  avatar: text,
  banner: int,
  user_count: int,
  link_count: int,
  is_open_membership: flag,
  handles: v.array(text),
});

/** Serves a picker: a mapping may lead to a team instead of a role. */
export const listTeams = endpoint({
  id: 'teams.list',
  title: 'List teams',
  verb: 'list',
  of: 'team',
  path: '/api/v2/team',
  permission: ['teams_read'],
  origin: 'addition',
  query: v.object({ ...numberedPages, 'filter[keyword]': v.optional(text) }),
  response: many(team),
  source: 'docs/contract/authn-mappings.md#team',
});

/** Every operation on teams. */
export const teamEndpoints = [listTeams] as const;
