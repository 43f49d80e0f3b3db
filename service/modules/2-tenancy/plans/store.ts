import { changedColumns } from '#platform/db/changed-columns.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';

/** A stored plan. The reply schema validates its JSON columns. */
export type PlanRow = {
  id: string;
  name: string;
  description: string;
  monthlyPriceMinor: number;
  currency: string;
  includedSeats: number;
  includedClients: number;
  monthlyCredits: number;
  seatPriceMinor: number;
  creditPacks: { id: string; credits: number; priceMinor: number }[];
  features: {
    sso: boolean;
    chatbot: boolean;
    customTemplates: boolean;
    aiPlatformKeys: boolean;
    customDomain: boolean;
    auditRetentionDays: number;
  };
  isPublic: boolean;
  isTrial: boolean;
  trialDays: number | null;
  isActive: boolean;
  updatedAt: Date;
};
export type PlanTerms = Omit<PlanRow, 'id' | 'isActive' | 'updatedAt'>;

const COLUMNS = `id, name, description, monthly_price_minor, currency, included_seats, included_clients, monthly_credits, seat_price_minor, credit_packs, features,
  is_public, is_trial, trial_days, is_active, updated_at`;

/** Returns public, active plans. */
export async function listPublicPlans(tx: SystemTx): Promise<PlanRow[]> {
  return runStatement<'plans_public', PlanRow>(tx, {
    name: 'plans_public',
    text: `select ${COLUMNS} from plan where is_public and is_active order by sort, id`,
    values: [],
  });
}

/** Returns every plan with the number of its subscriptions. */
export async function listPlans(tx: SystemTx): Promise<(PlanRow & { subscriptions: number })[]> {
  return runStatement<'plans_all', PlanRow & { subscriptions: number }>(tx, {
    name: 'plans_all',
    text: `select ${COLUMNS}, (select count(*)::int from subscription s where s.plan_id = plan.id) as subscriptions from plan order by is_active desc, sort, id`,
    values: [],
  });
}

/** Returns the plans of these ids, retired ones included. */
export async function findPlans(tx: Tx, ids: readonly string[]): Promise<PlanRow[]> {
  return runStatement<'plans_by_id', PlanRow>(tx, {
    name: 'plans_by_id',
    text: `select ${COLUMNS} from plan where id = any($1::uuid[])`,
    values: [ids],
  });
}

export async function lockPlan(tx: SystemTx, id: string): Promise<PlanRow | undefined> {
  const [row] = await runStatement<'plans_lock_plan', PlanRow>(tx, {
    name: 'plans_lock_plan',
    prepare: false,
    text: `select ${COLUMNS} from plan where id = $1 for update`,
    values: [id],
  });
  return row;
}

/** Whether a subscription is on the plan, or will be from the end of its period. */
export async function isInUse(tx: SystemTx, id: string): Promise<boolean> {
  const [row] = await runStatement<'plans_is_in_use', { isInUse: boolean }>(tx, {
    name: 'plans_is_in_use',
    text: 'select exists (select from subscription s where s.plan_id = $1 or s.pending_plan_id = $1) as is_in_use',
    values: [id],
  });
  return row?.isInUse ?? false;
}

/** Returns undefined when another plan has the name. */
export async function insertPlan(tx: SystemTx, plan: PlanTerms): Promise<PlanRow | undefined> {
  const [row] = await runStatement<'plans_insert_plan', PlanRow>(tx, {
    name: 'plans_insert_plan',
    prepare: false,
    text: `insert into plan (name, description, monthly_price_minor, currency, included_seats, included_clients, monthly_credits, seat_price_minor, credit_packs, features,
        is_public, is_trial, trial_days, sort)
      select $1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb, $10::jsonb, $11, $12, $13, coalesce(max(sort), 0) + 1 from plan
      on conflict (name) do nothing returning ${COLUMNS}`,
    values: [
      plan.name,
      plan.description,
      plan.monthlyPriceMinor,
      plan.currency,
      plan.includedSeats,
      plan.includedClients,
      plan.monthlyCredits,
      plan.seatPriceMinor,
      JSON.stringify(plan.creditPacks),
      JSON.stringify(plan.features),
      plan.isPublic,
      plan.isTrial,
      plan.trialDays,
    ],
  });
  return row;
}

/** Returns when the plan was changed; undefined when another plan has the new name: the transaction is then aborted. */
export async function updatePlan(tx: SystemTx, id: string, change: Partial<PlanRow>): Promise<Date | undefined> {
  try {
    const [row] = await runStatement<'plans_update_plan', { updatedAt: Date }>(tx, {
      name: 'plans_update_plan',
      prepare: false,
      text: `update plan g set (name, description, monthly_price_minor, currency, included_seats, included_clients, monthly_credits, seat_price_minor, credit_packs, features, is_public,
          is_trial, trial_days, is_active, updated_at)
        = (select n.name, n.description, n.monthly_price_minor, n.currency, n.included_seats, n.included_clients, n.monthly_credits, n.seat_price_minor, n.credit_packs, n.features,
          n.is_public, n.is_trial, n.trial_days, n.is_active, now() from jsonb_populate_record(g, $2::jsonb) n) where g.id = $1 returning g.updated_at`,
      values: [id, changedColumns(change)],
    });
    if (!row) throw new Error(`The plan ${id} is missing.`);
    return row.updatedAt;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === '23505') return undefined;
    throw error;
  }
}
