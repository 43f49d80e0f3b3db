import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkUrl, isPublicAddress } from './address.ts';

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '93.184.216.34',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.0.3.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '198.51.99.255',
  '203.0.112.255',
  '203.0.114.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:81b::200e',
  '2001:4860:4860::8888',
  '::ffff:8.8.8.8',
  '::ffff:808:808',
];

const REFUSED = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.1.2.3',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.0.170',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '192.168.255.255',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:7f00:1',
  '::FFFF:a9fe:a9fe',
  '0:0:0:0:0:ffff:192.168.1.1',
  '64:ff9b::7f00:1',
  '64:ff9b::808:808',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2001:10::1',
  '2001:20::1',
  '2002:7f00:1::',
  '2002:808:808::',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'febf::1',
  'fec0::1',
  'ff02::1',
  '4000::1',
  '',
  'localhost',
  '256.1.1.1',
  '1.2.3',
  'not an address',
];

const REFUSED_URLS: readonly (readonly [string, string])[] = [
  ['http://127.0.0.1/', 'private_address'],
  ['http://2130706433/', 'private_address'],
  ['http://0x7f000001/', 'private_address'],
  ['http://0177.0.0.1/', 'private_address'],
  ['http://127.1/', 'private_address'],
  ['http://[::1]:8080/', 'private_address'],
  ['http://[::ffff:127.0.0.1]/', 'private_address'],
  ['http://localhost/', 'private_address'],
  ['http://LOCALHOST./', 'private_address'],
  ['http://api.localhost/', 'private_address'],
  ['http://intranet/', 'private_address'],
  ['http://db.internal/', 'private_address'],
  ['http://169.254.169.254/latest/meta-data', 'private_address'],
  ['https://user:pw@example.com/', 'userinfo'],
  ['ftp://example.com/', 'scheme'],
  ['file:///etc/passwd', 'scheme'],
  ['javascript:alert(1)', 'scheme'],
  ['example.com/hook', 'unreadable'],
  ['', 'unreadable'],
  ['http://', 'unreadable'],
];

describe('an address', () => {
  for (const address of PUBLIC) it(`${address} is public`, () => assert.equal(isPublicAddress(address), true));
  for (const address of REFUSED) it(`${address || '(empty)'} is refused`, () => assert.equal(isPublicAddress(address), false));
});

describe('a URL', () => {
  it('to a public name or address passes', () => {
    for (const url of [
      'https://example.com/hook?x=1',
      'http://example.com:8080/',
      'https://93.184.216.34/',
      'https://[2606:4700:4700::1111]/',
    ]) {
      assert.equal(checkUrl(url).ok, true, url);
    }
  });

  for (const [url, problem] of REFUSED_URLS) {
    it(`${url || '(empty)'} is refused as ${problem}`, () => assert.deepEqual(checkUrl(url), { ok: false, problem }));
  }

  it('to an allowed private host passes, on that port only when one is named', () => {
    const allowed = new Set(['127.0.0.1:9000', 'sink.internal']);
    assert.equal(checkUrl('http://127.0.0.1:9000/x', allowed).ok, true);
    assert.equal(checkUrl('http://127.0.0.1:9001/x', allowed).ok, false);
    assert.equal(checkUrl('http://sink.internal/', allowed).ok, true);
    assert.equal(checkUrl('ftp://sink.internal/', allowed).ok, false);
  });
});
