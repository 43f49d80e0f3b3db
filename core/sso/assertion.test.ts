import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AssertionFacts, CLOCK_SKEW_MS, type Confirmation, judgeAssertion } from './assertion.ts';

const NOW = new Date('2026-11-26T10:00:00Z');
const ACS = 'https://portal.test/sso/acme/acs';
const ENTITY = 'https://portal.test/sso/acme/metadata';
const EXPECTED = { now: NOW, issuer: 'https://idp.test', entityId: ENTITY, acsUrl: ACS, requestId: '_1' };
const at = (ms: number): string => new Date(NOW.getTime() + ms).toISOString();
const MINUTE = 60_000;
const BEARER: Confirmation = {
  method: 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
  recipient: ACS,
  inResponseTo: '_1',
  notBefore: null,
  notOnOrAfter: at(5 * MINUTE),
};
const GOOD: AssertionFacts = {
  response: { issuer: 'https://idp.test', destination: ACS, inResponseTo: '_1', isSigned: true },
  issuer: 'https://idp.test',
  confirmations: [BEARER],
  conditions: { notBefore: at(-MINUTE), notOnOrAfter: at(5 * MINUTE), audiences: [[ENTITY]] },
  sessionEnds: [],
};
const conditions = (more: Partial<NonNullable<AssertionFacts['conditions']>>): AssertionFacts => ({
  ...GOOD,
  conditions: { notBefore: at(-MINUTE), notOnOrAfter: at(5 * MINUTE), audiences: [[ENTITY]], ...more },
});
const response = (more: Partial<AssertionFacts['response']>): AssertionFacts => ({ ...GOOD, response: { ...GOOD.response, ...more } });
const confirmed = (...all: Partial<Confirmation>[]): AssertionFacts => ({
  ...GOOD,
  confirmations: all.map((one) => ({ ...BEARER, ...one })),
});

describe('an assertion', () => {
  const cases: [what: string, facts: AssertionFacts, verdict: 'accepted' | 'clock' | RegExp][] = [
    ['that fits', GOOD, 'accepted'],
    [
      'of another issuer',
      { ...GOOD, issuer: 'https://evil.test' },
      /^Issuer of the assertion: expected https:\/\/idp\.test, received https:\/\/evil/,
    ],
    ['without an issuer', { ...GOOD, issuer: null }, /received none/],
    ['in a response of another issuer', response({ issuer: 'https://evil.test' }), /^Issuer of the response/],
    ['in a response that names no issuer', response({ issuer: null }), 'accepted'],
    ['in a response to another request', response({ inResponseTo: '_2' }), /InResponseTo/],
    ['in a response to no request', response({ inResponseTo: null }), /InResponseTo/],
    ['in a response sent to another place', response({ destination: 'https://evil.test/acs' }), /^Destination/],
    ['in an unsigned response sent to another place', response({ destination: 'https://evil.test/acs', isSigned: false }), /^Destination/],
    ['in a signed response sent to no place', response({ destination: null }), /names no Destination/],
    ['in an unsigned response that names no place', response({ destination: null, isSigned: false }), 'accepted'],
    ['without Conditions', { ...GOOD, conditions: null }, /has no Conditions/],
    ['without an audience', conditions({ audiences: [] }), /no audience/],
    ['for another audience', conditions({ audiences: [['https://other.test']] }), /^Audience: expected .* received https:\/\/other\.test/],
    ['for us among several', conditions({ audiences: [['https://other.test', ENTITY]] }), 'accepted'],
    ['restricted twice, once without us', conditions({ audiences: [[ENTITY], ['https://other.test']] }), /^Audience/],
    ['4 minutes early', conditions({ notBefore: at(4 * MINUTE) }), 'accepted'],
    ['6 minutes early', conditions({ notBefore: at(6 * MINUTE) }), 'clock'],
    ['over for 4 minutes', conditions({ notOnOrAfter: at(-4 * MINUTE) }), 'accepted'],
    ['over for exactly 5 minutes', conditions({ notOnOrAfter: at(-CLOCK_SKEW_MS) }), 'clock'],
    ['over for 6 minutes', conditions({ notOnOrAfter: at(-6 * MINUTE) }), 'clock'],
    ['without times', conditions({ notBefore: null, notOnOrAfter: null }), 'accepted'],
    ['with a time that is none', conditions({ notOnOrAfter: 'tomorrow' }), /cannot be read/],
    ['without a confirmation', confirmed(), /no bearer confirmation/],
    [
      'confirmed for the holder of a key only',
      confirmed({ method: 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key' }),
      /no bearer confirmation/,
    ],
    ['confirmed for another recipient', confirmed({ recipient: 'https://evil.test/acs' }), /^Recipient/],
    ['confirmed for another request', confirmed({ inResponseTo: '_2' }), /InResponseTo/],
    ['confirmed without an end', confirmed({ notOnOrAfter: null }), /no expiry time/],
    ['confirmed until 6 minutes ago', confirmed({ notOnOrAfter: at(-6 * MINUTE) }), 'clock'],
    [
      'confirmed twice, each half right',
      confirmed({ recipient: 'https://evil.test/acs' }, { notOnOrAfter: at(-6 * MINUTE) }),
      /^Recipient/,
    ],
    ['confirmed twice, once right', confirmed({ recipient: 'https://evil.test/acs' }, {}), 'accepted'],
  ];
  for (const [what, facts, verdict] of cases) {
    it(`${what} is ${verdict === 'accepted' ? verdict : 'refused'}`, () => {
      const fault = judgeAssertion(facts, EXPECTED);
      if (verdict === 'accepted') return assert.equal(fault, null);
      if (verdict === 'clock') {
        assert.equal(fault?.kind, 'clock');
        return assert.match(fault?.message ?? '', /2026-11-26T\d\d:.*the clock of the portal says 2026-11-26T10:00:00\.000Z/);
      }
      assert.equal(fault?.kind, 'mismatch');
      return assert.match(fault?.message ?? '', verdict);
    });
  }
});
