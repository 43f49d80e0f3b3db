import { scopeExists } from '#modules/1-ledger/scope/index.ts';
import type { Database } from '#platform/db/tx.ts';
import type { RefusedCall } from '#platform/http/refused-call.ts';
import { originOf, recordAudit } from './record-audit.ts';
import { findKnownTarget } from './store.ts';

/**
 * Records a refused call in its own transaction, because the call's was rolled back. The entry is in the log of the caller's partner, or of
 * the partner staff tried to change. Its label comes from that log only, so no name of another tenant can leak.
 */
export async function recordRefusal(db: Database, call: RefusedCall): Promise<void> {
  const { actor } = call;
  const named = actor.role === 'ADMIN' ? partnerInPath(call) : undefined;
  if (named !== undefined && (await writeInto(db, named, call, { mustExist: true }))) return;
  await writeInto(db, actor.partnerId, call, { mustExist: false });
}

function writeInto(db: Database, partnerId: string, call: RefusedCall, { mustExist }: { mustExist: boolean }) {
  const { actor, action, code } = call;
  // The session is not asserted: it may be the reason for the refusal.
  return db.asTenant({ kind: 'tenant', partnerId, clientId: null }, async (tx) => {
    if (mustExist && !(await scopeExists(tx, { partnerId }))) return false;
    const target = targetOf(call);
    const { clientId, ...known } = target?.id ? ((await findKnownTarget(tx, partnerId, target.id)) ?? NOTHING) : NOTHING;
    await recordAudit(tx, {
      partnerId,
      clientId: actor.clientId ?? clientId ?? null,
      actor,
      action,
      ...(target ? { target: { label: null, ...target, ...known } } : {}),
      result: 'refused',
      changes: { refusal: [null, code] },
      origin: originOf(call),
    });
    return true;
  });
}

const NOTHING = { clientId: null };
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** A provider or template name; too short and plain to be a token, which must not be stored. */
const PLAIN_WORD = /^[a-z][a-z\d-]{0,39}$/;

/** Returns the target named in the path: the parameter that matches the action, else the first. Only ids and plain words are used. */
function targetOf({ action, params }: RefusedCall): { type: string; id: string | null; label?: string } | undefined {
  const [type = ''] = action.split('.');
  const names = Object.keys(params);
  const own = names.find((name) => name !== 'id' && type.includes(name.replace(/Id$/, '').toLowerCase())) ?? names[0] ?? '';
  const named = params[own] ?? '';
  if (UUID.test(named)) return { type, id: named.toLowerCase() };
  return PLAIN_WORD.test(named) ? { type, id: null, label: named } : undefined;
}

function partnerInPath({ path, params }: RefusedCall): string | undefined {
  const id = path.startsWith('/partners/:id') ? params['id'] : undefined;
  return id !== undefined && UUID.test(id) ? id : undefined;
}
