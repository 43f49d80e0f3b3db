import type { ConversationsDeps } from '../deps.ts';
import { takeWaiting } from './store.ts';

const AT_ONCE = 50;
/** Limit per client: strangers decide how many conversations wait. */
const MAILED_PER_HOUR = 30;

/** Mails again about visitors whom no one has answered, once for each wait. Returns how many. */
export async function remindOfWaiting(deps: Pick<ConversationsDeps, 'db' | 'queueMail'>): Promise<number> {
  let reminded = 0;
  for (;;) {
    const taken = await deps.db.asSystem('sweep', async (tx) => {
      const waiting = await takeWaiting(tx, AT_ONCE);
      const mailed = new Map<string, number>();
      for (const one of waiting) {
        const before = mailed.get(one.clientId) ?? one.reminded;
        mailed.set(one.clientId, before + 1);
        if (one.handoffEmail === '' || before >= MAILED_PER_HOUR) continue;
        await deps.queueMail(tx, {
          kind: 'conversation_waiting',
          partnerId: one.partnerId,
          to: one.handoffEmail,
          about: { partnerId: one.partnerId, clientId: one.clientId },
          dedupeKey: `conversation_waiting:${one.id}:${one.waitingSince.getTime()}`,
          data: {
            clientName: one.clientName,
            visitorLabel: one.visitorLabel,
            minutes: one.minutes,
            message: one.lastVisitorText ?? '',
            since: one.waitingSince,
            href: `/${one.isClientUser ? 'client' : 'dashboard'}/inbox/${one.id}`,
          },
        });
      }
      return waiting.length;
    });
    reminded += taken;
    if (taken < AT_ONCE) return reminded;
  }
}
