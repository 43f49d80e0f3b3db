import { useState } from 'react';
import { formApi, type Reply } from '../../app/api.ts';
import { useRefusal } from '../../app/current-user.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Panel } from '../../ui/layout/layout.tsx';
import { useMailed } from '../../shared/mailed.ts';
import { yourself } from '../../shared/without-mail.ts';
import { NoteDialog } from '../../shared/note-dialog.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { refreshAfter } from '../../queries/refresh.ts';

/** Lets a team that its identity provider locks out log in with passwords again. Shown while SSO is enforced. */
export function SsoRelease({ partner }: { partner: Reply<'getPartner'> }) {
  const [isAsking, setAsking] = useState(false);
  const refusal = useRefusal('partners.manage');
  const mailed = useMailed();
  return (
    <Panel title="Single sign-on" aside="enforced">
      <p className="text-ink-2">The team can log in through its identity provider only. If it is locked out, allow passwords again.</p>
      <Button kind="danger-text" size="sm" className="mt-3" disabledReason={refusal} onClick={() => setAsking(true)}>
        Release SSO enforcement
      </Button>
      {isAsking ? (
        <NoteDialog
          label="Reason"
          hint="required, recorded in the audit log"
          required
          danger
          rows={2}
          maxLength={500}
          title={`Release SSO enforcement of ${partner.name}?`}
          action="Release enforcement"
          keep="Keep it"
          busy="Releasing"
          placeholder="Their provider is down; requested by an admin by phone"
          send={(reason) =>
            formApi.releaseSso({ body: { partnerId: partner.id, reason } }).finally(() => void refreshAfter('ssoReleased', partner.id))
          }
          onSaved={() => {
            setAsking(false);
            announce(
              `${partner.name} can log in with passwords again. ${mailed('Its admins were notified by e-mail.', yourself('notify its admins'))}`,
            );
          }}
          onClose={() => setAsking(false)}
        >
          <b>The whole team can log in with passwords again</b> immediately; the connection stays.{' '}
          {mailed(`All admins of ${partner.name} get an e-mail with this reason.`, yourself('notify its admins'))}
        </NoteDialog>
      ) : null}
    </Panel>
  );
}
