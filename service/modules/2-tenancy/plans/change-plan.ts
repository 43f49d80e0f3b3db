import type { AuditAction } from '@partner-portal/contract/audit-actions.ts';
import { isCurrency } from '@partner-portal/core/billing/currency.ts';
import type { Database } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { requireMatch } from '#platform/http/preconditions.ts';
import { refuse, refuseField } from '#platform/refuse.ts';
import { changesBetween, originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { insertPlan, isInUse, lockPlan, type PlanRow, type PlanTerms, updatePlan } from './store.ts';

type Deps = { db: Database };

/** Creates a plan. Refuses `already_exists` for a name in use, `validation_failed` for a currency that ISO 4217 does not have. */
export async function createPlan({ db }: Deps, caller: RequestContext, terms: PlanTerms): Promise<PlanRow> {
  requireCurrency(terms.currency);
  return db.asStaff(caller.actor, async (tx) => {
    const plan = await insertPlan(tx, terms);
    if (!plan) return refuse('already_exists', { detail: `A plan named "${terms.name}" already exists.` });
    await recordAudit(tx, entry(caller, plan, 'plan.created', { name: [null, plan.name] }));
    return plan;
  });
}

/** Changes a plan. Refuses as `createPlan`, `stale_record` by `If-Match`, and another currency (BILL-1) or a trial (BILL-59) while agencies are on it. Credits granted for the current period stay; the next period starts on the new terms. */
export async function changePlan(
  { db }: Deps,
  caller: RequestContext,
  id: string,
  change: { [Field in keyof PlanRow]?: PlanRow[Field] | undefined },
): Promise<PlanRow> {
  if (change.currency !== undefined) requireCurrency(change.currency);
  return db.asStaff(caller.actor, async (tx) => {
    const before = await lockPlan(tx, id);
    if (!before) return refuse('not_found');
    requireMatch(caller.header('if-match'), before.updatedAt);
    const changes = changesBetween(before, change);
    if (Object.keys(changes).length === 0) return before;
    if (changes['currency'] && (await isInUse(tx, id)))
      refuseField(
        'currency',
        'in_use',
        `Agencies on this plan are invoiced in ${before.currency}. Create another plan for another currency.`,
      );
    if (changes['isTrial']?.[1] === true && (await isInUse(tx, id)))
      refuseField('isTrial', 'in_use', 'Agencies are on this plan, and a trial plan cannot be paid for. Create another plan for trials.');
    const after: Partial<PlanRow> = Object.fromEntries(Object.entries(changes).map(([field, [, value]]) => [field, value]));
    const updatedAt = await updatePlan(tx, id, after);
    if (!updatedAt) return refuse('already_exists', { detail: `A plan named "${after.name ?? ''}" already exists.` });
    await recordAudit(tx, entry(caller, before, 'plan.changed', changes));
    return { ...before, ...after, updatedAt };
  });
}

/** Retires a plan: it can no longer be chosen. Never deleted, because partners and requests refer to it. */
export async function retirePlan({ db }: Deps, caller: RequestContext, id: string): Promise<void> {
  await db.asStaff(caller.actor, async (tx) => {
    const before = await lockPlan(tx, id);
    if (!before) return refuse('not_found');
    if (!before.isActive) return;
    await updatePlan(tx, id, { isActive: false });
    await recordAudit(tx, entry(caller, before, 'plan.retired', { isActive: [true, false] }));
  });
}

/** Its decimals decide what every amount of the plan means. */
export function requireCurrency(code: string): void {
  if (!isCurrency(code)) refuseField('currency', 'unknown_currency', `"${code}" is not a currency of ISO 4217. Use a code such as USD.`);
}

/** Plans have no tenant: their audit entries belong to the house partner. */
function entry(caller: RequestContext, plan: PlanRow, action: AuditAction, changes: Record<string, [unknown, unknown]>) {
  const { actor } = caller;
  const target = { type: 'plan', id: plan.id, label: plan.name };
  return { partnerId: actor.partnerId, actor, action, target, changes, origin: originOf(caller) };
}
