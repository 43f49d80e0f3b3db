import { CLOCK_SKEW_MS } from './assertion.ts';

/** A request of a provider to end sessions, whose signature was verified. Times are ISO 8601 as it sent them. */
export type LogoutFacts = {
  id: string | null;
  issuer: string | null;
  destination: string | null;
  issuedAt: string | null;
  notOnOrAfter: string | null;
  nameId: string | null;
};

/** How long after it was issued a request is accepted, besides the difference of the clocks. */
const FRESH_MS = 5 * 60_000;
/** Age from which a request that was accepted once is too old to be accepted again. */
export const LOGOUT_REMEMBERED_MS = FRESH_MS + 2 * CLOCK_SKEW_MS;

/**
 * Returns why a request must not be followed (SAML core 3.7, bindings 3.4.5.2); null when it may. `logoutUrl` is of the portal, `issuer` the
 * provider's entity id. A signed request names where it was sent to, so that it is not valid at another agency.
 */
export function judgeLogout(facts: LogoutFacts, expected: { now: Date; issuer: string; logoutUrl: string }): string | null {
  if (facts.issuer !== expected.issuer) return `Issuer: expected ${expected.issuer}, received ${facts.issuer ?? 'none'}.`;
  if (facts.destination !== expected.logoutUrl)
    return `Destination: expected ${expected.logoutUrl}, received ${facts.destination ?? 'none'}.`;
  if (facts.id === null) return 'The request has no ID.';
  if (facts.nameId === null) return 'The request names no one (NameID), or by an encrypted name ID, which is not read.';
  const issuedAt = Date.parse(facts.issuedAt ?? '');
  const end = facts.notOnOrAfter === null ? Infinity : Date.parse(facts.notOnOrAfter);
  if (Number.isNaN(issuedAt) || Number.isNaN(end)) return 'The request names a time that cannot be read, or none (IssueInstant).';
  const at = expected.now.getTime();
  if (at + CLOCK_SKEW_MS >= issuedAt && at - CLOCK_SKEW_MS < Math.min(end, issuedAt + FRESH_MS)) return null;
  return `The request was issued at ${facts.issuedAt ?? ''}; the clock of the portal says ${expected.now.toISOString()}.`;
}
