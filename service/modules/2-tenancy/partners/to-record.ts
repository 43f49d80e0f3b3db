import type { OwnFacts } from './store.ts';

/** The record of the API. The reply schema removes staff-only members from the partner's own. */
export function toRecord<Facts extends OwnFacts>({ clients, agents, seatsUsed, ...facts }: Facts) {
  return { ...facts, counts: { clients, agents, seatsUsed } };
}
