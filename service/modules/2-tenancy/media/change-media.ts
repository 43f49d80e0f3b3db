import { routes } from '@partner-portal/contract/index.ts';
import { refusedCall } from '@partner-portal/core/access/access.ts';
import { changedLike } from '@partner-portal/core/media/media.ts';
import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { MediaDeps } from './deps.ts';
import { deleteMedia, listLostAvatars, lockMedia, type MediaRow, setAltText } from './store.ts';
import { toRecord } from './to-record.ts';

/** Changes the alternative text. */
export function changeMedia({ db }: MediaDeps, caller: RequestContext, id: string, altText: string) {
  const { actor } = caller;
  return inScope(db, actor, undefined, async (tx) => {
    const media = await takeMedia(tx, actor, id);
    if (media.altText === altText) return toRecord(media);
    await setAltText(tx, id, altText);
    await record(tx, caller, media, 'media.changed', { altText: [media.altText, altText] });
    return toRecord({ ...media, altText });
  });
}

/** Removes a file with its bytes, at once; who showed it as logo or avatar shows none. */
export async function removeMedia({ db, files }: MediaDeps, caller: RequestContext, id: string): Promise<void> {
  const { actor } = caller;
  await inScope(db, actor, undefined, async (tx) => {
    const media = await takeMedia(tx, actor, id);
    await files.remove(tx, await deleteMedia(tx, [id]));
    await record(tx, caller, media, 'media.deleted', {});
  });
}

const SWEPT_MAX = 200;

/** Removes avatars of people who are gone. */
export async function removeLostAvatars({ db, files }: MediaDeps): Promise<void> {
  await db.asSystem('sweep', async (tx) => files.remove(tx, await deleteMedia(tx, await listLostAvatars(tx, SWEPT_MAX))));
}

async function takeMedia(tx: Tx, actor: Actor, id: string): Promise<MediaRow> {
  const media = await lockMedia(tx, id);
  if (!media) return refuse('not_found');
  const refusal = refusedCall(routes[changedLike(actor, media)], actor);
  return refusal === null ? media : refuse(refusal);
}

async function record(
  tx: Tx,
  caller: RequestContext,
  { id, partnerId, clientId, filename }: MediaRow,
  action: 'media.changed' | 'media.deleted',
  changes: Record<string, [unknown, unknown]>,
): Promise<void> {
  const target = { type: 'media', id, label: filename };
  await recordAudit(tx, { partnerId, clientId, actor: caller.actor, action, target, changes, origin: originOf(caller) });
}
