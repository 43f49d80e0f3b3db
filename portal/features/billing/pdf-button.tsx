import { invoiceFileName } from '@partner-portal/core/text/file-name.ts';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { api } from '../../app/api.ts';
import { downloadPdf } from '../../app/download.ts';
import type { Invoice } from '../../queries/billing.ts';
import { announceError } from '../../shared/announce-error.ts';
import { Button, IconButton } from '../../ui/controls/button.tsx';

type Props = { invoice: Pick<Invoice, 'id' | 'number' | 'kind'>; compact?: boolean };

/** Saves the PDF of an issued invoice. Nothing for one without a number. */
export function PdfButton({ invoice, compact = false }: Props) {
  const { id, number } = invoice;
  const save = useMutation({
    mutationFn: () => downloadPdf(api.getInvoicePdf({ params: { id } }), invoiceFileName(invoice)),
    onError: (error) => announceError(error, () => save.mutate()),
  });
  if (number === null) return null;
  if (compact)
    return (
      <IconButton label={`Download ${number} as PDF`} size="sm" onClick={() => save.mutate()}>
        <Download aria-hidden />
      </IconButton>
    );
  return (
    <Button icon={<Download aria-hidden />} size="sm" busy={save.isPending && 'Loading'} onClick={() => save.mutate()}>
      PDF
    </Button>
  );
}
