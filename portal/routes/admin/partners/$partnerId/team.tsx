import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { PartnerTeam } from '../../../../features/partners/partner-team.tsx';
import { partnerQuery } from '../../../../queries/partners.ts';
import { partnerInvitationsQuery, partnerMembersQuery, type TeamView } from '../../../../features/partners/team-queries.ts';
import { StaffMemberActions } from '../../../../features/users/staff-member-actions.tsx';
import { choiceParam, onlySet } from '../../../../app/search-params.ts';
import { startMissing, startQueries } from '../../../../app/route-data.ts';

export const Route = createFileRoute('/admin/partners/$partnerId/team')({
  validateSearch: (search: Record<string, unknown>): { view?: TeamView } =>
    onlySet({ view: choiceParam(['members', 'invitations'] as const, search.view) }),
  loaderDeps: ({ search: { view } }) => ({ view }),
  loader: ({ params: { partnerId }, deps: { view }, preload }) => {
    startMissing(preload, partnerQuery(partnerId));
    startQueries(preload, view === 'invitations' ? partnerInvitationsQuery(partnerId) : partnerMembersQuery(partnerId));
  },
  component: Team,
});

function Team() {
  const navigate = Route.useNavigate();
  const { view = 'members' } = Route.useSearch();
  const onView = useCallback(
    (next: TeamView) =>
      void navigate({ search: onlySet({ view: next === 'members' ? undefined : next }), replace: true, resetScroll: false }),
    [navigate],
  );
  return (
    <PartnerTeam
      partnerId={Route.useParams().partnerId}
      view={view}
      onView={onView}
      actions={(member) => <StaffMemberActions user={member} />}
    />
  );
}
