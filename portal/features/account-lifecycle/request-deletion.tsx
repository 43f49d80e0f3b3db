import { useQuery } from '@tanstack/react-query';
import { formApi } from '../../app/api.ts';
import { useMessages } from '../../app/messages.ts';
import { type AccountRef, type DeletionPreview, deletionPreviewQuery } from '../../queries/account.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { SkeletonBlock } from '../../ui/feedback/skeleton.tsx';
import { Field, Input, TextArea } from '../../ui/forms/field.tsx';
import { Dialog, DialogActions, holdFocus } from '../../ui/overlays/dialog.tsx';
import { MarkedText, markPart } from '../../ui/text/marked-text.tsx';
import { DeletionEffect } from './deletion-effect.tsx';

type Props = {
  account: AccountRef;
  /** Who decides: the request is sent to them. An agency deletes its client at once, without a second decision. */
  decider: 'staff' | 'agency' | 'self';
  size?: 'md' | 'lg';
  onClose: () => void;
  onDone: () => void;
};

/** Asks for the deletion of an account: what it means in counts, a reason, and the name typed. The safe button has the focus. */
export function RequestDeletionDialog({ account, onClose, ...rest }: Props) {
  const { t } = useMessages();
  const preview = useQuery({ ...deletionPreviewQuery(account), staleTime: 0 });
  const name = preview.data?.accountName;
  return (
    <Dialog open onClose={onClose} title={name ? t('lifecycle.delete-title', { name }) : t('lifecycle.delete-title-unnamed')}>
      <Loaded query={preview} skeleton={<SkeletonBlock height={300} />}>
        {(found) => <RequestForm account={account} preview={found} onClose={onClose} {...rest} />}
      </Loaded>
    </Dialog>
  );
}

function RequestForm({ account, preview, decider, size = 'md', onClose, onDone }: Props & { preview: DeletionPreview }) {
  const { t } = useMessages();
  const { accountName } = preview;
  const isOwnDecision = decider === 'self';
  const form = useForm({
    saved: { reason: '', confirmName: '' },
    send: async ({ reason, confirmName }) => {
      const { id } = await formApi.requestDeletion({
        body: { scope: account.scope, clientId: account.clientId, reason: reason.trim(), confirmName: confirmName.trim() },
      });
      if (isOwnDecision) await formApi.approveDeletion({ params: { id }, body: {} });
    },
    onSaved: () => {
      void refreshAfter('accountRequestChanged');
      onDone();
    },
    onRefused: () => void refreshAfter('accountRequestChanged'),
    keepValues: true,
  });
  const { reason, confirmName } = form.values;
  const isComplete = reason.trim() !== '' && confirmName.trim() === accountName;
  return (
    <Form form={form} className="grid gap-4">
      <DeletionEffect preview={preview} when={isOwnDecision ? 'now' : 'on_approval'} />
      <Field
        label={t('lifecycle.reason')}
        note={t(isOwnDecision ? 'lifecycle.required-audit' : 'lifecycle.required')}
        error={form.errors['reason']}
      >
        {(ids) => (
          <TextArea
            {...ids}
            data-field="reason"
            required
            rows={2}
            maxLength={2000}
            value={reason}
            onChange={(event) => form.set({ reason: event.target.value })}
          />
        )}
      </Field>
      <Field
        label={<MarkedText part={(name) => <code>{name}</code>}>{t('lifecycle.type-name', { name: markPart(accountName) })}</MarkedText>}
        error={form.errors['confirmName']}
      >
        {(ids) => (
          <Input
            {...ids}
            size={size}
            data-field="confirmName"
            autoComplete="off"
            spellCheck={false}
            value={confirmName}
            onChange={(event) => form.set({ confirmName: event.target.value })}
          />
        )}
      </Field>
      <DialogActions>
        <Button size={size} onClick={onClose} ref={holdFocus}>
          {t('ui.keepIt')}
        </Button>
        <Button
          size={size}
          kind="danger"
          type="submit"
          inactive={!isComplete}
          busy={form.isBusy && t(isOwnDecision ? 'lifecycle.deleting' : 'ui.sending')}
        >
          {t(isOwnDecision ? 'lifecycle.delete' : 'lifecycle.request-deletion')}
        </Button>
      </DialogActions>
    </Form>
  );
}
