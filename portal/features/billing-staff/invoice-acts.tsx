import { invoiceFileName } from '@partner-portal/core/text/file-name.ts';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { useRefusal } from '../../app/current-user.ts';
import { downloadPdf } from '../../app/download.ts';
import type { Invoice } from '../../queries/billing.ts';
import { announceError } from '../../shared/announce-error.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Kbd } from '../../ui/layout/layout.tsx';
import { type Act, mayDo } from './acts.ts';
import { IssueDialog } from './issue-dialog.tsx';
import { PayDialog } from './pay-dialog.tsx';
import { VoidDialog } from './void-dialog.tsx';

const CreditDialog = lazy(() => import('./credit-dialog.tsx').then((module) => ({ default: module.CreditDialog })));

type Asked = { act: Exclude<Act, 'print'>; invoices: readonly Invoice[] };

/** What staff do with invoices: `start` opens the dialog of an act, or downloads the PDF; `dialog` is to be rendered. */
export function useInvoiceActs(onIssued: () => void = () => undefined) {
  const [asked, setAsked] = useState<Asked>();
  const refusal = useRefusal('partners.manage');
  const pdf = useMutation({
    mutationFn: (invoice: Invoice) => downloadPdf(api.getInvoicePdf({ params: { id: invoice.id } }), invoiceFileName(invoice)),
    onError: (error) => announceError(error),
  });
  const close = (): void => setAsked(undefined);
  const start = (act: Act, invoices: readonly Invoice[]): void => {
    const [first] = invoices;
    if (!first || !invoices.every((invoice) => mayDo(act, invoice))) return;
    if (act === 'print') pdf.mutate(first);
    else if (!refusal) setAsked({ act, invoices });
  };
  const done = (): void => {
    close();
    onIssued();
  };
  return {
    start,
    refusal,
    isDownloading: pdf.isPending,
    dialog: asked ? <ActDialog asked={asked} onClose={close} onIssued={done} /> : null,
  };
}

export type InvoiceActs = ReturnType<typeof useInvoiceActs>;

function ActDialog({ asked, onClose, onIssued }: { asked: Asked; onClose: () => void; onIssued: () => void }): ReactNode {
  const [invoice] = asked.invoices;
  if (!invoice) return null;
  switch (asked.act) {
    case 'issue':
      return <IssueDialog drafts={asked.invoices} onClose={onClose} onIssued={onIssued} />;
    case 'pay':
      return <PayDialog invoice={invoice} onClose={onClose} />;
    case 'credit':
      return (
        <Suspense>
          <CreditDialog invoice={invoice} onClose={onClose} />
        </Suspense>
      );
    case 'void':
      return <VoidDialog invoice={invoice} onClose={onClose} />;
  }
}

/** The buttons of one invoice, as far as its status allows them. */
export function InvoiceButtons({ invoice, acts }: { invoice: Invoice; acts: InvoiceActs }) {
  const button = (act: Act, word: string, key: string, kind?: 'primary' | 'danger-text'): ReactNode =>
    mayDo(act, invoice) ? (
      <Button
        {...(kind ? { kind } : {})}
        disabledReason={act === 'print' ? undefined : acts.refusal}
        busy={act === 'print' && acts.isDownloading && 'Downloading'}
        onClick={() => acts.start(act, [invoice])}
      >
        {word}
        <span className="max-md:hidden">
          <Kbd>{key}</Kbd>
        </span>
      </Button>
    ) : null;
  return (
    <div className="flex flex-wrap gap-2">
      {button('issue', 'Issue', 'I', 'primary')}
      {button('pay', 'Record payment', 'P', 'primary')}
      {button('print', 'PDF', 'O')}
      {button('credit', 'Credit', 'C')}
      {button('void', 'Void', 'V', 'danger-text')}
    </div>
  );
}
