import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judgeLogout, type LogoutFacts } from './logout.ts';

const NOW = new Date('2026-11-28T12:00:00Z');
const EXPECTED = { now: NOW, issuer: 'https://idp.test', logoutUrl: 'https://portal.test/sso/acme/logout' };
const after = (minutes: number): string => new Date(NOW.getTime() + minutes * 60_000).toISOString();
const judge = (facts: Partial<LogoutFacts> = {}) =>
  judgeLogout(
    {
      id: '_1',
      issuer: EXPECTED.issuer,
      destination: EXPECTED.logoutUrl,
      issuedAt: after(0),
      notOnOrAfter: null,
      nameId: 'olive',
      ...facts,
    },
    EXPECTED,
  );

describe('a request of a provider to log a person out', () => {
  it('is followed when it is new, of this provider and for this address', () => {
    for (const facts of [{}, { issuedAt: after(-9) }, { issuedAt: after(4) }, { notOnOrAfter: after(-4) }])
      assert.equal(judge(facts), null, JSON.stringify(facts));
  });

  it('is not when it is of another provider or for another address, or names no one', () => {
    assert.match(judge({ issuer: 'https://other.test' }) ?? '', /^Issuer: expected https:\/\/idp\.test/);
    assert.match(judge({ issuer: null }) ?? '', /^Issuer/);
    assert.match(judge({ destination: 'https://portal.test/sso/rival/logout' }) ?? '', /^Destination/);
    assert.match(judge({ destination: null }) ?? '', /^Destination/);
    assert.match(judge({ nameId: null }) ?? '', /NameID/);
    assert.match(judge({ id: null }) ?? '', /no ID/);
  });

  it('is not when it is too old, from the future, past its end, or has no time', () => {
    for (const facts of [{ issuedAt: after(-11) }, { issuedAt: after(6) }, { notOnOrAfter: after(-6) }])
      assert.match(judge(facts) ?? '', /the clock of the portal/, JSON.stringify(facts));
    for (const facts of [{ issuedAt: null }, { issuedAt: 'yesterday' }, { notOnOrAfter: 'never' }])
      assert.match(judge(facts) ?? '', /cannot be read/, JSON.stringify(facts));
  });
});
