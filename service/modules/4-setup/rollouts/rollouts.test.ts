import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { TemplateBundle } from '@partner-portal/core/template/types.ts';
import { dueAtOnce } from '@partner-portal/tests/harness/due-at-once.ts';
import { type ProvisioningService, startProvisioningService } from '@partner-portal/tests/harness/provisioning.ts';
import { addClient, addPartner, addWorkflow } from '@partner-portal/tests/harness/world.ts';
import { newId } from '#platform/ids.ts';
import { OutboundError } from '#platform/outbound/outbound-error.ts';
import { queueBatch } from './roll-out-job.ts';
import { sweepRollouts } from './run-batch.ts';

/** Rollouts through the real pipeline and the embedded engine. */

let service: ProvisioningService;
let original: TemplateBundle[];
const KEYLESS = 'lead-intake-cleaner';
/** The version of its template in this release, and in the next. */
let now: number;
let next: number;

before(async () => {
  service = await startProvisioningService();
  original = [...service.catalog];
  now = original.find(({ template }) => template.name === KEYLESS)?.template.templateVersion ?? 0;
  next = now + 1;
});
after(() => service.close());
beforeEach(async () => {
  service.catalog.splice(0, service.catalog.length, ...original);
  service.settings.engineEnabled = true;
  service.wire.around = undefined;
  service.wire.isStopping = false;
  await service.db.asSystem('seed', async (tx) => {
    await tx.deleteFrom('rolloutPartner').execute();
    await tx.updateTable('rollout').set({ status: 'completed', dueAt: null }).execute();
  });
  await service.forget();
});

/** Agencies with the agent installed in its newest version. */
async function addAgencies(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const slug = `agency-${newId().slice(-12)}`;
    const partnerId = await service.db.asSystem('seed', (tx) => addPartner(tx, { name: slug, slug, planId: service.world.planId }));
    const answer = await service.provisioning.provision(service.actor('staff'), { partnerId, mode: 'provision', templateNames: [KEYLESS] });
    assert.equal(answer.status, 'succeeded');
    ids.push(partnerId);
  }
  return ids;
}

/** The next release brings version `next`, which it returns. */
function release(templateName = KEYLESS): number {
  const at = service.catalog.findIndex((one) => one.template.name === templateName);
  const bundle = service.catalog[at];
  assert.ok(bundle);
  const templateVersion = bundle.template.templateVersion + 1;
  service.catalog[at] = { ...bundle, template: { ...bundle.template, templateVersion } };
  return templateVersion;
}

const start = async (partnerIds: 'all' | string[], batchSize = 2) => {
  const reply = await service.call('POST', '/provisioning/rollouts', {
    as: 'staff',
    body: { templateName: KEYLESS, partnerIds, batchSize },
  });
  await dueAtOnce(service.database.query, 'rollout_partner');
  return reply;
};
const read = async (id: string) => (await service.call('GET', `/provisioning/rollouts/${id}`, { as: 'staff' })).body;
const pause = async (id: string, paused: boolean) => {
  const reply = await service.call('POST', `/provisioning/rollouts/${id}/pause`, { as: 'staff', body: { paused } });
  await dueAtOnce(service.database.query, 'rollout_partner');
  return reply;
};
const versions = async () =>
  (await service.db.asSystem('staff', (tx) => tx.selectFrom('workflow').select('templateVersion').execute())).map(
    (row) => row.templateVersion,
  );
const instances = async () =>
  (await service.db.asSystem('staff', (tx) => tx.selectFrom('automationInstance').select('status').execute())).map((row) => row.status);
/** Returns the newest attempt of each agency. */
const modes = async () =>
  (
    await service.db.asSystem('staff', (tx) =>
      tx
        .selectFrom('automationInstance as i')
        .innerJoin('provisioningAttempt as a', 'a.id', 'i.currentAttemptId')
        .select('a.mode')
        .execute(),
    )
  ).map((row) => row.mode);
/** Resumes a stopped rollout: its failed agencies are retried. */
const reopen = (id: string) =>
  service.db.asSystem('seed', async (tx) => {
    await tx
      .updateTable('rolloutPartner')
      .set({ status: 'pending', dueAt: new Date(Date.now() - 1000) })
      .where('rolloutId', '=', id)
      .execute();
    await tx.updateTable('rollout').set({ status: 'running' }).where('id', '=', id).execute();
    await queueBatch(tx, id);
  });
/** The sweep once what waits is due. */
async function sweepWhenDue(): Promise<void> {
  const dueAt = new Date(Date.now() - 1000);
  await service.db.asSystem('seed', async (tx) => {
    await tx.updateTable('rolloutPartner').set({ dueAt }).execute();
    await tx.updateTable('rollout').set({ dueAt }).where('status', '=', 'running').execute();
  });
  await sweepRollouts({ db: service.db }, { log: service.log });
}
/** From now on no attempt of these agencies can succeed: the engine is gone from their step. */
const breakEngine = (): void => void (service.settings.engineEnabled = false);

test('every agency on an older version gets the newest, in batches, with progress', async () => {
  const ids = await addAgencies(3);
  release();
  const started = await start('all');
  assert.equal(started.status, 201, started.text);
  assert.deepEqual([started.body.targetVersion, started.body.status, started.body.counts.pending], [next, 'running', 3]);
  await service.runner.drain();
  const ended = await read(started.body.id);
  assert.deepEqual([ended.status, ended.counts], ['completed', { pending: 0, running: 0, succeeded: 3, failed: 0, skipped: 0 }]);
  assert.deepEqual(ended.partners.map((one: { partnerId: string }) => one.partnerId).toSorted(), ids.toSorted());
  assert.ok(ended.partners.every((one: { attemptId: string | null }) => one.attemptId));
  assert.deepEqual(await versions(), [next, next, next]);
  assert.equal((await start('all')).body.code, 'invalid_state', 'no agency is left');
});

test('stops after three failures without touching the rest, and resumes when staff say so', async () => {
  await addAgencies(5);
  release();
  breakEngine();
  const { body } = await start('all', 1);
  await service.runner.drain();
  const stopped = await read(body.id);
  assert.deepEqual([stopped.status, stopped.counts.failed, stopped.counts.pending], ['stopped', 3, 2]);
  assert.match(stopped.partners.find((one: { status: string }) => one.status === 'failed').message, /AUTOMATION_ENGINE_ENABLED/);
  service.settings.engineEnabled = true;
  assert.deepEqual((await instances()).toSorted(), ['failed', 'failed', 'failed', 'ready', 'ready']);
  assert.equal((await pause(body.id, false)).body.status, 'running');
  await service.runner.drain();
  const ended = await read(body.id);
  assert.deepEqual([ended.status, ended.counts.succeeded], ['completed', 5]);
  // The rollout itself sets up again an instance that its own repair had left failed.
  assert.deepEqual([await instances(), await versions()], [Array.from({ length: 5 }, () => 'ready'), [next, next, next, next, next]]);
  assert.deepEqual((await modes()).toSorted(), ['provision', 'provision', 'provision', 'repair', 'repair']);
});

test('an agency whose setup failed in another attempt is not set up by a rollout', async () => {
  const [partnerId] = await addAgencies(1);
  assert.ok(partnerId);
  release();
  breakEngine();
  const { body } = await start('all');
  await service.runner.drain();
  assert.equal((await read(body.id)).status, 'completed', 'one failure does not stop it');
  // The same agency in a later roll-out, stopped at its third failure: meanwhile staff tried to take the agency down.
  const actor = service.actor('staff');
  const { slug } = await service.db.asSystem('seed', (tx) =>
    tx.selectFrom('partner').select('slug').where('id', '=', partnerId).executeTakeFirstOrThrow(),
  );
  service.wire.around = () => Promise.reject(new OutboundError('connection_refused', false));
  assert.equal((await service.provisioning.provision(actor, { partnerId, mode: 'deprovision', confirm: slug })).status, 'failed');
  service.wire.around = undefined;
  service.settings.engineEnabled = true;
  await reopen(body.id);
  await service.runner.drain();
  const ended = await read(body.id);
  assert.deepEqual([ended.counts.skipped, await instances()], [1, ['failed']]);
  assert.match(ended.partners[0].message, /Set it up first/);
});

test('renews installed agents only: a client that waits for a key, or was never served, keeps no other from the new version', async () => {
  const { partnerId, clientId, otherClientId } = service.world;
  const KEYED = 'missed-call-text-back';
  await service.saveKey('twilio', { clientId });
  const install = { partnerId, clientId, mode: 'provision' as const, templateNames: [KEYED] };
  assert.equal((await service.provisioning.provision(service.actor('staff'), install)).status, 'succeeded');
  const third = await service.db.asSystem('seed', async (tx) => {
    const ready = await addClient(tx, partnerId, 'With a key');
    for (const id of [otherClientId, ready])
      await addWorkflow(tx, { partnerId, clientId: id, templateName: KEYED, providerFlowId: null, templateVersion: null });
    return ready;
  });
  await service.saveKey('twilio', { clientId: third });
  const version = release(KEYED);
  breakEngine();
  const body = { templateName: KEYED, partnerIds: 'all', batchSize: 1 };
  const started = await service.call('POST', '/provisioning/rollouts', { as: 'staff', body });
  await dueAtOnce(service.database.query, 'rollout_partner');
  await service.runner.drain();
  assert.equal((await read(started.body.id)).counts.failed, 1, 'the engine is off');
  service.settings.engineEnabled = true;
  // A provision, since its own repair has failed, then a repair.
  for (const expected of ['provision', 'repair']) {
    await reopen(started.body.id);
    await service.runner.drain();
    const ended = await read(started.body.id);
    assert.deepEqual([ended.counts.succeeded, ended.partners[0].message, await modes()], [1, null, [expected]]);
    const rows = await service.db.asSystem('staff', (tx) =>
      tx.selectFrom('workflow').select(['clientId', 'templateVersion']).where('partnerId', '=', partnerId).execute(),
    );
    const newest = rows.filter((row) => row.templateVersion === version).map((row) => row.clientId);
    assert.deepEqual([rows.length, newest], [3, [clientId]]);
    await service.db.asSystem('seed', (tx) =>
      tx
        .updateTable('workflow')
        .set({ templateVersion: version - 1 })
        .where('clientId', '=', clientId)
        .execute(),
    );
  }
});

test('paused, it repairs no agency until it is resumed', async () => {
  await addAgencies(2);
  release();
  const { body } = await start('all', 1);
  assert.equal((await pause(body.id, true)).body.status, 'paused');
  await service.runner.drain();
  assert.deepEqual(await versions(), [now, now]);
  assert.equal((await pause(body.id, false)).body.status, 'running');
  await service.runner.drain();
  assert.deepEqual(await versions(), [next, next]);
  assert.equal((await pause(body.id, true)).body.code, 'invalid_state', 'it is over');
});

test('repairs no agency once the staff user who started it may no longer act', async () => {
  await addAgencies(1);
  release();
  const { body } = await start('all');
  const setStatus = (status: string) =>
    service.db.asSystem('seed', (tx) =>
      tx.updateTable('appUser').set({ status }).where('id', '=', service.world.people.staff.userId).execute(),
    );
  await setStatus('disabled');
  await service.runner.drain();
  await setStatus('active');
  const ended = await read(body.id);
  assert.deepEqual([ended.counts.failed, await versions()], [1, [now]]);
  assert.equal(ended.partners[0].attemptId, null, 'no attempt was made');
});

test('chosen agencies only; one that needs nothing is skipped with the reason', async () => {
  const [first, second] = await addAgencies(2);
  assert.ok(first && second);
  release();
  const { body } = await start([first, service.world.rivalPartnerId]);
  await service.runner.drain();
  const ended = await read(body.id);
  assert.deepEqual([ended.status, ended.counts.succeeded, ended.counts.skipped], ['completed', 1, 1]);
  assert.deepEqual(
    (await versions()).toSorted((a, b) => Number(a) - Number(b)),
    [now, next],
  );
  assert.equal((await start([newId()])).body.code, 'not_found');
});

test('an agency whose process died during its repair is repaired by the next batch', async () => {
  await addAgencies(1);
  release();
  const { body } = await start('all');
  await service.db.asSystem('seed', (tx) => tx.updateTable('rolloutPartner').set({ status: 'running', claimedBy: newId() }).execute());
  await service.runner.drain();
  assert.deepEqual([(await read(body.id)).status, await versions()], ['completed', [next]]);
});

test('an agency whose repair died with its process and timed out is set up by the next batch', async () => {
  await addAgencies(1);
  release();
  breakEngine();
  const { body } = await start('all');
  await service.runner.drain();
  service.settings.engineEnabled = true;
  assert.deepEqual(await instances(), ['failed']);
  // The process died before it could write how the repair went.
  await service.db.asSystem('seed', async (tx) => {
    await tx.updateTable('rolloutPartner').set({ status: 'running', claimedBy: newId(), attemptId: null }).execute();
    await tx.updateTable('rollout').set({ status: 'running' }).where('id', '=', body.id).execute();
    await queueBatch(tx, body.id);
  });
  await service.runner.drain();
  assert.deepEqual([(await read(body.id)).counts.succeeded, await instances(), await versions()], [1, ['ready'], [next]]);
});

test('a restart in the middle of a batch fails no agency, and the rollout goes on afterwards', async () => {
  await addAgencies(4);
  release();
  const { body } = await start('all', 4);
  // A stopping service interrupts the first repair, before the signal of the job is aborted.
  service.wire.around = () => {
    service.wire.isStopping = true;
    return Promise.reject(new OutboundError('connection_refused', false));
  };
  await service.runner.drain();
  service.wire.around = undefined;
  service.wire.isStopping = false;
  const waiting = await read(body.id);
  assert.deepEqual([waiting.status, waiting.counts.pending, waiting.counts.failed], ['running', 4, 0]);
  assert.deepEqual((await instances()).toSorted(), ['failed', 'ready', 'ready', 'ready'], 'no other repair was begun');
  await sweepWhenDue();
  await service.runner.drain();
  const ended = await read(body.id);
  assert.deepEqual([ended.status, ended.counts.succeeded], ['completed', 4]);
  assert.deepEqual([await instances(), await versions()], [Array.from({ length: 4 }, () => 'ready'), [next, next, next, next]]);
});

test('of concurrent requests to start or resume a rollout of one template exactly one succeeds, the others are refused', async () => {
  await addAgencies(4);
  release();
  for (let turn = 0; turn < 3; turn += 1) {
    const answers = await Promise.all(Array.from({ length: 6 }, () => start('all')));
    assert.deepEqual(outcomes(answers), ['201', ...Array.from({ length: 5 }, () => 'already_pending')]);
    const open = answers.find((one) => one.status === 201)?.body.id;
    await service.db.asSystem('seed', (tx) =>
      tx.updateTable('rollout').set({ status: 'stopped', dueAt: null }).where('id', '=', open).execute(),
    );
  }
  const stopped = await service.db.asSystem('seed', (tx) =>
    tx.selectFrom('rollout').select('id').where('status', '=', 'stopped').where('templateName', '=', KEYLESS).execute(),
  );
  assert.equal(stopped.length, 3);
  const resumed = await Promise.all([...stopped.map(({ id }) => pause(id, false)), start('all'), start('all')]);
  assert.equal(outcomes(resumed).filter((one) => one !== 'already_pending').length, 1, resumed.map((one) => one.text).join('\n'));
  assert.ok(resumed.every((one) => one.status < 500));
  const open = await service.db.asSystem('seed', (tx) =>
    tx.selectFrom('rollout').select('id').where('status', 'in', ['running', 'paused']).execute(),
  );
  assert.equal(open.length, 1);
});

test('a rollout resumed by two staff at once runs once', async () => {
  await addAgencies(2);
  release();
  const { body } = await start('all', 1);
  await pause(body.id, true);
  const answers = await Promise.all([pause(body.id, false), pause(body.id, false), pause(body.id, false)]);
  assert.deepEqual(
    answers.map((one) => [one.status, one.body.status]),
    answers.map(() => [200, 'running']),
  );
  await service.runner.drain();
  assert.deepEqual([(await read(body.id)).counts.succeeded, await versions()], [2, [next, next]]);
});

test('an agency that is being set up is postponed, without a failure', async () => {
  const [partnerId] = await addAgencies(1);
  assert.ok(partnerId);
  release();
  const { body } = await start('all');
  await service.db.asSystem('seed', (tx) =>
    tx.updateTable('automationInstance').set({ status: 'provisioning', currentAttemptId: newId() }).execute(),
  );
  await service.runner.drain();
  const waiting = await read(body.id);
  assert.deepEqual([waiting.status, waiting.counts.pending, waiting.counts.failed], ['running', 1, 0]);
  await service.db.asSystem('seed', (tx) => tx.updateTable('automationInstance').set({ status: 'ready' }).execute());
  await sweepWhenDue();
  await service.runner.drain();
  assert.equal((await read(body.id)).status, 'completed');
});

test('agents of archived clients and of suspended agencies are no agents to renew: neither counted, nor repaired for', async () => {
  const [archived = '', other = '', late = '', suspended = ''] = await addAgencies(4);
  const changeClient = (partnerId: string, status: 'active' | 'archived') =>
    service.db.asSystem('seed', async (tx) => {
      const clientId = await addClient(tx, partnerId, 'Oak Street Dental');
      await tx.updateTable('client').set({ status }).where('id', '=', clientId).execute();
      await tx.updateTable('workflow').set({ clientId }).where('partnerId', '=', partnerId).execute();
      return clientId;
    });
  await changeClient(archived, 'archived');
  const clientId = await changeClient(late, 'active');
  await service.db.asSystem('seed', (tx) => tx.updateTable('partner').set({ status: 'suspended' }).where('id', '=', suspended).execute());
  release();
  const adoption = async () => {
    const { body } = await service.call('GET', '/provisioning/templates', { as: 'staff' });
    return body.find((one: { name: string }) => one.name === KEYLESS).adoption;
  };
  assert.deepEqual(await adoption(), [{ templateVersion: now, partners: 2, workflows: 2 }]);
  const { body } = await start('all');
  await service.db.asSystem('seed', (tx) => tx.updateTable('client').set({ status: 'archived' }).where('id', '=', clientId).execute());
  await service.runner.drain();
  const ended = await read(body.id);
  const ends = ended.partners.map(({ partnerId, status }: Record<string, string>) => [partnerId, status]);
  assert.deepEqual(
    new Map(ends),
    new Map([
      [other, 'succeeded'],
      [late, 'skipped'],
    ]),
  );
  assert.deepEqual(await adoption(), [{ templateVersion: next, partners: 1, workflows: 1 }]);
  assert.equal((await start('all')).body.code, 'invalid_state', 'no agency is left');
});

test('one rollout per template at a time; an unknown template is refused', async () => {
  await addAgencies(1);
  release();
  assert.equal((await start('all')).status, 201);
  assert.equal((await start('all')).body.code, 'already_pending');
  const bad = await service.call('POST', '/provisioning/rollouts', {
    as: 'staff',
    body: { templateName: 'nothing', partnerIds: 'all', batchSize: 1 },
  });
  assert.deepEqual([bad.status, bad.body.errors[0].field], [422, 'templateName']);
  for (const batchSize of [0, 21]) assert.equal((await start('all', batchSize)).status, 422);
  const list = await service.call('GET', `/provisioning/rollouts?templateName=${KEYLESS}`, { as: 'staff' });
  assert.equal(list.body[0].status, 'running');
});

/** The code of each refusal, the status of each success. */
function outcomes(answers: readonly { status: number; body: { code?: string } }[]): string[] {
  return answers.map((one) => one.body.code ?? String(one.status)).toSorted((a, b) => a.localeCompare(b));
}

test('is for staff only', async () => {
  const refused = { owner: 'role_forbidden', moderator: 'role_forbidden', clientUser: 'role_forbidden' };
  const id = newId();
  await service.assertRefused('POST', '/provisioning/rollouts', refused, { templateName: KEYLESS, partnerIds: 'all' });
  await service.assertRefused('GET', '/provisioning/rollouts', refused);
  await service.assertRefused('GET', `/provisioning/rollouts/${id}`, refused);
  await service.assertRefused('POST', `/provisioning/rollouts/${id}/pause`, refused, {});
  assert.equal((await service.call('GET', `/provisioning/rollouts/${id}`, { as: 'staff' })).body.code, 'not_found');
  assert.equal((await pause(id, true)).body.code, 'not_found');
});
