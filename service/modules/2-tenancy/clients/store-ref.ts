import type { Locale } from '@partner-portal/contract/vocabulary.ts';
import { localeOf } from '@partner-portal/messages/locale.ts';
import type { Tx } from '#platform/db/tx.ts';

/** Identifying facts of a client. */
export type ClientRef = { id: string; partnerId: string; name: string; status: string; locale: Locale };

/** Returns the client; undefined when it is deleted, unknown or not visible in this transaction. */
export async function findClientRef(tx: Tx, clientId: string): Promise<ClientRef | undefined> {
  const row = await tx
    .selectFrom('client')
    .select(['id', 'partnerId', 'name', 'status', 'locale'])
    .where('id', '=', clientId)
    .where('status', '!=', 'deleted')
    .executeTakeFirst();
  return row && { ...row, locale: localeOf(row.locale) };
}
