import type { BusinessProfile, ClientFacts } from './store.ts';

const EMPTY_PROFILE = { hours: '', bookingUrl: '', reviewUrl: '', address: '', faqText: '' };

/** The record of product.md §3. Notes are the agency's: a client's own answer goes without them. */
export function toRecord({ agents, runs30d, failures30d, notes, ...facts }: ClientFacts, reader: 'agency' | 'client') {
  return {
    ...facts,
    ...(reader === 'agency' ? { notes } : {}),
    businessProfile: fullProfile(facts.businessProfile),
    counts: { agents, runs30d, failures30d },
  };
}

/** Every member present; what was never filled in is empty. */
export function fullProfile(profile: BusinessProfile) {
  const given = Object.fromEntries(Object.entries(profile).filter(([, value]) => value !== undefined));
  return { ...EMPTY_PROFILE, ...given };
}
