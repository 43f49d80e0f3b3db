import { digestDay } from '@partner-portal/core/notification/digest.ts';
import type { NotificationsDeps } from './deps.ts';
import { preferencesPage } from './pages.ts';
import {
  type DueDigest,
  forgetOld,
  forgetOldDigests,
  listDueDigests,
  listWaitingZones,
  settleDigest,
  takeDigest,
  takeWaiting,
} from './store-digests.ts';

type Deps = Pick<NotificationsDeps, 'db' | 'clock' | 'queueMail'>;

const KEEP_DAYS = 90;
const BATCH = 100;
const FORGET_BATCH = 5_000;

/**
 * The mail of the morning: one per person and day, in their own time zone, with what they asked to be told daily; none when there is
 * nothing. Answers how many were queued. Each is a transaction of its own, taken by its primary key: two processes write it once.
 */
export async function sendDigests(deps: Deps): Promise<number> {
  const now = deps.clock.now();
  const zones = (await deps.db.asSystem('sweep', listWaitingZones)).flatMap((zone) => {
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

function sendDigest({ db, queueMail }: Deps, digest: DueDigest, now: Date): Promise<boolean> {
  return db.asSystem('sweep', async (tx) => {
    const reader = await takeDigest(tx, digest);
    if (!reader) return false;
    // What was read in the bell meanwhile is no news.
    const items = (await takeWaiting(tx, digest.userId)).filter((item) => !item.wasRead);
    await settleDigest(tx, digest, items.length);
    if (items.length === 0) return false;
    const page = preferencesPage(reader.role);
    await queueMail(tx, {
      partnerId: reader.partnerId,
      to: reader.email,
      userId: reader.id,
      kind: 'digest',
      data: { from: items.at(-1)?.at ?? now, to: now, total: items.length, items, href: page.home, settingsHref: page.settings },
      dedupeKey: `digest:${digest.day}`,
    });
    return true;
  });
}

/** What is older than 90 days is forgotten. */
export async function forgetNotifications({ db }: Pick<NotificationsDeps, 'db'>): Promise<void> {
  while ((await db.asSystem('sweep', (tx) => forgetOld(tx, KEEP_DAYS, FORGET_BATCH))) === FORGET_BATCH);
  await db.asSystem('sweep', (tx) => forgetOldDigests(tx, KEEP_DAYS));
}
