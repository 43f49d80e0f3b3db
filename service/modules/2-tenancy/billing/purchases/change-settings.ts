import type { RequestContext } from '#platform/http/context.ts';
import { requireMatch } from '#platform/http/preconditions.ts';
import { changesBetween, originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { PurchasesDeps } from './deps.ts';
import { lockSettings, type SavedSettings, saveSettings, type Settings } from './store.ts';

/** Changes who is invoiced and where, from the next issued invoice on. An empty text removes a detail. Refuses `stale_record`. */
export async function changeSettings(
  { db }: Pick<PurchasesDeps, 'db'>,
  context: RequestContext,
  change: { [Field in keyof Settings]?: Settings[Field] | undefined },
): Promise<SavedSettings> {
  const { actor, now } = context;
  return db.asTenant(actor, async (tx) => {
    const before = await lockSettings(tx, actor.partnerId, now);
    requireMatch(context.header('if-match'), before.updatedAt);
    const given = Object.fromEntries(
      Object.entries(change).flatMap(([field, value]) => (value === undefined ? [] : [[field, value || null]])),
    );
    const changes = changesBetween<Settings>(before, given);
    const after = { ...before, ...given };
    if (Object.keys(changes).length === 0) return before;
    const updatedAt = await saveSettings(tx, actor.partnerId, after, now);
    await recordAudit(tx, { partnerId: actor.partnerId, actor, action: 'billing.settings_changed', changes, origin: originOf(context) });
    return { ...after, updatedAt };
  });
}
