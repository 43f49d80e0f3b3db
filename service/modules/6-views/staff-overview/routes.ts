import type { Database } from '#platform/db/tx.ts';
import { defineHandlers } from '#platform/http/context.ts';
import { readStaffOverview } from './read-staff-overview.ts';

export function staffOverviewHandlers({ db }: { db: Database }) {
  return defineHandlers({
    getStaffOverview: (_input, { actor, now }) => readStaffOverview(db, actor, now),
  });
}
