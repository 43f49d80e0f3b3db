import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { useState } from 'react';
import { formApi } from '../../app/api.ts';
import { useRefusal } from '../../app/current-user.ts';
import { useMessages } from '../../app/messages.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import type { StopListEntry } from './queries.ts';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { Button } from '../../ui/controls/button.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { Field, TextArea } from '../../ui/forms/field.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';

type Props = { clientId: string; entry: StopListEntry };

/** Takes a contact off the stop list; agents may write to it again, so a reason is asked for. */
export function RemoveContact(props: Props) {
  const { t } = useMessages();
  const [isAsking, setAsking] = useState(false);
  const refusal = useRefusal('stop-list.manage');
  const { contact } = props.entry;
  return (
    <>
      <Button
        size="sm"
        kind="danger-text"
        aria-label={t('stop-list.remove-of', { contact })}
        disabledReason={refusal}
        onClick={() => setAsking(true)}
      >
        {t('stop-list.remove')}
      </Button>
      <Dialog open={isAsking} onClose={() => setAsking(false)} title={t('stop-list.remove-title', { contact })}>
        <RemoveForm {...props} onClose={() => setAsking(false)} />
      </Dialog>
    </>
  );
}

function RemoveForm({ clientId, entry: { contact, isOfAgency }, onClose }: Props & { onClose: () => void }) {
  const { t } = useMessages();
  const form = useForm({
    saved: { reason: '' },
    send: ({ reason }) => formApi.removeFromStopList({ params: { id: clientId, contact }, body: { reason: reason.trim() } }),
    onSaved: () => {
      announce(t('stop-list.removed', { contact }));
      void refreshAfter('stopListChanged');
      onClose();
    },
    keepValues: true,
  });
  return (
    <Form form={form} className="grid gap-4">
      <p className="text-ink-2">{t(isOfAgency ? 'stop-list.remove-agency' : 'stop-list.remove-lead')}</p>
      <Field label={t('stop-list.reason')} note={t('stop-list.required')} error={form.errors['reason']}>
        {(ids) => (
          <TextArea
            {...ids}
            data-field="reason"
            required
            autoFocus
            rows={3}
            maxLength={LIMITS.stopListNoteMax}
            value={form.values.reason}
            onChange={(event) => form.set({ reason: event.target.value })}
          />
        )}
      </Field>
      <DialogActions>
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button kind="danger" type="submit" inactive={form.values.reason.trim() === ''} busy={form.isBusy && t('stop-list.removing')}>
          {t('stop-list.remove')}
        </Button>
      </DialogActions>
    </Form>
  );
}
