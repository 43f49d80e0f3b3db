import type { ProfileKey } from '@partner-portal/contract/vocabulary.ts';
import { ownCountries } from '@partner-portal/core/contact/texting.ts';
import type { BusinessProfile, ClientFacts } from './store.ts';

const EMPTY_PROFILE: Record<ProfileKey, string> = { hours: '', bookingUrl: '', reviewUrl: '', address: '', faqText: '' };

/** The record as a client reads it: without notes, and without what its agency decides about its texts. */
export function toClientsRecord({ agents, runs30d, failures30d, ...facts }: ClientFacts) {
  const { notes: _notes, textCountries: _countries, firstContactsPerHour: _cap, ...shown } = facts;
  return { ...shown, businessProfile: fullProfile(facts.businessProfile), counts: { agents, runs30d, failures30d } };
}

/** The record as agency and staff read it. `standard`: first contacts in an hour of a client that has no cap of its own. */
export function toRecord(facts: ClientFacts, standard: number) {
  const { notes, textCountries, firstContactsPerHour, phone, timezone } = facts;
  return {
    ...toClientsRecord(facts),
    notes,
    textCountries,
    ownCountries: ownCountries({ phone, timezone }),
    firstContactsPerHour,
    standardFirstContactsPerHour: standard,
  };
}

/** Returns all members; missing ones are empty. */
export function fullProfile(profile: BusinessProfile) {
  const given = Object.fromEntries(Object.entries(profile).filter(([, value]) => value !== undefined));
  return { ...EMPTY_PROFILE, ...given };
}
