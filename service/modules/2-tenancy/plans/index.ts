import type { Database } from '#platform/db/tx.ts';
import { defineHandlers } from '#platform/http/context.ts';
import { changePlan, createPlan, retirePlan } from './change-plan.ts';
import { listPlans, listPublicPlans } from './store.ts';

export { requireCurrency } from './change-plan.ts';
export { findPlans, type PlanRow } from './store.ts';

/** Plans of workspaces. They are global; staff create, change and retire them. */
export function plans({ db }: { db: Database }) {
  return {
    routes: defineHandlers({
      listPlans: () => db.asSystem('application', listPublicPlans),
      listAllPlans: (_input, { actor }) => db.asStaff(actor, listPlans),
      createPlan: ({ body }, context) => createPlan({ db }, context, body),
      updatePlan: ({ params, body }, context) => changePlan({ db }, context, params.id, body),
      retirePlan: async ({ params }, context) => void (await retirePlan({ db }, context, params.id)),
    }),
  };
}
