import { sql } from 'kysely';
import type { Tx } from '#platform/db/tx.ts';

/** Lists the templates that have an agent, installed or not, for one partner or one of its clients. */
export async function listInstalledTemplates(tx: Tx, partnerId: string, clientId: string | null): Promise<string[]> {
  const { rows } = await sql<{ templateName: string }>`select template_name from workflow
    where partner_id = ${partnerId}::uuid and client_id is not distinct from ${clientId}::uuid`.execute(tx);
  return rows.map((row) => row.templateName);
}

/** Returns the partner of a client; undefined when this caller cannot see the client. */
export async function findClientPartner(tx: Tx, clientId: string): Promise<string | undefined> {
  const { rows } = await sql<{ partnerId: string }>`select partner_id from client where id = ${clientId}::uuid`.execute(tx);
  return rows[0]?.partnerId;
}

export async function partnerExists(tx: Tx, partnerId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from partner where id = ${partnerId}::uuid`.execute(tx);
  return rows.length > 0;
}
