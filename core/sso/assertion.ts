/** Rules for a SAML assertion whose signature was verified. Times are ISO 8601 as the provider sent them; a missing member is null. */

/** How far the clocks of the provider and the portal may differ, in either direction. */
export const CLOCK_SKEW_MS = 5 * 60_000;

export type Confirmation = {
  method: string;
  recipient: string | null;
  inResponseTo: string | null;
  notBefore: string | null;
  notOnOrAfter: string | null;
};
export type AssertionFacts = {
  /** Attributes of the response around the assertion. */
  response: { issuer: string | null; destination: string | null; inResponseTo: string | null; isSigned: boolean };
  issuer: string | null;
  confirmations: readonly Confirmation[];
  /** Null without the element. `audiences`: one list for each restriction. */
  conditions: { notBefore: string | null; notOnOrAfter: string | null; audiences: readonly (readonly string[])[] } | null;
  /** When the session at the provider ends (SessionNotOnOrAfter); several statements may name it. */
  sessionEnds: readonly string[];
};
/** `entityId` and `acsUrl` are of the portal, `issuer` is the provider's entity id. */
export type Expected = { now: Date; issuer: string; entityId: string; acsUrl: string; requestId: string };
/** `clock`: the assertion is not valid at this time; `mismatch`: it was made for something else. `message` is a sentence for an admin. */
export type AssertionFault = { kind: 'clock' | 'mismatch'; message: string };

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

/** Returns why an assertion must not be accepted (SAML profiles 4.1.4.3, bindings 3.5.5.2); null when it may. */
export function judgeAssertion(facts: AssertionFacts, expected: Expected): AssertionFault | null {
  const { response, conditions } = facts;
  if (response.issuer !== null && response.issuer !== expected.issuer)
    return differs('Issuer of the response', expected.issuer, response.issuer);
  if (facts.issuer !== expected.issuer) return differs('Issuer of the assertion', expected.issuer, facts.issuer);
  if (response.inResponseTo !== expected.requestId) return mismatch('The response belongs to a different login request (InResponseTo).');
  // A signed response must name where it was sent to; an unsigned one that names another place was sent elsewhere, too.
  if (response.destination === null && response.isSigned) return mismatch('The response is signed and names no Destination.');
  if (response.destination !== null && response.destination !== expected.acsUrl)
    return differs('Destination', expected.acsUrl, response.destination);
  if (conditions === null) return mismatch('The assertion has no Conditions: it names no audience.');
  if (conditions.audiences.length === 0) return mismatch('The assertion names no audience (AudienceRestriction).');
  const foreign = conditions.audiences.find((audiences) => !audiences.includes(expected.entityId));
  if (foreign) return differs('Audience', expected.entityId, foreign.join(', '));
  const ended = judgeSession(facts.sessionEnds, expected.now);
  return outside('The assertion', conditions, expected.now) ?? judgeConfirmations(facts.confirmations, expected) ?? ended;
}

/** A session of ours ends with the provider's, so that one which is over cannot begin. */
function judgeSession(ends: readonly string[], now: Date): AssertionFault | null {
  const end = sessionEnd(ends);
  if (end === null) return null;
  if (Number.isNaN(end.getTime())) return mismatch('The end of the session (SessionNotOnOrAfter) cannot be read.');
  if (end > now) return null;
  return {
    kind: 'clock',
    message: `The session at the provider ended ${end.toISOString()}; the clock of the portal says ${now.toISOString()}.`,
  };
}

/** Returns the first of several ends; null without one. */
export function sessionEnd(ends: readonly string[]): Date | null {
  return ends.length === 0 ? null : new Date(Math.min(...ends.map((one) => Date.parse(one))));
}

/** One bearer confirmation has to meet all conditions. */
function judgeConfirmations(confirmations: readonly Confirmation[], expected: Expected): AssertionFault | null {
  const bearers = confirmations.filter(({ method }) => method === BEARER);
  if (bearers.length === 0) return mismatch('The assertion has no bearer confirmation (SubjectConfirmation).');
  const faults = bearers.map((one) => judgeBearer(one, expected));
  return faults.includes(null) ? null : (faults[0] ?? null);
}

function judgeBearer({ recipient, inResponseTo, ...window }: Confirmation, expected: Expected): AssertionFault | null {
  if (recipient !== expected.acsUrl) return differs('Recipient', expected.acsUrl, recipient);
  if (inResponseTo !== expected.requestId) return mismatch('The assertion was issued for a different login request (InResponseTo).');
  if (window.notOnOrAfter === null) return mismatch('The subject confirmation has no expiry time (NotOnOrAfter).');
  return outside('The confirmation', window, expected.now);
}

/** Returns the fault of a window that does not hold the time; either end may be missing. */
function outside(
  what: string,
  { notBefore, notOnOrAfter }: { notBefore: string | null; notOnOrAfter: string | null },
  now: Date,
): AssertionFault | null {
  const from = notBefore === null ? -Infinity : Date.parse(notBefore);
  const to = notOnOrAfter === null ? Infinity : Date.parse(notOnOrAfter);
  if (Number.isNaN(from) || Number.isNaN(to)) return mismatch(`${what} names a time that cannot be read.`);
  const at = now.getTime();
  if (at + CLOCK_SKEW_MS >= from && at - CLOCK_SKEW_MS < to) return null;
  const bounds = [notBefore === null ? '' : `from ${notBefore}`, notOnOrAfter === null ? '' : `until ${notOnOrAfter}`]
    .filter(Boolean)
    .join(' ');
  return { kind: 'clock', message: `${what} is valid ${bounds}; the clock of the portal says ${now.toISOString()}.` };
}

const mismatch = (message: string): AssertionFault => ({ kind: 'mismatch', message });
const differs = (what: string, wanted: string, got: string | null): AssertionFault =>
  mismatch(`${what}: expected ${wanted}, received ${got === null || got === '' ? 'none' : got}.`);
