import type { Provider } from '@partner-portal/contract/vocabulary.ts';
import { sql } from 'kysely';
import type { Tx } from '#platform/db/tx.ts';

export type KeyRow = { partnerId: string; clientId: string | null; provider: string; sourceMode: string; stored: boolean };

/** Which keys are there, without their values: of these agencies as a whole and of these clients. */
export async function listKeys(tx: Tx, partnerIds: readonly string[], clientIds: readonly string[]): Promise<KeyRow[]> {
  const { rows } = await sql<KeyRow>`select partner_id, client_id, provider, source_mode, sealed is not null as stored from credential
    where partner_id = any(${[...partnerIds]}::uuid[]) and (client_id is null or client_id = any(${[...clientIds]}::uuid[]))`.execute(tx);
  return rows;
}

/** Templates that are installed or about to be for one agency, or for one of its clients. */
export async function listInstalledTemplates(tx: Tx, partnerId: string, clientId: string | null): Promise<string[]> {
  const { rows } = await sql<{ templateName: string }>`select template_name from workflow
    where partner_id = ${partnerId}::uuid and client_id is not distinct from ${clientId}::uuid`.execute(tx);
  return rows.map((row) => row.templateName);
}

/** The agency of a client, when both are there for this caller. */
export async function findClientPartner(tx: Tx, clientId: string): Promise<string | undefined> {
  const { rows } = await sql<{ partnerId: string }>`select partner_id from client where id = ${clientId}::uuid`.execute(tx);
  return rows[0]?.partnerId;
}

export async function partnerIsThere(tx: Tx, partnerId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from partner where id = ${partnerId}::uuid`.execute(tx);
  return rows.length > 0;
}

/**
 * The required providers without a usable key for this agency or client: the client's own row wins over the agency's
 * default, a platform key counts only where this installation has one.
 */
export function missingConnections(
  required: readonly Provider[],
  keys: readonly KeyRow[],
  owner: { partnerId: string; clientId: string | null },
  platformProviders: readonly Provider[],
): Provider[] {
  return required.filter((provider) => {
    if (provider === 'code') return false;
    const rows = keys.filter((key) => key.provider === provider && key.partnerId === owner.partnerId);
    const row = rows.find((key) => key.clientId !== null && key.clientId === owner.clientId) ?? rows.find((key) => key.clientId === null);
    if (!row) return true;
    return row.sourceMode === 'platform' ? !platformProviders.includes(provider) : !row.stored;
  });
}
