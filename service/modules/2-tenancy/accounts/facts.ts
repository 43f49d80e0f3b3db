import type { SystemTx } from '#platform/db/tx.ts';
import { defineFact } from '#platform/facts.ts';

/** A reactivation that still waits for its decision when the removal of its account is near, or due. `number` counts its reminders from 0. */
export type WaitingReactivation = {
  id: string;
  partnerId: string;
  clientId: string | null;
  accountName: string;
  /** Whether the agency can decide: a suspended one cannot. */
  isPartnerActive: boolean;
  /** The agency’s. */
  timezone: string;
  createdAt: Date;
  purgeAfter: Date;
  number: number;
};

/** The side that decides is reminded of a reactivation; repeated each minute until the next reminder. */
export const reactivationReminded = defineFact<WaitingReactivation, SystemTx>('reactivation_request.reminded');
