import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';

/** Lists the templates that have an agent, installed or not, for one partner or one of its clients. */
export async function listInstalledTemplates(tx: Tx, partnerId: string, clientId: string | null): Promise<string[]> {
  const rows = await runStatement<'catalog_list_installed_templates', { templateName: string }>(tx, {
    name: 'catalog_list_installed_templates',
    text: 'select template_name from workflow where partner_id = $1 and client_id is not distinct from $2',
    values: [partnerId, clientId],
  });
  return rows.map((row) => row.templateName);
}

export type SampleOwnerRow = { name: string; businessProfile: Record<string, string> | null };

/** Returns whom the samples name: the client, or the partner without one. */
export async function findSampleOwner(tx: Tx, partnerId: string, clientId: string | null): Promise<SampleOwnerRow | undefined> {
  const [row] = await runStatement<'catalog_find_sample_owner', SampleOwnerRow>(tx, {
    name: 'catalog_find_sample_owner',
    text: `select coalesce(c.name, p.name) as name, c.business_profile
      from partner p left join client c on c.partner_id = p.id and c.id = $2 where p.id = $1`,
    values: [partnerId, clientId],
  });
  return row;
}
