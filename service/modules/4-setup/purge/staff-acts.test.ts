import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { assertPurged, makeDue, purgeDeps } from '@partner-portal/tests/harness/purge.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { workQueue } from '#modules/6-views/work-queue/index.ts';
import { newId } from '#platform/ids.ts';
import { runPurge } from './run-purge.ts';
import { createTurns, sweepPurges } from './work-through.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ modules: (platform) => [platform.mail, workQueue(platform)] });
});
after(() => service?.close());

const query = <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) => service.database.query<Row>(text, values);
const asStaff = async (method: 'GET' | 'POST', path: string, body?: object): Promise<void> => {
  const { status, text } = await service.call(method, path, { as: 'staff', body });
  assert.equal(status, 200, text);
};

it('what staff did in their work queue and with mails does not name a purged client or its people; the rest stays', async () => {
  const { partnerId, otherClientId: clientId, people } = service.world;
  const requestId = newId();
  const [member, invited, foreign] = ['quill@joinery.test', 'feather@joinery.test', people.clientUser.email];
  await query(`update client set name = 'Quillfeather Joinery' where id = $1`, [clientId]);
  await query(
    `insert into agent_request (id, partner_id, client_id, kind, title, status, origin) values ($1, $2, $3, 'custom', 'By hand', 'approved', 'partner')`,
    [requestId, partnerId, clientId],
  );
  await query(
    `insert into app_user (partner_id, client_id, role, email, full_name, password_hash) values ($1, $2, 'CLIENT', $3, 'Quill', 'x')`,
    [partnerId, clientId, member],
  );
  await query(
    `insert into invitation (partner_id, client_id, kind, email, token_hash, expires_at) values ($1, $2, 'client_user', $3, 'x', now() + interval '1 day')`,
    [partnerId, clientId, invited],
  );
  await service.db.asSystem('seed', async (tx) => {
    for (const to of [member, invited, foreign])
      await service.mail.queueMail(tx, { partnerId, to, kind: 'mfa_enabled', data: { at: new Date() } });
  });
  await asStaff('POST', '/provisioning/queue/assign', { kind: 'agent_request', itemId: requestId, assigned: true });
  for (const { id } of await query<{ id: string }>('select id from mail')) await asStaff('GET', `/provisioning/mail/${id}`);
  const named = async () =>
    (
      await query<{ label: string }>(
        `select target_label as label from audit_entry where action in ('work_item.assigned', 'mail.read') and target_label is not null order by 1`,
      )
    ).map(({ label }) => label);
  assert.deepEqual(await named(), ['By hand for Quillfeather Joinery', foreign, invited, member].toSorted());
  const purge = await makeDue(service, partnerId, clientId);
  const deps = purgeDeps(service);
  await sweepPurges(deps);
  assert.equal(await runPurge(deps, purge, { signal: new AbortController().signal, turn: createTurns() }), 'completed');
  await assertPurged(service, purge);
  assert.deepEqual(await named(), [foreign]);
});
