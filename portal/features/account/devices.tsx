import { useMessages } from '../../app/messages.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { endSessionAndLeave } from '../../app/log-out.ts';
import { endInOtherTabs, leaveWithSession } from '../../app/session.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { AccountSection } from './account-section.tsx';
import { Sessions } from './sessions.tsx';

/** Where the user is logged in; ends one session, the others, or all. */
export function Devices({ size = 'md' }: { size?: 'md' | 'lg' }) {
  const { t } = useMessages();
  const [isAsking, setAsking] = useState(false);
  const leave = useMutation({
    mutationFn: () =>
      endSessionAndLeave(
        () => api.logoutAll(),
        () => {
          endInOtherTabs(true);
          leaveWithSession('/login', undefined);
        },
      ),
    onError: (error) => announceError(error),
  });
  return (
    <AccountSection title={t('account.devices')}>
      <Sessions size={size} />
      <div className="flex flex-wrap items-center gap-4">
        <p className="min-w-0 flex-1 basis-65 text-ink-2">{t('account.devicesLead')}</p>
        <Button size={size} kind="danger-text" onClick={() => setAsking(true)}>
          {t('account.signOutAll')}
        </Button>
      </div>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t('account.signOutAllTitle')}
        action={t('account.signOutAll')}
        keep={t('account.staySignedIn')}
        busy={leave.isPending && t('account.signingOut')}
        onConfirm={() => leave.mutate()}
      >
        <p>{t('account.signOutAllText')}</p>
      </ConfirmDialog>
    </AccountSection>
  );
}
