import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { meQuery, useRefusal } from '../../lib/me.ts';
import { joinWords } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/layout.tsx';
import { InvitationList, InviteDialog } from './invitations.tsx';

const TEAM = { kind: 'team' } as const;

/** Who was invited to the agency's dashboard. */
export function TeamSettings() {
  const [isInviting, setInviting] = useState(false);
  const refusal = useRefusal('invitations.manage');
  const { data } = useQuery(meQuery);
  return (
    <>
      {data && data.admins.length > 0 ? (
        <p className="mb-4 max-w-[65ch] text-ink-2">
          {joinWords(data.admins)} {data.admins.length === 1 ? 'is admin' : 'are admins'} and may change everything. New members begin as
          moderators: they see everything and change nothing.
        </p>
      ) : null}
      <Section
        title="Invitations"
        aside={
          <Button kind="primary" size="sm" icon={<UserPlus aria-hidden />} disabledReason={refusal} onClick={() => setInviting(true)}>
            Invite a member
          </Button>
        }
      >
        <InvitationList scope={TEAM} empty="Invite a colleague: they get a link to set a password and join your agency." />
      </Section>
      <InviteDialog scope={TEAM} open={isInviting} onClose={() => setInviting(false)} title="Invite a member" />
    </>
  );
}
