import { useInfiniteQuery } from '@tanstack/react-query';
import { formApi } from '../../app/api.ts';
import { useMessages } from '../../app/messages.ts';
import { useRefusal } from '../../app/current-user.ts';
import { refreshAccount } from '../../app/suspension.ts';
import { reactivationsQuery } from '../../queries/account.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { useMailed } from '../../shared/mailed.ts';
import { rowsOf } from '../../shared/paged-table.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { Field, TextArea } from '../../ui/forms/field.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import { formatLongDay } from '../../ui/text/format.ts';
import { Quote } from './quote.tsx';

type Props = {
  /** Whether a request waits for a decision. */
  isPending: boolean;
  /** Who decides: "we", or the client's agency. */
  decider: string;
  size: 'md' | 'lg';
};

/** Asks to have a suspended account back, shows the request that waits, or why the last one was rejected. */
export function RequestReactivation({ isPending, decider, size }: Props) {
  const { t } = useMessages();
  const refusal = useRefusal('account.manage');
  const mailed = useMailed();
  const last = rowsOf(useInfiniteQuery(reactivationsQuery({})))[0];
  return (
    <Section title={t('lifecycle.reactivate')}>
      <div className="grid gap-4 [[data-interface=client]_&]:pt-4" aria-live="polite">
        {isPending ? (
          <Note tone="live">
            <p>
              <b>{last ? t('lifecycle.requested-on', { day: formatLongDay(last.createdAt) }) : t('lifecycle.requested')}</b>{' '}
              {refusal === undefined ? mailed(t('lifecycle.answers-by-mail', { decider })) : null} {t('lifecycle.continues')}
            </p>
            {last?.status === 'pending' ? <Quote text={last.message} /> : null}
          </Note>
        ) : (
          <>
            {last?.status === 'rejected' ? (
              <Note tone="warn">
                <p>
                  <b>{t('lifecycle.reactivation-rejected', { day: formatLongDay(last.createdAt) })}</b>
                </p>
                {last.decisionNote ? <Quote text={last.decisionNote} /> : null}
              </Note>
            ) : null}
            <MessageForm refusal={refusal} size={size} />
          </>
        )}
      </div>
    </Section>
  );
}

function MessageForm({ refusal, size }: { refusal: string | undefined; size: 'md' | 'lg' }) {
  const { t } = useMessages();
  const form = useForm({
    saved: { message: '' },
    send: ({ message }) => formApi.requestReactivation({ body: { message: message.trim() } }),
    onSaved: () => {
      announce(t('lifecycle.request-sent'));
      void refreshAfter('accountRequestChanged');
      void refreshAccount();
    },
  });
  const { message } = form.values;
  return (
    <Form form={form} className="grid gap-3">
      <Field label={t('lifecycle.message')} hint={t('lifecycle.message-hint')} error={form.errors['message']}>
        {(ids) => (
          <TextArea
            {...ids}
            data-field="message"
            required
            rows={3}
            maxLength={2000}
            disabled={refusal !== undefined}
            value={message}
            onChange={(event) => form.set({ message: event.target.value })}
          />
        )}
      </Field>
      <div>
        <Button
          size={size}
          kind="primary"
          type="submit"
          disabledReason={refusal}
          inactive={message.trim() === ''}
          busy={form.isBusy && t('ui.sending')}
        >
          {t('lifecycle.request-reactivation')}
        </Button>
      </div>
    </Form>
  );
}
