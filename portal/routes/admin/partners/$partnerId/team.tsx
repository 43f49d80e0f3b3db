import { createFileRoute } from '@tanstack/react-router';
import { PartnerTeam } from '../../../../features/partners/partner-team.tsx';
import { partnerQuery } from '../../../../queries/partners.ts';
import { partnerInvitationsQuery, partnerMembersQuery } from '../../../../features/partners/team-queries.ts';
import { StaffMemberActions } from '../../../../features/users/staff-member-actions.tsx';
import { oneOf, searchParser } from '../../../../app/search-params.ts';
import { useSearchState } from '../../../../app/search-state.ts';
import { startMissing, startQueries } from '../../../../app/route-data.ts';

const parseSearch = searchParser({ view: oneOf(['members', 'invitations']) });

export const Route = createFileRoute('/admin/partners/$partnerId/team')({
  validateSearch: parseSearch,
  loaderDeps: ({ search: { view } }) => ({ view }),
  loader: ({ params: { partnerId }, deps: { view }, preload }) => {
    startMissing(preload, partnerQuery(partnerId));
    startQueries(preload, view === 'invitations' ? partnerInvitationsQuery(partnerId) : partnerMembersQuery(partnerId));
  },
  component: Team,
});

function Team() {
  const [{ view = 'members' }, onSearch] = useSearchState(Route);
  return (
    <PartnerTeam
      partnerId={Route.useParams().partnerId}
      view={view}
      onView={(next) => onSearch({ view: next === 'members' ? undefined : next })}
      actions={(member) => <StaffMemberActions user={member} />}
    />
  );
}
