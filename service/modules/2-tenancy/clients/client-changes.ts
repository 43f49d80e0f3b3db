import { changesBetween } from '#modules/1-ledger/audit/index.ts';
import type { ClientChange } from './store.ts';
import { fullProfile } from './to-record.ts';

/** Returns [before, after] of every field that a change sets to another value; of the business profile only the given members change. */
export function clientChanges(
  before: Readonly<Record<string, unknown>> & { businessProfile: NonNullable<ClientChange['businessProfile']> },
  change: ClientChange,
): Record<string, [unknown, unknown]> {
  const profile = fullProfile(before.businessProfile);
  const businessProfile = change.businessProfile && { ...profile, ...withoutUndefined(change.businessProfile) };
  return changesBetween<Record<string, unknown>>({ ...before, businessProfile: profile }, { ...change, businessProfile });
}

function withoutUndefined(given: object): object {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
