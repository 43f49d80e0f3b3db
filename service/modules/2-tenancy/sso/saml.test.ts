import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { OWN_CERTIFICATE } from '@partner-portal/tests/harness/saml-keys.ts';
import { type SamlForgery, startSamlProvider, type TestSaml } from '@partner-portal/tests/harness/saml-provider.ts';
import { startTestService, type TestCall, type TestService } from '@partner-portal/tests/harness/service.ts';
import { openBrowser, type SsoBrowser } from '@partner-portal/tests/harness/sso-browser.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import { createOidc } from '#adapters/oidc.ts';
import { createSaml } from '#adapters/saml.ts';
import { createComputePool, defineTask } from '#platform/compute/compute-pool.ts';
import type { hold } from '#platform/compute/test-tasks.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { createSafeFetch, type SafeFetch } from '#platform/outbound/safe-fetch.ts';
import { sso } from './index.ts';

const BASE = 'http://portal.test';
const ACS = `${BASE}/sso/acme/acs`;
const OWNER = 'owner@portal.test';
/** Harmless one by one, not in large numbers. */
const COMMENT = '<!-- -->';
const MANY_COMMENTS = COMMENT.repeat(4_000);
/** A partner has one of the two threads, and waits for it no longer than this. */
const compute = createComputePool({ threads: 2, waitMs: 100 });
const NAMESPACES = Array.from({ length: 7_000 }, (_, at) => `xmlns:p${at}="u" `).join('');
let provider: TestSaml;
let service: TestService;
let browser: SsoBrowser;
let refreshMetadata: () => Promise<void>;
let silent: Awaited<ReturnType<typeof startSilent>>;

/** Starts a provider that accepts every request and never responds. */
async function startSilent() {
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  const hangUp = (): void => server.closeAllConnections();
  const close = (): void => void server.close().closeAllConnections();
  return { host: `127.0.0.1:${port}`, hangUp, close };
}

before(async () => {
  provider = await startSamlProvider({ entityId: `${BASE}/sso/acme/metadata`, acsUrl: ACS });
  silent = await startSilent();
  const guarded = createSafeFetch({ allowedHosts: [new URL(provider.metadataUrl).host, silent.host] });
  // Long enough that a silent provider ends a request only by hanging up, also on a busy machine.
  const fetch: SafeFetch = { ...guarded, call: (call) => guarded.call({ ...call, timeoutMs: 600_000 }) };
  service = await startTestService({
    modules: (platform) => {
      const module = sso({
        ...platform,
        fetch,
        oidc: createOidc({ fetch, clock: platform.clock, allowsHttp: () => true }),
        saml: createSaml({ fetch, compute, clock: platform.clock, deadlineMs: 600_000 }),
        isProduction: false,
      });
      refreshMetadata = module.refreshMetadata;
      return [module];
    },
  });
  assert.equal((await save()).status, 200);
  browser = openBrowser(service);
  await verifyConnection();
});
after(async () => {
  await service.close();
  await compute.close();
  silent.close();
  await provider.close();
});
beforeEach(() => (browser = openBrowser(service)));

/** Returns the provider's metadata with another sign-on address. */
const sendingTo = (location: string) =>
  provider.metadata().replace(/(<(?:\w+:)?SingleSignOnService[^>]* Location=")[^"]*/g, `$1${location}`);
const CERTIFICATE = OWN_CERTIFICATE.replaceAll(/-----[^-]+-----|\s/g, '');
/** Returns the certificate with an invalid end date (its only time with a four-digit year). */
function endless(certificate: string): string {
  const der = Buffer.from(certificate, 'base64');
  der.write('99999999999999Z', der.indexOf(Buffer.from([0x18, 0x0f])) + 2, 'latin1');
  return der.toString('base64');
}
const save = (metadataUrl = provider.metadataUrl) =>
  service.call('PUT', '/sso/connection', { as: 'owner', body: { protocol: 'saml', metadataUrl, emailDomains: ['portal.test'] } });
const read = async () => (await service.call('GET', '/sso/connection', { as: 'owner' })).body;
/** Starts a login and returns the provider's address to which the browser is sent. */
async function startLogin(start = `${BASE}/sso/acme/start`): Promise<URL> {
  const { next } = await browser.step(new URL(start));
  assert.ok(next);
  return next;
}
/** Verifies the saved connection by a test login. */
async function verifyConnection(): Promise<void> {
  const { url } = (await service.call('POST', '/sso/connection/test', { as: 'owner' })).body;
  const back = await respond(await startLogin(url));
  assert.equal(back.searchParams.get('test'), 'ok', back.href);
}
const respond = async (request: URL, forgery: SamlForgery = {}) => browser.post(ACS, await provider.respond(request, OWNER, forgery));
const problemOf = (url: URL) => url.searchParams.get('problem');

describe('a SAML connection', () => {
  it('is read from the provider\u2019s metadata and shows what to paste there', async () => {
    const { status, body } = await save();
    assert.equal(status, 200);
    assert.deepEqual([body.protocol, body.acsUrl, body.entityId], ['saml', ACS, `${BASE}/sso/acme/metadata`]);
    assert.ok(Date.parse(body.certificateExpiresAt) > Date.now());
    const { text, headers } = await service.call('GET', '/sso/acme/metadata');
    assert.match(String(headers['content-type']), /xml/);
    assert.ok(text.includes(ACS) && text.includes('WantAssertionsSigned="true"'));
    await verifyConnection();
  });

  it('is refused for invalid metadata, a document type or a private address', async () => {
    const texts = {
      'no XML': 'hello',
      'another document': '<a/>',
      'an entity': `<!DOCTYPE a [<!ENTITY b "c">]>${provider.metadata()}`,
      'no certificate': provider.metadata().replace(/<(?:\w+:)?X509Certificate>[\s\S]*?<\/(?:\w+:)?X509Certificate>/g, ''),
      'too much markup': `${provider.metadata()}${MANY_COMMENTS}`,
      'an address that cannot be stored': sendingTo('https://provider.test/&#0;'),
      'an invalid address': sendingTo('https://a b['),
      'a certificate without a valid end date': provider.metadata().replaceAll(CERTIFICATE, endless(CERTIFICATE)),
      'no address': provider.metadata().replaceAll('HTTP-Redirect', 'HTTP-Artifact'),
    };
    for (const [what, text] of Object.entries(texts)) {
      provider.publish(text);
      const refused = await save();
      assert.deepEqual([refused.status, refused.body.errors?.[0]?.field], [422, 'metadataUrl'], what);
    }
    provider.publish('<!DOCTYPE html><title>Log in</title>');
    assert.match((await save()).body.errors[0].message, /shows a web page instead of metadata/);
    provider.publish(null);
    assert.equal((await save('http://10.0.0.1/metadata')).body.code, 'private_address');
    assert.equal((await read()).status, 'verified', 'a refused save changes nothing');
  });

  /** The certificate with another signature, which reading it does not check. */
  const variant = (n: number): string => {
    const der = Buffer.from(CERTIFICATE, 'base64');
    der[der.length - 1] = n;
    return der.toString('base64');
  };
  const signingWith = (...certificates: string[]) =>
    provider
      .metadata()
      .replace(/<(\w+:)?KeyDescriptor[\s\S]*?<\/\1KeyDescriptor>/, (key) =>
        certificates.map((one) => key.replace(CERTIFICATE, one)).join(''),
      );
  const kept = async () => {
    const of = (tx: SystemTx) => tx.selectFrom('ssoConnection').select('idpCertificates').where('partnerId', '=', service.world.partnerId);
    return (await service.db.asSystem('seed', (tx) => of(tx).executeTakeFirstOrThrow())).idpCertificates;
  };

  it('keeps a certificate once, however often and in whatever form it is repeated', async () => {
    const lines = CERTIFICATE.replaceAll(/(.{64})/g, '$1\n  ');
    provider.publish(signingWith(...Array.from({ length: 25 }, () => [CERTIFICATE, lines, `${CERTIFICATE}====`]).flat()));
    assert.equal((await save()).status, 200);
    assert.deepEqual(await kept(), [CERTIFICATE]);
    await verifyConnection();
  });

  it('has at most five certificates', async () => {
    const six = [CERTIFICATE, ...[1, 2, 3, 4, 5].map(variant)];
    provider.publish(signingWith(...six));
    const refused = await save();
    assert.deepEqual([refused.status, refused.body.errors?.[0]?.field], [422, 'metadataUrl']);
    assert.match(refused.body.errors[0].message, /6 different signing certificates; at most 5 are accepted/);
    provider.publish(signingWith(...six.slice(1), ...six.slice(1, 4)));
    assert.equal((await save()).status, 200);
    assert.deepEqual(await kept(), six.slice(1));
    const keep = (tx: SystemTx) => tx.updateTable('ssoConnection').set({ idpCertificates: six }).execute();
    await assert.rejects(service.db.asSystem('seed', keep), /check constraint/, 'nor does the table take more');
    provider.publish(null);
    assert.equal((await save()).status, 200);
    await verifyConnection();
  });

  const stale = () =>
    service.db.asSystem('seed', (tx) =>
      tx
        .updateTable('ssoConnection')
        .set({ metadataReadAt: new Date(0) })
        .execute(),
    );

  it('picks up new certificates, and shows a problem instead of trusting another provider', async () => {
    provider.publish(provider.metadata().replaceAll(provider.entityId, 'https://other.test/entity'));
    await stale();
    await refreshMetadata();
    assert.match((await read()).metadataProblem, /another provider/);
    assert.ok((await respond(await startLogin())).searchParams.get('code'), 'the earlier metadata still applies');
    // Metadata that cannot be stored is a problem of this provider only; those after it are still read.
    provider.publish(sendingTo('https://provider.test/&#0;'));
    await stale();
    await refreshMetadata();
    assert.match((await read()).metadataProblem, /no address/);
    provider.publish(null);
    await stale();
    await refreshMetadata();
    assert.equal((await read()).metadataProblem, null);
  });

  it('is read again while another provider does not respond', async () => {
    const rivalId = service.world.people.rivalOwner.partnerId;
    const readAt = async (partnerId: string) => {
      const of = (tx: SystemTx) =>
        tx.selectFrom('ssoConnection').select(['metadataReadAt', 'metadataProblem']).where('partnerId', '=', partnerId);
      return service.db.asSystem('seed', (tx) => of(tx).executeTakeFirstOrThrow());
    };
    await service.db.asSystem('seed', (tx) =>
      tx
        .insertInto('ssoConnection')
        .values({ partnerId: rivalId, protocol: 'saml', emailDomains: ['rival.test'], metadataUrl: `http://${silent.host}/metadata` })
        .execute(),
    );
    try {
      await stale();
      // The one read longest ago is read first.
      await service.db.asSystem('seed', (tx) =>
        tx
          .updateTable('ssoConnection')
          .set({ metadataReadAt: new Date(-1000) })
          .where('partnerId', '=', rivalId)
          .execute(),
      );
      const refreshing = refreshMetadata();
      await until('our own provider was read', async () => ((await readAt(service.world.partnerId)).metadataReadAt?.getTime() ?? 0) > 0);
      assert.deepEqual(
        await readAt(rivalId),
        { metadataReadAt: new Date(-1000), metadataProblem: null },
        'the silent provider is still being waited for',
      );
      assert.equal((await read()).metadataProblem, null);
      silent.hangUp();
      await refreshing;
      assert.notEqual((await readAt(rivalId)).metadataProblem, null);
    } finally {
      await service.db.asSystem('seed', (tx) => tx.deleteFrom('ssoConnection').where('partnerId', '=', rivalId).execute());
    }
  });
});

describe('a SAML response', () => {
  it('that is valid opens a session of its member', async () => {
    const code = (await respond(await startLogin())).searchParams.get('code') ?? '';
    const { status, body } = await browser.exchange(code);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual([body.user.email, body.user.authMethod], [OWNER, 'saml']);
  });

  const hour = 3_600_000;
  const escaped = 'evil@portal.test';
  /** Moves the signed assertion to another place and puts a forged one where a parser reads it. */
  const wrap = (place: (forged: string, signed: string, xml: string) => string) => (xml: string) => {
    const signed = /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml)?.[0] ?? '';
    const forged = signed
      .replace(/<ds:Signature[\s\S]*?<\/ds:Signature>/, '')
      .replace('ID="_assertion-of-the-tests"', 'ID="_forged"')
      .replaceAll(OWNER, 'moderator@portal.test');
    return place(forged, signed, xml);
  };
  const attacks: Record<string, SamlForgery & { problem?: string }> = {
    'without a signature': { unsigned: true, problem: 'not_signed' },
    'signed by another key': { key: 'other' },
    'with an altered name': { after: (xml) => xml.replaceAll(OWNER, 'moderator@portal.test') },
    'with an altered audience': { after: (xml) => xml.replace('/sso/acme/metadata', '/sso/rival/metadata') },
    'for another audience': { audience: `${BASE}/sso/rival/metadata` },
    'for another recipient': { recipient: `${BASE}/sso/rival/acs` },
    'of another issuer': { issuer: 'https://evil.test/entity' },
    'that has expired': { notOnOrAfter: new Date(Date.now() - hour), problem: 'clock_differs' },
    'that is not valid yet': { notBefore: new Date(Date.now() + hour), problem: 'clock_differs' },
    'to an unknown request': { inResponseTo: '_unknown-request' },
    'to no request at all': { inResponseTo: null },
    'with the signed assertion beside a forged one': { after: wrap((forged, signed, xml) => xml.replace(signed, forged + signed)) },
    'with a forged assertion behind the signed one': { after: wrap((forged, signed, xml) => xml.replace(signed, signed + forged)) },
    'with the signed assertion inside a forged one': {
      problem: 'not_signed',
      after: wrap((forged, signed, xml) =>
        xml.replace(signed, forged.replace('</saml:Assertion>', `<saml:Advice>${signed}</saml:Advice></saml:Assertion>`)),
      ),
    },
    'with the signed assertion in an extension': {
      problem: 'not_signed',
      after: wrap((forged, signed, xml) => xml.replace(signed, `<samlp:Extensions>${signed}</samlp:Extensions>${forged}`)),
    },
    'with the forged assertion under the id of the signed one': {
      after: wrap((forged, signed, xml) => xml.replace(signed, forged.replace('_forged', '_assertion-of-the-tests') + signed)),
    },
    'with a document type': { after: (xml) => `<!DOCTYPE a [<!ENTITY b "c">]>${xml}` },
    'with thousands of namespaces': { after: (xml) => xml.replace(/<\w+:Response /, (tag) => tag + NAMESPACES) },
    'with a heap of markup': { after: (xml) => xml + MANY_COMMENTS },
    'that is no XML': { after: () => 'hello' },
    'that is empty': { after: () => '', problem: 'answer_not_readable' },
  };
  for (const [what, { problem = 'answer_not_valid', ...forgery }] of Object.entries(attacks)) {
    it(`${what} is refused`, async () => {
      const back = await respond(await startLogin(), forgery);
      assert.deepEqual([problemOf(back), back.searchParams.get('code')], [problem, null]);
    });
  }

  it('whose name contains a comment identifies no other user', async () => {
    // Signatures survive comments; a parser that stops at one would read another address.
    for (const cut of [`${OWNER}<!-- x -->.evil.test`, `own<!-- x -->er@portal.test`]) {
      const back = await respond(await startLogin(), { email: escaped, after: (xml) => xml.replace(escaped, cut) });
      assert.equal(back.searchParams.get('code'), null, cut);
    }
    const split = await respond(await startLogin(), { after: (xml) => xml.replace(OWNER, `own<!-- -->er@portal.test`) });
    const code = split.searchParams.get('code');
    if (code !== null) assert.equal((await browser.exchange(code)).body.user.email, OWNER, 'the whole name or no user');
  });

  it('that refuses the login is shown as a refusal', async () => {
    const back = await respond(await startLogin(), { statusCode: 'urn:oasis:names:tc:SAML:2.0:status:Responder' });
    assert.deepEqual([problemOf(back), back.searchParams.get('code')], ['provider_refused', null]);
  });

  it('works once, and with the request of its own browser only', async () => {
    const request = await startLogin();
    const posted = await provider.respond(request, OWNER);
    assert.equal(problemOf(await openBrowser(service).post(ACS, posted)), 'answer_not_valid');
    assert.equal(problemOf(await browser.post(ACS, posted)), 'expired', 'the try in another browser has used it up');
    const second = await provider.respond(await startLogin(), OWNER);
    assert.ok((await browser.post(ACS, second)).searchParams.get('code'));
    assert.equal(problemOf(await browser.post(ACS, second)), 'expired');
    const third = await startLogin();
    const replay = { ...second, RelayState: third.searchParams.get('RelayState') ?? '' };
    assert.equal(problemOf(await browser.post(ACS, replay)), 'answer_not_valid', 'an old response with a fresh relay state');
  });

  it('works at its own partner only', async () => {
    const posted = await provider.respond(await startLogin(), OWNER);
    assert.equal(problemOf(await browser.post(`${BASE}/sso/rival/acs`, posted)), 'answer_not_valid');
  });

  it('signs in members inside the domains only', async () => {
    for (const [email, problem] of [
      ['owner@elsewhere.test', 'email_outside_domains'],
      ['stranger@portal.test', 'no_member'],
      [service.world.people.clientUser.email, 'no_member'],
    ] as const) {
      assert.equal(problemOf(await respond(await startLogin(), { email })), problem, email);
    }
  });

  it('waits for its turn among others of its partner, and delays no other partner', async () => {
    const until = new Int32Array(new SharedArrayBuffer(4));
    const started = new Int32Array(new SharedArrayBuffer(4));
    const file = new URL('../../../platform/compute/test-tasks.ts', import.meta.url);
    const holding = defineTask<typeof hold>({ file, name: 'hold', deadlineMs: 3_600_000 });
    const held = compute.run(holding, { until, started }, { key: service.world.partnerId, bytes: 1 });
    const busy = await respond(await startLogin());
    assert.deepEqual([problemOf(busy), busy.searchParams.get('code')], ['too_busy', null]);
    const refused = await save();
    assert.deepEqual([refused.status, refused.body.code], [503, 'service_unavailable']);
    assert.ok(Number(refused.headers['retry-after']) > 0);
    const body = { protocol: 'saml', metadataUrl: provider.metadataUrl, emailDomains: ['rival.test'] };
    assert.equal((await service.call('PUT', '/sso/connection', { as: 'rivalOwner', body })).status, 200);
    Atomics.store(until, 0, 1);
    await held;
    assert.ok((await respond(await startLogin())).searchParams.get('code'));
  });

  it('must be a form within the size limit; a person reads about anything else', async () => {
    const unreadable: [what: string, call: TestCall, problem: string][] = [
      ['JSON', { body: { SAMLResponse: 'x', RelayState: 'y' } }, 'expired'],
      ['no parameter at all', { body: {} }, 'answer_not_readable'],
      [
        'another parameter',
        { rawBody: 'SAMLRequest=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
        'answer_not_readable',
      ],
      ['another media type', { rawBody: '<a/>', headers: { 'content-type': 'text/xml' } }, 'answer_not_readable'],
      ['broken JSON', { rawBody: '{', headers: { 'content-type': 'application/json' } }, 'answer_not_readable'],
    ];
    for (const [what, call, problem] of unreadable) {
      const reply = await service.call('POST', '/sso/acme/acs', call);
      assert.equal(reply.status, 302, what);
      assert.equal(problemOf(new URL(String(reply.headers['location']))), problem, what);
    }
    const long = await respond(await startLogin(), { after: (xml) => xml + ' '.repeat(130_000) });
    assert.equal(problemOf(long), 'answer_not_valid');
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const huge = await service.call('POST', '/sso/acme/acs', { rawBody: `SAMLResponse=${'A'.repeat(262_144)}&RelayState=x`, headers });
    assert.deepEqual([huge.status, problemOf(new URL(String(huge.headers['location'])))], [302, 'answer_not_readable']);
    const commented = await respond(await startLogin(), { after: (xml) => xml + COMMENT.repeat(100) });
    assert.ok(commented.searchParams.get('code'));
  });
});
