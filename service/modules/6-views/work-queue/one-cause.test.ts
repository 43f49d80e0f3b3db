import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { workQueue } from './index.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ modules: (platform) => [workQueue(platform)] });
});
after(() => service.close());

const kinds = async (): Promise<string[]> =>
  (await service.call('GET', '/provisioning/queue', { as: 'staff' })).body.map(({ kind }: { kind: string }) => kind).toSorted();

it('a setup that lacked only the keys of a request is the item of the request; one that failed otherwise is an item of its own', async () => {
  const { partnerId, clientId } = service.world;
  const attemptId = newId();
  await service.db.asSystem('seed', async (tx) => {
    await sql`insert into provisioning_attempt (id, partner_id, number, mode, status) values (${attemptId}, ${partnerId}, 7, 'provision', 'failed')`.execute(
      tx,
    );
    await sql`insert into automation_instance (partner_id, provider, status, tenancy_mode, current_attempt_id)
      values (${partnerId}, 'embedded', 'failed', 'shared', ${attemptId})
      on conflict (partner_id) do update set status = 'failed', current_attempt_id = excluded.current_attempt_id`.execute(tx);
    await sql`insert into agent_request (partner_id, client_id, kind, template_name, title, status, origin, last_attempt_id, missing_providers)
      values (${partnerId}, ${clientId}, 'template', 'appointment-reminder', 'Reminder', 'provisioning_failed', 'partner', ${attemptId}, '{calcom,resend}')`.execute(
      tx,
    );
  });
  assert.deepEqual(await kinds(), ['agent_request']);
  await service.db.asSystem('seed', (tx) => sql`update agent_request set missing_providers = '{}'`.execute(tx));
  assert.deepEqual(await kinds(), ['agent_request', 'failed_setup']);
});

it('a failed setup and a request of a suspended agency wait for no one, and come back with the agency', async () => {
  const setStatus = (status: string) =>
    service.db.asSystem('seed', (tx) => sql`update partner set status = ${status} where id = ${service.world.partnerId}`.execute(tx));
  await setStatus('suspended');
  assert.deepEqual(await kinds(), []);
  await setStatus('active');
  assert.deepEqual(await kinds(), ['agent_request', 'failed_setup']);
});

it('a failed setup waits since its attempt ended, also after a comparison has changed the instance', async () => {
  const ended = '2026-03-02T10:00:00.000Z';
  await service.db.asSystem('seed', async (tx) => {
    await sql`update provisioning_attempt set finished_at = ${ended}`.execute(tx);
    await sql`update automation_instance set updated_at = now()`.execute(tx);
  });
  const { body } = await service.call('GET', '/provisioning/queue', { as: 'staff' });
  assert.deepEqual(
    body.filter(({ kind }: { kind: string }) => kind === 'failed_setup').map(({ since }: { since: string }) => since),
    [ended],
  );
});

it('what was approved for later or to be built by hand waits for staff, what is due to be installed does not', async () => {
  const { partnerId, clientId } = service.world;
  await service.db.asSystem('seed', async (tx) => {
    await sql`delete from agent_request`.execute(tx);
    await sql`insert into agent_request (partner_id, client_id, kind, template_name, title, status, origin, due_at) values
      (${partnerId}, ${clientId}, 'template', 'appointment-reminder', 'Later', 'approved', 'partner', null),
      (${partnerId}, ${clientId}, 'template', 'missed-call-text-back', 'Due', 'approved', 'partner', now()),
      (${partnerId}, ${clientId}, 'custom', null, 'By hand', 'approved', 'partner', null)`.execute(tx);
  });
  const { body } = await service.call('GET', '/provisioning/queue', { as: 'staff' });
  const waiting = body.filter(({ kind }: { kind: string }) => kind === 'agent_request');
  assert.deepEqual(
    waiting.map(({ title, detail }: { title: string; detail: string }) => `${title.split(' for ')[0]}: ${detail}`).toSorted(),
    ['By hand: Approved, to be built by hand', 'Later: Approved, to be installed later'],
  );
});
