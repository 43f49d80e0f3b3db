import type { KnownWord, SearchPlan } from '@partner-portal/core/knowledge/terms.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';

/** Most words of the knowledge that are compared with a word of the question. */
const SIMILAR_MAX = 24;

export async function listSimilarWords(tx: Tx, chatbotId: string, words: readonly string[]): Promise<KnownWord[]> {
  return runStatement<'knowledge_similar_words', KnownWord>(tx, {
    name: 'knowledge_similar_words',
    text: 'select n, word, passages from similar_knowledge_words($1, $2::text[], $3)',
    values: [chatbotId, [...words], SIMILAR_MAX],
  });
}

export async function countPassages(tx: Tx, chatbotId: string): Promise<number> {
  const [row] = await runStatement<'knowledge_count_passages', { passages: number }>(tx, {
    name: 'knowledge_count_passages',
    text: 'select coalesce(sum(passages), 0)::int as passages from knowledge_document where chatbot_id = $1',
    values: [chatbotId],
  });
  return row?.passages ?? 0;
}

/** `plan`: index of the plan that found it. */
export type KnowledgeHit = {
  plan: number;
  documentId: string;
  title: string;
  heading: string;
  content: string;
  score: number;
  density: number;
};

export async function findKnowledge(tx: Tx, chatbotId: string, plans: readonly SearchPlan[], max: number): Promise<KnowledgeHit[]> {
  const searches = plans.map(({ terms, candidates }, plan) => ({
    plan,
    candidates,
    words: terms.map(({ word }) => `'${word}'`),
    weights: terms.map(({ weight }) => weight),
    groups: terms.map(({ group }) => group),
  }));
  return runStatement<'knowledge_find', KnowledgeHit>(tx, {
    name: 'knowledge_find',
    text: `select s.plan, f.document_id, f.title, f.heading, f.content, f.score, f.density
      from jsonb_to_recordset($2::jsonb) as s (plan int, candidates text, words text[], weights real[], groups int[]),
        find_knowledge($1, s.candidates, s.words, s.weights, s.groups, $3) f`,
    values: [chatbotId, JSON.stringify(searches), max],
  });
}
