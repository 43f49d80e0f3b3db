import { z } from 'zod';
import { defineTopic } from '#platform/notify.ts';

/** Which conversation a notice is about, and whose it is: each stream passes on only those of its reader. */
const about = { partnerId: z.uuid(), clientId: z.uuid(), conversationId: z.uuid() };

/** A conversation or messages of it changed. Ids only: each reader reads the rows under its own tenant. `readBy`: only what that user has read. */
export const conversationChanged = defineTopic(
  'conversation',
  z.object({ ...about, messageIds: z.array(z.uuid()).max(100), readBy: z.uuid().optional() }),
);

/** Process that sent a notice: its own readers have it already. */
const from = z.uuid().optional();

/** A part of a reply that is being written. `start`: characters of the reply before it. A notice holds at most 8000 bytes. */
export const conversationDelta = defineTopic(
  'conversation_delta',
  z.object({ from, ...about, turnId: z.uuid(), start: z.number().int(), text: z.string() }),
);

/** A visitor, the chatbot or a person is typing; stored nowhere. */
export const conversationTyping = defineTopic(
  'conversation_typing',
  z.object({
    from,
    ...about,
    author: z.enum(['visitor', 'bot', 'human']),
    name: z.string(),
    isTyping: z.boolean(),
    userId: z.uuid().optional(),
  }),
);

/** A stream was opened in the middle of a reply: the process that writes it sends it from the beginning. */
export const deltaWanted = defineTopic('conversation_delta_wanted', z.object({ from, conversationId: z.uuid() }));

type Sent<T extends { payload: z.ZodType }> = Omit<z.infer<T['payload']>, 'from'>;
export type ConversationDelta = Sent<typeof conversationDelta>;
export type ConversationTyping = Sent<typeof conversationTyping>;
