import { useMutation, useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/api.ts';
import { explain } from '../../app/errors.ts';
import { type Invoice, invoiceQuery } from '../../queries/billing.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { useIsMailOff } from '../../queries/service-readiness.ts';
import { amountOf } from '../../shared/billing-labels.ts';
import { SEND_PDF } from '../../shared/without-mail.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { joinWords, plural } from '../../ui/text/format.ts';

/** Drafts whose address is looked at: each is a request of its own, as the issue is. */
const ADDRESSES_MAX = 20;

type Refused = { invoice: Invoice; why: string };

/** Issues one draft or several, one after the other; those that are refused stay in the dialog with the reason. */
export function IssueDialog({ drafts, onClose, onIssued }: { drafts: readonly Invoice[]; onClose: () => void; onIssued: () => void }) {
  const [done, setDone] = useState(0);
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  const waiting = refused.length > 0 ? refused.map(({ invoice }) => invoice) : drafts;
  const isMailOff = useIsMailOff();
  const withoutAddress = useQueries({ queries: waiting.slice(0, ADDRESSES_MAX).map(({ id }) => invoiceQuery(id)) }).flatMap(({ data }) =>
    data && !data.buyer.address ? data.partnerName : [],
  );
  const issue = useMutation({
    mutationFn: () => issueAll(waiting, setDone),
    onSuccess: ({ numbers, failures }) => {
      if (numbers.length > 0)
        announce(
          `${numbers.length === 1 ? `Invoice ${numbers[0]} is issued` : `${plural(numbers.length, 'invoice')} issued`}${isMailOff ? `. ${SEND_PDF}` : `${numbers.length === 1 ? ' and goes' : '. They go'} out by e-mail.`}`,
        );
      setRefused(failures);
      void refreshAfter('billingChanged');
      if (failures.length === 0) onIssued();
    },
  });
  const [first] = waiting;
  const isOne = waiting.length === 1 && first !== undefined;
  return (
    <Dialog open onClose={onClose} title={isOne ? `Issue the invoice to ${first.partnerName}?` : `Issue ${waiting.length} invoices?`}>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (!issue.isPending) issue.mutate();
        }}
      >
        <p className="text-ink-2">
          <b>{joinWords(sums(waiting))}</b>. {isOne ? 'It gets its number' : 'Each gets its number'}
          {isMailOff ? ' and is frozen with its PDF' : ', is frozen with its PDF and e-mailed to the agency'}. Afterwards only a credit note
          corrects it; while it is unpaid, it can also be voided and drafted again.
        </p>
        {isMailOff ? <Note tone="warn">{SEND_PDF}</Note> : null}
        {withoutAddress.length > 0 ? (
          <Note tone="warn">
            {joinWords(withoutAddress)} {withoutAddress.length === 1 ? 'has' : 'have'} no billing address. An issued invoice never gets one.
          </Note>
        ) : null}
        {isOne ? null : (
          <ul className="max-h-48 divide-y divide-line-soft overflow-y-auto border-y border-line-soft">
            {waiting.map((draft) => (
              <li key={draft.id} className="tabular-nums flex gap-3 py-1.5">
                <span className="min-w-0 flex-1 truncate">{draft.partnerName}</span>
                {amountOf(draft.totalMinor, draft.currency)}
              </li>
            ))}
          </ul>
        )}
        {refused.map(({ invoice, why }) => (
          <Note key={invoice.id} tone="bad" alert>
            <b>{invoice.partnerName} was not issued.</b> {why}
          </Note>
        ))}
        <DialogActions>
          <Button onClick={onClose}>Keep as draft</Button>
          <Button kind="primary" type="submit" busy={issue.isPending && (isOne ? 'Issuing' : `Issued ${done} of ${waiting.length}`)}>
            {isOne ? 'Issue invoice' : `Issue ${waiting.length} invoices`}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

async function issueAll(drafts: readonly Invoice[], onProgress: (done: number) => void) {
  const numbers: (string | null)[] = [];
  const failures: Refused[] = [];
  for (const invoice of drafts) {
    onProgress(numbers.length);
    try {
      numbers.push((await api.issueInvoice({ params: { id: invoice.id } })).number);
    } catch (error) {
      const { title, detail } = explain(error);
      failures.push({ invoice, why: `${title} ${detail}` });
    }
  }
  return { numbers, failures };
}

/** The sum of each currency: "$598.00", "€99.00". An issued invoice counts with the amount left to pay. */
export function sums(invoices: readonly Invoice[]): string[] {
  const byCurrency = new Map<string, number>();
  for (const { currency, status, totalMinor, owedMinor } of invoices)
    byCurrency.set(currency, (byCurrency.get(currency) ?? 0) + (status === 'draft' ? totalMinor : owedMinor));
  return [...byCurrency].map(([currency, minor]) => amountOf(minor, currency));
}
