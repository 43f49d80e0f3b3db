import { planSearch, questionWords, rankPassages } from '@partner-portal/core/knowledge/terms.ts';
import type { Tx } from '#platform/db/tx.ts';
import { countPassages, findKnowledge, listSimilarWords } from './store-search.ts';

/** A passage found for a question. `rank`: from 0 to about 1. */
export type FoundPassage = { documentId: string; title: string; heading: string; content: string; rank: number };

/** Returns the passages of a chatbot that say something of a question, best first; none when nothing of it is known. */
export async function findPassages(tx: Tx, chatbotId: string, question: string, max = 5): Promise<FoundPassage[]> {
  const words = questionWords(question);
  if (words.length === 0) return [];
  const [known, passages] = await Promise.all([listSimilarWords(tx, chatbotId, words), countPassages(tx, chatbotId)]);
  const plan = planSearch(words, known, passages);
  if (plan === null) return [];
  const ranked = rankPassages(await findKnowledge(tx, chatbotId, plan, max), plan, max);
  return ranked.map(({ documentId, title, heading, content, rank }) => ({ documentId, title, heading, content, rank }));
}
