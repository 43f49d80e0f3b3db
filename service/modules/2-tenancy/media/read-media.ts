import { LIMITS, type MediaPurpose } from '@partner-portal/contract/vocabulary.ts';
import type { Actor } from '#platform/actor.ts';
import { inScope } from '#platform/db/scope.ts';
import { refuse } from '#platform/refuse.ts';
import { readScopedPage } from '#modules/1-ledger/scope/index.ts';
import type { MediaDeps } from './deps.ts';
import { findMedia, listMedia, sumBytes } from './store.ts';
import { toRecord } from './to-record.ts';

type Query = { clientId?: string | undefined; purpose?: MediaPurpose | undefined; limit: number; cursor?: string | undefined };

/** Returns one page of the account's files, newest first, and how many bytes they have. Staff see those of their own account. */
export async function readMediaPage(deps: MediaDeps, actor: Actor, query: Query) {
  let usedBytes = 0;
  const page = await readScopedPage(
    deps,
    actor,
    { ...query, partnerId: actor.partnerId },
    {
      list: 'media',
      rows: listMedia,
      items: async (tx, rows) => {
        usedBytes = await sumBytes(tx, actor.partnerId);
        return rows.map(toRecord);
      },
    },
  );
  return { ...page, usedBytes, limitBytes: LIMITS.mediaBytesPerPartnerMax };
}

export function readMedia({ db }: MediaDeps, actor: Actor, id: string) {
  return inScope(db, actor, undefined, async (tx) => {
    const row = await findMedia(tx, id);
    return row ? toRecord(row) : refuse('not_found');
  });
}
