import { refuse } from '#platform/refuse.ts';
import type { Party } from './store.ts';

/** INVOICE_* of the configuration. Addresses and instructions have line breaks. */
export type Invoicing = {
  seller: { [Member in keyof Party]: Party[Member] | null };
  paymentInstructions: string | null;
  dueDays: number;
};

/** Returns the seller to print. Refuses `invalid_state` while the configuration has none. */
export function sellerOf({ seller }: Invoicing): Party {
  const { name, address } = seller;
  if (name === null || address === null)
    return refuse('invalid_state', {
      detail: 'Invoices cannot be issued yet: the configuration lacks the seller (INVOICE_SELLER_NAME, INVOICE_SELLER_ADDRESS).',
    });
  return { ...seller, name };
}
