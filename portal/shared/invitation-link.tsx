import type { Reply } from '../app/api.ts';
import { Button } from '../ui/controls/button.tsx';
import { CodeBlock } from '../ui/text/code-block.tsx';
import { DialogActions } from '../ui/overlays/dialog.tsx';

type Props = { invitation: Pick<Reply<'createInvitation'>, 'email' | 'emailStatus' | 'acceptUrl'>; onDone: () => void };

/** The link of a new invitation. It is shown now and cannot be read later; sending it again makes a new one. */
export function InvitationLink({ invitation, onDone }: Props) {
  return (
    <>
      <p className="mb-3 text-ink-2">
        {SENT[invitation.emailStatus ?? 'waiting'](invitation.email)} The link works once, for 7 days, and is shown only now.
      </p>
      <CodeBlock name="Invitation link" code={invitation.acceptUrl} />
      <DialogActions>
        {/* The button that was pressed is gone. */}
        <Button kind="primary" autoFocus onClick={onDone}>
          Done
        </Button>
      </DialogActions>
    </>
  );
}

const SENT: Record<NonNullable<Props['invitation']['emailStatus']> | 'waiting', (email: string) => string> = {
  waiting: (email) => `The mail to ${email} is on its way.`,
  sent: (email) => `We mailed the invitation to ${email}.`,
  failed: (email) => `The mail to ${email} could not be sent. Send this link yourself.`,
  not_configured: (email) => `Mail is not set up, so send this link to ${email} yourself.`,
};
