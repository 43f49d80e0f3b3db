import { z } from 'zod';
import { id, time } from '../primitives.ts';

const credits = z.number().int();

/** Budgets of an agency for conversations with visitors, and their use so far. All in credits. */
export const chatBudgetsRecord = z
  .object({
    /** The percentage of the credits of a period that chatbots may use. */
    sharePercent: z.number().int(),
    /** For one day (UTC): of one conversation, of the visitors behind one network, and of one chatbot. */
    conversationCredits: credits,
    visitorCredits: credits,
    chatbotCredits: credits,
    period: z.object({
      /** Credits that chatbots used and hold; answers in progress hold the most they may cost. */
      used: credits,
      inFlight: credits,
      /** The share in credits. */
      limit: credits,
      /** Credits that chatbots never take: they are kept for events. */
      reserve: credits,
      resetsAt: time,
      /** Why chatbots do not answer on platform keys: their share is used, only the reserve is left, or no credits are. Null: they do. */
      stoppedBy: z.enum(['share', 'reserve', 'quota']).nullable(),
    }),
    today: z.object({
      resetsAt: time,
      /** The chatbots that used credits today, the most first, at most ten; only that of the client when one is named. */
      chatbots: z.array(
        z.object({
          chatbotId: id,
          clientId: id,
          clientName: z.string(),
          name: z.string(),
          used: credits,
          inFlight: credits,
          /** It had no room for an answer: visitors are offered a person until the day ends or the budget is raised. */
          isReached: z.boolean(),
        }),
      ),
    }),
    /** Null while the budgets are the standard ones. */
    updatedAt: time.nullable(),
  })
  .meta({ id: 'ChatBudgets' });
