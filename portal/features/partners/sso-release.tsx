import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Reply } from '../../app/api.ts';
import { useRefusal } from '../../app/current-user.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Panel } from '../../ui/layout/layout.tsx';
import { ReasonDialog } from '../../shared/reason-dialog.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { refreshAfter } from '../../queries/refresh.ts';

/** The way in for a team whose identity provider keeps it out (product.md §9, 38). Shown while enforcement is on. */
export function SsoRelease({ partner }: { partner: Reply<'getPartner'> }) {
  const [isAsking, setAsking] = useState(false);
  const refusal = useRefusal('partners.manage');
  const release = useMutation({
    mutationFn: (reason: string) => api.releaseSso({ body: { partnerId: partner.id, reason } }),
    onSuccess: () => {
      setAsking(false);
      announce(`Passwords of ${partner.name} work again. Its admins were told by mail.`);
    },
    onSettled: () => refreshAfter('ssoReleased', partner.id),
  });
  return (
    <Panel title="Single sign-on" aside="enforced">
      <p className="text-ink-2">The team logs in through its identity provider only. If that keeps it out, let passwords in again.</p>
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
          placeholder="Their provider is down; asked by an admin on the phone"
          onClose={() => setAsking(false)}
          onConfirm={(reason) => release.mutate(reason)}
        >
          <b>Passwords of the whole team work again</b> at once. Every admin of {partner.name} is told by mail, with this reason; the
          connection stays.
        </ReasonDialog>
      ) : null}
    </Panel>
  );
}
