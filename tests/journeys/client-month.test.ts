import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { loadCatalog } from '@partner-portal/catalog/index.ts';
import { addMonths, monthOf, startOfMonth } from '@partner-portal/core/report/month.ts';
import { metering } from '@partner-portal/service/modules/1-ledger/metering/index.ts';
import { clients } from '@partner-portal/service/modules/2-tenancy/clients/index.ts';
import { invitations } from '@partner-portal/service/modules/2-tenancy/invitations/index.ts';
import { reports } from '@partner-portal/service/modules/5-reactions/reports/index.ts';
import { type ProvisioningService, startProvisioningService } from '../harness/provisioning.ts';
import { type Body, startTestService, type TestCall, type TestPlatform, type TestService } from '../harness/service.ts';
import { until } from '../harness/system.ts';
import { assertNothingHeldHere } from '../harness/held.ts';

/**
 * Two businesses are imported and get a copy of an agent; one of them misses calls for a month and gets its report: through HTTP, with
 * pipeline, engine and ingest as in production. The database gives runs its own time, so they are of the present month, and the clock of
 * both processes of the service moves into the next one. The page on a phone is in tests/browser/month-walk.spec.ts.
 */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ZONE = 'Europe/Madrid';
const FILE = `Nombre;Correo;Zona horaria;Idioma;Referencia
Clínica Mirador;ines@mirador.example;${ZONE};es;crm-901
Ferretería Sol;hola@sol.example;${ZONE};es;crm-902
`;
const INES = { email: 'ines@mirador.example', fullName: 'Inés Vidal', password: 'nueve zorros pardos' };
const CALLERS = ['+34600000101', '+34600000102', '+34600000103', '+34600000104'];
/** The provider sends no text to it. */
const REJECTED = '+15002160600';

/** The time that the test set; null while the system's clock is used. */
let movedTo: Date | null = null;
const clock = { now: () => movedTo ?? new Date() };
let service: ProvisioningService;
let other: TestService;
let origin: string;
/** The reports module of each process. */
const modules: ReturnType<typeof reports>[] = [];

before(async () => {
  const withReports = (platform: TestPlatform) => {
    const module = reports({ ...platform, catalog: loadCatalog(), platformProviders: [] });
    modules.push(module);
    return module;
  };
  service = await startProvisioningService({
    clock,
    modules: (platform) => [clients(platform), invitations(platform), metering(platform), platform.mail, withReports(platform)],
  });
  other = await startTestService({
    clock,
    database: service.database,
    world: service.world,
    modules: (platform) => [withReports(platform)],
  });
  origin = await service.listen();
  // The address to which flows report.
  service.settings.internalApiUrl = origin;
  service.executions.start();
  await service.saveKey('twilio');
});
after(async () => {
  await other?.close();
  await service?.close();
  assertNothingHeldHere();
});

describe('a business that was imported', () => {
  let mirador: string;
  let sol: string;
  let agentId: string;
  let month: string;
  let inesId: string;

  const call = async (method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, options: TestCall): Promise<Body> => {
    const { status, body, text } = await service.call(method, path, options);
    assert.ok(status < 300, `${method} ${path}: ${text}`);
    return body;
  };
  const own = (path: string): Promise<Body> => call('GET', path, { as: 'owner' });
  const signIn = async (): Promise<TestCall> => {
    const { status, body, text } = await service.login(INES.email, INES.password);
    assert.equal(status, 200, text);
    return { headers: { authorization: `Bearer ${body.accessToken}` } };
  };
  /** Staff approve, and the pipeline installs. Returns the agents. */
  async function install(requestIds: readonly string[]): Promise<string[]> {
    for (const id of requestIds) await call('POST', `/agent-requests/${id}/approve`, { as: 'staff', body: {} });
    // Installations of one agency wait for each other, with a pause before the next try.
    await service.runner.drain({ untilAt: new Date(Date.now() + HOUR_MS) });
    const agentIds: string[] = [];
    for (const id of requestIds) {
      const { status, workflowId } = await own(`/agent-requests/${id}`);
      assert.equal(status, 'fulfilled');
      agentIds.push(workflowId);
    }
    return agentIds;
  }
  /** The moments at which the month begins and ends, as filters take them. */
  const inMonth = (): string =>
    new URLSearchParams({
      from: startOfMonth(month, ZONE).toISOString(),
      to: startOfMonth(addMonths(month, 1), ZONE).toISOString(),
    }).toString();
  /** The job runs in both processes at the same time. Returns how many mails were queued. */
  async function sendDue(): Promise<number> {
    const { signal } = new AbortController();
    const sent = await Promise.all(modules.map((module) => module.sendDue(signal)));
    return sent.reduce((sum, one) => sum + one, 0);
  }
  const mails = async (): Promise<{ id: string; to: string; subject: string }[]> =>
    (await call('GET', '/provisioning/mail?kind=report_ready&limit=100', { as: 'staff' })).data;

  it('is in its own language and time zone', async () => {
    const form = new FormData();
    form.set('mode', 'all');
    form.set('file', new File([FILE], 'clientes.csv', { type: 'text/csv' }));
    const response = await fetch(`${origin}/clients/import`, { method: 'POST', body: form, headers: service.bearer('owner') });
    const result: Body = await response.json();
    assert.deepEqual([response.status, result.counts], [200, { created: 2, updated: 0, unchanged: 0, refused: 0 }]);
    [mirador, sol] = result.rows.map(({ clientId }: { clientId: string }) => clientId);
    for (const [id, name] of [
      [mirador, 'Clínica Mirador'],
      [sol, 'Ferretería Sol'],
    ] as const) {
      const client = await own(`/clients/${id}`);
      assert.deepEqual([client.name, client.locale, client.timezone], [name, 'es', ZONE]);
    }
  });

  it('gets a copy of the agent of another client, installed after staff approved it', async () => {
    const config = { quietHours: '', repeatAfterHours: 0 };
    const asked = { clientId: service.world.clientId, templateName: 'missed-call-text-back', config };
    const request = await call('POST', '/agent-requests', { as: 'owner', body: asked });
    const [sourceId = ''] = await install([request.id]);
    const body = { clientIds: [mirador, sol] };
    const preview = await call('POST', `/agents/${sourceId}/copies/preview`, { as: 'owner', body });
    assert.deepEqual(
      preview.targets.map(({ state }: { state: string }) => state),
      ['ready', 'ready'],
    );
    const { results } = await call('POST', `/agents/${sourceId}/copies`, { as: 'owner', body });
    const copies = await install(results.map(({ requestId }: { requestId: string }) => requestId));
    assert.equal(new Set([sourceId, ...copies]).size, 3);
    [agentId = ''] = copies;
    const agent = await own(`/agents/${agentId}`);
    assert.deepEqual([agent.clientId, agent.isActive, agent.config.quietHours], [mirador, true, '']);
  });

  it('has its missed calls answered by the flow in the engine, and reported', async () => {
    const { url } = await own(`/workflows/${agentId}/ingest-url`);
    const { pathname, search } = new URL(url);
    await call('PATCH', `/clients/${mirador}`, { as: 'owner', body: { textCountries: ['ES', 'US'] } });
    for (const callerNumber of [...CALLERS, REJECTED])
      await call('POST', `${pathname}${search}`, { body: { callerNumber, businessNumber: '+34910000000' } });
    const runs = await until('every run has ended', async () => {
      const { data } = await own(`/executions?workflowId=${agentId}&limit=100`);
      return data.every(({ status }: { status: string }) => status !== 'RUNNING') && data;
    });
    assert.deepEqual(runs.map(({ status }: { status: string }) => status).toSorted(), ['FAILED', ...CALLERS.map(() => 'SUCCEEDED')]);
    month = monthOf(new Date(runs[0].startedAt), ZONE);
  });

  it('has a user, who wants the report by mail', async () => {
    const invited = { kind: 'client_user', clientId: mirador, email: INES.email, fullName: INES.fullName };
    const { acceptUrl } = await call('POST', '/invitations', { as: 'owner', body: invited });
    const token = new URL(acceptUrl).pathname.split('/').at(-1);
    await call('POST', '/invitations/accept', { body: { token, password: INES.password, fullName: INES.fullName } });
    const session = await signIn();
    const listed: Body[] = await call('GET', `/clients/${mirador}/report/recipients`, session);
    assert.deepEqual(
      listed.map(({ email, isSubscribed }) => [email, isSubscribed]),
      [[INES.email, false]],
    );
    inesId = listed[0].userId;
    const path = `/clients/${mirador}/report/recipients/${inesId}`;
    const chosen = await call('PUT', path, { ...session, body: { isSubscribed: true } });
    assert.equal(chosen.isSubscribed, true);
    // The other business has an agent, and no run to report.
    const ownerId = service.world.people.owner.userId;
    await call('PUT', `/clients/${sol}/report/recipients/${ownerId}`, { as: 'owner', body: { isSubscribed: true } });
  });

  it('gets it in Spanish, once, at nine in its own time zone on the first working day of the next month', async () => {
    const start = startOfMonth(addMonths(month, 1), ZONE).getTime();
    // At noon the day is the same in Madrid and UTC. The clocks of Madrid do not change in the first days of a month.
    const weekday = new Date(start + DAY_MS / 2).getUTCDay();
    const weekend = weekday === 6 ? 2 : weekday === 0 ? 1 : 0;
    const due = start + weekend * DAY_MS + 9 * HOUR_MS;
    for (const early of [start - 1, start, due - 1]) {
      movedTo = new Date(early);
      assert.equal(await sendDue(), 0, movedTo.toISOString());
    }
    assert.deepEqual(await mails(), []);

    movedTo = new Date(due);
    assert.equal(await sendDue(), 1);
    const [mail, ...others] = await mails();
    assert.ok(mail);
    assert.deepEqual([mail.to, others], [INES.email, []]);
    for (const later of [due, due + HOUR_MS / 4, due + DAY_MS]) {
      movedTo = new Date(later);
      assert.equal(await sendDue(), 0, movedTo.toISOString());
    }
    assert.equal((await mails()).length, 1);

    const name = new Intl.DateTimeFormat('es-ES', { month: 'long', timeZone: ZONE }).format(startOfMonth(month, ZONE));
    assert.match(mail.subject, new RegExp(`^Clínica Mirador: su informe de ${name}`));
    const { text, links } = await call('GET', `/provisioning/mail/${mail.id}`, { as: 'staff' });
    const { totals } = await own(`/clients/${mirador}/report?month=${month}`);
    assert.match(text, new RegExp(String.raw`\b${totals.helped}\sresultados?\b`));
    assert.ok(links.includes(`${service.baseUrl}/client/report?month=${month}`), links.join(' '));
  });

  it('reads in it the numbers of the ledger and of the list of runs', async () => {
    const session = await signIn();
    const report = await call('GET', `/clients/${mirador}/report?month=${month}`, session);
    const runs: Body[] = (await call('GET', `/executions?${inMonth()}&limit=100`, session)).data;
    const usage: Body[] = await call('GET', `/metering/usage?groupBy=agent&${inMonth()}`, session);
    const count = (status: string): number => runs.filter((run) => run.status === status).length;
    assert.ok(runs.length > 0);
    const { totals } = report;
    assert.deepEqual(
      [report.isFinished, totals.runs, totals.succeeded, totals.failed, totals.helped],
      [true, runs.length, count('SUCCEEDED'), count('FAILED'), count('SUCCEEDED')],
    );
    assert.deepEqual(
      usage.map((row) => [row.key, row.runs, row.failed]),
      [[agentId, totals.runs, totals.failed]],
    );
    assert.deepEqual(
      report.results.map(({ workflowId, count: helped }: Body) => [workflowId, helped]),
      [[agentId, totals.helped]],
    );
    assert.match(report.results[0].phrase, /^llamadas? perdidas?\b/);

    // The report shows credits to the agency only.
    const { totals: seen } = await own(`/clients/${mirador}/report?month=${month}`);
    const ledger: Body[] = (await own(`/metering/ledger?clientId=${mirador}&${inMonth()}&limit=100`)).data;
    const charged = ledger.reduce((sum: number, { credits }) => sum - credits, 0);
    const [billed] = await own(`/metering/usage?groupBy=agent&clientId=${mirador}&${inMonth()}`);
    assert.deepEqual([totals.credits, seen.credits, billed.credits, ledger.length], [null, charged, charged, totals.succeeded]);

    const [subscriber] = await call('GET', `/clients/${mirador}/report/recipients`, session);
    assert.deepEqual([subscriber.userId, subscriber.lastSentMonth], [inesId, month]);
    assert.equal((await service.call('GET', `/clients/${sol}/report`, session)).body.code, 'not_found');
  });
});
