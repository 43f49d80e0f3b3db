import { query } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';

/** Lists the templates that have an agent, installed or not, for one partner or one of its clients. */
export async function listInstalledTemplates(tx: Tx, partnerId: string, clientId: string | null): Promise<string[]> {
  const { rows } = await query<'catalog_list_installed_templates', { templateName: string }>`select template_name from workflow
    where partner_id = ${partnerId}::uuid and client_id is not distinct from ${clientId}::uuid`.execute(tx);
  return rows.map((row) => row.templateName);
}

export type SampleOwnerRow = { name: string; businessProfile: Record<string, string> | null };

/** Returns whom the samples name: the client, or the partner without one. */
export async function findSampleOwner(tx: Tx, partnerId: string, clientId: string | null): Promise<SampleOwnerRow | undefined> {
  const { rows } = await query<'catalog_find_sample_owner', SampleOwnerRow>`select coalesce(c.name, p.name) as name, c.business_profile
    from partner p left join client c on c.partner_id = p.id and c.id = ${clientId}::uuid where p.id = ${partnerId}::uuid`.execute(tx);
  return rows[0];
}
