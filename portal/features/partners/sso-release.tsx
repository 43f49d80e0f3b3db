import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Reply } from '../../app/api.ts';
import { useRefusal } from '../../app/current-user.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Panel } from '../../ui/layout/layout.tsx';
import { ReasonDialog } from '../../shared/reason-dialog.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { refreshAfter } from '../../queries/refresh.ts';

/** Lets a team that its identity provider locks out log in with passwords again. Shown while SSO is enforced. */
export function SsoRelease({ partner }: { partner: Reply<'getPartner'> }) {
  const [isAsking, setAsking] = useState(false);
  const refusal = useRefusal('partners.manage');
  const release = useMutation({
    mutationFn: (reason: string) => api.releaseSso({ body: { partnerId: partner.id, reason } }),
    onSuccess: () => {
      setAsking(false);
      announce(`${partner.name} can log in with passwords again. Its admins were notified by e-mail.`);
    },
    onSettled: () => refreshAfter('ssoReleased', partner.id),
  });
  return (
    <Panel title="Single sign-on" aside="enforced">
      <p className="text-ink-2">The team can log in through its identity provider only. If it is locked out, allow passwords again.</p>
      <Button kind="danger-text" size="sm" className="mt-3" disabledReason={refusal} onClick={() => setAsking(true)}>
        Release SSO enforcement
      </Button>
      {isAsking ? (
        <ReasonDialog
          title={`Release SSO enforcement of ${partner.name}?`}
          action="Release enforcement"
          keep="Keep it"
          busy={release.isPending && 'Releasing'}
          error={release.error}
          placeholder="Their provider is down; requested by an admin by phone"
          onClose={() => setAsking(false)}
          onConfirm={(reason) => release.mutate(reason)}
        >
          <b>The whole team can log in with passwords again</b> immediately. All admins of {partner.name} get an e-mail with this reason;
          the connection stays.
        </ReasonDialog>
      ) : null}
    </Panel>
  );
}
