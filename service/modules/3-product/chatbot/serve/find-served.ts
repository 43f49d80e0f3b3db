import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/tx.ts';
import { type ChatbotFacts, readServed } from './store.ts';

/** How long a change, such as a suspension, may go unnoticed by visitors. */
const KEPT_MS = 3_000;
const KEPT_MAX = 2_000;

/**
 * Returns a function that finds a chatbot which visitors may talk to. What it found, or that there is none, is kept for a moment: a page loads
 * a frame, its settings and its messages at once.
 */
export function createServed({ db, clock }: { db: Database; clock: Clock }) {
  const kept = new Map<string, { until: number; facts: Promise<ChatbotFacts | undefined> }>();
  return function findServed(chatbotId: string): Promise<ChatbotFacts | undefined> {
    const now = clock.now().getTime();
    const known = kept.get(chatbotId);
    if (known && known.until > now) return known.facts;
    const facts = db.asSystem('visitor', (tx) => readServed(tx, chatbotId));
    const entry = { until: now + KEPT_MS, facts };
    kept.delete(chatbotId);
    kept.set(chatbotId, entry);
    facts.catch(() => {
      if (kept.get(chatbotId) === entry) kept.delete(chatbotId);
    });
    const [oldest] = kept.keys();
    if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
    return facts;
  };
}
