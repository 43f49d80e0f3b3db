import { scopeExists } from '#platform/db/scope.ts';
import type { Database } from '#platform/db/tx.ts';
import type { RefusedCall } from '#platform/http/refused-call.ts';
import { originOf, recordAudit } from './record-audit.ts';
import { findKnownTarget } from './store.ts';

/**
 * Keeps what a rule refused, in a transaction of its own: the call's has been rolled back. The entry stands in the log of
 * the caller's agency, and in that of the agency staff tried to change. It names what the caller named; how that is
 * called is told only when this agency's own log knows it, so nothing of another tenant can show through.
 */
export async function recordRefusal(db: Database, call: RefusedCall): Promise<void> {
  const { actor } = call;
  const named = actor.role === 'ADMIN' ? partnerInPath(call) : undefined;
  if (named !== undefined && (await writeInto(db, named, call, { mustExist: true }))) return;
  await writeInto(db, actor.partnerId, call, { mustExist: false });
}

function writeInto(db: Database, partnerId: string, call: RefusedCall, { mustExist }: { mustExist: boolean }) {
  const { actor, action, code } = call;
  // No session is asserted: that of a disabled user or a suspended account is what may have been refused.
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
/** A provider or a template. Shorter and plainer than any token, which must not be kept. */
const PLAIN_WORD = /^[a-z][a-z\d-]{0,39}$/;

/** What the path names: the member called like the action's noun, else the first. Anything but an id or a plain word is left out. */
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
