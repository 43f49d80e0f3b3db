import { LOCALES } from '@partner-portal/contract/vocabulary.ts';
import { messagesFor } from '@partner-portal/messages/all.ts';
import { z } from 'zod';
import { findClientRef } from '#modules/2-tenancy/clients/index.ts';
import type { WaitEnded } from '#modules/3-product/conversations/index.ts';
import type { Tx } from '#platform/db/tx.ts';
import { defineJob } from '#platform/jobs/define-job.ts';
import { enqueueMany } from '#platform/jobs/enqueue.ts';
import { announceTo } from './notify.ts';
import type { NotificationsDeps } from './deps.ts';
import { conversationSubject, waitKeys } from './notify-from-hand-overs.ts';
import { type NotificationTexts, settleWaits } from './store.ts';

const time = z.iso.datetime();
export const waitEndedJob = defineJob(
  'notifications.wait_ended',
  z.object({ partnerId: z.uuid(), clientId: z.uuid(), conversationId: z.uuid(), since: time, until: time }),
);
type Wait = { partnerId: string; clientId: string; conversationId: string; since: string; until: string };

/** A job, because who answered may not see the notifications of others. */
export async function queueEndOfWaits(tx: Tx, ended: readonly WaitEnded[]): Promise<void> {
  await enqueueMany(
    tx,
    waitEndedJob,
    ended.map(({ waitingSince, endedAt, ...conversation }) => ({
      ...conversation,
      since: waitingSince.toISOString(),
      until: endedAt.toISOString(),
    })),
    { keyOf: ({ conversationId, until }) => `notifications.wait_ended:${conversationId}:${until}` },
  );
}

const ENDED_FOR_TEAM = 'Someone replied, or the conversation was closed or given back to the chatbot, or the client was archived.';

/** Says in each notification of the wait that it is over, marks it as read, leaves it out of the next digest, and cancels its unsent mail. A repeat changes nothing. */
export async function endWait({ db, cancelKeyed }: Pick<NotificationsDeps, 'db' | 'cancelKeyed'>, wait: Wait): Promise<void> {
  await db.asSystem('events', async (tx) => {
    const client = await findClientRef(tx, wait.clientId);
    if (client === undefined) return;
    const ofClient: NotificationTexts = Object.fromEntries(
      LOCALES.map((locale) => {
        const { t } = messagesFor(locale);
        return [locale, { title: t('notifications.waited'), body: t('notifications.waited-text') }];
      }),
    );
    const ofTeam = { title: `A visitor to ${client.name}’s website waited for a person`, body: ENDED_FOR_TEAM };
    const userIds = await settleWaits(tx, {
      partnerId: wait.partnerId,
      subject: conversationSubject(wait.conversationId),
      since: wait.since,
      until: wait.until,
      ofClient,
      ofTeam,
    });
    await cancelKeyed(tx, { partnerId: wait.partnerId, prefixes: waitKeys(wait.conversationId), until: new Date(wait.until) });
    await announceTo(tx, userIds);
  });
}
