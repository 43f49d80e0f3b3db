import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { loadCatalog } from '@partner-portal/catalog/index.ts';
import { addMonths, monthOf, startOfMonth } from '@partner-portal/core/report/month.ts';
import { startTestService, type TestPlatform, type TestService } from '@partner-portal/tests/harness/service.ts';
import { addClient, addWorkflow, type Person } from '@partner-portal/tests/harness/world.ts';
import { sql } from 'kysely';
import { reports, type ReportsDeps } from '../index.ts';

/** Half past nine in Chicago on the first working day of December: the report of November is due. */
const DUE = new Date('2026-12-01T15:30:00Z');
const SEED = new Date('2026-09-10T12:00:00Z');
let now = DUE;
/** The clock of the routes; that of the system when null. */
let routesNow: Date | null = null;
let platform: TestPlatform;
let service: TestService;
let workflowId: string;
const signal = new AbortController().signal;

const moduleWith = (change: Partial<ReportsDeps> = {}) =>
  reports({ ...platform, clock: { now: () => now }, catalog: loadCatalog(), platformProviders: [], ...change });
const send = (module = moduleWith()) => module.sendDue(signal);
const idOf = (person: Person): string => service.world.people[person].userId;
const mails = async (): Promise<string[]> =>
  (await service.db.asSystem('seed', (tx) => tx.selectFrom('mail').select('toAddress').where('kind', '=', 'report_ready').execute()))
    .map((row) => row.toAddress)
    .toSorted();

before(async () => {
  service = await startTestService({
    clock: { now: () => routesNow ?? new Date() },
    modules: (given) => {
      platform = given;
      return [moduleWith()];
    },
  });
  const { partnerId, clientId } = service.world;
  await service.db.asSystem('seed', async (tx) => {
    await sql`update client set created_at = ${SEED}, timezone = 'America/Chicago'`.execute(tx);
    workflowId = await addWorkflow(tx, { partnerId, clientId, templateName: 'missed-call-text-back', name: 'Text back' });
  });
});
after(() => service.close());
beforeEach(async () => {
  now = DUE;
  routesNow = null;
  const { partnerId, clientId } = service.world;
  await service.db.asSystem('seed', async (tx) => {
    for (const table of ['mail', 'reportMail', 'reportSubscription', 'firstAnswer', 'workflowHour'] as const)
      await tx.deleteFrom(table).execute();
    await sql`update client set status = 'active'`.execute(tx);
    await sql`update partner set status = 'active'`.execute(tx);
    await sql`update app_user set status = 'active'`.execute(tx);
    await sql`insert into workflow_hour (partner_id, workflow_id, client_id, hour, succeeded, failed, credits, contacted, helped)
      values (${partnerId}, ${workflowId}, ${clientId}, '2026-11-10T10:00:00Z', 40, 2, 40, 38, 38)`.execute(tx);
    for (const person of ['clientUser', 'owner'] as const) await subscribe(person, clientId);

    async function subscribe(person: Person, of: string): Promise<void> {
      await tx
        .insertInto('reportSubscription')
        .values({ clientId: of, userId: idOf(person), partnerId, isSubscribed: true, changedBy: idOf('owner'), changedAt: SEED })
        .execute();
    }
  });
});
const BOTH = ['clientuser@portal.test', 'owner@portal.test'];

describe('the report by the calendar', () => {
  it('is mailed once to each person who is subscribed, however often and by how many processes it is looked for', async () => {
    const sent = await Promise.all([send(), send(), send()]);
    assert.equal(
      sent.reduce((sum, count) => sum + count, 0),
      2,
    );
    assert.deepEqual(await mails(), BOTH);
    assert.equal(await send(), 0);
    // A clock that was put back and forward again.
    now = new Date('2026-11-20T12:00:00Z');
    await send();
    now = new Date('2026-12-09T12:00:00Z');
    assert.equal(await send(), 0);
    assert.deepEqual(await mails(), BOTH);
  });

  it('waits for nine in the morning of the client, catches up for ten days, and is not sent later', async () => {
    for (const [at, count] of [
      ['2026-12-01T14:59:00Z', 0],
      ['2026-12-11T15:01:00Z', 0],
      ['2026-12-11T14:59:00Z', 2],
    ] as const) {
      now = new Date(at);
      assert.equal(await send(), count, at);
    }
  });

  it('is whole after a process that died between the claim and the mail', async () => {
    let tries = 0;
    const dying = moduleWith({
      mail: {
        ...platform.mail,
        queueMail: async (tx, mail) => {
          tries += 1;
          await platform.mail.queueMail(tx, mail);
          // The connection of a killed process ends like this.
          if (tries === 2) await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx);
        },
      },
    });
    assert.equal(await send(dying), 0);
    assert.equal(tries, 2);
    assert.deepEqual(await mails(), []);
    assert.equal(await send(), 2);
    assert.deepEqual(await mails(), BOTH);
  });

  it('goes to no one of a suspended or archived client, a suspended agency, or a month without runs, and not to disabled users', async () => {
    const change = (statement: ReturnType<typeof sql>) => service.db.asSystem('seed', async (tx) => void (await statement.execute(tx)));
    const { clientId, partnerId } = service.world;
    for (const [set, undo] of [
      [sql`update client set status = 'suspended' where id = ${clientId}`, sql`update client set status = 'active' where id = ${clientId}`],
      [sql`update client set status = 'archived' where id = ${clientId}`, sql`update client set status = 'active' where id = ${clientId}`],
      [
        sql`update partner set status = 'suspended' where id = ${partnerId}`,
        sql`update partner set status = 'active' where id = ${partnerId}`,
      ],
      [sql`update workflow_hour set hour = '2026-10-10T10:00:00Z'`, sql`update workflow_hour set hour = '2026-11-10T10:00:00Z'`],
    ] as const) {
      await change(set);
      assert.equal(await send(), 0);
      await change(undo);
    }
    await change(sql`update app_user set status = 'disabled' where id = ${idOf('clientUser')}`);
    assert.equal(await send(), 1);
    assert.deepEqual(await mails(), ['owner@portal.test']);
  });

  it('is not sent to who subscribed after it was due', async () => {
    const subscribedLate = sql`update report_subscription set changed_at = '2026-12-01T15:10:00Z' where user_id = ${idOf('owner')}`;
    await service.db.asSystem('seed', async (tx) => void (await subscribedLate.execute(tx)));
    assert.equal(await send(), 1);
    assert.deepEqual(await mails(), ['clientuser@portal.test']);
  });

  it('serves agencies in turn, so that a large one does not hold up a small one', async () => {
    const { rivalPartnerId, rivalClientId, partnerId } = service.world;
    await service.db.asSystem('seed', async (tx) => {
      const add = async (partner: string, client: string, person: Person): Promise<void> => {
        const id = await addWorkflow(tx, { partnerId: partner, clientId: client, templateName: 'review-request' });
        await sql`update client set created_at = ${SEED} where id = ${client}`.execute(tx);
        await sql`insert into workflow_hour (partner_id, workflow_id, client_id, hour, succeeded, helped) values (${partner}, ${id}, ${client}, '2026-11-12T10:00:00Z', 1, 1)`.execute(
          tx,
        );
        await tx
          .insertInto('reportSubscription')
          .values({
            clientId: client,
            userId: idOf(person),
            partnerId: partner,
            isSubscribed: true,
            changedBy: idOf(person),
            changedAt: SEED,
          })
          .execute();
      };
      for (let n = 0; n < 30; n += 1) await add(partnerId, await addClient(tx, partnerId, `Client ${n}`), 'owner');
      await add(rivalPartnerId, rivalClientId, 'rivalOwner');
    });
    const order: string[] = [];
    const watched = moduleWith({
      mail: { ...platform.mail, queueMail: async (tx, mail) => (order.push(mail.to), platform.mail.queueMail(tx, mail)) },
    });
    assert.equal(await send(watched), 33);
    assert.ok(order.indexOf('rivalowner@portal.test') < 4, order.join(' '));
  });
});

describe('the mail of a report', () => {
  const path = (rest: string): string => `/clients/${service.world.clientId}/report/${rest}`;
  /** The report of November is the newest that ended as long as the tests run in December; the routes read the system's clock. */
  const at = (date: string): void => void (now = new Date(date));

  it('is previewed with headline, results, and links to the page and to unsubscribe, in the language asked for', async () => {
    await moveToLastMonth();
    const { status, body } = await service.call('GET', path('preview?locale=es'), { as: 'moderator' });
    assert.equal(status, 200, JSON.stringify(body));
    assert.match(body.subject, /^Oak Street Dental: su informe de /);
    assert.match(body.text, /38 resultados/);
    assert.match(body.html, /<html lang="es"/);
    assert.match(body.text, /\/client\/report\?month=\d{4}-\d\d\n/);
    assert.match(body.text, /\/reports\/unsubscribe\?token=/);
    assert.doesNotMatch(`${body.subject}${body.text}${body.html}`, /partner portal/i);
    assert.equal((await service.call('GET', path('preview'), { as: 'clientUser' })).body.code, 'role_forbidden');
    assert.equal((await service.call('GET', path('preview'), { as: 'rivalOwner' })).body.code, 'not_found');
  });

  it('leads its reader to the report of the month in their own portal', async () => {
    const links = new Map<string, string>();
    const queueMail: TestPlatform['mail']['queueMail'] = async (tx, mail) => {
      if (mail.kind === 'report_ready') links.set(mail.to, mail.data.href);
      return platform.mail.queueMail(tx, mail);
    };
    await send(moduleWith({ mail: { ...platform.mail, queueMail } }));
    assert.deepEqual(Object.fromEntries(links), {
      'clientuser@portal.test': '/client/report?month=2026-11',
      'owner@portal.test': `/dashboard/clients/${service.world.clientId}?tab=report&month=2026-11`,
    });
  });

  it('of a month that has not ended is compared with none', async () => {
    routesNow = new Date();
    const month = await moveToLastMonth();
    const { partnerId, clientId } = service.world;
    const count = (hour: Date, helped: number) =>
      service.db.asSystem(
        'seed',
        async (tx) =>
          void (await sql`insert into workflow_hour (partner_id, workflow_id, client_id, hour, succeeded, contacted, helped)
            values (${partnerId}, ${workflowId}, ${clientId}, ${hour}, ${helped}, ${helped}, ${helped})`.execute(tx)),
      );
    const running = monthOf(routesNow, 'America/Chicago');
    await count(startOfMonth(running, 'America/Chicago'), 5);
    await count(startOfMonth(addMonths(month, -1), 'America/Chicago'), 30);
    await service.db.asSystem('seed', async (tx) => void (await sql`update client set locale = 'en'`.execute(tx)));
    const textOf = async (of: string): Promise<string> =>
      (await service.call('GET', path(`preview?month=${of}`), { as: 'owner' })).body.text.replaceAll('\n', ' ');
    assert.match(await textOf(month), /That is 8 results more than in/);
    assert.match(await textOf(running), /5 results\./);
    assert.doesNotMatch(await textOf(running), /That is/);
  });

  it('to a client’s user is in the language of the profile, to the agency in English with the numbers of its region', async () => {
    const month = await moveToLastMonth();
    await service.db.asSystem('seed', async (tx) => {
      await sql`update app_user set locale = 'de-AT'`.execute(tx);
      await sql`update workflow_hour set helped = 12345, succeeded = 12345`.execute(tx);
    });
    const composed: Parameters<typeof platform.mail.queueMail>[1][] = [];
    const watched = moduleWith({
      mail: { ...platform.mail, queueMail: async (tx, mail) => (composed.push(mail), platform.mail.queueMail(tx, mail)) },
    });
    const textOf = async (to: string): Promise<{ text: string; html: string }> => {
      const mail = composed.find((one) => one.to === to);
      assert.ok(mail);
      const body = await service.db.asSystem('seed', (tx) => platform.mail.previewMail(tx, mail));
      assert.ok(body);
      return body;
    };
    now = new Date(startOfMonth(addMonths(month, 1), 'America/Chicago').getTime() + 4 * 86_400_000);
    await send(watched);
    const [client, agency] = [await textOf('clientuser@portal.test'), await textOf('owner@portal.test')];
    assert.match(client.html, /<html lang="de"/);
    assert.match(client.text, /Fragen\?|Monatsbericht/);
    assert.match(agency.html, /<html lang="en"/);
    assert.match(agency.text, /You are receiving this e-mail/);
    assert.match(agency.text, /12\.345/);
    assert.doesNotMatch(agency.text, /Agenten|Bericht/);
  });

  it('is sent at once by an admin: to those subscribed, to themselves or by name, once for one Idempotency-Key', async () => {
    const month = await moveToLastMonth();
    const call = (body: object, as: Person = 'owner', headers: Record<string, string> = {}) =>
      service.call('POST', path('send'), { as, body: { month, ...body }, headers });
    assert.deepEqual((await call({ to: 'subscribed' }, 'owner', { 'idempotency-key': 'a' })).body, { month, queued: 2, skipped: [] });
    assert.deepEqual((await call({ to: 'subscribed' }, 'owner', { 'idempotency-key': 'a' })).body, { month, queued: 2, skipped: [] });
    assert.equal((await call({ to: 'me' }, 'owner', { 'idempotency-key': 'a' })).body.code, 'idempotency_key_reused');
    assert.deepEqual(await mails(), BOTH);
    assert.equal((await call({ to: 'me' })).body.queued, 1);
    assert.equal((await call({ userIds: [idOf('moderator')] })).body.queued, 1);
    for (const [body, as, code] of [
      [{ to: 'me' }, 'moderator', 'partner_role_forbidden'],
      [{ to: 'me' }, 'clientUser', 'role_forbidden'],
      [{ to: 'me' }, 'rivalOwner', 'not_found'],
      [{ userIds: [idOf('rivalOwner')] }, 'owner', 'validation_failed'],
      [{ to: 'me', userIds: [idOf('owner')] }, 'owner', 'validation_failed'],
      [{}, 'owner', 'validation_failed'],
    ] as const)
      assert.equal((await call(body, as)).body.code, code, JSON.stringify([body, as]));
  });

  it('is sent by hand up to a number in an hour, which other agencies do not share and a repeated key does not use', async () => {
    const month = await moveToLastMonth();
    const { partnerId, rivalPartnerId } = service.world;
    const send = (headers = {}) => service.call('POST', path('send'), { as: 'owner', body: { month, to: 'me' }, headers });
    try {
      for (let n = 0; n < LIMITS.reportSendsPerHour; n += 1) await service.limits.count('reportSend', rivalPartnerId);
      assert.equal((await send({ 'idempotency-key': 'capped' })).status, 200);
      while ((await service.limits.count('reportSend', partnerId)).remaining > 0);
      const refused = await send();
      assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited']);
      assert.equal((await send({ 'idempotency-key': 'capped' })).status, 200);
      assert.deepEqual(await mails(), ['owner@portal.test']);
    } finally {
      for (const id of [partnerId, rivalPartnerId]) await service.limits.forget('reportSend', id);
    }
  });

  it('is sent to those subscribed and to oneself in a team of any size', async () => {
    const month = await moveToLastMonth();
    const zoe = await service.db.asSystem('seed', async (tx) => {
      await sql`insert into app_user (partner_id, role, partner_role, email, full_name, password_hash)
        select ${service.world.partnerId}, 'PARTNER', 'moderator', 'many' || n || '@portal.test', 'Aaron ' || n, '' from generate_series(1, 220) n`.execute(
        tx,
      );
      const { rows } = await sql<{ id: string }>`insert into app_user (partner_id, role, partner_role, email, full_name, password_hash)
        values (${service.world.partnerId}, 'PARTNER', 'admin', 'zoe@portal.test', 'Zoe', '') returning id`.execute(tx);
      await sql`insert into report_subscription (client_id, user_id, partner_id, is_subscribed, changed_by, changed_at)
        values (${service.world.clientId}, ${rows[0]?.id}, ${service.world.partnerId}, true, ${rows[0]?.id}, now())`.execute(tx);
      return rows[0]?.id;
    });
    const send = async (body: object) => (await service.call('POST', path('send'), { as: 'owner', body: { month, ...body } })).body.queued;
    assert.equal(await send({ to: 'subscribed' }), 3);
    assert.equal(await send({ userIds: [zoe] }), 1);
    assert.equal(await send({ to: 'me' }), 1);
    await service.database.query("delete from app_user where email like 'many%' or email = 'zoe@portal.test'");
  });

  it('ends with one click, and then reaches that person neither by the calendar nor by hand', async () => {
    const month = await moveToLastMonth();
    const token = service.mail.links.seal('report-off', [service.world.clientId, idOf('clientUser')]);
    const click = (given: string) =>
      service.call('POST', `/reports/unsubscribe?token=${given}`, {
        rawBody: 'List-Unsubscribe=One-Click',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
    assert.equal((await click('x')).status, 404);
    assert.equal(
      (await service.call('GET', `/reports/unsubscribe?token=${token}`)).headers['location'],
      `/unsubscribe?list=report&token=${token}`,
    );
    assert.equal((await click(token)).status, 204);
    assert.equal((await click(token)).status, 204);
    at('2026-12-01T15:30:00Z');
    const { body } = await service.call('POST', path('send'), { as: 'owner', body: { month, userIds: [idOf('clientUser')] } });
    assert.deepEqual(body, { month, queued: 0, skipped: [{ userId: idOf('clientUser'), reason: 'opted_out' }] });
    await send();
    assert.ok(!(await mails()).includes('clientuser@portal.test'));
    const entries = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('auditEntry').select('actorType').where('action', '=', 'report.recipient_changed').where('result', '=', 'ok').execute(),
    );
    assert.deepEqual(entries, [{ actorType: 'system' }]);
  });

  /** The runs happened last month by the clock of the routes, in the zone of the client: in the first hours of a month it is not that of UTC. */
  async function moveToLastMonth(): Promise<string> {
    const month = addMonths(monthOf(routesNow ?? new Date(), 'America/Chicago'), -1);
    const day = new Date(`${month}-12T12:00:00Z`);
    await service.db.asSystem('seed', async (tx) => void (await sql`update workflow_hour set hour = ${day}`.execute(tx)));
    return month;
  }
});
