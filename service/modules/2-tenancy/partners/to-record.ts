import type { OwnFacts } from './store.ts';

/** The record of product.md §3; what staff see besides is stripped from the agency's own by its reply schema. */
export function toRecord<Facts extends OwnFacts>({ clients, agents, seatsUsed, ...facts }: Facts) {
  return { ...facts, counts: { clients, agents, seatsUsed } };
}
