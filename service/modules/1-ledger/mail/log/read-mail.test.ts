import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { PASSWORD } from '@partner-portal/tests/harness/world.ts';

let service: TestService;
let aheadMs = 0;
before(async () => {
  service = await startTestService({
    clock: { now: () => new Date(Date.now() + aheadMs) },
    modules: (platform) => [platform.mail],
  });
});
after(() => service.close());

describe('text and links of a mail without a mail server', () => {
  it('are shown to staff after a recent login only: with them an old session would take over accounts', async () => {
    const { world, db } = service;
    const data = { resetUrl: `${service.baseUrl}/reset-password#token`, expiresAt: new Date(), fullName: null };
    await db.asSystem('seed', (tx) =>
      service.mail.queueMail(tx, { partnerId: world.partnerId, to: world.people.owner.email, kind: 'password_reset', data }),
    );
    const reads = async () =>
      (await db.asSystem('seed', (tx) => tx.selectFrom('auditEntry').select('id').where('action', '=', 'mail.read').execute())).length;
    const headers = service.bearer('staff');
    aheadMs = (LIMITS.recentLoginMinutes + 1) * 60_000;
    const list = await service.call('GET', '/provisioning/mail', { headers });
    assert.equal(list.body.data.length, 1, 'the list shows neither');
    const read = () => service.call('GET', `/provisioning/mail/${list.body.data[0].id}`, { headers });
    const refused = await read();
    assert.deepEqual([refused.status, refused.body.code, await reads()], [403, 'reauthentication_required', 0]);
    assert.equal((await service.call('POST', '/auth/reauthenticate', { headers, body: { password: PASSWORD } })).status, 200);
    assert.deepEqual([(await read()).body.links, await reads()], [[data.resetUrl], 1]);
  });
});
