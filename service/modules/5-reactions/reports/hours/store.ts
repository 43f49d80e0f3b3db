import { runStatement } from '#platform/db/statements.ts';
import type { TenantTx, Tx } from '#platform/db/tx.ts';

export type OwnEstimate = { templateName: string; hours: number };

/** Returns the agency's own estimates. */
export async function listEstimates(tx: Tx, partnerId: string): Promise<OwnEstimate[]> {
  return runStatement<'reports_estimates', OwnEstimate>(tx, {
    name: 'reports_estimates',
    text: 'select template_name, hours::double precision as hours from hours_estimate where partner_id = $1',
    values: [partnerId],
  });
}

/** Locks the estimates of the agency against other changes and returns its own of one template. */
export async function lockEstimate(tx: TenantTx, partnerId: string, templateName: string): Promise<number | null> {
  await runStatement(tx, {
    name: 'reports_lock_estimates',
    text: 'select 1 as locked from partner where id = $1 for no key update',
    values: [partnerId],
  });
  const [row] = await runStatement<'reports_estimate', { hours: number }>(tx, {
    name: 'reports_estimate',
    text: 'select hours::double precision as hours from hours_estimate where partner_id = $1 and template_name = $2',
    values: [partnerId, templateName],
  });
  return row?.hours ?? null;
}

export async function saveEstimate(tx: TenantTx, of: { partnerId: string; templateName: string; hours: number; now: Date }): Promise<void> {
  await runStatement(tx, {
    name: 'reports_save_estimate',
    text: `insert into hours_estimate (partner_id, template_name, hours, updated_at) values ($1, $2, $3::double precision::numeric, $4)
      on conflict (partner_id, template_name) do update set hours = excluded.hours, updated_at = excluded.updated_at`,
    values: [of.partnerId, of.templateName, of.hours, of.now],
  });
}

export async function deleteEstimate(tx: TenantTx, partnerId: string, templateName: string): Promise<void> {
  await runStatement(tx, {
    name: 'reports_delete_estimate',
    text: 'delete from hours_estimate where partner_id = $1 and template_name = $2',
    values: [partnerId, templateName],
  });
}
