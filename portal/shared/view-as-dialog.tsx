import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { formApi } from '../app/api.ts';
import { queryClient } from '../app/query-client.ts';
import { beginView } from '../app/session.ts';
import { NoteDialog } from './note-dialog.tsx';

type Props = {
  open: boolean;
  onClose: () => void;
  /** Name of the agency or client to view as. */
  name: string;
  scope: { partnerId?: string; clientId?: string };
};

/** Asks for a reason, then opens a view-as session: read-only, for a while, recorded in both audit logs. */
export function ViewAsDialog({ open, onClose, name, scope }: Props) {
  return (
    <NoteDialog
      open={open}
      title={`View as ${name}`}
      label="Reason"
      hint="required, recorded in the audit log"
      required
      rows={2}
      maxLength={300}
      placeholder="They asked why a text was not sent"
      action={`View as ${name}`}
      busy="Opening"
      keep="Stay here"
      send={(reason) => formApi.viewAs({ body: { ...scope, reason } })}
      onSaved={(session) => {
        queryClient.clear();
        beginView(session);
      }}
      onClose={onClose}
    >
      For {LIMITS.viewAsMinutes} minutes you see what they see and cannot change anything. Your name and the reason are recorded in the
      audit log.
    </NoteDialog>
  );
}
