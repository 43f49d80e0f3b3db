import { runStatement } from '#platform/db/statements.ts';
import type { Database, Tx } from '#platform/db/tx.ts';

/** Statements of first contacts: people whom no agent of a client has texted before. Claims count them (claim_dispatches). */

/**
 * Counts the person whom a conversation's agent is about to text: the contact of its event, or, when that is an address which it does not mail, the
 * number. False: the first contacts of this hour are used up.
 */
export async function takeFirstContact(
  db: Database,
  { workflowId, contact, number, standard }: { workflowId: string; contact: string | null; number: string | null; standard: number },
): Promise<boolean> {
  const [row] = await db.call<'take_first_contact', { taken: boolean | null }>({
    name: 'take_first_contact',
    text: 'select take_first_contact($1, $2, $3, $4) as taken',
    values: [workflowId, contact, number, standard],
  });
  return row?.taken === true;
}

/** Lets what waits for the first contacts of a client be decided again, after its cap may have changed. Returns how many. */
export async function releaseFirstContacts(tx: Tx, clientId: string): Promise<number> {
  const [row] = await runStatement<'release_first_contacts', { released: number | null }>(tx, {
    name: 'release_first_contacts',
    prepare: false,
    text: 'select release_first_contacts($1) as released',
    values: [clientId],
  });
  return row?.released ?? 0;
}

/** Forgets first contacts of hours that are over, a batch at a time. Returns how many. */
export async function forgetFirstContacts(db: Database, batch: number): Promise<number> {
  const [row] = await db.call<'forget_first_contacts', { gone: number | null }>({
    name: 'forget_first_contacts',
    prepare: false,
    text: 'select forget_first_contacts($1) as gone',
    values: [batch],
  });
  return row?.gone ?? 0;
}
