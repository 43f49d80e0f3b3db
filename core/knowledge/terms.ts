import { sentencesOf } from '../text/sentences.ts';
import { editDistance } from './edit-distance.ts';
import { STOP_LISTS, STOP_WORDS } from './stop-words.ts';
import { wordsOf } from './words.ts';

const WORDS_MAX = 24;
/** Most words of one search, whose alike words are read at once. */
const WORDS_IN_ALL_MAX = 60;
/** The newest texts and sentences that are searched. */
const TEXTS_MAX = 4;
const SENTENCES_MAX = 6;
const ALTERNATIVES_MAX = 6;
/** Weight of a word that the knowledge does not have, relative to a word that a single passage has. */
const UNKNOWN_SHARE = 0.7;
/** Candidates that are ranked; the rarest words of a question bring them. */
const CANDIDATES_MAX = 300;

/** A word of the knowledge that resembles a word of the question (`n`), and how many passages have it. */
export type KnownWord = { n: number; word: string; passages: number };

/** A word to search for. The terms of a group are alternatives for one word of the question: only the best of them counts. */
export type Term = { group: number; word: string; weight: number };
export type SearchPlan = {
  terms: readonly Term[];
  /** A `tsquery` of the passages to rank. */
  candidates: string;
  /** The score of a passage that says all of the question. */
  fullScore: number;
  /** Passages that have its rarest word. */
  rarest: number;
};

/**
 * Returns the words of a question that say what it is about; none for "How are you?". When nothing is left, words that another language than the
 * question's has for nothing: "Do you have a van?"
 */
export function questionWords(question: string): string[] {
  const all = [...new Set(wordsOf(question))];
  const telling = all.filter((word) => !STOP_WORDS.has(word));
  const words = telling.length > 0 ? telling : foreignWords(all);
  return words.filter((word) => word.length > 1 || /\p{N}|\p{Script=Han}/u.test(word)).slice(0, WORDS_MAX);
}

/** The words outside of the list that has most of them; none where two lists have as many ("Ok, danke!"). */
function foreignWords(words: readonly string[]): string[] {
  const [fewest = [], next = []] = STOP_LISTS.map((list) => words.filter((word) => !list.has(word))).sort((a, b) => a.length - b.length);
  return fewest.length < next.length ? fewest : [];
}

/** A text of a visitor, or one sentence of it, by its words. */
export type Question = { words: readonly string[]; isPart: boolean };

/**
 * Returns what texts ask: each text as a whole, then each sentence by itself, since what stands before a question says nothing of its answer. Newest
 * first: a question stands at the end.
 */
export function questionsOf(texts: readonly string[]): Question[] {
  const newest = texts.slice(-TEXTS_MAX).toReversed();
  const wholes = newest.map((text) => ({ words: questionWords(text), isPart: false }));
  const parts = newest
    .flatMap((text) => sentencesOf(text).toReversed())
    .slice(0, SENTENCES_MAX)
    .map((sentence) => ({ words: questionWords(sentence), isPart: true }));
  const asked = new Set<string>();
  const words = new Set<string>();
  return [...wholes, ...parts].filter((question) => {
    const key = question.words.join(' ');
    const all = words.union(new Set(question.words));
    if (key === '' || asked.has(key) || all.size > WORDS_IN_ALL_MAX) return false;
    asked.add(key);
    for (const word of question.words) words.add(word);
    return true;
  });
}

/** Decides what to search for. `known` resemble the words of all questions, which `words` holds. */
export function planSearches(
  questions: readonly Question[],
  words: readonly string[],
  known: readonly KnownWord[],
  passages: number,
): SearchPlan[] {
  return questions.flatMap(({ words: own, isPart }) => {
    const ownKnown = known.map((one) => ({ ...one, n: own.indexOf(words[one.n] ?? '') }));
    const plan = planSearch(own, ownKnown, passages);
    // A sentence of which only words are known that most passages have is none that they answer.
    return plan === null || (isPart && plan.rarest * 2 > passages) ? [] : [plan];
  });
}

/** Decides what to search for, given the words of the knowledge that resemble those of the question; null when there is none. */
export function planSearch(words: readonly string[], known: readonly KnownWord[], passages: number): SearchPlan | null {
  const groups = words.map((word, n) => {
    const alternatives = alternativesOf(
      word,
      known.filter((one) => one.n === n),
    );
    const found = Math.min(
      passages,
      alternatives.reduce((sum, one) => sum + one.passages, 0),
    );
    return { n, alternatives, found, share: found === 0 ? UNKNOWN_SHARE : rarity(found, passages) };
  });
  const matched = groups.filter(({ found }) => found > 0).sort((a, b) => a.found - b.found);
  const [rarest] = matched;
  if (!rarest) return null;
  return {
    terms: matched.flatMap(({ n, alternatives, share }) =>
      alternatives.map(({ word, likeness }) => ({ group: n, word, weight: likeness * share })),
    ),
    candidates: candidatesOf(matched),
    fullScore: groups.reduce((sum, { share }) => sum + share, 0),
    rarest: rarest.found,
  };
}

/** 1 for a word of a single passage, near 0 for one that all have. */
function rarity(found: number, passages: number): number {
  const weigh = (n: number): number => Math.log(1 + (passages - n + 0.5) / (n + 0.5));
  return weigh(found) / weigh(1);
}

/** The word itself with its other forms; a misspelling counts only when the knowledge does not have the word. */
function alternativesOf(word: string, known: readonly KnownWord[]): { word: string; passages: number; likeness: number }[] {
  const rated = known.map((one) => ({ word: one.word, passages: one.passages, ...likenessOf(word, one.word) }));
  const hasWord = rated.some(({ kind }) => kind === 'same');
  return rated
    .filter(({ likeness, kind }) => likeness > 0 && (!hasWord || kind !== 'misspelt'))
    .sort((a, b) => b.likeness - a.likeness || b.passages - a.passages)
    .slice(0, ALTERNATIVES_MAX);
}

type Likeness = { likeness: number; kind: 'same' | 'form' | 'misspelt' };
const NOT_ALIKE: Likeness = { likeness: 0, kind: 'misspelt' };

/** Returns how much a word of the knowledge may stand for a word of the question: 1 for the same, 0 for another word. */
export function likenessOf(asked: string, known: string): Likeness {
  if (asked === known) return { likeness: 1, kind: 'same' };
  // Another number is another fact.
  if (/\p{N}/u.test(asked + known)) return NOT_ALIKE;
  const shorter = Math.min(asked.length, known.length);
  const longer = Math.max(asked.length, known.length);
  if (shorter < 3) return NOT_ALIKE;
  if (shorter >= 3 && longer - shorter <= 3 && stemOf(asked, known) >= Math.max(3, longer - 3)) return { likeness: 0.9, kind: 'form' };
  if (shorter >= 5 && (known.includes(asked) || asked.includes(known))) return { likeness: 0.7, kind: 'form' };
  const allowed = shorter < 4 ? 0 : shorter < 7 ? 1 : shorter < 12 ? 2 : 3;
  const distance = editDistance(asked, known, allowed);
  return distance > allowed ? NOT_ALIKE : { likeness: 0.85 - 0.15 * distance, kind: 'misspelt' };
}

function stemOf(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}

/** The rarest words alone bring enough; where even they are everywhere, two must meet. */
function candidatesOf(rarestFirst: readonly { found: number; alternatives: readonly { word: string }[] }[]): string {
  const anyOf = (alternatives: readonly { word: string }[]): string => `(${alternatives.map(({ word }) => `'${word}'`).join(' | ')})`;
  const [first, second] = rarestFirst;
  if (!first) return '';
  if (second && first.found > CANDIDATES_MAX) return `${anyOf(first.alternatives)} & ${anyOf(second.alternatives)}`;
  let sum = 0;
  const chosen = rarestFirst.filter((group, n) => {
    sum += group.found;
    return n === 0 || sum <= CANDIDATES_MAX;
  });
  return chosen.map(({ alternatives }) => anyOf(alternatives)).join(' | ');
}

const SHARE_LEAST = 0.2;
const SHARE_OF_BEST_LEAST = 0.4;
/** Weight of the number of mentions, relative to which words are found. */
const DENSITY_SHARE = 0.2;

/**
 * Returns the passages that say something of the question, best first, with a rank from 0 to about 1. A passage that shares only words which
 * many passages have, or few of the question's words, says nothing of it.
 */
export function rankPassages<P extends { score: number; density: number }>(
  found: readonly P[],
  { fullScore }: Pick<SearchPlan, 'fullScore'>,
  max: number,
): (P & { rank: number })[] {
  const ranked = found
    .map((passage) => ({ ...passage, share: passage.score / fullScore }))
    .filter(({ share }) => share >= SHARE_LEAST)
    .map(({ share, ...passage }) => ({ ...passage, rank: share * (1 - DENSITY_SHARE + DENSITY_SHARE * Math.min(1, passage.density)) }))
    .sort((a, b) => b.rank - a.rank);
  const best = ranked[0]?.rank ?? 0;
  return ranked.filter(({ rank }) => rank >= best * SHARE_OF_BEST_LEAST).slice(0, max) as unknown as (P & { rank: number })[];
}

/** Joins what several questions found: the best of each first, so that none is left out, then in the order of their rank. */
export function joinRanked<P extends { rank: number }>(found: readonly (readonly P[])[], keyOf: (passage: P) => string, max: number): P[] {
  const joined = new Map<string, P>();
  const deepest = Math.max(0, ...found.map(({ length }) => length));
  for (let place = 0; place < deepest; place += 1) {
    for (const passages of found) {
      const passage = passages[place];
      if (!passage) continue;
      const key = keyOf(passage);
      const known = joined.get(key);
      if (known ? known.rank < passage.rank : joined.size < max) joined.set(key, passage);
    }
  }
  return [...joined.values()].sort((a, b) => b.rank - a.rank);
}
