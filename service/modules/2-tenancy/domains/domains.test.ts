import assert from 'node:assert/strict';
import { request } from 'node:http';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { partnerOfInstallToken } from '@partner-portal/core/tenancy/install.ts';
import type { AddressAnswer, TxtAnswer } from '@partner-portal/core/tenancy/domain-check.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import { PASSWORD, type Person } from '@partner-portal/tests/harness/world.ts';
import { clients } from '#modules/2-tenancy/clients/index.ts';
import { invitations } from '#modules/2-tenancy/invitations/index.ts';
import { installLinks } from '#modules/2-tenancy/install/index.ts';
import { sendResetLink } from '#modules/2-tenancy/identity/passwords/request-reset.ts';
import { type NoticeConnection, type Notices, openNotices } from '#platform/notify.ts';
import { newsletter } from '#modules/2-tenancy/newsletter/index.ts';
import { createServedHosts, domains, type ServedHosts } from './index.ts';
import { domainsChanged } from './served-hosts.ts';

const HOST = 'portal.agency.test';
const DAY_MS = 86_400_000;
const ROUTE = '/partners/me/domain';
const records = new Map<string, TxtAnswer>();
let address: AddressAnswer;
let now = new Date();
let origin: string;
let dist: string;
let served: ServedHosts;
let service: TestService;
let module: ReturnType<typeof domains>;
let notices: Notices & NoticeConnection;
let servedDeps: () => Omit<Parameters<typeof createServedHosts>[0], 'notices'>;
before(async () => {
  dist = await mkdtemp(join(tmpdir(), 'portal-'));
  await mkdir(join(dist, 'assets'));
  await writeFile(
    join(dist, 'index.html'),
    '<!doctype html><html><head><title>Portal</title><link rel="icon" href="/portal-mark.svg" /></head><body><div id="root"></div></body></html>',
  );
  service = await startTestService({
    portalDir: dist,
    clock: { now: () => now },
    findOwnHost: ({ db, log, baseUrl, database }) => {
      notices = openNotices(database.configFor('portal_service'), log);
      servedDeps = () => ({ db, log, baseUrl, linksOf: (brand) => installLinks('secret', brand) });
      served = createServedHosts({ ...servedDeps(), notices: null });
      return served.find;
    },
    modules: (platform) => {
      module = domains({
        ...platform,
        served,
        lookup: { texts: async (name) => records.get(name) ?? { kind: 'none' }, address: async () => address },
        settings: { cnameTarget: 'portal.test', checkHours: 24, graceDays: 3 },
      });
      return [module, platform.mail, invitations(platform), clients(platform), newsletter(platform)];
    },
  });
  origin = await service.listen();
});
after(async () => {
  await notices?.close();
  await service?.close();
  await rm(dist, { recursive: true, force: true });
});
beforeEach(async () => {
  records.clear();
  address = 'found';
  now = new Date();
  await service.db.asSystem('seed', (tx) => tx.deleteFrom('partnerDomain').execute());
  for (const partnerId of [service.world.partnerId, service.world.rivalPartnerId]) await service.limits.forget('domainCheck', partnerId);
  await setFeature(true);
});

type Answer = { status: number; headers: Record<string, unknown>; text: string };
/** One request over a socket, with a Host header of its own. */
function ask(
  host: string,
  path: string,
  {
    method = 'GET',
    as,
    body,
    headers = {},
    to = origin,
  }: { method?: string; as?: Person; body?: object; headers?: object; /** Origin of the service. */ to?: string } = {},
) {
  return new Promise<Answer>((resolve, reject) => {
    const all = {
      ...(as ? service.bearer(as) : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(path.startsWith('/auth') || path.startsWith('/partners') ? {} : { accept: 'text/html' }),
      ...headers,
      host,
    };
    const sent = request(`${to}${path}`, { method, headers: all }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    sent.on('error', reject);
    sent.end(body ? JSON.stringify(body) : undefined);
  });
}
const codeOf = ({ status, text }: Answer): [number, unknown] => [status, status === 200 || status === 204 ? null : JSON.parse(text).code];
const put = (host: string, as: Person = 'owner') => service.call('PUT', ROUTE, { as, body: { host } });
const verify = (as: Person = 'owner') => service.call('POST', `${ROUTE}/verify`, { as });
async function claim(host = HOST, as: Person = 'owner'): Promise<void> {
  const { body } = await put(host, as);
  records.set(body.domain.txtName, { kind: 'found', values: [body.domain.txtValue] });
}
async function own(host = HOST, as: Person = 'owner'): Promise<void> {
  await claim(host, as);
  const { body } = await verify(as);
  assert.equal(body.domain.status, 'verified');
}
async function setFeature(customDomain: boolean): Promise<void> {
  const overrides = JSON.stringify({ features: { customDomain } });
  await service.db.asSystem('seed', (tx) => tx.updateTable('subscription').set({ overrides }).execute());
  served.forget();
}
const mails = (kind: string) =>
  service.db.asSystem('seed', (tx) => tx.selectFrom('mail').select(['toAddress', 'subject']).where('kind', '=', kind).execute());
/** The origins of the links in the newest mail of a kind to an address. */
async function linksIn(kind: string, to: string): Promise<string[]> {
  const { id } = await service.db.asSystem('seed', (tx) =>
    tx
      .selectFrom('mail')
      .select('id')
      .where('kind', '=', kind)
      .where('toAddress', '=', to)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow(),
  );
  const { text } = await service.call('GET', `/provisioning/mail/${id}`, { as: 'staff' });
  return [...new Set([...text.matchAll(/https?:\/\/[^/"\\ ]+/g)].map(([one]) => one))].filter((one) => !one.includes('w3.org'));
}

describe('naming a domain', () => {
  it('answers with the records to set, in ASCII, and the state', async () => {
    const { status, body } = await put(' Pörtal.Agency.TEST. ');
    assert.equal(status, 200);
    const { host, txtName, txtValue, cnameTarget, isServed } = body.domain;
    assert.deepEqual([host, body.domain.status, isServed, cnameTarget], ['xn--prtal-jua.agency.test', 'pending', false, 'portal.test']);
    assert.equal(txtName, `_portal-verification.${host}`);
    assert.match(txtValue, /^portal-verification=[\w-]{32}$/);
    const again = await put('xn--prtal-jua.agency.test');
    assert.equal(again.body.domain.txtValue, txtValue, 'the same host keeps its value');
    assert.deepEqual((await service.call('GET', ROUTE, { as: 'moderator' })).body, again.body);
  });

  it('refuses what is no host of an agency', async () => {
    for (const host of ['portal.test', 'a.portal.test', '127.0.0.1', 'co.uk', 'localhost', 'https://x.test', 'x.test:80']) {
      const { status, body } = await put(host);
      assert.deepEqual([status, body.errors?.[0]?.field], [422, 'host'], host);
    }
  });

  it('is for admins of an agency whose plan includes it', async () => {
    const body = { host: HOST };
    await service.assertRefused(
      'PUT',
      ROUTE,
      { staff: 'role_forbidden', moderator: 'partner_role_forbidden', clientUser: 'role_forbidden' },
      body,
    );
    await service.assertRefused('GET', ROUTE, { staff: 'role_forbidden', clientUser: 'role_forbidden' });
    await setFeature(false);
    assert.deepEqual([(await put(HOST)).body.code, (await verify()).body.code], ['plan_feature_required', 'plan_feature_required']);
    assert.deepEqual((await service.call('GET', ROUTE, { as: 'owner' })).body, { available: false, domain: null });
  });
});

describe('who has a host', () => {
  it('is who proves it first; claims of others stay claims', async () => {
    await claim(HOST, 'rivalOwner');
    await own(HOST, 'owner');
    const late = await verify('rivalOwner');
    // The record now holds the value of the owner; then the rival gets its own in as well.
    assert.deepEqual([late.body.domain.status, late.body.domain.problem], ['pending', 'wrong_value']);
    const { txtName, txtValue } = late.body.domain;
    records.set(txtName, { kind: 'found', values: [txtValue] });
    const taken = await verify('rivalOwner');
    assert.deepEqual([taken.body.domain.status, taken.body.domain.problem], ['pending', 'taken']);
    await service.call('DELETE', ROUTE, { as: 'rivalOwner' });
    assert.deepEqual((await put(HOST.toUpperCase(), 'rivalOwner')).body.code, 'already_exists');
    assert.equal((await put('other.rival.test', 'rivalOwner')).status, 200);
  });

  it('is one of two that prove it at the same moment', async () => {
    const [mine, theirs] = [(await put(HOST)).body.domain, (await put(HOST, 'rivalOwner')).body.domain];
    records.set(mine.txtName, { kind: 'found', values: [mine.txtValue, theirs.txtValue] });
    const both = await Promise.all([verify(), verify('rivalOwner')]);
    assert.deepEqual(
      both.map(({ status }) => status),
      [200, 200],
    );
    assert.deepEqual(both.map(({ body }): string => body.domain.status).toSorted(), ['pending', 'verified']);
  });

  it('passes on once the record is gone for days: warned, stopped, and back by itself', async () => {
    await own();
    records.clear();
    address = 'found';
    const start = now.getTime();
    const later = async (days: number) => {
      now = new Date(start + days * DAY_MS);
      await module.recheck();
      return (await service.call('GET', ROUTE, { as: 'owner' })).body.domain;
    };
    const missed = await later(1.1);
    assert.deepEqual([missed.status, missed.problem, missed.isServed], ['verified', 'record_missing', true]);
    assert.ok(missed.servedUntil);
    assert.deepEqual(
      (await mails('domain_failing')).map(({ toAddress }) => toAddress),
      ['owner@portal.test'],
    );
    await put(HOST, 'rivalOwner').then(({ body }) => assert.equal(body.code, 'already_exists'));
    for (const days of [2.2, 3.3, 4.5]) await later(days);
    const stopped = await later(4.6);
    assert.deepEqual([stopped.status, stopped.isServed], ['failing', false]);
    assert.equal((await mails('domain_stopped')).length, 1);
    assert.equal((await mails('domain_failing')).length, 1, 'warned once');
    assert.match((await ask(HOST, '/login')).text, /<title>Portal<\/title>/);
    records.set(stopped.txtName, { kind: 'found', values: [stopped.txtValue] });
    assert.deepEqual([(await later(6)).status, (await ask(HOST, '/login')).text.includes('Acme Agency')], ['verified', true]);
  });

  it('that the plan no longer includes is not missed by mail when its record goes, but for one that it includes', async () => {
    await own();
    await own('portal.rival.test', 'rivalOwner');
    await setFeature(false);
    const overrides = JSON.stringify({ features: { customDomain: true } });
    const { rivalPartnerId } = service.world;
    await service.db.asSystem('seed', (tx) =>
      tx.updateTable('subscription').set({ overrides }).where('partnerId', '=', rivalPartnerId).execute(),
    );
    await service.db.asSystem('seed', (tx) => tx.deleteFrom('mail').execute());
    records.clear();
    address = 'found';
    const start = now.getTime();
    for (const days of [1.1, 4.5, 4.6]) {
      now = new Date(start + days * DAY_MS);
      await module.recheck();
    }
    for (const kind of ['domain_failing', 'domain_stopped'])
      assert.deepEqual((await mails(kind)).map(({ toAddress }) => toAddress), ['rivalowner@portal.test'], kind); // prettier-ignore
    assert.equal((await service.call('GET', ROUTE, { as: 'owner' })).body.domain.status, 'failing');
  });

  it('may be checked ten times a minute', async () => {
    await put(HOST);
    const codes = [];
    for (let n = 0; n < 14; n += 1) codes.push((await verify()).body.code);
    assert.equal(codes.includes('rate_limited'), true);
  });
});

describe('a request for a verified host', () => {
  it('gets the page with the look of the agency from the first byte, however the host is written', async () => {
    await service.db.asSystem('seed', (tx) =>
      tx
        .updateTable('partner')
        .set({ name: 'A<b>&"cme</script>', brandColor: '#1f4e8c' })
        .where('id', '=', service.world.partnerId)
        .execute(),
    );
    await own();
    for (const host of [HOST, HOST.toUpperCase(), `${HOST}.`, `${HOST}:8443`]) {
      const { status, text } = await ask(host, '/login');
      assert.equal(status, 200, host);
      assert.match(text, /<title>A&lt;b&gt;&amp;&quot;cme&lt;\/script&gt;<\/title>/);
      assert.match(text, /<meta name="theme-color" content="#1f4e8c" \/>/);
      const manifest = /<link rel="manifest" href="([^"]+)" \/>/.exec(text)?.[1] ?? '';
      const [path = '', token = ''] = manifest.split('?agency=');
      assert.deepEqual([path, partnerOfInstallToken('secret', token)], ['/manifest.webmanifest', service.world.partnerId]);
      assert.match(text, /<link rel="apple-touch-icon" href="\/brand-icons\/[^"]+" \/>/);
      assert.doesNotMatch(text, /Portal|portal-mark|cme<\/script/);
      const data = /id="own-host">([^<]*)</.exec(text)?.[1] ?? '';
      assert.equal(JSON.parse(data).name, 'A<b>&"cme</script>');
    }
    await service.db.asSystem('seed', (tx) =>
      tx.updateTable('partner').set({ name: 'Acme Agency' }).where('id', '=', service.world.partnerId).execute(),
    );
    served.forget();
  });

  it('leads to no page of the team, of staff or about the platform', async () => {
    await own();
    assert.deepEqual([(await ask(HOST, '/')).status, (await ask(HOST, '/')).headers['location']], [302, '/login']);
    for (const path of [
      '/dashboard',
      '/admin/partners',
      '/signup',
      '/status',
      '/terms',
      '/privacy',
      '/login/callback',
      '/api/docs-json',
      '/%61pi/docs-json',
      '/api/%64ocs',
      '/api/docs/',
      '/api/docs/static/index.html',
      '/plans',
      '/sso/acme/brand',
    ])
      assert.equal((await ask(HOST, path)).status, 404, path);
    for (const path of ['/client', '/client/agents', '/forgot-password', '/invite/x'])
      assert.equal((await ask(HOST, path)).status, 200, path);
    assert.equal((await ask('portal.test', '/plans')).status, 404, 'no such module here');
    for (const path of ['/dashboard', '/api/docs-json', '/%61pi/docs-json', '/api/docs/'])
      assert.equal((await ask('portal.test', path)).status, 200, path);
  });

  it('knows nothing of the newsletter of the platform', async () => {
    await own();
    const subscribe = (host: string) =>
      ask(host, '/newsletter/subscribe', { method: 'POST', body: { email: 'reader@news.test' }, headers: { accept: 'application/json' } });
    assert.deepEqual([(await subscribe(HOST)).status, (await subscribe('portal.test')).status], [404, 202]);
    for (const [method, path, onMain] of [
      ['GET', '/newsletter/confirm?token=x', 404],
      ['GET', '/newsletter/unsubscribe?token=x', 302],
      ['POST', '/newsletter/unsubscribe?token=x', 404],
    ] as const) {
      const answer = (host: string) => ask(host, path, { method, headers: { accept: 'application/json' } });
      assert.equal((await answer(HOST)).status, 404, path);
      assert.equal((await answer('portal.test')).status, onMain, path);
    }
  });

  it('lets in the clients of the agency only, and refuses all others like a wrong password', async () => {
    await own();
    const logIn = (email: string, password = PASSWORD, host = HOST) =>
      ask(host, '/auth/login', { method: 'POST', body: { email, password } });
    assert.equal((await logIn('clientuser@portal.test')).status, 200);
    const wrong = await logIn('clientuser@portal.test', 'not the password');
    for (const email of ['rivalclientuser', 'rivalowner', 'staff']) {
      const refused = await logIn(`${email}@portal.test`);
      const strip = ({ text }: Answer) => ({ ...JSON.parse(text), requestId: null });
      assert.deepEqual([refused.status, strip(refused)], [wrong.status, strip(wrong)], email);
      assert.equal((await logIn(`${email}@portal.test`, PASSWORD, 'portal.test')).status, 200, email);
    }
    // The agency's own team reads where to go, once the password is right.
    assert.deepEqual(codeOf(await logIn('owner@portal.test')), [403, 'role_forbidden']);
    assert.equal(JSON.parse((await logIn('owner@portal.test')).text).loginUrl, 'http://portal.test/login');
    assert.deepEqual(codeOf(await logIn('owner@portal.test', 'not the password')), [401, 'invalid_credentials']);
  });

  it('refuses the sessions of all others, and views of the agency’s own clients', async () => {
    await own();
    const me = (as: Person, host = HOST) => ask(host, '/auth/me', { as });
    assert.deepEqual(codeOf(await me('clientUser')), [200, null]);
    for (const person of ['staff', 'owner', 'moderator', 'rivalOwner', 'rivalClientUser'] as const) {
      const refused = await me(person);
      assert.deepEqual(codeOf(refused), [401, 'unauthenticated'], person);
      assert.match(JSON.parse(refused.text).type, /^http:\/\/portal\.agency\.test\/problems\//);
      assert.deepEqual(codeOf(await me(person, 'portal.test')), [200, null], person);
    }
    const { accessToken } = (
      await service.call('POST', '/auth/view-as', { as: 'owner', body: { clientId: service.world.clientId, reason: 'a test' } })
    ).body;
    const authorization = `Bearer ${accessToken}`;
    assert.deepEqual(codeOf(await ask(HOST, '/auth/me', { headers: { authorization } })), [401, 'unauthenticated']);
    assert.deepEqual(codeOf(await ask('portal.test', '/auth/me', { headers: { authorization } })), [200, null]);
  });

  it('opens invitations and reset links of the agency’s clients only', async () => {
    await own();
    const invite = async (as: Person, body: object) => (await service.call('POST', '/invitations', { as, body })).body.acceptUrl as string;
    const ours = await invite('owner', { kind: 'client_user', email: 'new@client.test', clientId: service.world.clientId });
    assert.match(ours, /^http:\/\/portal\.agency\.test\/invite\//);
    const team = await invite('owner', { kind: 'team', email: 'new@team.test' });
    const rival = await invite('rivalOwner', { kind: 'client_user', email: 'new@rival.test', clientId: service.world.rivalClientId });
    for (const other of [team, rival]) assert.match(other, /^http:\/\/portal\.test\/invite\//);
    const read = async (link: string, host: string) =>
      codeOf(await ask(host, `/invitations/token/${link.split('/').at(-1) ?? ''}`, { headers: { accept: 'application/json' } }));
    assert.deepEqual(await read(ours, HOST), [200, null]);
    assert.deepEqual(await read(ours, 'portal.test'), [200, null]);
    for (const other of [team, rival])
      assert.deepEqual(
        [await read(other, HOST), await read(other, 'portal.test')],
        [
          [404, 'not_found'],
          [200, null],
        ],
      );
  });

  it('is open to pages of its own origin and to no other', async () => {
    await own();
    const allowed = async (host: string, from: string) =>
      (await ask(host, '/auth/me', { headers: { origin: from } })).headers['access-control-allow-origin'];
    assert.equal(await allowed(HOST, `http://${HOST}`), `http://${HOST}`);
    assert.equal(await allowed(HOST, 'https://site.test'), undefined);
    assert.equal(await allowed('portal.test', 'https://site.test'), 'https://site.test');
    assert.equal(await allowed('portal.test', `http://${HOST}`), undefined);
  });

  it('is like any other once the plan no longer includes it, and the claim stays', async () => {
    await own();
    await setFeature(false);
    assert.match((await ask(HOST, '/login')).text, /<title>Portal<\/title>/);
    const { body } = await service.call('GET', ROUTE, { as: 'owner' });
    assert.deepEqual([body.available, body.domain.status, body.domain.isServed], [false, 'verified', false]);
    await setFeature(true);
    assert.match((await ask(HOST, '/login')).text, /Acme Agency/);
    assert.equal((await service.call('DELETE', ROUTE, { as: 'owner' })).status, 204);
    assert.match((await ask(HOST, '/login')).text, /<title>Portal<\/title>/);
  });
});

describe('a host that is no one’s', () => {
  it('gets nothing of an agency, and costs neither a query nor memory', async () => {
    await own();
    await ask('warm.up.test', '/login');
    const before = served.size();
    const statements = await service.countStatements(async () => {
      for (let n = 0; n < 10_000; n += 1) await served.find(`host-${n}.unknown.test`);
    });
    assert.deepEqual([served.size(), statements <= 3], [before, true], 'at most one reading of the list: begin, read, commit');
    for (const host of ['host.unknown.test', `x${HOST}`, `${HOST}.evil.test`, `sub.${HOST}`, '127.0.0.1', 'localhost', '[::1]:80'])
      assert.match((await ask(host, '/login')).text, /<title>Portal<\/title>/, host);
    // No proxy is trusted here.
    assert.match((await ask('portal.test', '/login', { headers: { 'x-forwarded-host': HOST } })).text, /<title>Portal<\/title>/);
  });

  it('gets no certificate', async () => {
    await claim();
    const asked = async (name: string) => (await service.call('GET', `/domains/ask?domain=${encodeURIComponent(name)}`)).status;
    assert.deepEqual([await asked(HOST), await asked('unknown.test'), await asked('portal.test'), await asked('')], [404, 404, 404, 404]);
    await verify();
    assert.deepEqual([await asked(HOST), await asked(HOST.toUpperCase()), await asked(`sub.${HOST}`)], [200, 200, 404]);
    const { body } = await service.call('GET', `/domains/ask?domain=${HOST}`);
    assert.deepEqual(body, { served: true });
    await setFeature(false);
    assert.equal(await asked(HOST), 404);
  });

  it('is known to a TLS proxy however many names no one has a stranger invents', async () => {
    await own();
    const counted = await startTestService({
      countCallers: true,
      database: service.database,
      world: service.world,
      modules: (platform) => [
        domains({
          ...platform,
          served,
          lookup: { texts: async () => ({ kind: 'none' }), address: async () => 'none' },
          settings: { cnameTarget: 'portal.test', checkHours: 24, graceDays: 3 },
        }),
      ],
    });
    try {
      const asked = async (name: string) => (await counted.call('GET', `/domains/ask?domain=${name}`)).status;
      for (let n = 0; n < 150; n += 1) assert.equal(await asked(`invented-${n}.test`), 404);
      assert.equal(await asked(HOST), 200);
    } finally {
      await counted.close();
    }
  });
});

describe('mail', () => {
  it('leads clients to the domain of their agency, and everyone else to the portal', async () => {
    const { people } = service.world;
    const linksOf = async (to: Person, href: string): Promise<string[]> => {
      const { partnerId, clientId, email, userId } = people[to];
      await service.db.asTenant({ kind: 'tenant', partnerId, clientId }, (tx) =>
        service.mail.queueMail(tx, {
          partnerId,
          to: email,
          userId,
          kind: 'notification',
          data: { title: 'A note', body: 'Something happened.', href },
          listUnsubscribe: { url: 'http://portal.test/notifications/unsubscribe?token=t' },
        }),
      );
      return linksIn('notification', email);
    };
    await own();
    const [ours, main] = [`http://${HOST}`, 'http://portal.test'];
    assert.deepEqual(await linksOf('clientUser', '/client/agents'), [ours]);
    assert.deepEqual(await linksOf('owner', '/dashboard'), [main]);
    assert.deepEqual(await linksOf('rivalClientUser', '/client/agents'), [main]);
    await service.call('POST', '/invitations', {
      as: 'owner',
      body: { kind: 'client_user', email: 'by@mail.test', clientId: service.world.clientId },
    });
    assert.deepEqual(await linksIn('invitation', 'by@mail.test'), [ours]);
    await setFeature(false);
    assert.deepEqual(await linksOf('clientUser', '/client/agents'), [main]);
  });

  it('leads clients to the portal while the domain has no address, which still serves who arrives there', async () => {
    let invited = 0;
    const linkTo = async (): Promise<string[]> => {
      const email = `al-${(invited += 1)}@mail.test`;
      await service.call('POST', '/invitations', { as: 'owner', body: { kind: 'client_user', email, clientId: service.world.clientId } });
      return linksIn('invitation', email);
    };
    const domainAfter = async (answer: AddressAnswer) => {
      address = answer;
      const { status, isServed, hasAddress, problem } = (await verify()).body.domain;
      return [status, isServed, hasAddress, problem];
    };
    address = 'none';
    await own();
    assert.deepEqual(await linkTo(), ['http://portal.test']);
    assert.match((await ask(HOST, '/login')).text, /Acme Agency/);
    assert.deepEqual(await domainAfter('unanswered'), ['verified', true, false, 'no_answer']);
    assert.deepEqual(await linkTo(), ['http://portal.test']);
    assert.deepEqual(await domainAfter('found'), ['verified', true, true, null]);
    assert.deepEqual(await linkTo(), [`http://${HOST}`]);
    assert.deepEqual(await domainAfter('none'), ['verified', true, false, 'no_address']);
    assert.deepEqual(await linkTo(), ['http://portal.test']);
    await put('other.agency.test');
    assert.equal((await service.call('GET', ROUTE, { as: 'owner' })).body.domain.hasAddress, false);
  });

  it('has reset links to the domain for clients, which open there, and to the portal for everyone else', async () => {
    const { people } = service.world;
    const linkFor = async (person: Person): Promise<string> => {
      const { email } = people[person];
      assert.equal((await service.call('POST', '/auth/forgot-password', { body: { email } })).status, 202);
      const requests = await service.db.asSystem('seed', (tx) => tx.selectFrom('passwordResetRequest').select('id').execute());
      const links: string[] = [];
      const queueMail: TestService['mail']['queueMail'] = async (tx, letter) => {
        if (letter.kind === 'password_reset') links.push(letter.data.resetUrl);
        return service.mail.queueMail(tx, letter);
      };
      for (const { id } of requests) await sendResetLink({ db: service.db, baseUrl: 'http://portal.test', queueMail }, id);
      const [link = ''] = links;
      assert.deepEqual([links.length, await linksIn('password_reset', email)], [1, [new URL(link).origin]]);
      return link;
    };
    await own();
    const ours = await linkFor('clientUser');
    assert.match(ours, /^http:\/\/portal\.agency\.test\/reset-password#/);
    for (const person of ['owner', 'moderator', 'staff', 'rivalClientUser'] as const)
      assert.match(await linkFor(person), /^http:\/\/portal\.test\/reset-password#/, person);
    const token = ours.slice(ours.indexOf('#') + 1);
    const reset = (host: string, ofToken: string) =>
      ask(host, '/auth/reset-password', { method: 'POST', body: { token: ofToken, password: 'nine blue herons' } });
    const foreign = await linkFor('rivalClientUser');
    assert.deepEqual(codeOf(await reset(HOST, foreign.slice(foreign.indexOf('#') + 1))), [410, 'reset_token_invalid']);
    assert.equal((await reset(HOST, token)).status, 204);
    assert.equal(
      (await ask(HOST, '/auth/login', { method: 'POST', body: { email: people.clientUser.email, password: 'nine blue herons' } })).status,
      200,
    );
    await setFeature(false);
    assert.match(await linkFor('clientUser'), /^http:\/\/portal\.test\/reset-password#/);
  });
});

describe('behind a proxy', () => {
  it('a forwarded host counts from a trusted proxy and from no one else', async () => {
    await own();
    const title = async (headers: object, to = origin): Promise<string> =>
      /<title>([^<]*)</.exec((await ask('portal.test', '/login', { headers, to })).text)?.[1] ?? '';
    const forwarded = { 'x-forwarded-host': HOST };
    assert.equal(await title(forwarded), 'Portal', 'no proxy is trusted');
    const trusting = await startTestService({
      database: service.database,
      world: service.world,
      portalDir: dist,
      trustedProxies: ['127.0.0.1'],
      findOwnHost: () => served.find,
    });
    const distrusting = await startTestService({
      database: service.database,
      world: service.world,
      portalDir: dist,
      trustedProxies: ['192.0.2.1'],
      findOwnHost: () => served.find,
    });
    try {
      const [near, far] = [await trusting.listen(), await distrusting.listen()];
      assert.equal(await title(forwarded, near), 'Acme Agency');
      assert.equal(await title({}, near), 'Portal');
      assert.equal(await title({ 'x-forwarded-host': 'host.unknown.test' }, near), 'Portal');
      assert.equal(await title(forwarded, far), 'Portal', 'the caller is not the proxy that is trusted');
      // The host that a proxy reports decides about CORS and sessions, too.
      const me = (to: string) => ask('portal.test', '/auth/me', { as: 'owner', headers: forwarded, to });
      assert.deepEqual(
        [codeOf(await me(near)), codeOf(await me(far))],
        [
          [401, 'unauthenticated'],
          [200, null],
        ],
      );
    } finally {
      await trusting.close();
      await distrusting.close();
    }
  });
});

describe('the look on a domain', () => {
  it('follows each change of brand and plan by a notice, in every process, and no other change costs a reading', async () => {
    await own();
    // A process that never reads again by itself.
    const other = createServedHosts({ ...servedDeps(), notices, freshMs: Infinity });
    try {
      const at = async () => (await other.find(HOST)) ?? null;
      const first = await at();
      assert.equal(first?.name, 'Acme Agency');
      other.forget();
      assert.equal(await at(), first, 'the same object while it is the same, by which its pages are kept');
      const { partnerId } = service.world;
      const partner = (change: { name?: string; brandColor?: string; website?: string; status?: 'active' | 'deleted' }) =>
        service.db.asSystem('seed', (tx) => tx.updateTable('partner').set(change).where('id', '=', partnerId).execute());
      await partner({ name: 'Renamed' });
      await until('the new name', async () => (await at())?.name === 'Renamed');
      await partner({ brandColor: '#0b5f4a' });
      await until('the new colour', async () => (await at())?.brandColor === '#0b5f4a');
      const overrides = (customDomain: boolean) =>
        service.db.asSystem('seed', (tx) =>
          tx
            .updateTable('subscription')
            .set({ overrides: JSON.stringify({ features: { customDomain } }) })
            .where('partnerId', '=', partnerId)
            .execute(),
        );
      await overrides(false);
      await until('a host of no one', async () => (await at()) === null);
      await overrides(true);
      await until('its host again', async () => (await at()) !== null);
      await service.db.asSystem('seed', (tx) =>
        tx.updateTable('subscription').set({ overrides: '{}' }).where('partnerId', '=', partnerId).execute(),
      );
      const features = (customDomain: boolean) =>
        service.db.asSystem('seed', async (tx) => {
          const { features: had } = await tx
            .selectFrom('plan')
            .select('features')
            .where('id', '=', service.world.planId)
            .executeTakeFirstOrThrow();
          await tx
            .updateTable('plan')
            .set({ features: JSON.stringify({ ...(had as object), customDomain }) })
            .where('id', '=', service.world.planId)
            .execute();
        });
      await features(false);
      await until('a plan without domains', async () => (await at()) === null);
      await features(true);
      await until('a plan with domains', async () => (await at()) !== null);
      await partner({ name: 'Acme Agency' });
      await until('the old name', async () => (await at())?.name === 'Acme Agency');
      // Notices of the changes above have arrived once the connection answers.
      await notices.ask();
      // Announced by the same connection after it: once it arrived, the earlier one had, too.
      let heard = 0;
      const stop = notices.subscribe(domainsChanged, () => (heard += 1));
      await partner({ website: 'https://acme.test' });
      await service.db.asSystem('seed', (tx) =>
        tx.updateTable('partner').set({ name: 'Rival 2' }).where('id', '=', service.world.rivalPartnerId).execute(),
      );
      await partner({ name: 'Acme Agency Ltd' });
      await until('its notice', () => heard > 0);
      assert.equal(heard, 1, 'nothing that is not shown there, and no agency without a domain');
      stop();
      await partner({ name: 'Acme Agency' });
      await until('the old name', async () => (await at())?.name === 'Acme Agency');
    } finally {
      other.close();
    }
  });
});
