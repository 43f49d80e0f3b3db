import { routes } from '@partner-portal/contract/index.ts';
import { permissionsOf } from '@partner-portal/core/access/access.ts';
import type { Database } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { clientOf, featuresOf, partnerOf, sessionUserOf } from './session-answer.ts';
import { findSessionUser } from './store.ts';
import { findView } from './view-as/store-views.ts';
import { viewedUserOf } from './view-as/view-as.ts';

type Deps = { db: Database; sandbox: boolean; staffMfaRequired: boolean };
type Caller = Pick<RequestContext, 'actor'>;

/** Returns the signed-in user, their permissions, and the admins they can ask for more. */
export async function readMe(deps: Deps, { actor }: Caller) {
  if (actor.readOnly) return readView(deps, { actor });
  const row = await deps.db.readAsTenant(actor, (tx) => findSessionUser(tx, actor.userId));
  if (!row) return refuse('unauthenticated');
  return {
    user: sessionUserOf(row, actor.authMethod),
    partner: partnerOf(row),
    client: clientOf(row),
    permissions: permissionsOf(routes, actor),
    features: featuresOf(row),
    admins: row.admins,
    recoveryCodesLeft: row.recoveryCodesLeft,
    sandbox: deps.sandbox,
    mfaSetupRequired: deps.staffMfaRequired && row.role === 'ADMIN' && !row.mfaEnabled,
  };
}

/** A view-as session shows the viewed partner and client with read permissions, and no one's profile. */
async function readView(deps: Deps, { actor }: Caller) {
  const view = await deps.db.readAsTenant(actor, (tx) => findView(tx, actor.jti));
  if (!view) return refuse('unauthenticated');
  const user = viewedUserOf(view);
  const { partner, client, features } = user;
  return {
    user,
    partner,
    client,
    permissions: permissionsOf(routes, actor),
    features,
    admins: [],
    recoveryCodesLeft: 0,
    sandbox: deps.sandbox,
    mfaSetupRequired: false,
  };
}
