import type { ReadingClient } from '@partner-portal/core/template/input.ts';
import { readingClient } from '@partner-portal/core/template/reading-client.ts';
import { localeOf } from '@partner-portal/messages/locale.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';

type Row = { timezone: string; phone: string | null; locale: string | null; textCountries: string[] | null };

/** Returns how the values of a client are read, or those of an agency itself; undefined when there is no such account in this transaction. */
export async function findReadingClient(tx: Tx, partnerId: string, clientId: string | null): Promise<ReadingClient | undefined> {
  return (await findTextingClient(tx, partnerId, clientId))?.client;
}

/** The same, with the countries that the client may text. */
export async function findTextingClient(
  tx: Tx,
  partnerId: string,
  clientId: string | null,
): Promise<ReturnType<typeof readingClient> | undefined> {
  const [row] = await runStatement<'clients_reading_client', Row>(tx, {
    name: 'clients_reading_client',
    text: `select coalesce(c.timezone, p.timezone) as timezone, c.phone, c.locale, c.text_countries
      from partner p left join client c on c.partner_id = p.id and c.id = $2 where p.id = $1`,
    values: [partnerId, clientId],
  });
  return row && readingClient({ ...row, locale: localeOf(row.locale) });
}

/** Returns how the values of each of these clients of an agency are read, by its id. */
export async function findReadingClients(tx: Tx, partnerId: string, clientIds: readonly string[]): Promise<Map<string, ReadingClient>> {
  const rows = await runStatement<'clients_reading_clients', Row & { id: string }>(tx, {
    name: 'clients_reading_clients',
    text: 'select id, timezone, phone, locale, text_countries from client where partner_id = $1 and id = any($2::uuid[])',
    values: [partnerId, clientIds],
  });
  return new Map(rows.map((row) => [row.id, readingClient({ ...row, locale: localeOf(row.locale) }).client]));
}
