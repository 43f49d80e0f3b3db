import type { BusinessProfile, ClientFacts } from './store.ts';

const EMPTY_PROFILE = { hours: '', bookingUrl: '', reviewUrl: '', address: '', faqText: '' };

/** The record of the API. Notes are internal to the partner and not shown to the client. */
export function toRecord({ agents, runs30d, failures30d, notes, ...facts }: ClientFacts, reader: 'agency' | 'client') {
  return {
    ...facts,
    ...(reader === 'agency' ? { notes } : {}),
    businessProfile: fullProfile(facts.businessProfile),
    counts: { agents, runs30d, failures30d },
  };
}

/** Returns all members; missing ones are empty. */
export function fullProfile(profile: BusinessProfile) {
  const given = Object.fromEntries(Object.entries(profile).filter(([, value]) => value !== undefined));
  return { ...EMPTY_PROFILE, ...given };
}
