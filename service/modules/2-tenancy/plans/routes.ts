import type { Database } from '#platform/db/tx.ts';
import { defineHandlers } from '#platform/http/context.ts';
import { changePlan, createPlan, retirePlan } from './change-plan.ts';
import { readPlans, readPublicPlans } from './read-plans.ts';

export function planHandlers({ db }: { db: Database }) {
  return defineHandlers({
    listPlans: () => readPublicPlans(db),
    listAllPlans: (_input, { actor }) => readPlans(db, actor),
    createPlan: ({ body }, context) => createPlan({ db }, context, body),
    updatePlan: ({ params, body }, context) => changePlan({ db }, context, params.id, body),
    retirePlan: async ({ params }, context) => void (await retirePlan({ db }, context, params.id)),
  });
}
