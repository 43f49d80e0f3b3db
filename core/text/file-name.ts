import type { InvoiceKind } from '@partner-portal/contract/vocabulary.ts';
import { fold } from '../knowledge/words.ts';

/** Names of files that people download: the service sends them, and the portal saves under them. */

/** Longest name of an account in the name of a file. */
const NAME_MAX = 60;

/** A name in letters that every system takes: "Café am Markt" as "cafe-am-markt"; `otherwise` where nothing is left. */
function plainName(name: string, otherwise: string): string {
  const plain = fold(name)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, NAME_MAX)
    .replaceAll(/^-|-$/g, '');
  return plain || otherwise;
}

/** The name of an invoice or a credit note, also as it is attached to a mail. */
export function invoiceFileName({ kind, number }: { kind: InvoiceKind; number: string | null }): string {
  return `${kind === 'invoice' ? 'invoice' : 'credit-note'}-${number ?? 'draft'}.pdf`;
}

/** The name of a client's report; `month` as "2026-11". */
export function reportFileName(clientName: string, month: string, extension: 'pdf' | 'csv'): string {
  return `${plainName(clientName, 'report')}-${month}.${extension}`;
}

/** The name of an account's export; `createdAt` as an ISO time. */
export function exportFileName(accountName: string, createdAt: string): string {
  return `${plainName(accountName, 'export')}-${createdAt.slice(0, 10)}.zip`;
}
