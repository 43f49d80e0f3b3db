import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { planChangeQuery, type PlanChange, type TermsChange } from '../queries/billing.ts';
import { Note } from '../ui/feedback/note.tsx';
import { SkeletonRows } from '../ui/feedback/skeleton.tsx';
import { ErrorBlock } from './error-block.tsx';
import { InvoiceLines } from './invoice-lines.tsx';
import { planChangeWords } from './plan-change-words.ts';

type Props = { partnerId?: string | undefined; change: TermsChange };

/** What a change of plan or terms charges and when, before it is made: by staff for an agency, or as a request of the agency itself. */
export function PlanChangePreview({ partnerId, change }: Props) {
  const preview = useQuery({ ...planChangeQuery(partnerId, useSettled(change)), placeholderData: (before) => before });
  if (preview.error) return <ErrorBlock error={preview.error} onRetry={() => void preview.refetch()} />;
  if (!preview.data) return <SkeletonRows rows={2} label="Loading the price" />;
  return (
    <section aria-label="What this changes" aria-busy={preview.isPlaceholderData} className="grid gap-2">
      <Sentence change={preview.data} isRequest={partnerId === undefined} />
      {preview.data.lines.length > 0 ? (
        <InvoiceLines label="Charged by the change" lines={preview.data.lines} currency={preview.data.currency} />
      ) : null}
    </section>
  );
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

function Sentence({ change, isRequest }: { change: PlanChange; isRequest: boolean }) {
  const { tone, lead, rest } = planChangeWords(change, { isRequest });
  return (
    <Note tone={tone}>
      <b>{lead}</b> {rest}
    </Note>
  );
}
