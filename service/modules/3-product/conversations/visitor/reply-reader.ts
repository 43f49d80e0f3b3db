import type { ConversationDelta } from '../live/topics.ts';

type Part = { turnId: string; start: number; text: string };

/**
 * Passes the parts of a reply on to one reader without a gap: what was lost or came before the reader is asked for, and parts of a reply that
 * is complete are dropped.
 */
export function createReplyReader({ send, ask }: { send: (part: Part) => void; ask: () => void }) {
  let turnId: string | null = null;
  let length = 0;
  let hasAsked = false;
  const ended = new Set<string>();

  const askOnce = (): void => {
    if (hasAsked) return;
    hasAsked = true;
    ask();
  };
  return {
    take({ turnId: of, start, text }: ConversationDelta): void {
      if (ended.has(of)) return;
      if (of !== turnId) {
        turnId = of;
        length = 0;
        hasAsked = false;
      }
      if (start > length) return askOnce();
      hasAsked = false;
      // Already known, unless the reply restarts after its process died.
      if (start > 0 && start + text.length <= length) return;
      length = start + text.length;
      send({ turnId: of, start, text });
    },
    /** A reply is under way: what was written so far is asked for. */
    begin(): void {
      if (length === 0) askOnce();
    },
    end(of: string): void {
      ended.add(of);
      const [oldest] = ended;
      if (ended.size > 20 && oldest !== undefined) ended.delete(oldest);
      if (of !== turnId) return;
      turnId = null;
      length = 0;
    },
  };
}
