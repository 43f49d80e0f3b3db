import type { Reply } from '../lib/client.ts';
import { Button } from './button.tsx';
import { CodeBlock } from './code-block.tsx';
import { DialogActions } from './dialog.tsx';

type Props = { invitation: Pick<Reply<'createInvitation'>, 'email' | 'emailStatus' | 'acceptUrl'>; onDone: () => void };

/** The link of a new invitation. It is shown now and cannot be read later; sending it again makes a new one. */
export function InvitationLink({ invitation, onDone }: Props) {
  return (
    <>
      <p className="mb-3 text-ink-2">
        {SENT[invitation.emailStatus](invitation.email)} The link works once, for 7 days, and is shown only now.
      </p>
      <CodeBlock name="Invitation link" code={invitation.acceptUrl} />
      <DialogActions>
        <Button kind="primary" onClick={onDone}>
          Done
        </Button>
      </DialogActions>
    </>
  );
}

const SENT: Record<Props['invitation']['emailStatus'], (email: string) => string> = {
  sent: (email) => `We mailed the invitation to ${email}.`,
  failed: (email) => `The mail to ${email} could not be sent. Send this link yourself.`,
  not_configured: (email) => `Mail is not set up, so send this link to ${email} yourself.`,
};
