import { createFileRoute } from '@tanstack/react-router';
import { TeamSettings } from '../../../features/people/team-settings.tsx';
import { TEAM_VIEWS, type TeamView } from '../../../features/people/team-view.ts';
import { choiceParam, onlySet } from '../../../app/search-params.ts';
import { startQueries } from '../../../app/route-data.ts';
import { teamQuery } from '../../../features/people/team-queries.ts';

type Search = { view?: TeamView | undefined };

export const Route = createFileRoute('/dashboard/settings/team')({
  validateSearch: (search: Record<string, unknown>): Search => onlySet({ view: choiceParam(TEAM_VIEWS, search.view) }),
  loader: ({ preload }) => startQueries(preload, teamQuery),
  component: Team,
});

function Team() {
  const { view = 'members' } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <TeamSettings
      view={view}
      onView={(next) =>
        void navigate({
          search: (before) => onlySet({ ...before, view: next === 'members' ? undefined : next }),
          replace: true,
          resetScroll: false,
        })
      }
    />
  );
}
