import assert from 'node:assert/strict';
import { verify, X509Certificate } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import { type SamlShape, type SamlShapes, startSamlShapes } from '@partner-portal/tests/harness/saml-shapes.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { openBrowser, type SsoBrowser } from '@partner-portal/tests/harness/sso-browser.ts';
import { createOidc } from '#adapters/oidc.ts';
import { createSaml } from '#adapters/saml.ts';
import { createSafeFetch } from '#platform/outbound/safe-fetch.ts';
import { sso } from './index.ts';

const BASE = 'http://portal.test';
const ACS = `${BASE}/sso/acme/acs`;
const OWNER = 'owner@portal.test';
const MINUTE = 60_000;
let provider: SamlShapes;
let isProduction = false;
const logged: string[] = [];
let service: TestService;

before(async () => {
  provider = await startSamlShapes({ entityId: `${BASE}/sso/acme/metadata`, acsUrl: ACS });
  const fetch = createSafeFetch({ allowedHosts: [new URL(provider.metadataUrl).host] });
  service = await startTestService({
    modules: (platform) => [
      sso({
        ...platform,
        fetch,
        oidc: createOidc({ fetch, clock: platform.clock, allowsHttp: () => true }),
        saml: createSaml({ fetch, compute: platform.compute, clock: platform.clock, deadlineMs: 600_000 }),
        get isProduction() {
          return isProduction;
        },
      }),
    ],
    logLine: (line) => void logged.push(line),
  });
  await save();
});
after(async () => {
  await service.close();
  await provider.close();
});

type Options = { allowsSha1?: boolean; signsRequests?: boolean };
async function save(options: Options = {}): Promise<void> {
  await service.db.asSystem('seed', (tx) => tx.updateTable('ssoConnection').set({ enforced: false }).execute());
  const body = { protocol: 'saml', metadataUrl: provider.metadataUrl, emailDomains: ['portal.test'], ...options };
  const saved = await service.call('PUT', '/sso/connection', { as: 'owner', body });
  assert.equal(saved.status, 200, saved.text);
}
const read = async () => (await service.call('GET', '/sso/connection', { as: 'owner' })).body;
/** Lets the metadata be read again at once. */
const letRefresh = () =>
  service.db.asSystem('seed', (tx) =>
    tx
      .updateTable('ssoConnection')
      .set({ metadataReadAt: new Date(0), metadataTriedAt: null })
      .execute(),
  );
async function startTest(browser: SsoBrowser): Promise<URL> {
  const { url } = (await service.call('POST', '/sso/connection/test', { as: 'owner' })).body;
  const { next } = await browser.step(new URL(url));
  assert.ok(next, 'the test login leads to the provider');
  return next;
}
/** Runs a test login in a new browser; returns its end, `ok` or a problem, and what the settings page shows. */
async function tryLogin(shape: SamlShape = {}) {
  const browser = openBrowser(service);
  const request = await startTest(browser);
  const back = await browser.post(ACS, provider.respond(request, OWNER, shape));
  const { lastTest } = await read();
  const end: string = back.searchParams.get('problem') ?? back.searchParams.get('test') ?? back.href;
  return { end, back, request, test: lastTest };
}
const ownCertificate = async (): Promise<string> => {
  const of = (await service.db.asSystem('seed', (tx) => tx.selectFrom('ssoConnection').select('ownCertificate').executeTakeFirstOrThrow()))
    .ownCertificate;
  assert.ok(of);
  return of;
};

describe('a SAML provider that', () => {
  type Case = { what: string; shape: SamlShape; end: string; options?: Options; detail?: RegExp };
  const mail = { mail: [OWNER] };
  const cases: Case[] = [
    { what: 'signs the assertion', shape: { signs: 'assertion' }, end: 'ok' },
    { what: 'signs the response only', shape: { signs: 'response' }, end: 'ok' },
    { what: 'signs both', shape: { signs: 'both' }, end: 'ok' },
    { what: 'signs nothing', shape: { signs: 'nothing' }, end: 'not_signed', detail: /Neither the response nor its assertion is signed/ },
    { what: 'names no key beside its signature', shape: { namesNoKey: true }, end: 'ok' },
    { what: 'signs with SHA-384', shape: { algorithm: 'rsa-sha384', digest: 'sha384' }, end: 'ok' },
    { what: 'signs with SHA-512', shape: { algorithm: 'rsa-sha512', digest: 'sha512' }, end: 'ok' },
    { what: 'signs with RSA-PSS', shape: { algorithm: 'sha256-rsa-MGF1' }, end: 'ok' },
    {
      what: 'signs with SHA-1',
      shape: { algorithm: 'rsa-sha1', digest: 'sha1' },
      end: 'algorithm_not_accepted',
      detail: /SHA-1 can be forged/,
    },
    { what: 'digests with SHA-1', shape: { digest: 'sha1' }, end: 'algorithm_not_accepted', detail: /digest sha1/ },
    {
      what: 'signs with SHA-1, which was allowed',
      shape: { algorithm: 'rsa-sha1', digest: 'sha1' },
      options: { allowsSha1: true },
      end: 'ok',
    },
    { what: 'signs with DSA', shape: { algorithm: 'dsa-sha256' }, end: 'algorithm_not_accepted', detail: /dsa-sha256.*not supported/ },
    {
      what: 'signs with a key that its metadata does not list',
      shape: { key: 'other' },
      end: 'key_unknown',
      detail: /SHA-256 [0-9a-f]{64}/,
    },
    { what: 'signs with an unknown key it does not name', shape: { key: 'other', namesNoKey: true }, end: 'key_unknown' },
    { what: 'has a clock 4 minutes ahead', shape: { skewMs: 4 * MINUTE }, end: 'ok' },
    { what: 'has a clock 4 minutes behind', shape: { skewMs: -4 * MINUTE }, end: 'ok' },
    {
      what: 'has a clock 7 minutes ahead',
      shape: { skewMs: 7 * MINUTE },
      end: 'clock_differs',
      detail: /is valid from .* the clock of the portal says/,
    },
    {
      what: 'has a clock 11 minutes behind',
      shape: { skewMs: -11 * MINUTE },
      end: 'clock_differs',
      detail: /until .* the clock of the portal says/,
    },
    {
      what: 'sends the address as mail, beside a transient id',
      shape: { nameId: { text: '_x1', format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' }, attributes: mail },
      end: 'ok',
    },
    { what: 'sends the address as EmailAddress', shape: { nameId: { text: 'k8' }, attributes: { EmailAddress: [OWNER] } }, end: 'ok' },
    {
      what: 'sends the address under its object identifier',
      shape: { nameId: { text: 'k8' }, attributes: { 'urn:oid:0.9.2342.19200300.100.1.3': [OWNER] } },
      end: 'ok',
    },
    { what: 'sends several addresses', shape: { nameId: { text: 'k8' }, attributes: { mail: ['o@home.test', OWNER] } }, end: 'ok' },
    { what: 'sends an address as a name id of no declared format', shape: { nameId: { text: OWNER } }, end: 'ok' },
    {
      what: 'sends an address as a persistent name id',
      shape: { nameId: { text: OWNER, format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent' } },
      end: 'ok',
    },
    { what: 'sends no name id, but mail', shape: { nameId: null, attributes: mail }, end: 'ok' },
    { what: 'encrypts the name id and sends mail', shape: { nameId: 'encrypted', attributes: mail }, end: 'ok' },
    { what: 'sends no address', shape: { nameId: { text: 'k8' } }, end: 'email_missing' },
    { what: 'sends the Kelvin sign for a k', shape: { nameId: { text: '\u212Aate@portal.test' } }, end: 'email_missing' },
    { what: 'sends an unknown person', shape: { nameId: { text: 'stranger@portal.test' } }, end: 'no_member' },
    {
      what: 'sends to another place',
      shape: { destination: `${BASE}/sso/rival/acs` },
      end: 'answer_not_valid',
      detail: /^Destination: expected/,
    },
    {
      what: 'signs a response that names no place',
      shape: { signs: 'response', destination: null },
      end: 'answer_not_valid',
      detail: /no Destination/,
    },
    {
      what: 'confirms for another recipient',
      shape: { recipient: `${BASE}/sso/rival/acs` },
      end: 'answer_not_valid',
      detail: /^Recipient: expected/,
    },
    { what: 'confirms for the holder of a key', shape: { isHolderOfKey: true }, end: 'answer_not_valid', detail: /no bearer confirmation/ },
    { what: 'sends no Conditions', shape: { hasNoConditions: true }, end: 'answer_not_valid', detail: /no Conditions/ },
    {
      what: 'changes what it signed',
      shape: { after: (xml) => xml.replace(OWNER, 'moderator@portal.test') },
      end: 'answer_not_valid',
      detail: /altered after it was signed/,
    },
  ];
  for (const { what, shape, end, options, detail } of cases) {
    it(`${what}: ${end === 'ok' ? 'signs its people in' : end}`, async () => {
      if (options) await save(options);
      const { end: ended, test } = await tryLogin(shape);
      if (options) await save();
      assert.equal(ended, end, JSON.stringify(test));
      if (detail) assert.match(test.detail, detail);
      if (end === 'ok') assert.deepEqual([test.ok, test.email, test.signatures.at(-1).verdict], [true, OWNER, 'verified']);
    });
  }

  it('leaves nothing of a person in the log when it is refused', async () => {
    const before = logged.length;
    const { end } = await tryLogin({ skewMs: 7 * MINUTE, nameId: { text: 'k8' }, attributes: { mail: [OWNER], groups: ['night-shift'] } });
    assert.equal(end, 'clock_differs');
    const lines = logged.slice(before).join('\n');
    assert.match(lines, /rejected/);
    assert.doesNotMatch(lines, /night-shift|owner@portal/);
  });

  it('signs with ECDSA: signs its people in', async () => {
    provider.publish({ keys: ['ec'] });
    await save();
    for (const shape of [{ key: 'ec' }, { key: 'ec', algorithm: 'ecdsa-sha384', digest: 'sha384', signs: 'response' }] as const)
      assert.equal((await tryLogin(shape)).end, 'ok');
    assert.equal((await tryLogin({ key: 'own' })).end, 'key_unknown', 'an RSA signature by no key of theirs');
    provider.publish({});
    await save();
  });
});

describe('a SAML provider that encrypts', () => {
  const ciphers = ['aes128-gcm', 'aes256-gcm', 'aes128-cbc', 'aes256-cbc'] as const;
  for (const cipher of ciphers) {
    it(`with ${cipher} for our key: signs its people in, the assertion or the response being signed`, async () => {
      const certificate = await ownCertificate();
      for (const signs of ['assertion', 'response'] as const) {
        const { end, test } = await tryLogin({ signs, encryption: { cipher, certificate } });
        assert.deepEqual([end, test.isEncrypted], ['ok', true], JSON.stringify(test));
      }
    });
  }

  it('with RSA-OAEP over SHA-256: signs its people in', async () => {
    assert.equal(
      (await tryLogin({ encryption: { cipher: 'aes256-gcm', certificate: await ownCertificate(), transport: 'oaep-sha256' } })).end,
      'ok',
    );
  });

  it('without a signature, by another key, or for another key of ours: each is told apart, and no one signs in', async () => {
    const certificate = await ownCertificate();
    const other = (await import('@partner-portal/tests/harness/saml-keys.ts')).OTHER_CERTIFICATE.replaceAll(/-----[^-]+-----|\s/g, '');
    const cases: [shape: SamlShape, end: string, detail: RegExp][] = [
      [{ signs: 'nothing', encryption: { cipher: 'aes256-gcm', certificate } }, 'not_signed', /is signed/],
      [
        { signs: 'nothing', encryption: { cipher: 'aes256-cbc', certificate } },
        'key_unknown',
        /Our key opened .* not signed by a key of the metadata/,
      ],
      [{ key: 'other', encryption: { cipher: 'aes256-cbc', certificate } }, 'key_unknown', /Our key opened/],
      [{ key: 'other', encryption: { cipher: 'aes256-gcm', certificate } }, 'key_unknown', /not in the metadata/],
      [{ encryption: { cipher: 'aes256-gcm', certificate: other } }, 'not_decrypted', /encrypted for a key that is not ours/],
      [{ encryption: { cipher: 'aes256-cbc', certificate: other } }, 'not_decrypted', /encrypted for a key that is not ours/],
      [{ encryption: { cipher: 'aes256-gcm', certificate, transport: 'rsa-1_5' } }, 'not_decrypted', /Choose RSA-OAEP/],
      [{ encryption: { cipher: 'tripledes-cbc', certificate } }, 'not_decrypted', /tripledes-cbc\. Choose AES/],
    ];
    for (const [shape, end, detail] of cases) {
      const { end: ended, test } = await tryLogin(shape);
      assert.equal(ended, end, JSON.stringify(shape));
      assert.match(test.detail, detail);
    }
  });

  it('keeps working while our key is replaced', async () => {
    const first = await ownCertificate();
    const added = (await service.call('POST', '/sso/connection/keys', { as: 'owner' })).body;
    assert.deepEqual(
      added.keys.map(({ use }: { use: string }) => use),
      ['current', 'next'],
    );
    assert.equal((await service.call('POST', '/sso/connection/keys', { as: 'owner' })).body.code, 'invalid_state');
    const listed = (await service.call('GET', '/sso/acme/metadata')).text.match(/<ds:X509Certificate>[^<]+/g) ?? [];
    assert.deepEqual([listed.length, new Set(listed).size], [4, 2], 'each for signing and for encryption');
    const next = listed.map((one) => one.slice('<ds:X509Certificate>'.length)).find((one) => one !== first) ?? '';
    for (const certificate of [first, next])
      assert.equal((await tryLogin({ encryption: { cipher: 'aes256-gcm', certificate } })).end, 'ok');
    const used = (await service.call('POST', '/sso/connection/keys/use', { as: 'owner' })).body;
    assert.deepEqual(
      used.keys.map(({ fingerprint }: { fingerprint: string }) => fingerprint),
      [new X509Certificate(Buffer.from(next, 'base64')).fingerprint256],
    );
    assert.equal((await service.call('POST', '/sso/connection/keys/use', { as: 'owner' })).body.code, 'invalid_state');
    assert.equal((await tryLogin({ encryption: { cipher: 'aes256-gcm', certificate: first } })).end, 'not_decrypted');
    await service.assertRefused('POST', '/sso/connection/keys', { moderator: 'partner_role_forbidden', clientUser: 'role_forbidden' });
  });
});

describe('a request to a SAML provider', () => {
  /** The signature in the address, verified by the key of our metadata; null without one. */
  async function verified(request: URL): Promise<boolean | null> {
    const signature = request.searchParams.get('Signature');
    if (signature === null) return null;
    assert.equal(request.searchParams.get('SigAlg'), 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256');
    const [signed = ''] = request.search.slice(1).split('&Signature=');
    const { publicKey } = new X509Certificate(Buffer.from(await ownCertificate(), 'base64'));
    return verify('sha256', Buffer.from(signed), publicKey, Buffer.from(signature, 'base64'));
  }

  it('is not signed when no one asks for it, and our metadata says so', async () => {
    assert.equal(await verified((await tryLogin()).request), null);
    assert.match((await service.call('GET', '/sso/acme/metadata')).text, /AuthnRequestsSigned="false"/);
  });

  it('is signed when the provider’s metadata wants it, or the agency asks for it', async () => {
    provider.publish({ wantsSigned: true });
    await save();
    assert.equal((await read()).providerWantsSigned, true);
    assert.equal(await verified((await tryLogin()).request), true);
    provider.publish({});
    await save({ signsRequests: true });
    assert.equal(await verified((await tryLogin()).request), true);
    assert.match((await service.call('GET', '/sso/acme/metadata')).text, /AuthnRequestsSigned="true"/);
    await save();
  });
});

describe('a test login by SAML', () => {
  it('has the provider ask for the account, and no other login does', async () => {
    const requestAt = (url: URL) => inflateRawSync(Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
    const { request } = await tryLogin();
    assert.match(requestAt(request), / ForceAuthn="true"/);
    const { next } = await openBrowser(service).step(new URL(`${BASE}/sso/acme/start`));
    assert.ok(next && !requestAt(next).includes('ForceAuthn'));
  });
});

describe('a SAML provider that changes its key', () => {
  it('with overlap: signs its people in throughout', async () => {
    provider.publish({ keys: ['own', 'other'] });
    await letRefresh();
    assert.equal((await service.call('POST', '/sso/connection/refresh', { as: 'owner' })).status, 200);
    for (const key of ['own', 'other'] as const) assert.equal((await tryLogin({ key })).end, 'ok', key);
    provider.publish({});
    await save();
  });

  it('without overlap: signs its people in with the first response, after one reading', async () => {
    await letRefresh();
    provider.publish({ keys: ['other'] });
    const before = provider.readings();
    const { end, test } = await tryLogin({ key: 'other' });
    assert.deepEqual([end, provider.readings() - before], ['ok', 1], JSON.stringify(test));
    assert.equal((await tryLogin({ key: 'own' })).end, 'key_unknown', 'the old key counts no more');
    assert.equal(provider.readings() - before, 1, 'and causes no reading within a minute');
    provider.publish({});
    await save();
  });

  it('without overlap: signs in everyone who arrives while its metadata is read, after one reading', async () => {
    await save();
    assert.equal((await tryLogin()).end, 'ok');
    await letRefresh();
    provider.publish({ keys: ['other'] });
    const before = provider.readings();
    const arrive = async (): Promise<string> => {
      const browser = openBrowser(service);
      const { next } = await browser.step(new URL(`${BASE}/sso/acme/start`));
      assert.ok(next);
      const back = await browser.post(ACS, provider.respond(next, OWNER, { key: 'other' }));
      return back.searchParams.get('problem') ?? (back.searchParams.has('code') ? 'ok' : back.href);
    };
    assert.deepEqual(await Promise.all(Array.from({ length: 5 }, arrive)), Array(5).fill('ok'));
    assert.equal(provider.readings() - before, 1);
    provider.publish({});
    await save();
  });

  it('is read again for no forged response: another entity, another host, or no metadata at all', async () => {
    for (const [published, problem] of [
      [{ keys: ['other'], entityId: 'https://evil.test/entity' }, /another provider/],
      [{ keys: ['other'], ssoUrl: 'https://evil.test/sso' }, /another host/],
    ] as const) {
      await letRefresh();
      provider.publish({ ...published, keys: [...published.keys] });
      assert.equal((await tryLogin({ key: 'other' })).end, 'key_unknown');
      const { metadataProblem, metadataReadAt } = await read();
      assert.match(metadataProblem, problem);
      assert.equal(Date.parse(metadataReadAt), 0, 'the daily reading is not put off');
      assert.equal((await tryLogin()).end, 'ok');
      assert.match((await read()).metadataProblem, problem, 'a login by the metadata of before has read none');
    }
    provider.publish({});
    await save();
  });

  it('that failed holds up no later login: none looks whether it has ended', async () => {
    await letRefresh();
    provider.publish({ keys: ['other'], entityId: 'https://evil.test/entity' });
    const statements = (): Promise<number> =>
      service.countStatements(async () => assert.equal((await tryLogin({ key: 'other' })).end, 'key_unknown'));
    const [reads, before] = [await statements(), provider.readings()];
    const later = await statements();
    assert.equal(provider.readings(), before);
    assert.ok(later <= reads, `${later} statements, and ${reads} of the login that read`);
    provider.publish({});
    await save();
  });

  it('is read by an admin at once, also while enforced; by no moderator', async () => {
    assert.equal((await tryLogin()).end, 'ok');
    await service.db.asSystem('seed', (tx) => tx.updateTable('ssoConnection').set({ enforced: true }).execute());
    provider.publish({ keys: ['other'] });
    const { status, body } = await service.call('POST', '/sso/connection/refresh', { as: 'owner' });
    assert.deepEqual([status, body.enforced, body.metadataProblem], [200, true, null]);
    assert.equal((await tryLogin({ key: 'other' })).end, 'ok');
    await service.assertRefused('POST', '/sso/connection/refresh', { moderator: 'partner_role_forbidden', clientUser: 'role_forbidden' });
    provider.publish({});
    await save();
  });
});

describe('a SAML connection', () => {
  it('without https is refused in production, and a warning elsewhere', async () => {
    const warnings = () => logged.filter((line) => line.includes('SAML without https')).length;
    const before = warnings();
    await save();
    assert.deepEqual([warnings() - before, (await read()).isWithoutHttps], [1, true]);
    isProduction = true;
    const body = { protocol: 'saml', metadataUrl: provider.metadataUrl, emailDomains: ['portal.test'] };
    const refused = await service.call('PUT', '/sso/connection', { as: 'owner', body });
    isProduction = false;
    assert.deepEqual([refused.status, refused.body.errors?.[0].field], [422, 'protocol']);
    assert.match(refused.body.errors[0].message, /SAML needs https: set PUBLIC_BASE_URL to an https/);
  });
});

describe('metadata that names its end', () => {
  it('is refused once it is over, and read again by a login after it', async () => {
    provider.publish({ validUntil: new Date(Date.now() - 1_000).toISOString() });
    const body = { protocol: 'saml', metadataUrl: provider.metadataUrl, emailDomains: ['portal.test'] };
    const refused = await service.call('PUT', '/sso/connection', { as: 'owner', body });
    assert.deepEqual([refused.status, refused.body.errors?.[0].field], [422, 'metadataUrl']);
    assert.match(refused.body.errors[0].message, /was valid until .* the clock of the portal says/);
    provider.publish({ validUntil: new Date(Date.now() + 3_600_000).toISOString() });
    await save();
    assert.ok((await read()).metadataValidUntil);
    assert.equal((await tryLogin()).end, 'ok');
    const end = () =>
      service.db.asSystem('seed', (tx) =>
        tx
          .updateTable('ssoConnection')
          .set({ metadataValidUntil: new Date(1), metadataReadAt: new Date(0), metadataTriedAt: null })
          .execute(),
      );
    await end();
    assert.equal((await tryLogin()).end, 'ok', 'the newer one counts');
    provider.publish({ validUntil: new Date(Date.now() - 1_000).toISOString() });
    await end();
    const { end: ended, test } = await tryLogin();
    assert.equal(ended, 'provider_unreachable');
    assert.match(test.detail, /was valid until 1970/);
    provider.publish({});
    await save();
  });
});

describe('a click on the provider’s tile', () => {
  const post = (browser: SsoBrowser, shape: SamlShape = {}) =>
    browser.post(
      ACS,
      provider.respond(new URL(`${BASE}/?RelayState=`), OWNER, { isUnsolicited: true, relayState: 'https://tile.test/', ...shape }),
    );

  it('begins a login, which ends in a session', async () => {
    assert.equal((await tryLogin()).end, 'ok');
    const browser = openBrowser(service);
    const begun = await post(browser);
    assert.equal(begun.href, `${BASE}/sso/acme/start`);
    const { next } = await browser.step(begun);
    assert.ok(next);
    const back = await browser.post(ACS, provider.respond(next, OWNER));
    assert.equal((await browser.exchange(back.searchParams.get('code') ?? '')).status, 200);
    assert.equal((await post(browser)).href, `${BASE}/sso/acme/start`, 'and so does the next click, however soon');
  });

  it('of a provider that answers no request of ours is not sent in a circle', async () => {
    const browser = openBrowser(service);
    assert.equal((await post(browser)).pathname, '/sso/acme/start');
    assert.equal((await post(browser)).searchParams.get('problem'), 'tile_loop');
    const { next } = await openBrowser(service).step(new URL(`${BASE}/sso/acme/start`));
    assert.ok(next);
    const lost = await openBrowser(service).post(ACS, provider.respond(next, OWNER, { relayState: 'lost' }));
    assert.equal(lost.searchParams.get('problem'), 'expired', 'a response to a request, whose relay state the provider lost');
  });
});

describe('the metadata of a provider', () => {
  const base = () => new URL(provider.metadataUrl).origin;
  const put = (source: object) =>
    service.call('PUT', '/sso/connection', { as: 'owner', body: { protocol: 'saml', emailDomains: ['portal.test'], ...source } });
  const fault = async (source: object): Promise<string> => {
    const refused = await put(source);
    assert.equal(refused.status, 422, refused.text);
    return `${refused.body.errors[0].field}: ${refused.body.errors[0].message}`;
  };
  const second = (xml: string, attributes: string) =>
    xml.replace('<md:IDPSSODescriptor', `<md:IDPSSODescriptor ${attributes}/><md:IDPSSODescriptor`);
  const shapes: [what: string, change: (xml: string) => string][] = [
    [
      'has markers of PEM around its certificates',
      (xml) =>
        xml.replaceAll(
          /<ds:X509Certificate>([^<]+)/g,
          '<ds:X509Certificate>\n-----BEGIN CERTIFICATE-----\n$1\n-----END CERTIFICATE-----\n',
        ),
    ],
    ['begins with a byte order mark and blank lines', (xml) => `\uFEFF\n\n${xml}`],
    ['has a descriptor of SAML 1.1 first', (xml) => second(xml, 'protocolSupportEnumeration="urn:oasis:names:tc:SAML:1.1:protocol"')],
    [
      'has a descriptor without our binding first',
      (xml) => second(xml, 'protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"'),
    ],
    [
      'is in a list of one with a service of its own',
      (xml) =>
        `<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata">${xml}<md:EntityDescriptor entityID="https://sp.test"><md:SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"/></md:EntityDescriptor></md:EntitiesDescriptor>`,
    ],
  ];
  for (const [what, change] of shapes) {
    it(`${what}: signs its people in`, async () => {
      provider.publish({ change });
      await save();
      const { end, test } = await tryLogin();
      provider.publish({});
      assert.equal(end, 'ok', JSON.stringify(test));
    });
  }

  it('of several providers, of none, or with HTTP-POST alone is refused by a sentence that says so', async () => {
    const entity = (xml: string, id: string) => xml.replace(/entityID="[^"]+"/, `entityID="${id}"`);
    const list = (...all: string[]) =>
      `<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata">${all.join('')}</md:EntitiesDescriptor>`;
    const cases: [change: (xml: string) => string, sentence: RegExp][] = [
      [(xml) => list(xml, entity(xml, 'https://other.test')), /describes 2 identity providers\. Paste the EntityDescriptor of yours alone/],
      [(xml) => xml.replaceAll('IDPSSODescriptor', 'SPSSODescriptor'), /describes no identity provider/],
      [(xml) => xml.replace('HTTP-Redirect', 'HTTP-POST'), /HTTP-POST binding only.*Switch that binding on/],
    ];
    for (const [change, sentence] of cases) {
      provider.publish({ change });
      assert.match(await fault({ metadataUrl: provider.metadataUrl }), sentence);
    }
    provider.publish({});
  });

  it('is followed to where it moved, within the rules for addresses', async () => {
    provider.redirect('/metadata');
    assert.equal((await put({ metadataUrl: `${base()}/moved` })).status, 200);
    provider.redirect('http://169.254.169.254/latest');
    assert.match(await fault({ metadataUrl: `${base()}/moved` }), /^metadataUrl: /);
    provider.redirect('/moved');
    assert.match(await fault({ metadataUrl: `${base()}/moved` }), /redirected more than 5 times/);
    provider.redirect('/metadata');
  });

  it('that was pasted signs people in, is kept when it is left out, and is read at no address', async () => {
    const saved = await put({ metadataXml: provider.metadata() });
    assert.deepEqual([saved.status, saved.body.metadataUrl, saved.body.protocol], [200, null, 'saml'], saved.text);
    assert.ok(saved.body.certificateExpiresAt);
    assert.equal((await tryLogin()).end, 'ok');
    const before = provider.readings();
    assert.equal((await put({ emailDomains: ['portal.test', 'other.test'] })).status, 200);
    assert.equal((await tryLogin()).end, 'ok');
    assert.equal((await tryLogin({ key: 'other' })).end, 'key_unknown');
    assert.equal((await service.call('POST', '/sso/connection/refresh', { as: 'owner' })).body.code, 'invalid_state');
    assert.equal(provider.readings(), before);
    await save();
  });

  it('is refused at its field: broken, missing, or given twice', async () => {
    await save();
    assert.match(await fault({ metadataXml: '<md:Entity' }), /^metadataXml: /);
    assert.match(await fault({ metadataXml: provider.metadata(), metadataUrl: provider.metadataUrl }), /not both/);
    assert.match(await fault({}), /^metadataUrl: Enter the address/);
  });
});

describe('a person with several addresses inside the domains', () => {
  const send = (...addresses: string[]) => tryLogin({ attributes: { mail: addresses } });

  it('is the member whose address is among them', async () => {
    const { end, test } = await send('kate@portal.test', OWNER);
    assert.deepEqual([end, test.email], ['ok', OWNER]);
  });

  it('is the first where none or several are members’', async () => {
    assert.deepEqual((({ end, test }) => [end, test.email])(await send('kate@portal.test', 'k@portal.test')), [
      'no_member',
      'kate@portal.test',
    ]);
    const { moderator } = service.world.people;
    assert.equal((await send(moderator.email, OWNER)).test.email, moderator.email);
  });
});

describe('a session', () => {
  const ending = (at: string): SamlShape => ({
    before: (xml) =>
      xml.replace(
        '</saml:Subject>',
        `</saml:Subject><saml:AuthnStatement AuthnInstant="${new Date().toISOString()}" SessionNotOnOrAfter="${at}"/>`,
      ),
  });
  async function expiryOf(shape: SamlShape): Promise<number> {
    const browser = openBrowser(service);
    const { next } = await browser.step(new URL(`${BASE}/sso/acme/start`));
    assert.ok(next);
    const back = await browser.post(ACS, provider.respond(next, OWNER, shape));
    const { status, body } = await browser.exchange(back.searchParams.get('code') ?? '');
    assert.equal(status, 200, back.href);
    return Date.parse(body.expiresAt);
  }

  it('ends with the provider’s, and as always where that names no end', async () => {
    assert.equal((await tryLogin()).end, 'ok');
    const end = new Date(Math.floor(Date.now() / 1000) * 1000 + 20 * MINUTE);
    assert.equal(await expiryOf(ending(end.toISOString())), end.getTime());
    assert.ok((await expiryOf({})) > end.getTime());
    const far = new Date(Date.now() + 365 * 24 * 60 * MINUTE).toISOString();
    assert.ok((await expiryOf(ending(far))) < Date.parse(far), 'never longer than ours');
  });

  it('that is over at the provider, or whose end cannot be read, does not begin', async () => {
    const { end, test } = await tryLogin(ending(new Date(Date.now() - MINUTE).toISOString()));
    assert.equal(end, 'clock_differs');
    assert.match(test.detail, /session at the provider ended/);
    assert.equal((await tryLogin(ending('tomorrow'))).end, 'answer_not_valid');
  });
});

describe('what a provider writes', () => {
  it('is shown as its words: nested status and message', async () => {
    const { end, test, back } = await tryLogin({
      refusal: { codes: ['Responder', 'RequestDenied'], message: 'You are not assigned to this app.' },
    });
    assert.deepEqual([end, test.detail], ['provider_refused', 'The provider refused the login.']);
    assert.equal(test.providerSaid, 'Responder › RequestDenied: You are not assigned to this app.');
    assert.equal(new URLSearchParams(back.hash.slice(1)).get('said'), test.providerSaid);
    assert.equal(
      (await tryLogin({ refusal: { codes: ['Requester', 'InvalidNameIDPolicy'] } })).test.providerSaid,
      'Requester › InvalidNameIDPolicy',
    );
  });

  it('is shown by the test login as it was received: attributes, signatures, clocks', async () => {
    const shape: SamlShape = { signs: 'both', attributes: { mail: [OWNER], groups: ['a', 'b'] }, skewMs: -2 * MINUTE };
    const { test } = await tryLogin(shape);
    assert.deepEqual([test.claims.mail, test.claims.groups, test.claims.NameID], [OWNER, 'a; b', OWNER]);
    assert.deepEqual(
      test.signatures.map(({ over, algorithm, verdict }: Record<string, string>) => [over, algorithm, verdict]),
      [['response', 'rsa-sha256, digest sha256', 'verified']],
    );
    assert.match(test.signatures[0].key, /^[0-9a-f]{64}$/);
    const apart = Date.parse(test.at) - Date.parse(test.providerTime);
    assert.ok(apart > MINUTE && apart < 60 * MINUTE, 'both clocks');
    const refused = (await tryLogin({ nameId: { text: 'k8' }, attributes: { uid: ['owner'] } })).test;
    assert.deepEqual(refused.claims.uid, 'owner', 'also when it was refused');
    assert.equal((await tryLogin({ key: 'other' })).test.signatures[0].verdict, 'key_unknown');
  });
});
