import type { Team } from '../server/access.ts';
import { collection } from '../server/collection.ts';
import { refused } from '../server/handler.ts';
import { filterMatches } from '../server/paging.ts';
import { hash } from '../server/random.ts';

const avatars = ['🦊', '🛒', '🧭', '🪴', null, '📦', '🐙'] as const;

/** A team in its long form; members that are not stored are derived from its id (docs/contract/authn-mappings.md#team). */
export function showTeam({ id, summary, ...attributes }: Team): unknown {
  const number = hash('team', id);
  return {
    type: 'team',
    id,
    attributes: {
      summary: summary === '' ? null : summary,
      avatar: avatars[number % avatars.length],
      banner: number % 5 === 0 ? null : number % 9,
      user_count: 2 + (number % 11),
      link_count: number % 4,
      is_open_membership: number % 2 === 0,
      handles: [attributes.handle],
      ...attributes,
    },
  };
}

const teams = collection<Team>({
  rows: ({ org }) => org.teams,
  missing: () => refused(404, 'Not found'),
  show: showTeam,
  list: {
    matches: ({ query }) => {
      const isMentioned = filterMatches(query, 'filter[keyword]');
      return ({ name, handle }) => isMentioned(name, handle);
    },
  },
});

/** The collection of teams, by path. */
export const teamCollections = { '/api/v2/team': teams };
