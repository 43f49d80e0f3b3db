import type { PartnerFacts } from './store.ts';

/** The record of product.md §3; what staff see besides is stripped from the agency's own by its reply schema. */
export function toRecord({ clients, agents, seatsUsed, ...facts }: PartnerFacts) {
  return { ...facts, counts: { clients, agents, seatsUsed } };
}
