import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import type { ClientImportUndo } from '@partner-portal/contract/vocabulary.ts';
import { heldText, restorable } from '@partner-portal/core/client-import/undo.ts';
import type { TenantTx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { BusinessProfile } from '../store.ts';
import { fullProfile } from '../to-record.ts';
import type { ImportDeps } from './deps.ts';
import { portions, writeChanges } from './import-clients.ts';
import {
  type ClientValues,
  endUndo,
  findImport,
  listUndoable,
  lockImport,
  lockImports,
  lockValues,
  removeCreated,
  writeUndo,
} from './store.ts';
import { toImportRecord } from './to-import-record.ts';

type UndoneRow = { line: number; undo: ClientImportUndo; reason: string | null };
const PORTION = 500;

/**
 * Deletes clients that the import added and nothing happened to since, and writes former values back that no one changed since. Once: another
 * call answers with what the first did.
 */
export async function undoImport(deps: ImportDeps, caller: RequestContext, id: string) {
  const { actor, now } = caller;
  const { partnerId } = actor;
  return deps.db.asTenant(actor, async (tx) => {
    await lockImports(tx, partnerId);
    const made = await lockImport(tx, partnerId, id);
    if (!made) return refuse('not_found');
    if (!made.undoneAt) {
      if (made.undoUntil <= now)
        return refuse('invalid_state', { detail: `An import can be undone for ${LIMITS.importUndoMinutes} minutes.` });
      const counts = { removed: 0, restored: 0, kept: 0 };
      for (const rows of [await restoreChanged(tx, caller, id), await undoCreated(tx, id)])
        for (const portion of portions(rows)) {
          await writeUndo(tx, id, portion);
          for (const { undo } of portion) counts[undo] += 1;
        }
      await endUndo(tx, id, { at: now, by: actor.userId, counts });
      const changes = Object.fromEntries(Object.entries(counts).map(([what, count]) => [what, [null, count] as [unknown, unknown]]));
      const target = { type: 'client_import', id, label: made.filename };
      await recordAudit(tx, { partnerId, actor, action: 'client.import_undone', target, changes, origin: originOf(caller) });
    }
    const row = await findImport(tx, partnerId, id);
    return row ? toImportRecord(row) : refuse('not_found');
  });
}

/** In portions: each deletion is checked against every table that refers to clients. */
async function undoCreated(tx: TenantTx, id: string): Promise<UndoneRow[]> {
  const undone: UndoneRow[] = [];
  for (let after = 0; ;) {
    const rows = await removeCreated(tx, id, { after, limit: PORTION });
    const last = rows.at(-1);
    if (!last) return undone;
    after = last.line;
    for (const { line, heldBy } of rows)
      undone.push({ line, undo: heldBy === null ? 'removed' : 'kept', reason: heldBy && heldText(heldBy) });
  }
}

async function restoreChanged(tx: TenantTx, caller: RequestContext, id: string): Promise<UndoneRow[]> {
  const undone: UndoneRow[] = [];
  for (let after = 0; ;) {
    const rows = await listUndoable(tx, id, 'updated', { after, limit: PORTION });
    const last = rows.at(-1);
    if (!last) return undone;
    after = last.line;
    const clients = new Map(
      (
        await lockValues(
          tx,
          rows.flatMap(({ clientId }) => clientId ?? []),
        )
      ).map((client) => [client.id, client] as const),
    );
    const back: { before: ClientValues; changes: Record<string, [unknown, unknown]> }[] = [];
    for (const { line, clientId, changes } of rows) {
      const client = clientId === null ? undefined : clients.get(clientId);
      const found = restorable(client && shown(client), ordered(changes));
      if (client && 'changes' in found) back.push({ before: client, changes: found.changes });
      undone.push({ line, undo: 'changes' in found ? 'restored' : 'kept', reason: 'reason' in found ? found.reason : null });
    }
    await writeChanges(tx, caller, back);
  }
}

function shown(client: ClientValues): ClientValues {
  return { ...client, businessProfile: fullProfile(client.businessProfile) };
}

/** The changes of a row, as `clientChanges` made them: the database keeps no order of members. */
function ordered(stored: unknown): Record<string, [unknown, unknown]> {
  const changes = (stored ?? {}) as Record<string, [unknown, unknown]>; // written by the import
  const { businessProfile, ...others } = changes;
  if (!businessProfile) return others;
  const [before, after] = businessProfile as [BusinessProfile, BusinessProfile]; // likewise
  return { ...others, businessProfile: [fullProfile(before), fullProfile(after)] };
}
