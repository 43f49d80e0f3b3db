import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chooseAddress, emailOf, emailsInside, isInside, type Named } from './person.ts';

const DOMAINS = ['example.com', 'example.org'];
const KATE = 'kate@example.com';
const named = (attributes: Record<string, string | string[]>, nameId: string | null = null): Named => ({
  attributes: Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, [value].flat()])),
  nameId,
});

describe('the address of a person', () => {
  const names = [
    'email',
    'Email',
    'EMAIL',
    'mail',
    'emailAddress',
    'EmailAddress',
    'User.email',
    'urn:oid:0.9.2342.19200300.100.1.3',
    'urn:oid:1.2.840.113549.1.9.1',
    'urn:mace:dir:attribute-def:mail',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/EmailAddress',
    'http://schemas.xmlsoap.org/claims/EmailAddress',
  ];
  for (const name of names) {
    it(`is read from the attribute ${name}`, () => assert.equal(emailOf(named({ [name]: KATE.toUpperCase() }, 'k8'), DOMAINS), KATE));
  }

  const cases: [what: string, given: Named, email: string | null][] = [
    ['of several values the one inside the domains', named({ mail: ['kate@home.test', KATE, 'k@example.org'] }), KATE],
    ['of several attributes the one inside the domains', named({ mail: 'kate@home.test', 'User.email': KATE }), KATE],
    ['a name id that is an address, beside no attribute', named({}, KATE), KATE],
    ['an attribute outside the domains, beside a name id inside them', named({ mail: 'kate@home.test' }, KATE), 'kate@home.test'],
    ['a name id beside an attribute that holds no address', named({ mail: 'kate' }, KATE), KATE],
    ['no name id, but an attribute', named({ mail: KATE }), KATE],
    ['only an address outside the domains', named({ mail: 'kate@home.test' }, 'k8'), 'kate@home.test'],
    ['a domain that only ends like one, beside one that is inside', named({ mail: ['kate@notexample.com', KATE] }), KATE],
    ['the Kelvin sign for a k', named({ mail: '\u212Aate@example.com' }), null],
    ['a value that is no address', named({ mail: 'kate' }, 'transient-id'), null],
    ['another attribute that holds an address', named({ manager: KATE }), null],
    ['nothing', named({}), null],
  ];
  for (const [what, given, email] of cases) it(`from ${what} is ${email ?? 'none'}`, () => assert.equal(emailOf(given, DOMAINS), email));
});

describe('a domain', () => {
  it('holds the addresses behind its @, and none of a domain that ends like it or is below it', () => {
    assert.equal(isInside(KATE, DOMAINS), true);
    for (const other of ['kate@notexample.com', 'kate@sub.example.com', 'kate@example.com.test'])
      assert.equal(isInside(other, DOMAINS), false, other);
  });
});

describe('several addresses of one person', () => {
  const both = named({ mail: ['kate@home.test', KATE, 'k@example.org'], email: KATE });

  it('are those inside the domains, each once', () => assert.deepEqual(emailsInside(both, DOMAINS), [KATE, 'k@example.org']));

  const cases: [what: string, members: string[], chosen: string][] = [
    ['the one that is a member’s', ['k@example.org'], 'k@example.org'],
    ['the first where none is', [], KATE],
    ['the first where both are', ['k@example.org', KATE], KATE],
  ];
  for (const [what, members, chosen] of cases)
    it(`count as ${what}`, () => assert.equal(chooseAddress(KATE, [KATE, 'k@example.org'], members), chosen));
});
