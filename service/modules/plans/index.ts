import type { Database } from '#platform/db/tx.ts';
import { defineHandlers } from '#platform/http/context.ts';

/** What a workspace can be created on. Plans are global and public; retired ones are not listed. */
export function plans({ db }: { db: Database }) {
  return {
    routes: defineHandlers({
      listPlans: () =>
        db
          .asSystem('login', (tx) =>
            tx.selectFrom('plan').selectAll().where('isPublic', '=', true).where('isActive', '=', true).orderBy('sort').execute(),
          )
          .then((rows) =>
            rows.map(({ features, creditPacks, ...plan }) => ({
              ...plan,
              features: features as PlanJson['features'],
              creditPacks: creditPacks as PlanJson['creditPacks'],
            })),
          ),
    }),
  };
}

/** The two JSON columns, as the migration seeds them; the reply schema checks them again. */
type PlanJson = {
  features: { sso: boolean; chatbot: boolean; customTemplates: boolean; aiPlatformKeys: boolean; auditRetentionDays: number };
  creditPacks: { id: string; credits: number; priceMinor: number }[];
};
