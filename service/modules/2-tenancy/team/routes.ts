import { defineHandlers } from '#platform/http/context.ts';
import { CSV_PAGE, csvOfList } from '#platform/http/csv-list.ts';
import { changeMember, removeMember } from './change-team.ts';
import type { TeamDeps } from './deps.ts';
import { readMembers, readTeam, TEAM_COLUMNS } from './read-team.ts';

export function teamHandlers(deps: TeamDeps) {
  return defineHandlers({
    listTeam: ({ query }, { actor, now }) => readTeam(deps, actor, query, now),
    exportTeam: ({ query }, { actor, now }) =>
      csvOfList({ name: 'team', now }, TEAM_COLUMNS, (cursor) => readMembers(deps, actor, { ...query, limit: CSV_PAGE, cursor })),
    changeMember: ({ params, body }, context) => changeMember(deps, context, params.userId, body.partnerRole),
    removeMember: async ({ params }, context) => void (await removeMember(deps, context, params.userId)),
  });
}
