import { useQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { joinWords } from '../../ui/text/format.ts';
import { meQuery } from '../../queries/me.ts';
import { useAsked } from '../../app/asked.ts';
import { api } from '../../app/api.ts';
import { useRefusal } from '../../app/current-user.ts';
import { ExportButton } from '../../shared/export-button.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { InvitationList, InviteDialog } from './invitations.tsx';
import { Members } from './members.tsx';
import { NEW_MEMBERS, type TeamView } from './team-view.ts';
import { SeatMeter } from './seat-meter.tsx';

const TEAM = { kind: 'team' } as const;

/** Team members, invitations and seats. */
export function TeamSettings({ view, onView }: { view: TeamView; onView: (view: TeamView) => void }) {
  const [isInviting, setInviting] = useState(false);
  const refusal = useRefusal('invitations.manage');
  useAsked(refusal === undefined ? 'invitation' : undefined, setInviting);
  const { data } = useQuery(meQuery);
  const isOnlyAdmin = data?.user.partnerRole === 'admin' && data.admins.length === 1;
  return (
    <>
      <SeatMeter />
      {data && data.admins.length > 0 ? (
        <p className="mb-4 max-w-prose text-ink-2">
          {isOnlyAdmin
            ? 'You’re an admin.'
            : `${joinWords(data.admins)} ${data.admins.length === 1 ? 'is an admin' : 'are admins'} and can change everything.`}{' '}
          {NEW_MEMBERS}
        </p>
      ) : null}
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <Segmented
          label="Team"
          value={view}
          onChange={onView}
          options={[
            { value: 'members', label: 'Members' },
            { value: 'invitations', label: 'Invitations' },
          ]}
        />
        <span className="ml-auto flex flex-wrap items-center justify-end gap-2">
          {view === 'members' ? (
            <ExportButton key="members" size="sm" name="team" read={() => api.exportTeam({})} />
          ) : (
            <ExportButton key="invitations" size="sm" name="invitations" read={() => api.exportInvitations({ query: TEAM })} />
          )}
          <Button kind="primary" size="sm" icon={<UserPlus aria-hidden />} disabledReason={refusal} onClick={() => setInviting(true)}>
            Invite a member
          </Button>
        </span>
      </div>
      {view === 'members' ? (
        <Members />
      ) : (
        <InvitationList scope={TEAM} empty="Invite a colleague. They get a link to set a password and join your agency." />
      )}
      <InviteDialog
        scope={TEAM}
        open={isInviting}
        onClose={() => setInviting(false)}
        onInvited={() => onView('invitations')}
        title="Invite a member"
      />
    </>
  );
}
