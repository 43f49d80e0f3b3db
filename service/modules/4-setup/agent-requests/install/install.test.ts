import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { countLockWaits } from '@partner-portal/tests/harness/database.ts';
import { type ProvisioningService, startProvisioningService } from '@partner-portal/tests/harness/provisioning.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import { accountResumed } from '#modules/2-tenancy/partners/index.ts';
import { recordFact } from '#platform/facts.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { OutboundError } from '#platform/outbound/outbound-error.ts';
import { installRequestJob } from './install-job.ts';

/** From approval to a running agent, against the embedded engine over HTTP, with the real vault, queue and database. */

let service: ProvisioningService;
let partnerId: string;
let clientId: string;
let otherClientId: string;

before(async () => {
  service = await startProvisioningService();
  ({ partnerId, clientId, otherClientId } = service.world);
});
after(() => service.close());
beforeEach(async () => {
  service.wire.around = undefined;
  service.wire.beforeSetup = undefined;
  await service.runner.drain({ untilAt: new Date(Date.now() + 3_600_000) });
  await service.forget();
  await setStaff('active');
});

const KEYLESS = 'lead-intake-cleaner';
const TEXT_BACK = 'missed-call-text-back';
const REVIEWS = 'review-request';

async function ask(templateName: string, options: { clientId?: string; config?: object } = {}): Promise<string> {
  const body = { clientId, templateName, ...options };
  return (await service.call('POST', '/agent-requests', { as: 'owner', body })).body.id;
}
const act = (id: string, verb: string, body: object = {}) => service.call('POST', `/agent-requests/${id}/${verb}`, { as: 'staff', body });
const read = async (id: string, as: 'owner' | 'staff' = 'owner') => (await service.call('GET', `/agent-requests/${id}`, { as })).body;
const later = () => service.runner.drain({ untilAt: new Date(Date.now() + 60_000) });
const attempts = async (): Promise<{ id: string; mode: string; status: string; requestedByName: string }[]> =>
  (await service.call('GET', `/partners/${partnerId}/automation/attempts`, { as: 'staff' })).body;
const instance = async () => (await service.call('GET', `/partners/${partnerId}/automation`, { as: 'staff' })).body;
const path = (request: { timeline: { to: string }[] }) => request.timeline.map((entry) => entry.to);
const workflowOf = (templateName: string) =>
  service.db.asSystem('seed', (tx) =>
    tx.selectFrom('workflow').select(['id', 'config']).where('templateName', '=', templateName).executeTakeFirstOrThrow(),
  );
const setStaff = (status: 'active' | 'disabled') =>
  service.db.asSystem('seed', (tx) =>
    tx.updateTable('appUser').set({ status }).where('id', '=', service.world.people.staff.userId).execute(),
  );

type EventData = {
  resolution?: string;
  attemptId: string | null;
  agent?: object;
  message?: string;
  retryable?: boolean;
  missingConnections?: object;
};
async function eventsAbout(id: string): Promise<(EventData & { type: string })[]> {
  const rows = await service.db.asSystem('seed', (tx) => tx.selectFrom('event').select(['type', 'data']).orderBy('id').execute());
  return rows.flatMap(({ type, data }) => {
    const events = data as EventData & { agentRequest?: { id: string } }; // our own events
    return events.agentRequest?.id === id ? [{ type, ...events }] : [];
  });
}

test('approving installs the agent with its settings, by the pipeline, with the approver as acting user', async () => {
  await service.saveKey('twilio');
  const id = await ask(TEXT_BACK, { config: { repeatAfterHours: 4 } });
  assert.deepEqual((await act(id, 'approve', { config: { repeatAfterHours: 9 } })).body.waiting, true);
  await service.runner.drain();
  const done = await read(id);
  assert.deepEqual([done.status, path(done)], ['fulfilled', ['submitted', 'approved', 'provisioning', 'fulfilled']]);
  const [attempt] = await attempts();
  assert.deepEqual(
    [attempt?.id, attempt?.mode, attempt?.status, attempt?.requestedByName],
    [done.lastAttemptId, 'provision', 'succeeded', 'Staff Tester'],
  );
  const row = (await instance()).workflows.find((one: { workflowId: string }) => one.workflowId === done.workflowId);
  assert.deepEqual([row.clientId, row.templateName], [clientId, TEXT_BACK]);
  assert.equal((await service.client.getFlow(row.providerFlowId))?.status, 'ENABLED');
  const stored = await service.db.asSystem('seed', (tx) =>
    tx.selectFrom('workflow').select('config').where('id', '=', done.workflowId).executeTakeFirstOrThrow(),
  );
  assert.deepEqual(stored.config, { repeatAfterHours: 9 });
  const events = await eventsAbout(id);
  assert.deepEqual(
    events.map((one) => [one.type, one.resolution]),
    [
      ['agent_request.submitted', undefined],
      ['agent_request.resolved', 'approved'],
      ['agent_request.resolved', 'fulfilled'],
    ],
  );
  assert.deepEqual(events[2]?.agent, { id: done.workflowId, name: 'Missed-call text-back', isActive: true });
});

test('an agent of a German client is installed with German texts, also one without a request', async () => {
  await service.saveKey('twilio');
  const setLocale = (locale: 'de' | 'en') =>
    service.db.asSystem('seed', (tx) => tx.updateTable('client').set({ locale }).where('id', '=', clientId).execute());
  await setLocale('de');
  const id = await ask(TEXT_BACK, { config: { optOutLine: 'STOP beendet.' } });
  assert.deepEqual((await read(id)).config, { optOutLine: 'STOP beendet.' });
  await act(id, 'approve');
  await service.runner.drain();
  assert.equal((await read(id)).status, 'fulfilled');
  const message = 'Leider haben wir Ihren Anruf bei {businessName} verpasst. Einen Termin buchen Sie hier: {bookingUrl}';
  assert.deepEqual((await workflowOf(TEXT_BACK)).config, {
    optOutLine: 'STOP beendet.',
    visitorMessage: 'Vielen Dank für Ihre Anfrage bei {businessName}. Einen Termin buchen Sie hier: {bookingUrl}',
    message,
  });
  const body = { mode: 'repair', clientId, templateNames: [REVIEWS] };
  await service.call('POST', `/partners/${partnerId}/automation/reprovision`, { as: 'staff', body });
  assert.match(Object((await workflowOf(REVIEWS)).config).askText, /^Guten Tag /);
  await setLocale('en');
});

test('an agency that is ready gets the agent by a repair, and what runs there keeps running', async () => {
  const first = await ask(KEYLESS);
  await act(first, 'approve');
  await service.runner.drain();
  const before_ = (await instance()).workflows[0];
  const flow = await service.client.getFlow(before_.providerFlowId);
  const second = await ask(KEYLESS, { clientId: otherClientId });
  await act(second, 'approve');
  await service.runner.drain();
  assert.equal((await read(second)).status, 'fulfilled');
  assert.deepEqual(
    (await attempts()).map((one) => one.mode),
    ['repair', 'provision'],
  );
  const after_ = await service.client.getFlow(before_.providerFlowId);
  assert.deepEqual([after_?.status, after_?.publishedVersionId], [flow?.status, flow?.publishedVersionId]);
});

test('of two concurrent approvals one succeeds, and there is one installation however often the job runs', async () => {
  const id = await ask(KEYLESS);
  const replies = await Promise.all([act(id, 'approve'), act(id, 'approve')]);
  assert.deepEqual(
    replies.map((reply) => reply.status).toSorted((a, b) => a - b),
    [200, 409],
  );
  await service.db.asSystem('seed', async (tx) => {
    for (let n = 0; n < 3; n++) await enqueue(tx, installRequestJob, { requestId: id });
  });
  await later();
  assert.equal((await read(id)).status, 'fulfilled');
  assert.equal((await attempts()).length, 1);
  assert.equal((await eventsAbout(id)).filter((one) => one.resolution === 'fulfilled').length, 1);
});

test('approved at once for many, each waits for the instance in turn and all are installed', async () => {
  const body = { clientIds: [clientId, otherClientId], templateName: KEYLESS };
  const ids = (await service.call('POST', '/agent-requests', { as: 'owner', body })).body.map((one: { id: string }) => one.id);
  await Promise.all(ids.map((id: string) => act(id, 'approve')));
  await later();
  for (const id of ids) assert.equal((await read(id)).status, 'fulfilled');
  assert.equal((await instance()).workflows.length, 2);
});

test('what is approved for later waits until staff start it', async () => {
  const id = await ask(KEYLESS);
  await act(id, 'approve', { provisionNow: false });
  await later();
  assert.equal((await read(id)).status, 'approved');
  await act(id, 'retry');
  await service.runner.drain();
  assert.equal((await read(id)).status, 'fulfilled');
});

test('without its key it fails with a message for the agency, and continues when the last missing key is saved', async () => {
  const id = await ask(REVIEWS);
  await act(id, 'approve');
  await service.runner.drain();
  const failed = await read(id);
  assert.deepEqual([failed.status, failed.missingConnections.toSorted()], ['provisioning_failed', ['resend', 'twilio']]);
  assert.match(failed.failureMessage, /^Could not activate: missing credential for step\(s\) /);
  assert.equal(failed.timeline.at(-1).note, failed.failureMessage);
  const [events] = (await eventsAbout(id)).filter((one) => one.type === 'agent_request.provisioning_failed');
  assert.deepEqual([events?.attemptId, events?.message, events?.retryable], [failed.lastAttemptId, failed.failureMessage, true]);
  const missing = events?.missingConnections as { provider: string; stepNames: string[] }[];
  assert.ok(missing.length === 2 && missing.every((one) => one.stepNames.length > 0), JSON.stringify(missing));

  await service.saveKey('twilio', { clientId: otherClientId });
  await service.saveKey('twilio', { clientId, as: 'clientUser' });
  await later();
  const half = await read(id);
  assert.deepEqual(
    [half.status, half.missingConnections, half.timeline.length],
    ['provisioning_failed', ['resend'], failed.timeline.length],
  );
  assert.equal((await attempts()).length, 1, 'no attempt that must fail is made');

  await service.saveKey('resend');
  await service.runner.drain();
  const done = await read(id, 'staff');
  assert.deepEqual(path(done).slice(-3), ['provisioning_failed', 'provisioning', 'fulfilled']);
  assert.deepEqual([done.timeline.at(-2).actor.type, done.timeline.at(-2).note], ['system', 'The missing key was saved.']);
  assert.deepEqual(
    (await attempts()).map((one) => one.requestedByName),
    ['Staff Tester', 'Staff Tester'],
  );
});

test('an agent without a required setting is installed, and its request names the setting to all until it is there', async () => {
  await service.saveKey('twilio');
  await service.saveKey('resend');
  const id = await ask(REVIEWS, { config: { reviewUrl: 'https://reviews.example/oak' } });
  const lacking = async (as: 'owner' | 'staff' | 'clientUser' = 'owner'): Promise<string[]> =>
    (await service.call('GET', `/agent-requests/${id}`, { as })).body.missingSettings.map(({ key }: { key: string }) => key);
  assert.deepEqual(await lacking('staff'), ['fromNumber']);
  await act(id, 'approve');
  await service.runner.drain();
  const { status, workflowId } = await read(id);
  assert.equal(status, 'fulfilled');
  for (const person of ['owner', 'staff', 'clientUser'] as const) assert.deepEqual(await lacking(person), ['fromNumber']);
  const ended = (await eventsAbout(id)).find(({ resolution }) => resolution === 'fulfilled');
  assert.deepEqual([Object(ended?.agent).missingSettings, Object(ended?.agent).missingProfile], [['Sender number'], undefined]);
  const body = { config: { fromNumber: '+13125550100' } };
  assert.equal((await service.call('PATCH', `/agents/${workflowId}`, { as: 'owner', body })).status, 200);
  assert.deepEqual(await lacking('clientUser'), []);

  const without = await ask(REVIEWS, { clientId: otherClientId });
  await act(without, 'approve');
  await service.runner.drain();
  const { agent } = Object((await eventsAbout(without)).find(({ resolution }) => resolution === 'fulfilled'));
  assert.deepEqual([agent.missingSettings, agent.missingProfile], [['Review link', 'Sender number'], ['reviewUrl']]);
  const { missingSettings } = await read(without);
  assert.deepEqual(
    missingSettings.map(({ key, fromProfile }: { key: string; fromProfile: string | null }) => [key, fromProfile]),
    [
      ['reviewUrl', 'reviewUrl'],
      ['fromNumber', null],
    ],
  );

  const complete = await ask(TEXT_BACK);
  assert.deepEqual((await read(complete)).missingSettings, []);
});

test('settings changed while a key was missing are those that the agent is installed with', async () => {
  const id = await ask(TEXT_BACK, { config: { repeatAfterHours: 4, bookingUrl: 'https://book.example/elm' } });
  await act(id, 'approve');
  await service.runner.drain();
  assert.equal((await read(id)).status, 'provisioning_failed');
  const { id: agentId } = await workflowOf(TEXT_BACK);
  const changed = await service.call('PATCH', `/agents/${agentId}`, { as: 'owner', body: { config: { repeatAfterHours: 12 } } });
  assert.equal(changed.status, 200, changed.text);
  await service.saveKey('twilio');
  await service.runner.drain();
  assert.equal((await read(id)).status, 'fulfilled');
  assert.deepEqual(await workflowOf(TEXT_BACK), { id: agentId, config: { repeatAfterHours: 12, bookingUrl: 'https://book.example/elm' } });
});

test('a key of the agency serves the requests of all its clients', async () => {
  const body = { clientIds: [clientId, otherClientId], templateName: TEXT_BACK };
  const ids = (await service.call('POST', '/agent-requests', { as: 'owner', body })).body.map((one: { id: string }) => one.id);
  for (const id of ids) await act(id, 'approve');
  await later();
  for (const id of ids) assert.equal((await read(id)).status, 'provisioning_failed');
  await service.saveKey('twilio');
  await later();
  for (const id of ids) assert.equal((await read(id)).status, 'fulfilled');
});

test('a key whose save is not committed yet when the installation fails for want of it is not overlooked', async () => {
  const [reached, calling, saved, committing] = [1, 2, 3, 4].map(() => Promise.withResolvers<void>());
  assert.ok(reached && calling && saved && committing);
  service.wire.around = async (call, send) => {
    reached.resolve();
    await calling.promise;
    return send(call);
  };
  const { resume } = service.requests;
  service.requests.resume = async (tx, slots) => {
    await resume(tx, slots);
    saved.resolve();
    await committing.promise;
  };
  const id = await ask(TEXT_BACK);
  await act(id, 'approve');
  const installing = service.runner.drain();
  await reached.promise;
  const saving = service.saveKey('twilio');
  await saved.promise;
  calling.resolve();
  // The installation cannot see the key. Its end waits for the save, which could not see the end.
  await Promise.race([installing, until('the end waits', async () => (await countLockWaits(service.database)) > 0)]);
  committing.resolve();
  service.requests.resume = resume;
  await Promise.all([saving, installing]);
  await later();
  assert.deepEqual(path(await read(id)).slice(-3), ['provisioning_failed', 'provisioning', 'fulfilled']);
});

test('while another attempt holds the instance it waits as approved, and continues when that has ended', async () => {
  const holding = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  service.wire.around = async (call, send) => {
    reached.resolve();
    await holding.promise;
    return send(call);
  };
  const body = { templateNames: [KEYLESS], clientId: otherClientId };
  const other = service.call('POST', `/partners/${partnerId}/automation/provision`, { as: 'staff', body });
  await reached.promise;
  const id = await ask(KEYLESS);
  await act(id, 'approve');
  await service.runner.drain();
  const waiting = await read(id);
  assert.deepEqual([waiting.status, waiting.waiting], ['approved', true]);
  holding.resolve();
  assert.equal((await other).body.status, 'succeeded');
  await later();
  assert.equal((await read(id)).status, 'fulfilled');
});

test('an engine that fails fails the request; staff retry, or reject it', async () => {
  service.wire.around = () => Promise.reject(new OutboundError('connection_refused', false));
  const id = await ask(KEYLESS);
  await act(id, 'approve');
  await service.runner.drain();
  const failed = await read(id);
  assert.deepEqual([failed.status, failed.missingConnections], ['provisioning_failed', []]);
  assert.ok(!/127\.0\.0\.1|engine|refused:/i.test(JSON.stringify(failed)), failed.failureMessage);
  service.wire.around = undefined;
  await later();
  assert.equal((await read(id)).status, 'provisioning_failed', 'nothing that could cure it has happened');
  assert.equal((await act(id, 'retry')).body.status, 'provisioning');
  await service.runner.drain();
  assert.equal((await read(id)).status, 'fulfilled');

  service.wire.around = () => Promise.reject(new OutboundError('connection_refused', false));
  const other = await ask(KEYLESS, { clientId: otherClientId });
  await act(other, 'approve');
  await service.runner.drain();
  assert.equal((await act(other, 'reject', { note: 'Later.' })).body.status, 'rejected');
});

test('a client that was archived since the approval gets no agent, and the failure says why', async () => {
  const id = await ask(KEYLESS);
  await act(id, 'approve');
  const setStatus = (status: string) =>
    service.db.asSystem('seed', (tx) => tx.updateTable('client').set({ status }).where('id', '=', clientId).execute());
  await setStatus('archived');
  await service.runner.drain();
  await setStatus('active');
  const failed = await read(id);
  assert.deepEqual([failed.status, failed.failureMessage], ['provisioning_failed', 'This client is archived: it gets no more agents.']);
  const [event] = (await eventsAbout(id)).filter((one) => one.type === 'agent_request.provisioning_failed');
  assert.deepEqual([event?.attemptId, event?.retryable], [null, false]);
  const agents = await service.db.asSystem('seed', (tx) => tx.selectFrom('workflow').select('id').execute());
  assert.deepEqual([agents, await attempts()], [[], []]);
});

test('for a suspended agency nothing is approved, and what was approved before is installed once it is active again', async () => {
  const setStatus = (status: string) =>
    service.db.asSystem('seed', (tx) => tx.updateTable('partner').set({ status }).where('id', '=', partnerId).execute());
  const [approved, asked] = [await ask(KEYLESS), await ask(KEYLESS, { clientId: otherClientId })];
  await act(approved, 'approve');
  await setStatus('suspended');
  const refused = await act(asked, 'approve');
  assert.deepEqual([refused.status, refused.body.code, refused.body.detail], [409, 'invalid_state', 'This agency is suspended.']);
  await later();
  assert.equal((await read(approved, 'staff')).status, 'approved');
  assert.deepEqual(
    (await eventsAbout(approved)).map(({ type }) => type).filter((type) => type.endsWith('failed')),
    [],
  );
  await setStatus('active');
  await service.db.asSystem('seed', (tx) => recordFact(tx, accountResumed, { partnerId, clientId: null, at: new Date() }));
  await service.runner.drain();
  assert.equal((await read(approved)).status, 'fulfilled');
  assert.equal((await act(asked, 'approve')).status, 200);
});

test('an agency suspended while its agent is about to be installed gets it once it is active again', async () => {
  const setStatus = (status: string) =>
    service.db.asSystem('seed', (tx) => tx.updateTable('partner').set({ status }).where('id', '=', partnerId).execute());
  const id = await ask(KEYLESS);
  await act(id, 'approve');
  service.wire.beforeSetup = () => setStatus('suspended').then(() => undefined);
  await service.runner.drain();
  service.wire.beforeSetup = undefined;
  const held = await read(id, 'staff');
  assert.deepEqual([held.status, held.timeline.at(-1).note], ['approved', 'Continues when the agency is active again.']);
  await setStatus('active');
  await later();
  assert.equal((await read(id)).status, 'fulfilled');
});

test('a rejected request leaves no agent behind that a repair would install', async () => {
  const [present, id] = [await ask(KEYLESS), await ask(TEXT_BACK)];
  for (const one of [present, id]) {
    await act(one, 'approve');
    await service.runner.drain();
  }
  assert.deepEqual([(await read(present)).status, (await read(id)).status], ['fulfilled', 'provisioning_failed']);
  const { id: agentId } = await workflowOf(TEXT_BACK);
  assert.equal((await act(id, 'reject', { note: 'Not for you.' })).body.status, 'rejected');
  assert.equal((await service.call('GET', `/agents/${agentId}`, { as: 'owner' })).status, 404);
  const audited = await service.db.asSystem('seed', (tx) =>
    tx.selectFrom('auditEntry').select('action').where('targetId', '=', agentId).execute(),
  );
  assert.deepEqual(
    audited.map((one) => one.action),
    ['agent.deleted'],
  );
  await service.saveKey('twilio');
  const again = await service.call('POST', `/partners/${partnerId}/automation/provision`, { as: 'staff', body: {} });
  assert.equal(again.body.status, 'succeeded', again.text);
  const repair = await service.call('POST', `/partners/${partnerId}/automation/reprovision`, { as: 'staff', body: {} });
  assert.equal(repair.body.status, 'succeeded', repair.text);
  assert.deepEqual(
    (await instance()).workflows.map((one: { templateName: string }) => one.templateName),
    [KEYLESS],
  );
});

test('a rejected request whose installation the engine interrupted leaves no flow behind', async () => {
  await service.saveKey('twilio');
  service.wire.around = (call, send) =>
    call.url.includes('/flows/') ? Promise.reject(new OutboundError('connection_refused', false)) : send(call);
  const id = await ask(TEXT_BACK);
  await act(id, 'approve');
  await service.runner.drain();
  service.wire.around = undefined;
  const [half] = (await instance()).workflows;
  const flows = () => service.client.listFlows(service.projectId, half.workflowId, (tag) => tag['workflowId'] === half.workflowId);
  // The flow was never published: the agent is not installed, and its flow is found by its tag.
  assert.deepEqual([(await read(id)).status, half.providerFlowId, (await flows()).length], ['provisioning_failed', null, 1]);
  assert.equal((await act(id, 'reject', { note: 'Not for you.' })).body.status, 'rejected');
  await service.agents.sweepRemovals();
  assert.deepEqual([(await instance()).workflows, await flows()], [[], []]);
});

test('a rejected request leaves an agent that it did not bring: one from before, and one that a setup has installed since', async () => {
  const added = await service.call('POST', '/agents', { as: 'staff', body: { partnerId, clientId, templateName: TEXT_BACK } });
  assert.equal(added.status, 201, added.text);
  const [older, installed] = [await ask(TEXT_BACK), await ask(REVIEWS, { clientId: otherClientId })];
  for (const id of [older, installed]) await act(id, 'approve');
  await later();
  for (const id of [older, installed]) assert.equal((await read(id)).status, 'provisioning_failed');
  // The keys are saved without the fact that would resume the requests.
  const { resume } = service.requests;
  service.requests.resume = () => Promise.resolve();
  await service.saveKey('twilio', { clientId: otherClientId });
  await service.saveKey('resend', { clientId: otherClientId });
  service.requests.resume = resume;
  const body = { templateNames: [REVIEWS], clientId: otherClientId };
  const set = await service.call('POST', `/partners/${partnerId}/automation/provision`, { as: 'staff', body });
  assert.equal(set.body.status, 'succeeded', set.text);
  for (const id of [older, installed]) assert.equal((await act(id, 'reject', { note: 'Installed by hand.' })).body.status, 'rejected');
  assert.deepEqual(
    (await instance()).workflows.map((one: { templateName: string }) => one.templateName).toSorted(),
    [TEXT_BACK, REVIEWS].toSorted(),
  );
});

test('an installation interrupted by a restart is no failure and continues afterwards', async () => {
  const id = await ask(KEYLESS);
  await act(id, 'approve');
  service.wire.isStopping = true;
  service.wire.around = () => Promise.reject(new OutboundError('connection_refused', false));
  await service.runner.drain();
  service.wire.isStopping = false;
  service.wire.around = undefined;
  const waiting = await read(id);
  assert.deepEqual([waiting.status, waiting.waiting, waiting.timeline.at(-1).note], ['approved', true, 'Continues after a restart.']);
  assert.equal((await eventsAbout(id)).filter((one) => one.type === 'agent_request.provisioning_failed').length, 0);
  await later();
  assert.equal((await read(id)).status, 'fulfilled');
});

test('a request that a crash left in provisioning is found by the sweep and ends with one agent', async () => {
  const id = await ask(KEYLESS);
  await act(id, 'approve');
  const past = new Date(Date.now() - 120_000);
  await service.db.asSystem('seed', async (tx) => {
    await tx
      .updateTable('agentRequest')
      .set({ status: 'provisioning', run: 1, dueAt: new Date(Date.now() + 60_000) })
      .execute();
  });
  await service.runner.drain();
  assert.equal((await read(id)).status, 'provisioning', 'an installation that may live is left alone');
  await service.db.asSystem('seed', (tx) => tx.updateTable('agentRequest').set({ dueAt: past }).execute());
  await service.runner.runCron('agent-requests.sweep');
  await service.runner.drain();
  assert.equal((await read(id)).status, 'fulfilled');
  assert.equal((await instance()).workflows.length, 1);
});

test('an approver who may not act any more cannot install through an old approval', async () => {
  const id = await ask(KEYLESS);
  await act(id, 'approve');
  await setStaff('disabled');
  await service.runner.drain();
  await setStaff('active');
  const failed = await read(id);
  assert.deepEqual([failed.status, failed.failureMessage], ['provisioning_failed', 'Our team needs to review this again.']);
  assert.equal((await attempts()).length, 0);
  const [events] = (await eventsAbout(id)).filter((one) => one.type === 'agent_request.provisioning_failed');
  assert.equal(events?.attemptId, null);
  await act(id, 'retry');
  await service.runner.drain();
  assert.equal((await read(id)).status, 'fulfilled');
});
