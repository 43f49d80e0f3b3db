import { joinRanked, planSearches, questionsOf, rankPassages } from '@partner-portal/core/knowledge/terms.ts';
import type { Tx } from '#platform/db/tx.ts';
import { countPassages, findKnowledge, listSimilarWords } from './store-search.ts';

/** A passage found for a question. `rank`: from 0 to about 1. */
export type FoundPassage = { documentId: string; title: string; heading: string; content: string; rank: number };

/**
 * Returns the passages of a chatbot that say something of these texts, in their order in time, or of a sentence of them, best first; none when nothing of
 * them is known. However many texts and sentences there are, it takes three statements.
 */
export async function findPassages(tx: Tx, chatbotId: string, texts: readonly string[], max = 5): Promise<FoundPassage[]> {
  const questions = questionsOf(texts);
  const words = [...new Set(questions.flatMap((question) => question.words))];
  if (words.length === 0) return [];
  const [known, passages] = await Promise.all([listSimilarWords(tx, chatbotId, words), countPassages(tx, chatbotId)]);
  const plans = planSearches(questions, words, known, passages);
  if (plans.length === 0) return [];
  const hits = await findKnowledge(tx, chatbotId, plans, max);
  const ranked = plans.map((plan, n) =>
    rankPassages(
      hits.filter((hit) => hit.plan === n),
      plan,
      max,
    ),
  );
  const found = joinRanked(ranked, ({ documentId, heading, content }) => `${documentId} ${heading} ${content}`, max);
  return found.map(({ documentId, title, heading, content, rank }) => ({ documentId, title, heading, content, rank }));
}
