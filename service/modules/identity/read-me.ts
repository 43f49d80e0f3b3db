import { permissionsOf } from '@house/core/access.ts';
import type { Database } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { clientOf, featuresOf, partnerOf, sessionUserOf } from './session-answer.ts';
import { findSessionUser } from './store.ts';

/** Who is signed in, what they may do, and whom of their agency they could ask for more. */
export async function readMe(deps: { db: Database; sandbox: boolean }, { actor }: Pick<RequestContext, 'actor'>) {
  const row = await deps.db.asTenant(actor, (tx) => findSessionUser(tx, actor.userId), { whileSuspended: true });
  if (!row) return refuse('unauthenticated');
  return {
    user: sessionUserOf(row, actor.authMethod),
    partner: partnerOf(row),
    client: clientOf(row),
    permissions: permissionsOf(actor),
    features: featuresOf(row),
    admins: row.admins,
    sandbox: deps.sandbox,
  };
}
