import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import type { Reply } from '../app/api.ts';
import { Button } from '../ui/controls/button.tsx';
import { CodeBlock } from '../ui/text/code-block.tsx';
import { DialogActions } from '../ui/overlays/dialog.tsx';

type Props = { invitation: Pick<Reply<'createInvitation'>, 'email' | 'emailStatus' | 'acceptUrl'>; onDone: () => void };

/** The link of a new invitation. It cannot be read later; sending the invitation again creates a new link. */
export function InvitationLink({ invitation, onDone }: Props) {
  return (
    <>
      <p className="mb-3 text-ink-2">
        {SENT[invitation.emailStatus ?? 'waiting'](invitation.email)} The link works once, for {LIMITS.invitationDays} days, and is not
        shown here again.
      </p>
      <CodeBlock name="Invitation link" code={invitation.acceptUrl} />
      <DialogActions>
        {/* The button that had the focus is gone. */}
        <Button kind="primary" autoFocus onClick={onDone}>
          Done
        </Button>
      </DialogActions>
    </>
  );
}

const SENT: Record<NonNullable<Props['invitation']['emailStatus']> | 'waiting', (email: string) => string> = {
  waiting: (email) => `We are sending the invitation to ${email}.`,
  sent: (email) => `We sent the invitation to ${email}.`,
  held: (email) => `The e-mail to ${email} waits until the platform has checked it. You may send this link yourself.`,
  failed: (email) => `The e-mail to ${email} could not be sent. Send this link yourself.`,
  not_configured: (email) => `E-mail is not set up, so send this link to ${email} yourself.`,
};
