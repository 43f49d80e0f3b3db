import { ACCOUNT_PAGES } from '@partner-portal/contract/account-pages.ts';
import { HOME_PAGES } from '@partner-portal/contract/pages.ts';
import { digestDay } from '@partner-portal/core/notification/digest.ts';
import { KEPT_DAYS } from '@partner-portal/core/trust/retention.ts';
import type { NotificationsDeps } from './deps.ts';
import { unsubscribeFrom } from './unsubscribe-link.ts';
import {
  type DueDigest,
  deleteOld,
  deleteOldDigests,
  listDueDigests,
  listPendingZones,
  settleDigest,
  claimDigest,
  takePending,
} from './store-digests.ts';

type Deps = Pick<NotificationsDeps, 'db' | 'clock' | 'queueMail' | 'links'>;

/** Deduplication keys of digests begin with this. */
export const DIGEST_KEY = 'digest:';

const BATCH = 100;
const DELETE_BATCH = 5_000;

/**
 * Queues the daily digest of every user whose local morning has started and who has unsent notifications. One transaction per digest,
 * claimed by its primary key, so that concurrent processes send it once. Returns how many were queued.
 */
export async function sendDigests(deps: Deps): Promise<number> {
  const now = deps.clock.now();
  const zones = (await deps.db.asSystem('sweep', listPendingZones)).flatMap((zone) => {
    const day = digestDay(zone, now);
    return day === null ? [] : [{ zone, day }];
  });
  if (zones.length === 0) return 0;
  const mornings = { zones: zones.map(({ zone }) => zone), days: zones.map(({ day }) => day) };
  let sent = 0;
  for (;;) {
    const due = await deps.db.asSystem('sweep', (tx) => listDueDigests(tx, mornings, BATCH));
    for (const digest of due) if (await sendDigest(deps, digest, now)) sent += 1;
    if (due.length < BATCH) return sent;
  }
}

function sendDigest({ db, queueMail, links }: Deps, digest: DueDigest, now: Date): Promise<boolean> {
  return db.asSystem('sweep', async (tx) => {
    const reader = await claimDigest(tx, digest);
    if (!reader) return false;
    // Leaves out what was read in the bell meanwhile.
    const items = (await takePending(tx, digest.userId)).filter((item) => !item.wasRead);
    await settleDigest(tx, digest, items.length);
    if (items.length === 0) return false;
    await queueMail(tx, {
      partnerId: reader.partnerId,
      to: reader.email,
      userId: reader.id,
      kind: 'digest',
      data: {
        from: items.at(-1)?.at ?? now,
        to: now,
        total: items.length,
        items,
        href: HOME_PAGES[reader.role],
        settingsHref: ACCOUNT_PAGES[reader.role].notifications,
      },
      dedupeKey: `${DIGEST_KEY}${digest.day}`,
      listUnsubscribe: unsubscribeFrom(links, reader.id, 'digest'),
    });
    return true;
  });
}

/** Deletes notifications and digests older than they are kept. */
export async function deleteOldNotifications({ db }: Pick<NotificationsDeps, 'db'>): Promise<void> {
  while ((await db.asSystem('sweep', (tx) => deleteOld(tx, KEPT_DAYS.notifications, DELETE_BATCH))) === DELETE_BATCH);
  await db.asSystem('sweep', (tx) => deleteOldDigests(tx, KEPT_DAYS.notifications));
}
