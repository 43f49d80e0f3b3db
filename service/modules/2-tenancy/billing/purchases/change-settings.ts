import { runStatement } from '#platform/db/statements.ts';
import type { TenantTx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { changesBetween, originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { PurchasesDeps } from './deps.ts';

export type Settings = { billingEmail: string | null; taxId: string | null; address: string | null; country: string | null };

/** Changes who is invoiced and where, from the next issued invoice on. An empty text removes a detail. */
export async function changeSettings(
  { db }: Pick<PurchasesDeps, 'db'>,
  context: RequestContext,
  change: { [Field in keyof Settings]?: Settings[Field] | undefined },
): Promise<Settings> {
  const { actor, now } = context;
  return db.asTenant(actor, async (tx) => {
    const before = await lockSettings(tx, actor.partnerId, now);
    const given = Object.fromEntries(
      Object.entries(change).flatMap(([field, value]) => (value === undefined ? [] : [[field, value || null]])),
    );
    const changes = changesBetween<Settings>(before, given);
    const after = { ...before, ...given };
    if (Object.keys(changes).length === 0) return before;
    await runStatement(tx, {
      name: 'billing_save_settings',
      text: 'update billing_profile set billing_email = $2, tax_id = $3, address = $4, country = $5, updated_at = $6 where partner_id = $1',
      values: [actor.partnerId, after.billingEmail, after.taxId, after.address, after.country, now],
    });
    await recordAudit(tx, { partnerId: actor.partnerId, actor, action: 'billing.settings_changed', changes, origin: originOf(context) });
    return after;
  });
}

/** The details as they are, locked until the commit; none at first. */
async function lockSettings(tx: TenantTx, partnerId: string, now: Date): Promise<Settings> {
  await runStatement(tx, {
    name: 'billing_create_settings',
    text: 'insert into billing_profile (partner_id, updated_at) values ($1, $2) on conflict (partner_id) do nothing',
    values: [partnerId, now],
  });
  const [row] = await runStatement<'billing_lock_settings', Settings>(tx, {
    name: 'billing_lock_settings',
    text: 'select billing_email, tax_id, address, country from billing_profile where partner_id = $1 for update',
    values: [partnerId],
  });
  return row ?? { billingEmail: null, taxId: null, address: null, country: null };
}
