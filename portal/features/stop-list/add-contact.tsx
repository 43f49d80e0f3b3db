import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { formApi } from '../../app/api.ts';
import { useRefusal } from '../../app/current-user.ts';
import { useMessages } from '../../app/messages.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { Button } from '../../ui/controls/button.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';

/** Puts a contact on the stop list by hand; no reason is asked for. */
export function AddContact({ clientId }: { clientId: string }) {
  const { t } = useMessages();
  const [isOpen, setOpen] = useState(false);
  const refusal = useRefusal('stop-list.manage');
  return (
    <>
      <Button size="sm" icon={<Plus aria-hidden />} disabledReason={refusal} onClick={() => setOpen(true)}>
        {t('stop-list.add')}
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={t('stop-list.add-title')}>
        <AddForm clientId={clientId} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function AddForm({ clientId, onClose }: { clientId: string; onClose: () => void }) {
  const { t } = useMessages();
  const form = useForm({
    saved: { contact: '', note: '' },
    send: ({ contact, note }) => formApi.addToStopList({ params: { id: clientId }, body: { contact: contact.trim(), note: note.trim() } }),
    onSaved: ({ contact }) => {
      announce(t('stop-list.added', { contact }));
      void refreshAfter('stopListChanged');
      onClose();
    },
    keepValues: true,
  });
  const { contact, note } = form.values;
  return (
    <Form form={form} className="grid gap-4">
      <p className="text-ink-2">{t('stop-list.add-lead')}</p>
      <TextField
        label={t('stop-list.contact')}
        note={t('stop-list.contact-hint')}
        data-field="contact"
        required
        autoFocus
        maxLength={254}
        autoComplete="off"
        error={form.errors['contact']}
        value={contact}
        onChange={(next) => form.set({ contact: next })}
      />
      <TextField
        label={t('stop-list.note')}
        note={t('stop-list.optional')}
        data-field="note"
        maxLength={LIMITS.stopListNoteMax}
        error={form.errors['note']}
        value={note}
        onChange={(next) => form.set({ note: next })}
      />
      <DialogActions>
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button kind="primary" type="submit" inactive={contact.trim() === ''} busy={form.isBusy && t('stop-list.adding')}>
          {t('stop-list.add')}
        </Button>
      </DialogActions>
    </Form>
  );
}
