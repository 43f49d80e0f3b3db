import type { Actor } from '#platform/actor.ts';
import type { Database } from '#platform/db/tx.ts';
import { listRates, listRateVersions, type RateRow, type StaffRateRow } from './store-rates.ts';

/** Returns the published rates: the newest version for each model, without what the tokens cost the platform. */
export function listPublishedRates({ db }: { db: Database }, actor: Actor): Promise<RateRow[]> {
  return actor.role === 'ADMIN' ? db.asStaff(actor, listRates) : db.asTenant(actor, listRates);
}

/** Returns all versions with what the tokens cost the platform. */
export function listStaffRates({ db }: { db: Database }, actor: Actor): Promise<StaffRateRow[]> {
  return db.asStaff(actor, listRateVersions);
}
