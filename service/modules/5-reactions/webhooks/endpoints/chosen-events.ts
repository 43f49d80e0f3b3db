import { EVENT_TYPES, type EventType } from '@partner-portal/contract/vocabulary.ts';

/** Returns the chosen types once each, in the order of the vocabulary, so that the same choice is the same value. Empty: all types. */
export function chosenEvents(events: readonly EventType[]): EventType[] {
  return EVENT_TYPES.filter((type) => events.includes(type));
}
