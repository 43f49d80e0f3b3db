import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { NEWSLETTER_CONSENT } from '@partner-portal/contract/newsletter-consent.ts';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { planRequests } from '#modules/2-tenancy/plan-requests/index.ts';
import { createRunner, type JobRunner } from '#platform/jobs/runner.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { mailerTo, startSmtp, type TestSmtp } from '@partner-portal/tests/harness/smtp.ts';
import { newsletter } from './index.ts';

/** From a form to a real mail server, and from the links of the mails back. */

const DAY_MS = 86_400_000;
let smtp: TestSmtp;
let service: TestService;
let runner: JobRunner;
let crons: ReturnType<typeof newsletter>['crons'];
let now = Date.now();
let count = 0;

before(async () => {
  smtp = await startSmtp({});
  service = await startTestService({
    mailer: mailerTo(smtp),
    clock: { now: () => new Date(now) },
    modules: (platform) => {
      const module = newsletter(platform);
      ({ crons } = module);
      return [module, planRequests(platform), platform.mail];
    },
  });
  runner = createRunner({ address: service.database.configFor('portal_queue'), jobs: service.mail.jobs, crons, log: service.log });
});
after(async () => {
  await runner.stop(0);
  await service.close();
  await smtp.stop();
});
beforeEach(async () => {
  // Ahead of the database's clock, by which a queued mail is due.
  now = Date.now() + 60_000;
  await service.limits.forget('newsletterOfAddress', '127.0.0.1');
  await service.db.asSystem('seed', async (tx) => {
    await tx.deleteFrom('newsletterSubscriber').execute();
    await tx.deleteFrom('mail').execute();
    await tx.deleteFrom('auditEntry').where('action', 'like', 'newsletter.%').execute();
  });
  await runner.drain();
  smtp.received.length = 0;
});

const fresh = () => `reader-${(count += 1)}@readers.example`;
const subscribe = (email: string, more: object = {}) => service.call('POST', '/newsletter/subscribe', { body: { email, ...more } });
const rows = () => service.db.asSystem('seed', (tx) => tx.selectFrom('newsletterSubscriber').selectAll().orderBy('id').execute());
const actions = async () =>
  (
    await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('auditEntry').selectAll().where('action', 'like', 'newsletter.%').orderBy('id').execute(),
    )
  ).map((entry) => {
    assert.ok(!JSON.stringify(entry).includes('@readers.example'), 'no address');
    return entry.action;
  });
/** Mails that arrived since the last look. */
async function mails() {
  await runner.drain();
  return smtp.received.splice(0).map(({ to, mail }) => ({
    to,
    subject: mail.subject,
    token: /token=(\S+)/.exec(mail.text ?? '')?.[1] ?? '',
    links: (mail.text ?? '').split('\n').filter((line) => line.startsWith('http')),
    text: mail.text ?? '',
    headers: new Map(mail.headers.map(({ key, value }) => [key, value])),
  }));
}
const confirm = (token: string) => service.call('GET', `/newsletter/confirm?token=${token}`);
/** A confirmed subscriber: the mail that says so. */
async function subscribed(email = fresh()) {
  await subscribe(email);
  const [first] = await mails();
  assert.equal((await confirm(first?.token ?? '')).status, 202);
  const [welcome] = await mails();
  assert.ok(first && welcome);
  return { email, confirmToken: first.token, welcome };
}
const statuses = async (as: 'staff' = 'staff') =>
  (await service.call('GET', '/newsletter/subscribers', { as })).body.data.map((row: { email: string; status: string }) => [
    row.email,
    row.status,
  ]);

describe('a request', () => {
  it('sends a link to confirm, and nothing else before it was used', async () => {
    const email = fresh();
    const answer = await subscribe(` ${email.toUpperCase()} `, { source: 'landing' });
    assert.deepEqual([answer.status, answer.body], [202, { status: 'pending' }]);
    const [mail, ...more] = await mails();
    assert.ok(mail && more.length === 0);
    assert.deepEqual([mail.to, mail.subject, mail.links.length], [email, 'Confirm your subscription', 1]);
    assert.match(mail.links[0] ?? '', /^http:\/\/portal\.test\/confirm-newsletter\?token=\S+$/);
    assert.ok(mail.text.replace(/\n> |\s+/g, ' ').includes(NEWSLETTER_CONSENT.text), 'it repeats what was agreed to');
    assert.ok(!mail.headers.has('list-unsubscribe'), 'there is nothing to leave yet');
    assert.deepEqual(await statuses(), [[email, 'pending']]);
    await subscribe(email);
    const [second] = await mails();
    assert.equal((await confirm(mail.token)).status, 202, 'the first link still works');
    assert.equal((await confirm(second?.token ?? '')).status, 202);
    assert.deepEqual(await statuses(), [[email, 'confirmed']]);
  });

  it('leaves its address in no audit entry, also when staff open or send its mails', async () => {
    const { email } = await subscribed();
    const sent = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('mail').select(['id', 'kind']).where('toAddress', '=', email).execute(),
    );
    assert.deepEqual(sent.map(({ kind }) => kind).toSorted(), ['newsletter_confirm', 'newsletter_subscribed']);
    for (const { id } of sent) {
      assert.equal((await service.call('GET', `/provisioning/mail/${id}`, { as: 'staff' })).status, 200);
      await service.call('POST', `/provisioning/mail/${id}/retry`, { as: 'staff' });
    }
    const entries = await service.db.asSystem('seed', (tx) => tx.selectFrom('auditEntry').selectAll().execute());
    const reads = entries.filter(({ action }) => action === 'mail.read');
    assert.deepEqual(new Set(reads.map(({ targetId }) => targetId)), new Set(sent.map(({ id }) => id)));
    assert.ok(!JSON.stringify(entries).includes(email));
  });

  it('gets the same response by the same steps for a known and an unknown address', async () => {
    const { email } = await subscribed();
    const unknown = fresh();
    const user = 'owner@portal.test';
    const seen: unknown[] = [];
    for (const address of [unknown, email, user]) {
      let answer;
      const statements = await service.countStatements(async () => (answer = await subscribe(address)));
      seen.push([statements, answer]);
    }
    const comparable = seen.map((one) => JSON.stringify(one).replace(/"x-request-id":"[^"]+"|"date":"[^"]+"|"(x-)?ratelimit[^,]+,/gi, ''));
    assert.equal(new Set(comparable).size, 1, comparable.join('\n'));
    assert.deepEqual(
      (await mails()).map(({ to, subject }) => `${subject}: ${to}`).toSorted(),
      [`Confirm your subscription: ${unknown}`, `You are subscribed: ${email}`, `Confirm your subscription: ${user}`].toSorted(),
    );
  });

  it('of an application is confirmed like any other, and an application without the box ticked asks for none', async () => {
    const email = fresh();
    const body = { email, fullName: 'Ada Reader', companyName: 'Readers', acceptTerms: true };
    assert.equal((await service.call('POST', '/auth/register', { body: { ...body, newsletter: true } })).status, 202);
    const other = fresh();
    assert.equal((await service.call('POST', '/auth/register', { body: { ...body, email: other, newsletter: false } })).status, 202);
    const mail = (await mails()).find(({ subject }) => subject === 'Confirm your subscription');
    assert.equal((await confirm(mail?.token ?? '')).status, 202);
    assert.deepEqual(
      (await rows()).map((row) => [row.email, row.source, row.confirmedAt !== null]),
      [[email, 'signup', true]],
    );
  });

  it('are limited for one address without a sign, and for one sender with a refusal', async () => {
    const email = fresh();
    for (let n = 0; n < LIMITS.newsletterMailsPerDay + 2; n += 1) assert.equal((await subscribe(email)).status, 202);
    assert.equal((await mails()).length, LIMITS.newsletterMailsPerDay);
    await subscribe(fresh());
    assert.equal((await mails()).length, 1, 'others are still mailed');
    const left = LIMITS.newsletterRequestsPerHour - LIMITS.newsletterMailsPerDay - 3;
    for (let n = 0; n < left; n += 1) assert.equal((await subscribe(fresh())).status, 202);
    const refused = await subscribe(fresh());
    assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited']);
    assert.equal((await mails()).length, left);
  });

  it('is not counted with applications', async () => {
    const before = await service.limits.peek('register', 'ip:127.0.0.1');
    assert.equal((await subscribe(fresh())).status, 202);
    assert.ok((await service.limits.peek('register', 'ip:127.0.0.1')).remaining >= before.remaining);
  });

  it('needs an address, and a version of the consent that was shown', async () => {
    for (const body of [{ email: 'nobody' }, { email: fresh(), textVersion: 99 }, { email: fresh(), source: '=SUM(1)' }, {}])
      assert.equal((await service.call('POST', '/newsletter/subscribe', { body })).status, 422, JSON.stringify(body));
    assert.equal((await subscribe(fresh(), { textVersion: 1, source: 'landing' })).status, 202);
    assert.equal((await rows()).length, 1);
  });
});

describe('a confirmation', () => {
  it('confirms once, however often it is repeated', async () => {
    const { confirmToken, welcome } = await subscribed();
    assert.deepEqual([welcome.subject, welcome.links.length], ['You are subscribed', 1]);
    const again = await Promise.all([confirm(confirmToken), confirm(confirmToken)]);
    assert.deepEqual(
      again.map(({ status, body }) => [status, body]),
      [
        [202, { status: 'confirmed' }],
        [202, { status: 'confirmed' }],
      ],
    );
    assert.deepEqual([await mails(), await actions()], [[], ['newsletter.requested', 'newsletter.confirmed']]);
  });

  it('refuses a token of another purpose, forged or expired', async () => {
    const email = fresh();
    await subscribe(email);
    const [mail] = await mails();
    const [row] = await rows();
    assert.ok(mail && row);
    const { links } = service.mail;
    const off = links.seal('newsletter-off', [row.id]);
    const subject = [row.id, String(now + DAY_MS)];
    for (const token of [off, links.seal('notifications-off', subject), `${mail.token}x`, 'x', ''])
      assert.equal((await confirm(token)).status, 404, token);
    const leave = (token: string) => service.call('POST', '/newsletter/unsubscribe', { body: { token } });
    for (const token of [mail.token, 'x', '']) assert.equal((await leave(token)).status, 404, token);
    now += 7 * DAY_MS + 1000;
    assert.equal((await confirm(mail.token)).status, 404);
    assert.deepEqual(
      (await rows()).map((one) => [one.email, one.confirmedAt]),
      [[email, null]],
    );
    now -= 2000;
    assert.equal((await confirm(mail.token)).status, 202);
    assert.equal((await leave(off)).status, 202);
  });
});

describe('the link of a mail in a browser', () => {
  it('leads to a page when it was cut, is too long, or comes too often', async () => {
    for (const query of ['', '?token=', `?token=${'a'.repeat(600)}`, '?token=a&token=b']) {
      const { status, headers } = await service.call('GET', `/newsletter/unsubscribe${query}`);
      const page = new URL(String(headers['location']), service.baseUrl);
      assert.deepEqual(
        [status, page.pathname, page.searchParams.get('list') ?? ''],
        [302, '/unsubscribe', query === '?token=' ? 'newsletter' : ''],
      );
    }
    const counted = await startTestService({ countCallers: true, modules: (platform) => [newsletter(platform)] });
    try {
      const open = async () => counted.call('GET', '/newsletter/unsubscribe?token=a');
      let reply = await open();
      for (let at = 0; at < 200 && !String(reply.headers['location']).includes('problem'); at += 1) reply = await open();
      assert.deepEqual([reply.status, reply.headers['location']], [302, `${counted.baseUrl}/unsubscribe?problem=rate_limited`]);
      assert.ok(Number(reply.headers['retry-after']) > 0);
      // A mail program that posts to the same address is no browser.
      assert.equal((await service.call('POST', `/newsletter/unsubscribe?token=${'a'.repeat(600)}`, { body: {} })).status, 400);
    } finally {
      await counted.close();
    }
  });
});

describe('a subscriber', () => {
  it('leaves by one click of a mail program, by the button of the page and again', async () => {
    const one = await subscribed();
    assert.equal(one.welcome.headers.get('list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
    const url = new URL(/^<(.+)>$/.exec(one.welcome.headers.get('list-unsubscribe') ?? '')?.[1] ?? '');
    const path = url.pathname + url.search;
    const opened = await service.call('GET', path);
    assert.equal(opened.status, 302);
    const page = new URL(String(opened.headers['location']), service.baseUrl);
    assert.deepEqual(
      [page.pathname, page.searchParams.get('list'), page.searchParams.get('token')],
      ['/unsubscribe', 'newsletter', one.welcome.token],
    );
    assert.equal(one.welcome.links[0], url.href, 'the mail links to it as well');
    assert.deepEqual(await statuses(), [[one.email, 'confirmed']], 'opening it changed nothing');
    // RFC 8058 allows both kinds of form.
    const form = { rawBody: 'List-Unsubscribe=One-Click', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    const parts = {
      rawBody: '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    };
    for (const sent of [form, parts]) assert.equal((await service.call('POST', path, sent)).status, 202);
    const two = await subscribed();
    const body = { token: two.welcome.token };
    assert.deepEqual((await service.call('POST', '/newsletter/unsubscribe', { body })).body, { status: 'unsubscribed' });
    assert.deepEqual(await statuses(), [
      [null, 'unsubscribed'],
      [null, 'unsubscribed'],
    ]);
    assert.equal((await actions()).filter((action) => action === 'newsletter.unsubscribed').length, 2);
    assert.deepEqual(await mails(), []);
  });

  it('erases the address and keeps the hash, and a new request starts over', async () => {
    const { email, confirmToken, welcome } = await subscribed();
    await service.call('POST', '/newsletter/unsubscribe', { body: { token: welcome.token } });
    assert.equal((await confirm(confirmToken)).status, 404, 'an old link brings no one back');
    await subscribe(email);
    const [old, anew] = await rows();
    const hash = createHash('sha256').update(email).digest('hex');
    assert.deepEqual(
      [old, anew].map((row) => [row?.email, row?.emailHash.toString('hex'), row?.confirmedAt !== null]),
      [
        [null, hash, true],
        [email, hash, false],
      ],
    );
    await service.call('POST', '/newsletter/unsubscribe', { body: { token: welcome.token } });
    assert.equal((await rows())[1]?.email, email, 'the old link ends the old subscription only');
  });

  it('keeps what was agreed to, where and when', async () => {
    const email = fresh();
    await subscribe(email, { source: 'landing', textVersion: 1 });
    const requestedAt = new Date(now);
    const [mail] = await mails();
    now += 60_000;
    await confirm(mail?.token ?? '');
    const confirmedAt = new Date(now);
    now += 60_000;
    await subscribe(email, { source: 'elsewhere' });
    const { data } = (await service.call('GET', '/newsletter/subscribers', { as: 'staff' })).body;
    assert.deepEqual(data, [
      {
        id: data[0].id,
        email,
        status: 'confirmed',
        source: 'landing',
        textVersion: 1,
        consentText: NEWSLETTER_CONSENT.text,
        requestedAt: requestedAt.toISOString(),
        confirmedAt: confirmedAt.toISOString(),
        unsubscribedAt: null,
      },
    ]);
  });

  it('are deleted after 30 days, and subscriptions that ended after three years', async () => {
    const kept = await subscribed();
    const gone = await subscribed();
    await service.call('POST', '/newsletter/unsubscribe', { body: { token: gone.welcome.token } });
    await subscribe(fresh());
    const left = async (days: number) => {
      now += days * DAY_MS;
      await runner.runCron('newsletter.forget');
      return (await rows()).length;
    };
    assert.deepEqual([await left(29), await left(2), await left(3 * 365 - 33), await left(3)], [3, 2, 2, 1]);
    assert.equal((await rows())[0]?.email, kept.email);
  });
});

describe('subscribers', () => {
  it('are listed and exported for staff only', async () => {
    const { email } = await subscribed(`under_score-${count}@readers.example`);
    await subscribe(fresh());
    for (const path of ['/newsletter/subscribers', '/newsletter/subscribers/export.csv'])
      await service.assertRefused('GET', path, { owner: 'role_forbidden', moderator: 'role_forbidden', clientUser: 'role_forbidden' });
    const list = async (query: string) =>
      (await service.call('GET', `/newsletter/subscribers?${query}`, { as: 'staff' })).body.data.map((row: { email: string }) => row.email);
    assert.deepEqual(await list('q=UNDER_SCORE'), [email]);
    assert.deepEqual(await list('q=under%25'), [], 'signs of a pattern are text');
    assert.deepEqual(
      [(await list('status=confirmed')).length, (await list('status=pending')).length, (await list('limit=1')).length],
      [1, 1, 1],
    );
    const file = await service.call('GET', '/newsletter/subscribers/export.csv?status=confirmed', { as: 'staff' });
    const lines = file.text.replace('\uFEFF', '').trimEnd().split('\r\n');
    assert.equal(lines.length, 2);
    assert.ok(lines[1]?.includes(email) && lines[1].includes('confirmed'));
  });
});
