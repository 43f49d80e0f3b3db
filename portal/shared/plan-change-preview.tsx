import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { planChangeQuery, type PlanChange, type TermsChange } from '../queries/billing.ts';
import { Note } from '../ui/feedback/note.tsx';
import { SkeletonRows } from '../ui/feedback/skeleton.tsx';
import { formatNumber, joinWords, plural } from '../ui/text/format.ts';
import { amountOf, billingDay } from './billing-labels.ts';
import { ErrorBlock } from './error-block.tsx';
import { InvoiceLines } from './invoice-lines.tsx';

type Props = { partnerId?: string | undefined; change: TermsChange };

/** What a change of plan or terms charges and when, before it is made. */
export function PlanChangePreview({ partnerId, change }: Props) {
  const preview = useQuery({ ...planChangeQuery(partnerId, useSettled(change)), placeholderData: (before) => before });
  if (preview.error) return <ErrorBlock error={preview.error} onRetry={() => void preview.refetch()} />;
  if (!preview.data) return <SkeletonRows rows={2} label="Loading the price" />;
  return (
    <section aria-label="What this changes" aria-busy={preview.isPlaceholderData} className="grid gap-2">
      <Sentence change={preview.data} />
      {preview.data.lines.length > 0 ? (
        <InvoiceLines label="Charged by the change" lines={preview.data.lines} currency={preview.data.currency} />
      ) : null}
    </section>
  );
}

/** The end of the period that the lines are for. */
function endOf({ lines, effectiveAt }: PlanChange): string {
  return lines.reduce((end, { periodEnd }) => (periodEnd !== null && periodEnd > end ? periodEnd : end), effectiveAt);
}

/** Returns what was typed after a pause, so that not every digit causes a request. */
function useSettled(change: TermsChange): TermsChange {
  const text = JSON.stringify(change);
  const [settled, setSettled] = useState(change);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text) as TermsChange), 250); // what was written a line above
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

function Sentence({ change }: { change: PlanChange }) {
  const { direction, effectiveAt, currency, dueNowMinor, nextMonthlyMinor, exceeds } = change;
  const monthly = <b>{amountOf(nextMonthlyMinor, currency)} a month</b>;
  if (exceeds.length > 0)
    return (
      <Note tone="bad">
        <b>Your usage does not fit this plan yet.</b>{' '}
        {joinWords(exceeds.map(({ what, used, limit }) => `${plural(used, what.slice(0, -1))} in use, ${formatNumber(limit)} included`))}.
      </Note>
    );
  if (direction === 'same') return <Note tone="ok">Nothing changes: the price stays {monthly}.</Note>;
  if (direction === 'down')
    return (
      <Note tone="live">
        It takes effect on <b>{billingDay(effectiveAt)}</b>, when the period ends: {monthly} from then on. Nothing is charged or refunded
        before.
      </Note>
    );
  return (
    <Note tone="live">
      It takes effect at once. <b>{amountOf(dueNowMinor, currency)}</b> is charged for the time until {billingDay(endOf(change))}, then{' '}
      {monthly}.
    </Note>
  );
}
