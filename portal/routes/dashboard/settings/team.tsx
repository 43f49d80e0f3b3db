import { createFileRoute } from '@tanstack/react-router';
import { TeamSettings } from '../../../features/people/team-settings.tsx';
import { TEAM_VIEWS } from '../../../features/people/team-view.ts';
import { oneOf, searchParser } from '../../../app/search-params.ts';
import { useSearchState } from '../../../app/search-state.ts';
import { startQueries } from '../../../app/route-data.ts';
import { teamQuery } from '../../../features/people/team-queries.ts';

const parseSearch = searchParser({ view: oneOf(TEAM_VIEWS) });

export const Route = createFileRoute('/dashboard/settings/team')({
  validateSearch: parseSearch,
  loader: ({ preload }) => startQueries(preload, teamQuery),
  component: Team,
});

function Team() {
  const [{ view = 'members' }, onSearch] = useSearchState(Route);
  return <TeamSettings view={view} onView={(next) => onSearch({ view: next === 'members' ? undefined : next })} />;
}
