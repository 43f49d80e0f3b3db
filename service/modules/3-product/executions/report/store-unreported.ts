import type { Database } from '#platform/db/tx.ts';

/** Statements about what is under way in the engine. They are calls of definer functions that cross partners. */

export type Unreported = {
  executionId: string;
  workflowId: string;
  providerFlowId: string;
  /** Nothing was sent before. */
  sentAt: Date;
};

/** Claims executions about which the engine is to be asked, by turns between partners; each comes again after twice the time. */
export function claimUnreported(db: Database, batch: number): Promise<Unreported[]> {
  return db.call<'claim_unreported', Unreported>({
    name: 'claim_unreported',
    text: 'select * from claim_unreported($1)',
    values: [batch],
  });
}

/** Makes the engine be asked about all that is under way, from now on. Returns how many. */
export async function askAboutAll(db: Database): Promise<number> {
  const [row] = await db.call<'ask_about_all', { asked: number }>({
    name: 'ask_about_all',
    prepare: false,
    text: 'select ask_about_all() as asked',
    values: [],
  });
  return row?.asked ?? 0;
}

/**
 * The same for what is under way of one agency. Returns how much there is, with dispatches without an answer that were claimed at least `sinceMs` ago.
 */
export async function askAboutPartner(db: Database, partnerId: string, sinceMs: number): Promise<number> {
  const [row] = await db.call<'ask_about_partner', { running: number }>({
    name: 'ask_about_partner',
    text: 'select ask_about_partner($1, $2) as running',
    values: [partnerId, sinceMs],
  });
  return row?.running ?? 0;
}
