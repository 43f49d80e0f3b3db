import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { loadCatalog } from '@partner-portal/catalog/index.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { addWorkflow } from '@partner-portal/tests/harness/world.ts';
import { addMonths, monthOf, startOfMonth } from '@partner-portal/core/report/month.ts';
import { sql } from 'kysely';
import { v7 } from 'uuid';
import type { ComputePool } from '#platform/compute/compute-pool.ts';
import { metering } from '#modules/1-ledger/metering/index.ts';
import { reports } from './index.ts';

const ZONE = 'America/Chicago';
const NOW = new Date();
const RUNNING = monthOf(NOW, ZONE);
const LAST = addMonths(RUNNING, -1);
const BEFORE = addMonths(RUNNING, -2);
const starts = (month: string): string => startOfMonth(month, ZONE).toISOString();
/** Some hour within a month. */
const within = (month: string): Date => new Date(startOfMonth(month, ZONE).getTime() + 5 * 3_600_000);

/** Agencies whose reports were drawn, and those whose drawings are held. */
const drawn: string[] = [];
const held = new Map<string, PromiseWithResolvers<void>>();
let awaited = { count: 0, resolve: (): void => undefined };
const whenDrawn = (count: number): Promise<void> =>
  new Promise((resolve) => {
    awaited = { count, resolve };
    if (drawn.length >= count) resolve();
  });

let service: TestService;
let workflowId: string;
before(async () => {
  service = await startTestService({
    modules: (platform) => {
      const run: ComputePool['run'] = (task, input, request) => {
        drawn.push(request.key);
        if (drawn.length === awaited.count) awaited.resolve();
        const isFree = held.get(request.key)?.promise ?? Promise.resolve();
        return isFree.then(() => platform.compute.run(task, input, request));
      };
      const compute = { ...platform.compute, run };
      return [metering(platform), reports({ ...platform, compute, catalog: loadCatalog(), platformProviders: [] })];
    },
  });
  const { partnerId, clientId } = service.world;
  await service.db.asSystem('seed', async (tx) => {
    await sql`update client set created_at = now() - interval '100 days'`.execute(tx);
    workflowId = await addWorkflow(tx, { partnerId, clientId, templateName: 'missed-call-text-back', name: 'Text back' });
    for (const [month, helped] of [
      [LAST, 7],
      [BEFORE, 3],
    ] as const)
      await sql`insert into workflow_hour (partner_id, workflow_id, client_id, hour, succeeded, failed, credits, contacted, helped) values
        (${partnerId}, ${workflowId}, ${clientId}, ${within(month)}, ${helped + 1}, 2, 9, 5, ${helped})`.execute(tx);
  });
});
after(() => service.close());

const path = (query = ''): string => `/clients/${service.world.clientId}/report${query}`;

describe('the report of a month', () => {
  it('counts the last finished month, compares it with the one before, and tells a client nothing of credits', async () => {
    const { status, body } = await service.call('GET', path(), { as: 'owner' });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual([body.month, body.isFinished, body.firstMonth], [LAST, true, BEFORE]);
    const { runs, succeeded, failed, contacted, helped, credits } = body.totals;
    assert.deepEqual([runs, succeeded, failed, contacted, helped, credits], [10, 8, 2, 5, 7, 9]);
    assert.deepEqual([body.previous.helped, body.results.length, body.results[0].count, body.results[0].previousCount], [3, 1, 7, 3]);
    assert.deepEqual(
      body.trend.map((one: { month: string; helped: number }) => [one.month, one.helped]),
      [
        [BEFORE, 3],
        [LAST, 7],
      ],
    );
    assert.deepEqual(
      body.busiestHours.map(({ runs: count }: { runs: number }) => count),
      [10],
    );
    assert.deepEqual([body.failures[0].cause, body.failures[0].count], ['unknown', 2]);
    assert.notEqual(body.suggestion.templateName, 'missed-call-text-back');
    const own = await service.call('GET', path(), { as: 'clientUser' });
    assert.deepEqual([own.status, own.body.totals.credits, own.body.totals.runs], [200, null, 10]);
  });

  it('is open to staff, its agency and its client, and hidden from everyone else', async () => {
    for (const as of ['staff', 'owner', 'moderator', 'clientUser'] as const)
      assert.equal((await service.call('GET', path(), { as })).status, 200, as);
    await service.assertRefused('GET', path(), { otherClientUser: 'not_found', rivalOwner: 'not_found', rivalClientUser: 'not_found' });
    await service.assertRefused('GET', `${path()}.csv`, { otherClientUser: 'not_found', rivalOwner: 'not_found' });
  });

  it('is refused for months before the client and after the running one, and compares a running month with nothing', async () => {
    for (const month of [addMonths(RUNNING, 1), '2020-01']) {
      const { status, body } = await service.call('GET', path(`?month=${month}`), { as: 'owner' });
      assert.deepEqual([status, body.code, body.errors[0].field], [422, 'validation_failed', 'month'], month);
    }
    assert.equal((await service.call('GET', path('?month=2026-13'), { as: 'owner' })).body.code, 'invalid_query');
    const running = (await service.call('GET', path(`?month=${RUNNING}`), { as: 'owner' })).body;
    assert.deepEqual([running.isFinished, running.previous, running.totals.runs], [false, null, 0]);
  });

  it('is a CSV in the language of the client', async () => {
    const { status, text } = await service.call('GET', `${path()}.csv?locale=de`, { as: 'owner' });
    assert.equal(status, 200, text);
    assert.match(text, /Summen,\d{4}-\d\d,Oak Street Dental,Ergebnisse,7\r\n/);
  });

  it('is a CSV that the spreadsheet of a client opens in its region, and has commas for others', async (context) => {
    const speak = (tag: string) =>
      service.db.asSystem('seed', (tx) =>
        sql`update app_user set locale = ${tag} where id = ${service.world.people.clientUser.userId}`.execute(tx),
      );
    context.after(() => speak('en-US'));
    await speak('de-DE');
    const read = async (as: 'clientUser' | 'owner') => (await service.call('GET', `${path()}.csv?locale=de`, { as })).text;
    assert.match(await read('clientUser'), /^\uFEFFTeil;Monat;Gegenstand;[^]*;Oak Street Dental;Ersparte Stunden;\d+,\d\r\n/);
    assert.match(await read('owner'), /^\uFEFFTeil,Monat,Gegenstand,[^]*,Oak Street Dental,Ersparte Stunden,\d+\.\d\r\n/);
  });
});

it('the credits of a client in a report are those of its usage: with its chatbots’ answers, without those of others', async () => {
  const { partnerId, clientId, otherClientId } = service.world;
  const spend = (client: string | null, month: string, credits: number) =>
    service.db.asSystem('seed', (tx) =>
      sql`insert into usage_entry (id, kind, partner_id, client_id, credits, at)
        select uuid_floor(at), 'ai_tokens', ${partnerId}, ${client}, ${-credits}, at from (select ${within(month)}::timestamptz + ${credits} * interval '1 second' as at)`.execute(
        tx,
      ),
    );
  await spend(clientId, LAST, 4);
  await spend(clientId, BEFORE, 2);
  await spend(otherClientId, LAST, 30);
  await spend(null, LAST, 50);
  for (const as of ['owner', 'staff'] as const) {
    const { body } = await service.call('GET', path(), { as });
    assert.deepEqual([body.totals.credits, body.previous.credits, body.totals.runs], [13, 11, 10], as);
    assert.equal((await service.call('GET', path(`?month=${BEFORE}`), { as })).body.totals.credits, 11);
  }
  const used = await service.call('GET', `/metering/usage?groupBy=client&from=${starts(LAST)}&to=${starts(RUNNING)}`, { as: 'owner' });
  assert.equal(used.body.find(({ key }: { key: string }) => key === clientId).credits, 13);
  assert.equal((await service.call('GET', path(), { as: 'clientUser' })).body.totals.credits, null);
});

describe('what results are thought to be worth', () => {
  const PATH = '/partners/me/result-values';
  const put = (currency: string, values: readonly { templateName: string; valueMinor: number }[]) =>
    service.call('PUT', PATH, { as: 'owner', body: { currency, values } });
  const MISSED = { templateName: 'missed-call-text-back', valueMinor: 4_550 };

  it('is off, is results times the amount of the agency once it sets one, and is off again without', async () => {
    const off = await service.call('GET', path(), { as: 'clientUser' });
    assert.deepEqual([off.body.worth, off.body.results[0].worthMinor], [null, null]);
    const saved = await put('EUR', [MISSED]);
    assert.equal(saved.status, 200, saved.text);
    assert.equal(saved.body.currency, 'EUR');
    const known = await service.call('GET', PATH, { as: 'moderator' });
    assert.deepEqual(known.body, saved.body);
    const one = saved.body.values.find(({ templateName }: { templateName: string }) => templateName === MISSED.templateName);
    assert.deepEqual([one.valueMinor, one.phrase], [4_550, 'missed call or chat answered by text']);
    for (const as of ['owner', 'clientUser'] as const) {
      const { body } = await service.call('GET', path(), { as });
      assert.deepEqual(body.worth, { currency: 'EUR', minor: body.totals.helped * 4_550, previousMinor: body.previous.helped * 4_550 });
      assert.equal(body.results[0].worthMinor, body.results[0].count * 4_550);
    }
    assert.match((await service.call('GET', `${path()}.csv`, { as: 'owner' })).text, /Estimated value \(EUR\),318.5\r\n/);
    const mail = await service.call('GET', `${path()}/preview?month=${LAST}`, { as: 'owner' });
    assert.match(mail.body.text, /estimates the worth of the results at €319\./);
    assert.equal(
      (await put('EUR', [])).body.values.filter(({ valueMinor }: { valueMinor: number | null }) => valueMinor !== null).length,
      0,
    );
    assert.equal((await service.call('GET', path(), { as: 'owner' })).body.worth, null);
    assert.doesNotMatch((await service.call('GET', `${path()}/preview?month=${LAST}`, { as: 'owner' })).body.text, /worth/);
  });

  it('is set by admins alone, for agents of the catalog, each once, in one currency, and audited once', async () => {
    await service.assertRefused('PUT', PATH, { moderator: 'partner_role_forbidden', clientUser: 'role_forbidden', staff: 'role_forbidden' }, { currency: 'USD', values: [MISSED] }); // prettier-ignore
    await service.assertRefused('GET', PATH, { clientUser: 'role_forbidden' });
    const field = async (currency: string, values: readonly { templateName: string; valueMinor: number }[]): Promise<unknown> => {
      const { status, body } = await put(currency, values);
      return [status, body.code, body.errors[0].field, body.errors[0].code];
    };
    assert.deepEqual(await field('XYZ', [MISSED]), [422, 'validation_failed', 'currency', 'unknown_currency']);
    assert.deepEqual(await field('USD', [{ ...MISSED, templateName: 'gone' }]), [422, 'validation_failed', 'values', 'unknown_template']);
    assert.deepEqual(await field('USD', [MISSED, MISSED]), [422, 'validation_failed', 'values', 'repeated_template']);
    assert.equal((await put('USD', [{ ...MISSED, valueMinor: 0 }])).status, 422);
    for (let times = 0; times < 2; times += 1) assert.equal((await put('USD', [MISSED])).status, 200);
    const entries = await service.db.asSystem('seed', (tx) =>
      tx
        .selectFrom('auditEntry')
        .select('changes')
        .where('action', '=', 'report.values_changed')
        .where('result', '=', 'ok')
        .orderBy('id')
        .execute(),
    );
    assert.deepEqual(entries.at(-1)?.changes, { values: [null, 'Missed-call text-back $45.50'] });
    assert.equal(entries.length, 3);
    assert.equal((await put('USD', [])).status, 200);
  });
});

describe('the words of a customer', () => {
  it('are the best of the month that a run reported with the permission to quote, for the own client alone, as long as contents are stored', async () => {
    const { partnerId, clientId, otherClientId } = service.world;
    const at = within(LAST);
    const agents: Record<string, string> = {};
    for (const client of [clientId, otherClientId])
      agents[client] = await service.db.asSystem('seed', (tx) =>
        addWorkflow(tx, { partnerId, clientId: client, templateName: 'review-request', name: 'Reviews' }),
      );
    const add = (client: string, when: Date, output: object) =>
      service.db.asSystem('seed', async (tx) => {
        const id = v7({ msecs: when.getTime() });
        await sql`insert into execution (id, partner_id, client_id, workflow_id, source, status, summary, template_version, credits_held, started_at, finished_at, due_at)
          values (${id}, ${partnerId}, ${client}, ${agents[client]}, 'ingest', 'SUCCEEDED', 'Asked', 1, 0, ${when}, ${when}, ${when})`.execute(
          tx,
        );
        await sql`insert into execution_payload (id, partner_id, client_id, input, output) values (${id}, ${partnerId}, ${client}, '{}', ${output})`.execute(
          tx,
        );
      });
    const words = async (): Promise<unknown> => (await service.call('GET', path(), { as: 'clientUser' })).body.words;
    await add(clientId, at, { asked: true, quote: null });
    await add(clientId, at, { asked: true, quote: { words: 7, customer: 'Eve', rating: 5 } });
    assert.equal(await words(), null);
    await add(clientId, at, { quote: { words: 'Good work, and on time.', customer: 'Ana', rating: 4 } });
    await add(otherClientId, at, { quote: { words: 'The best of all businesses.', customer: 'Bo', rating: 5 } });
    assert.deepEqual(await words(), { text: 'Good work, and on time.', customer: 'Ana', rating: 4 });
    await add(clientId, at, { quote: { words: 'They were lovely to my dog.', customer: 'Cy', rating: 5 } });
    assert.deepEqual(await words(), { text: 'They were lovely to my dog.', customer: 'Cy', rating: 5 });
    await add(clientId, new Date(NOW.getTime() - 95 * 86_400_000), {
      quote: { words: 'Long ago and very good.', customer: 'Di', rating: 5 },
    });
    const old = monthOf(new Date(NOW.getTime() - 95 * 86_400_000), ZONE);
    assert.equal((await service.call('GET', path(`?month=${old}`), { as: 'owner' })).body.words, null);
  });
});

describe('the PDF', () => {
  type As = 'staff' | 'owner' | 'moderator' | 'clientUser' | 'rivalOwner';
  const print = (as: As, query = '', clientId = service.world.clientId) =>
    service.call('GET', `/clients/${clientId}/report.pdf${query}`, { as });
  const printed = async (as: As, query = ''): Promise<string> => {
    const { status, text } = await print(as, query);
    assert.equal(status, 200, text);
    assert.match(text, /^%PDF/);
    return text;
  };

  it('is drawn once while nothing in it changes, by reader’s rights, and again with the next change', async () => {
    drawn.length = 0;
    const first = await printed('owner');
    assert.equal(await printed('owner'), first);
    assert.equal(await printed('staff'), first);
    assert.equal(drawn.length, 1);
    await printed('owner', '?paper=A4');
    await printed('owner', '?locale=de');
    assert.equal(drawn.length, 3);
    await service.call('PUT', '/partners/me/hours-estimates/missed-call-text-back', { as: 'owner', body: { hours: 2 } });
    assert.notEqual(await printed('owner'), first);
    await service.call('PUT', '/partners/me/hours-estimates/missed-call-text-back', { as: 'owner', body: { hours: null } });
    assert.equal(await printed('owner'), first);
    assert.equal(drawn.length, 4);
    await service.assertRefused('GET', `${path()}.pdf`, { rivalOwner: 'not_found', otherClientUser: 'not_found' });
  });

  it('is drawn for another agency while many of one are held, of which each user prints one at a time', async () => {
    const { partnerId, rivalPartnerId, rivalClientId } = service.world;
    held.set(partnerId, Promise.withResolvers());
    drawn.length = 0;
    // More than the slots, and few enough that the last of them waits no 20 s on a busy machine.
    const of = (as: As) => [BEFORE, LAST].map((month) => print(as, `?month=${month}&locale=de&paper=Letter`));
    const many = [...of('clientUser'), ...of('owner'), ...of('moderator')];
    await whenDrawn(2);
    assert.equal((await print('rivalOwner', '', rivalClientId)).status, 200);
    assert.deepEqual(drawn, [partnerId, partnerId, rivalPartnerId], 'half of the slots, one for each user');
    held.get(partnerId)?.resolve();
    for (const { status } of await Promise.all(many)) assert.equal(status, 200);
  });
});

describe('the estimate of hours', () => {
  const estimate = (templateName: string, hours: number | null, as: 'owner' | 'moderator' | 'clientUser' = 'owner') =>
    service.call('PUT', `/partners/me/hours-estimates/${templateName}`, { as, body: { hours } });

  it('of the agency replaces the catalog’s until it is taken back', async () => {
    const catalog = (await service.call('GET', path(), { as: 'owner' })).body.totals.hoursSaved;
    assert.equal((await estimate('missed-call-text-back', 1.25)).body.hours, 1.25);
    assert.equal((await service.call('GET', path(), { as: 'clientUser' })).body.totals.hoursSaved, 8.8);
    const listed = (await service.call('GET', '/partners/me/hours-estimates', { as: 'moderator' })).body;
    assert.equal(listed.find((one: { templateName: string }) => one.templateName === 'missed-call-text-back').hours, 1.25);
    assert.equal((await estimate('missed-call-text-back', null)).status, 200);
    assert.equal((await service.call('GET', path(), { as: 'owner' })).body.totals.hoursSaved, catalog);
  });

  it('is set by admins alone, from 0 to 40 hours, for agents of the catalog', async () => {
    assert.equal((await estimate('missed-call-text-back', 1, 'moderator')).body.code, 'partner_role_forbidden');
    assert.equal((await estimate('missed-call-text-back', 1, 'clientUser')).body.code, 'role_forbidden');
    for (const hours of [-1, 40.01, 0.005]) assert.equal((await estimate('missed-call-text-back', hours)).status, 422, String(hours));
    assert.equal((await estimate('no-such-agent', 1)).body.code, 'not_found');
  });
});

describe('who gets the report by mail', () => {
  const choose = (
    of: 'clientUser' | 'owner' | 'moderator' | 'rivalOwner',
    isSubscribed: boolean,
    as: 'owner' | 'moderator' | 'clientUser',
  ) => service.call('PUT', path(`/recipients/${service.world.people[of].userId}`), { as, body: { isSubscribed } });

  it('is chosen by admins for everyone, and by each person for themselves', async () => {
    assert.deepEqual((await choose('clientUser', true, 'owner')).body.isSubscribed, true);
    assert.equal((await choose('moderator', true, 'moderator')).body.changedBy.id, service.world.people.moderator.userId);
    assert.equal((await choose('owner', true, 'moderator')).body.code, 'partner_role_forbidden');
    assert.equal((await choose('owner', true, 'clientUser')).body.code, 'not_found');
    assert.equal((await choose('rivalOwner', true, 'owner')).body.code, 'not_found');
    const all = (await service.call('GET', path('/recipients'), { as: 'moderator' })).body;
    assert.deepEqual(
      all.map((one: { email: string; isSubscribed: boolean }) => [one.email, one.isSubscribed]),
      [
        ['clientuser@portal.test', true],
        ['moderator@portal.test', true],
        ['owner@portal.test', false],
      ],
    );
    const own = (await service.call('GET', path('/recipients'), { as: 'clientUser' })).body;
    assert.deepEqual(
      own.map((one: { email: string }) => one.email),
      ['clientuser@portal.test'],
    );
    await service.assertRefused('GET', path('/recipients'), { rivalOwner: 'not_found', otherClientUser: 'not_found' });
  });

  it('is not subscribed again by others after they ended it', async () => {
    assert.equal((await choose('clientUser', false, 'clientUser')).body.hasOptedOut, true);
    assert.equal((await choose('clientUser', true, 'owner')).body.code, 'invalid_state');
    assert.equal((await choose('clientUser', true, 'clientUser')).body.isSubscribed, true);
  });
});
