import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, formApi } from '../../app/api.ts';
import { isLost } from '../../app/errors.ts';
import { useRefusal } from '../../app/current-user.ts';
import type { Billing, Invoice } from '../../queries/billing.ts';
import { partnerQuery } from '../../queries/partners.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { announceError } from '../../shared/announce-error.ts';
import { amountOf, billingDay, invoiceName, SUBSCRIPTION_STATUS } from '../../shared/billing-labels.ts';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { NoteDialog } from '../../shared/note-dialog.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Status } from '../../ui/feedback/badge.tsx';
import { Mark, type MarkKind } from '../../ui/feedback/mark.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { Panel } from '../../ui/layout/layout.tsx';
import { plural } from '../../ui/text/format.ts';
import { overdueOfQuery } from './queries.ts';

/** The payment clock: what happened and what happens next, with dates; staff pause it with a reason. */
export function ClockPanel({ billing: { subscription } }: { billing: Billing }) {
  const { partnerId, clockPaused, status } = subscription;
  const refusal = useRefusal('partners.manage');
  const [isPausing, setPausing] = useState(false);
  const resume = useMutation({
    mutationFn: () => api.updateSubscription({ params: { partnerId }, body: { clockPausedReason: null } }),
    onSuccess: () => {
      announce('Payment reminders resumed.');
      void refreshAfter('billingChanged');
    },
    onError: (error) => announceError(error),
  });
  const { mark, word, tone } = SUBSCRIPTION_STATUS[status];
  return (
    <Panel
      title="Payment clock"
      aside={
        <Status mark={clockPaused ? 'pause' : mark} {...(tone && !clockPaused ? { tone } : {})}>
          {clockPaused ? 'Paused' : word}
        </Status>
      }
    >
      <Steps billing={subscription} />
      {clockPaused ? (
        <Button size="sm" className="mt-3" disabledReason={refusal} busy={resume.isPending && 'Resuming'} onClick={() => resume.mutate()}>
          Resume the clock
        </Button>
      ) : (
        <Button size="sm" className="mt-3" disabledReason={refusal} onClick={() => setPausing(true)}>
          Pause the clock
        </Button>
      )}
      {isPausing ? (
        <NoteDialog
          title="Pause the payment clock?"
          label="Reason"
          hint="required, for staff"
          required
          maxLength={500}
          action="Pause the clock"
          busy="Pausing"
          placeholder="Their bank transfer is under way"
          send={(clockPausedReason) => formApi.updateSubscription({ params: { partnerId }, body: { clockPausedReason } })}
          onSaved={() => {
            setPausing(false);
            announce('The payment clock is paused.');
            void refreshAfter('billingChanged');
          }}
          onClose={() => setPausing(false)}
        >
          No reminders, no past due and no suspension until you resume it. Invoices are drafted and stay due.
        </NoteDialog>
      ) : null}
    </Panel>
  );
}

type Step = { key: string; mark: MarkKind; what: ReactNode; at?: string };

function Steps({ billing }: { billing: Billing['subscription'] }) {
  const overdue = useQuery(overdueOfQuery(billing.partnerId));
  const partner = useQuery(partnerQuery(billing.partnerId)).data;
  const steps = stepsOf(billing, overdue.data, partner?.status === 'suspended' ? partner.suspendedAt : null);
  return (
    <>
      {isLost(overdue) ? <ErrorBlock error={overdue.error} onRetry={() => void overdue.refetch()} /> : null}
      <ol className="tabular-nums grid gap-2.5">
        {steps.map(({ key, mark, what, at }) => (
          <li key={key} className="flex gap-2.5">
            <Mark kind={mark} className="mt-0.75 flex-none" />
            <span className="min-w-0 flex-1">{what}</span>
            {at ? (
              <time dateTime={at} className="flex-none text-ink-3">
                {billingDay(at)}
              </time>
            ) : null}
          </li>
        ))}
      </ol>
    </>
  );
}

/** `overdue` is undefined until it is known. `haltedAt`: since when the account is suspended, during which the clock stands still. */
function stepsOf(subscription: Billing['subscription'], overdue: readonly Invoice[] | undefined, haltedAt: string | null): Step[] {
  const { clockPaused, pastDueSince, suspendsAt, trialEndsAt, status, currentPeriodEnd } = subscription;
  const steps: Step[] = [];
  if (status === 'trialing' && trialEndsAt) steps.push({ key: 'trial', mark: 'wait', what: 'The trial ends', at: trialEndsAt });
  for (const invoice of overdue ?? [])
    steps.push({
      key: invoice.id,
      mark: 'bad',
      what: `${invoiceName(invoice)}, ${amountOf(invoice.owedMinor, invoice.currency)}, due ${plural(invoice.overdueDays, 'day')} ago`,
      ...(invoice.dueAt ? { at: invoice.dueAt } : {}),
    });
  if (pastDueSince) steps.push({ key: 'past-due', mark: 'warn', what: 'Past due since', at: pastDueSince });
  if (clockPaused)
    steps.push({
      key: 'paused',
      mark: 'pause',
      what: (
        <>
          <b>Paused.</b> {clockPaused.reason}
        </>
      ),
      at: clockPaused.at,
    });
  else if (suspendsAt && status !== 'suspended')
    steps.push({ key: 'suspends', mark: 'wait', what: 'Suspended unless it is paid', at: suspendsAt });
  if (haltedAt !== null && (status === 'active' || status === 'past_due'))
    steps.push({ key: 'halted', mark: 'pause', what: 'Stands still while the account is suspended', at: haltedAt });
  if (status === 'suspended') steps.push({ key: 'suspended', mark: 'bad', what: 'Suspended until the overdue invoices are paid' });
  if (overdue?.length === 0 && !pastDueSince && status === 'active') steps.push({ key: 'fine', mark: 'ok', what: 'Nothing is overdue' });
  if (status === 'active' || status === 'past_due')
    steps.push({ key: 'period', mark: 'none', what: 'The period ends', at: currentPeriodEnd });
  return steps;
}
