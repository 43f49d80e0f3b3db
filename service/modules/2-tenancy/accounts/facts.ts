import type { SystemTx } from '#platform/db/tx.ts';
import { defineFact } from '#platform/facts.ts';
import type { WaitingRow } from './reactivation/store-reactivations.ts';

/** A reactivation that still waits for its decision when the removal of its account is near, or due. `number` counts its reminders from 0. */
export type WaitingReactivation = WaitingRow & { number: number };

/** The side that decides is reminded of a reactivation; repeated each minute until the next reminder. */
export const reactivationReminded = defineFact<WaitingReactivation, SystemTx>('reactivation_request.reminded');
