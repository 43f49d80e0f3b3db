import { recordFacts } from '#platform/facts.ts';
import type { ConversationsDeps } from '../deps.ts';
import { visitorWaitReminded, type WaitReminded } from '../facts.ts';
import { MAILED_PER_HOUR } from './hand-over.ts';
import { takeWaiting } from './store.ts';

const AT_ONCE = 50;

/** Mails the hand-over address and notifies the people who may answer of visitors whom no one has answered, once for each wait. Returns how many. */
export async function remindOfWaiting(deps: Pick<ConversationsDeps, 'db' | 'queueMail'>): Promise<number> {
  let reminded = 0;
  for (;;) {
    const taken = await deps.db.asSystem('sweep', async (tx) => {
      const waiting = await takeWaiting(tx, AT_ONCE);
      const mailed = new Map<string, number>();
      const reminders: WaitReminded[] = [];
      for (const one of waiting) {
        const before = mailed.get(one.clientId) ?? one.reminded;
        mailed.set(one.clientId, before + 1);
        const isMailed = before < MAILED_PER_HOUR;
        const mailedTo = isMailed && one.handoffEmail !== '' ? one.handoffEmail : null;
        const { id: conversationId, partnerId, clientId, clientName, visitorLabel, waitingSince } = one;
        reminders.push({ partnerId, clientId, conversationId, clientName, visitorLabel, waitingSince, isMailed, mailedTo });
        if (mailedTo === null) continue;
        await deps.queueMail(tx, {
          kind: 'conversation_waiting',
          partnerId,
          to: mailedTo,
          locale: one.locale,
          timezone: one.timezone,
          about: { partnerId, clientId: one.clientId },
          dedupeKey: `conversation_waiting:${conversationId}:${waitingSince.getTime()}`,
          data: {
            clientName,
            visitorLabel,
            minutes: one.minutes,
            message: one.lastVisitorText ?? '',
            since: waitingSince,
            href: `/${one.isClientUser ? 'client' : 'dashboard'}/inbox/${conversationId}`,
          },
        });
      }
      await recordFacts(tx, visitorWaitReminded, reminders);
      return waiting.length;
    });
    reminded += taken;
    if (taken < AT_ONCE) return reminded;
  }
}
