import { runStatement } from '#platform/db/statements.ts';
import type { TenantTx, Tx } from '#platform/db/tx.ts';

export type ResultValueRow = { templateName: string; currency: string; valueMinor: number };

/** Returns what the agency thinks results are worth, by template. */
export async function listResultValues(tx: Tx, partnerId: string): Promise<ResultValueRow[]> {
  return runStatement<'reports_result_values', ResultValueRow>(tx, {
    name: 'reports_result_values',
    text: 'select template_name, currency, value_minor from result_value where partner_id = $1 order by template_name',
    values: [partnerId],
  });
}

/** Locks the amounts of the agency against other changes and returns them. */
export async function lockResultValues(tx: TenantTx, partnerId: string): Promise<ResultValueRow[]> {
  await runStatement(tx, {
    name: 'reports_lock_result_values',
    text: 'select 1 as locked from partner where id = $1 for no key update',
    values: [partnerId],
  });
  return listResultValues(tx, partnerId);
}

/** Returns the currency of the agency's plan; undefined without one. */
export async function findPlanCurrency(tx: Tx, partnerId: string): Promise<string | undefined> {
  const [row] = await runStatement<'reports_plan_currency', { currency: string }>(tx, {
    name: 'reports_plan_currency',
    text: 'select p.currency from subscription s join plan p on p.id = s.plan_id where s.partner_id = $1',
    values: [partnerId],
  });
  return row?.currency;
}

type NewValues = { partnerId: string; currency: string; values: readonly { templateName: string; valueMinor: number }[]; now: Date };

/** Replaces all amounts of the agency. */
export async function replaceResultValues(tx: TenantTx, { partnerId, currency, values, now }: NewValues): Promise<void> {
  await runStatement(tx, {
    name: 'reports_delete_result_values',
    text: 'delete from result_value where partner_id = $1 and template_name <> all ($2::text[])',
    values: [partnerId, values.map(({ templateName }) => templateName)],
  });
  await runStatement(tx, {
    name: 'reports_save_result_values',
    text: `insert into result_value (partner_id, template_name, currency, value_minor, updated_at)
      select $1, v.template_name, $2, v.value_minor, $5 from unnest($3::text[], $4::int[]) as v(template_name, value_minor)
      on conflict (partner_id, template_name) do update set currency = excluded.currency, value_minor = excluded.value_minor, updated_at = excluded.updated_at`,
    values: [partnerId, currency, values.map(({ templateName }) => templateName), values.map(({ valueMinor }) => valueMinor), now],
  });
}
