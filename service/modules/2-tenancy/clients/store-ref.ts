import type { Locale, ProfileKey } from '@partner-portal/contract/vocabulary.ts';
import { localeOf } from '@partner-portal/messages/locale.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';

/** Identifying facts of a client, and what its agents fill their texts with. */
export type ClientRef = {
  id: string;
  partnerId: string;
  name: string;
  status: string;
  locale: Locale;
  timezone: string;
  businessProfile: { [key in ProfileKey]?: string };
};

/** Returns the client; undefined when it is deleted, unknown or not visible in this transaction. */
export async function findClientRef(tx: Tx, clientId: string): Promise<ClientRef | undefined> {
  const [row] = await runStatement<'clients_find_ref', Omit<ClientRef, 'locale'> & { locale: string }>(tx, {
    name: 'clients_find_ref',
    text: `select id, partner_id, name, status, locale, timezone, business_profile from client where id = $1 and status <> 'deleted'`,
    values: [clientId],
  });
  return row && { ...row, locale: localeOf(row.locale) };
}
