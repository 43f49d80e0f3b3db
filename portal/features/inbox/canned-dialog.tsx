import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import './inbox.css';
import { api, formApi } from '../../app/api.ts';
import { useMessages } from '../../app/messages.ts';
import { useRefusal } from '../../app/current-user.ts';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { Checkbox, Field, TextArea, TextField } from '../../ui/forms/field.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { type CannedReply, cannedQuery } from '../../queries/inbox.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { useArea } from './area.tsx';

type Props = { open: boolean; onClose: () => void; clientId: string };

/** Adds and removes prepared replies: of the client, and for agencies those for all clients. */
export function CannedDialog({ open, onClose, clientId }: Props) {
  const { t } = useMessages();
  return (
    <Dialog open={open} onClose={onClose} title={t('inbox.prepared')} wide>
      <CannedList clientId={clientId} />
      <AddCanned clientId={clientId} onClose={onClose} />
    </Dialog>
  );
}

function CannedList({ clientId }: { clientId: string }) {
  const { t } = useMessages();
  const { data = [] } = useQuery(cannedQuery(clientId));
  const area = useArea();
  const refusal = useRefusal('inbox.reply');
  const remove = useMutation({
    mutationFn: (id: string) => api.deleteCannedReply({ params: { id } }),
    onSuccess: () => refreshAfter('cannedRepliesChanged'),
    onError: (error) => announceError(error),
  });
  if (data.length === 0) return <p className="text-ink-2">{t('inbox.prepared-empty')}</p>;
  const isAgencys = (one: CannedReply): boolean => one.clientId === null;
  return (
    <ul className="inbox-canned" aria-label={t('inbox.prepared')}>
      {data.map((one) => (
        <li key={one.id}>
          <div className="min-w-0 flex-1">
            <p>
              <b>{one.title}</b>
              {isAgencys(one) ? <span className="text-ink-3"> · {t('inbox.prepared-all-clients')}</span> : null}
            </p>
            <p className="truncate text-ink-2">{one.text}</p>
          </div>
          <IconButton
            label={t('inbox.prepared-remove', { title: one.title })}
            disabledReason={refusal ?? (area === 'client' && isAgencys(one) ? t('inbox.prepared-agencys') : undefined)}
            onClick={() => remove.mutate(one.id)}
          >
            <Trash2 aria-hidden />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

const EMPTY = { title: '', text: '', isForAll: false };

function AddCanned({ clientId, onClose }: { clientId: string; onClose: () => void }) {
  const { t } = useMessages();
  const area = useArea();
  const refusal = useRefusal('inbox.reply');
  const form = useForm({
    saved: EMPTY,
    send: ({ title, text, isForAll }) =>
      formApi.addCannedReply({ body: { title, text, ...(isForAll || area === 'client' ? {} : { clientId }) } }),
    onSaved: () => void refreshAfter('cannedRepliesChanged'),
  });
  return (
    <Form form={form} className="mt-4 grid gap-3 border-t border-line-soft pt-4">
      <TextField label={t('inbox.prepared-title')} maxLength={80} {...form.input('title')} />
      <Field label={t('inbox.prepared-text')} error={form.errors['text']}>
        {(ids) => (
          <TextArea
            {...ids}
            data-field="text"
            rows={3}
            maxLength={LIMITS.replyTextMax}
            value={form.values.text}
            onChange={(event) => form.set({ text: event.target.value })}
          />
        )}
      </Field>
      {area === 'dashboard' ? (
        <Checkbox
          label={t('inbox.prepared-for-all')}
          checked={form.values.isForAll}
          onChange={(event) => form.set({ isForAll: event.target.checked })}
        />
      ) : null}
      <DialogActions>
        <Button onClick={onClose}>{t('inbox.prepared-done')}</Button>
        <Button type="submit" kind="primary" busy={form.isBusy && t('inbox.prepared-adding')} disabledReason={refusal}>
          {t('inbox.prepared-add')}
        </Button>
      </DialogActions>
    </Form>
  );
}
