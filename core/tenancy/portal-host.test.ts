import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addressOfHost, comparableHost, mayBeClaimed, parsePortalHost } from './portal-host.ts';

const OWN = 'portal.example.com';

describe('the host an agency names', () => {
  for (const [typed, host] of [
    ['portal.agency.com', 'portal.agency.com'],
    ['  Portal.AGENCY.com. ', 'portal.agency.com'],
    ['agency.co.uk', 'agency.co.uk'],
    ['büro.müller.de', 'xn--bro-hoa.xn--mller-kva.de'],
    ['xn--mller-kva.de', 'xn--mller-kva.de'],
    // Full-width letters and dots are the same name.
    ['ｐｏｒｔａｌ．ａｇｅｎｃｙ．com', 'portal.agency.com'],
    // A Cyrillic а is another name, and is shown as one.
    ['portаl.agency.com', 'xn--portl-7ve.agency.com'],
    ['example.com', 'example.com'],
  ] as const)
    it(`accepts "${typed}"`, () => assert.deepEqual(parsePortalHost(typed, OWN), { ok: true, host }));

  for (const [typed, problem] of [
    ['', 'not_a_host'],
    ['https://portal.agency.com', 'not_a_host'],
    ['portal.agency.com/login', 'not_a_host'],
    ['portal.agency.com:8443', 'not_a_host'],
    ['user@agency.com', 'not_a_host'],
    ['agency', 'not_a_host'],
    ['-portal.agency.com', 'not_a_host'],
    ['por_tal.agency.com', 'not_a_host'],
    ['a..agency.com', 'not_a_host'],
    [`${'a'.repeat(64)}.agency.com`, 'not_a_host'],
    [`${'a.'.repeat(120)}agency.com`, 'not_a_host'],
    ['*.agency.com', 'not_a_host'],
    ['127.0.0.1', 'address'],
    ['2130706433', 'address'],
    ['0x7f.1', 'address'],
    ['[::1]', 'not_a_host'],
    ['localhost', 'local'],
    ['portal.localhost', 'local'],
    ['portal.internal', 'local'],
    [OWN, 'own_host'],
    [`agency.${OWN}`, 'own_host'],
    ['PORTAL.example.com.', 'own_host'],
    ['co.uk', 'public_suffix'],
    ['github.io', 'public_suffix'],
  ] as const)
    it(`refuses "${typed.slice(0, 40)}" as ${problem}`, () => {
      const parsed = parsePortalHost(typed, OWN);
      assert.equal(parsed.ok ? parsed.host : parsed.problem, problem);
    });
});

describe('the host of a request', () => {
  it('is compared in lower case, without port and final dot', () => {
    for (const header of [
      'portal.agency.com',
      'PORTAL.Agency.com',
      'portal.agency.com:8443',
      'portal.agency.com.',
      'Portal.agency.com.:443',
    ])
      assert.equal(comparableHost(header), 'portal.agency.com', header);
  });
  it('is none when it is no name', () => {
    for (const header of [
      '',
      '[::1]:3000',
      'a b.com',
      'portal.agency.com, evil.com',
      'evil.com/portal.agency.com',
      `${'a'.repeat(300)}.com`,
    ])
      assert.equal(comparableHost(header), null, header);
  });
  it('can be an agency’s only as a name of several labels', () => {
    assert.deepEqual(['portal.agency.com', 'localhost', 'service', '10.0.0.7'].map(mayBeClaimed), [true, false, false, false]);
  });
});

it('keeps scheme and port of the service for the address of a host', () => {
  assert.equal(addressOfHost('https://portal.example.com', 'portal.agency.com'), 'https://portal.agency.com');
  assert.equal(addressOfHost('http://localhost:3000', 'portal.agency.com'), 'http://portal.agency.com:3000');
});
