import { asText, type Handler, isAnswer, ok } from '../server/answer.ts';
import { pageOf } from '../server/paging.ts';
import { hash } from '../server/random.ts';
import type { Org, Team } from '../server/store.ts';

const avatars = ['🦊', '🛒', '🧭', '🪴', null, '📦', '🐙'] as const;

/** A team in its long form; what is not kept is made up from its id (contract/authn-mappings.md 4). */
export function showTeam(it: Team): unknown {
  const number = hash('team', it.id);
  return {
    type: 'team',
    id: it.id,
    attributes: {
      name: it.name,
      handle: it.handle,
      summary: it.summary === '' ? null : it.summary,
      avatar: avatars[number % avatars.length],
      banner: number % 5 === 0 ? null : number % 9,
      user_count: 2 + (number % 11),
      link_count: number % 4,
      is_open_membership: number % 2 === 0,
      handles: [it.handle],
      ...it.overrides,
    },
  };
}

const matching = (org: Org, text: string): Team[] =>
  [...org.teams.values()].filter((it) =>
    [it.name, it.handle].some((words) => words.toLowerCase().includes(text.toLowerCase())),
  );

const list: Handler = (ask, { org }) => {
  const found = matching(org, asText(ask.query.get('filter[keyword]')) ?? '');
  const page = pageOf(ask.query, found);
  if (isAnswer(page)) return page;
  return ok({
    data: page.rows.map(showTeam),
    meta: { page: { total_count: org.teams.size, total_filtered_count: found.length } },
  });
};

/** Teams, by the id of the endpoint. */
export const teamHandlers: Readonly<Record<string, Handler>> = { 'teams.list': list };
