import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { type DeliveryService, startDeliveryService, startReceiver } from '@partner-portal/tests/harness/deliveries.ts';
import { startProvisioningService } from '@partner-portal/tests/harness/provisioning.ts';
import { startVaultService } from '@partner-portal/tests/harness/vault.ts';
import { startReactionService, type ReactionService } from '@partner-portal/tests/harness/reactions.ts';

/** Alerts caused by other modules, each through the code that causes it in production. */

const closing: (() => Promise<void>)[] = [];
after(async () => {
  for (const close of closing.toReversed()) await close();
});

async function watchOver<S extends Parameters<typeof startReactionService>[0] & { close(): Promise<void> }>(
  service: S,
): Promise<ReactionService> {
  closing.push(() => service.close());
  const watch = await startReactionService(service);
  closing.push(() => watch.close());
  return watch;
}

describe('an endpoint', () => {
  const GONE = 410;
  /** Makes this many events fail, each with its five attempts, without the waits between them. */
  async function failures(service: DeliveryService, count: number): Promise<void> {
    for (let n = 0; n < count; n += 1) await service.publish();
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await service.query("update delivery_queue set due_at = now() - interval '1 second'");
      await service.drain();
    }
  }

  it('opens an alert after twenty failed deliveries in a row, mailed once to every admin, until one is delivered', async () => {
    const service = await startDeliveryService();
    const watch = await watchOver(service);
    const receiver = await startReceiver();
    closing.push(() => receiver.close());
    receiver.answer = (_request, response) => void response.writeHead(GONE).end();
    await service.addEndpoint({ url: `${receiver.url}?key=of-the-agency` });
    const team = { usageThresholds: [50], failureStreak: 3, silentDays: 7, recipients: ['moderator@portal.test'] };
    await watch.call('PUT', '/alerts/rules', { as: 'owner', body: team });
    await failures(service, 19);
    await watch.runner.drain();
    await watch.alerts.sweep();
    assert.deepEqual(await watch.open(), []);
    await failures(service, 1);
    await Promise.all([watch.runner.drain(), watch.alerts.sweep(), watch.alerts.sweep()]);
    const [alert] = await watch.open();
    const host = new URL(receiver.url).host;
    assert.deepEqual([alert?.rule, alert?.label, alert?.severity], ['webhook_failing', host, 'critical']);
    await failures(service, 5);
    await watch.alerts.sweep();
    assert.deepEqual((await watch.mails()).map(({ to, kind }) => `${to} ${kind}`).toSorted(), [
      'moderator@portal.test webhook_failing',
      'owner@portal.test webhook_failing',
    ]);
    const [mail] = await watch.query<{ id: string }>("select id from mail where kind = 'webhook_failing'");
    const { body } = await watch.call('GET', `/provisioning/mail/${mail?.id}`, { as: 'staff' });
    assert.match(body.text.replaceAll(/\s+/g, ' '), /Last error: The receiver responded with 410/);
    assert.deepEqual(await watch.query('select is_active as "isActive" from webhook_endpoint'), [{ isActive: true }]);
    await service.query('update webhook_endpoint set is_active = false');
    await watch.alerts.sweep();
    assert.equal((await watch.open()).length, 1, 'a paused endpoint has not received anything');
    await service.query('update webhook_endpoint set is_active = true');
    receiver.answer = (_request, response) => void response.end();
    await service.publish();
    await service.drain();
    await watch.runner.drain();
    assert.deepEqual(await watch.open(), []);
    assert.deepEqual(
      (await watch.mails())
        .filter(({ kind }) => kind === 'alert_resolved')
        .map(({ to }) => to)
        .toSorted(),
      ['moderator@portal.test', 'owner@portal.test'],
    );
    assert.deepEqual(await watch.bell('moderator'), [`Resolved: Webhooks to ${host} keep failing`, `Webhooks to ${host} keep failing`]);
    assert.ok(
      !(await watch.query<{ text: string }>('select title || body || href as text from notification')).some(({ text }) =>
        text.includes('key='),
      ),
    );
  });
});

describe('a key', () => {
  it('that its service refuses opens an alert after the check, until one is accepted', async () => {
    const service = await startVaultService();
    const watch = await watchOver(service);
    const save = (apiKey: string) =>
      service.call('PUT', '/credentials/resend', { as: 'owner', body: { sourceMode: 'byok', data: { apiKey } } });
    assert.equal((await save('re_of_somebody_else')).status, 200);
    await watch.runner.drain();
    assert.deepEqual(await watch.open(), []);
    assert.equal((await service.call('POST', '/credentials/resend/test', { as: 'owner', body: {} })).body.ok, false);
    await Promise.all([watch.runner.drain(), watch.alerts.sweep()]);
    const [alert, ...more] = await watch.open();
    assert.deepEqual([alert?.rule, alert?.label, more.length], ['credential_invalid', 'Resend', 0]);
    assert.deepEqual(await watch.bell('clientUser'), []);
    await save('re_sandbox');
    await service.call('POST', '/credentials/resend/test', { as: 'owner', body: {} });
    await watch.runner.drain();
    assert.deepEqual(await watch.open(), []);
    assert.deepEqual(await watch.bell('owner'), ['Resolved: Resend refused the key', 'Resend refused the key']);
  });
});

describe('a setup', () => {
  it('that fails notifies the agency and staff, until the next one starts', async () => {
    const service = await startProvisioningService();
    const watch = await watchOver(service);
    const { partnerId, clientId } = service.world;
    const add = { partnerId, clientId, templateName: 'missed-call-text-back' };
    assert.equal((await service.call('POST', '/agents', { as: 'staff', body: add })).status, 201);
    const provision = () => service.call('POST', `/partners/${partnerId}/automation/provision`, { as: 'staff', body: {} });
    const lastBody = async () => (await watch.call('GET', '/notifications?limit=1', { as: 'owner' })).body.data[0].body;
    assert.equal((await provision()).body.status, 'failed');
    await Promise.all([watch.runner.drain(), watch.alerts.sweep()]);
    assert.deepEqual(
      (await watch.open()).map(({ rule }) => rule),
      ['provisioning_failed'],
    );
    assert.deepEqual(await watch.bell('owner'), ['Setup did not finish']);
    assert.deepEqual(await watch.bell('staff'), ['The setup of an agency failed']);
    for (const secret of ['127.0.0.1', 'http://'])
      assert.ok(!JSON.stringify(await watch.query('select title, body from notification')).includes(secret), secret);
    const takenDown = await service.call('DELETE', `/partners/${partnerId}/automation?confirm=acme`, { as: 'staff' });
    assert.equal(takenDown.body.status, 'succeeded');
    await Promise.all([watch.runner.drain(), watch.alerts.sweep()]);
    assert.deepEqual(await watch.open(), []);
    assert.equal(await lastBody(), 'The agents are removed from the automation platform instead.');
    assert.equal((await provision()).body.status, 'failed');
    await Promise.all([watch.runner.drain(), watch.alerts.sweep()]);
    const data = { accountSid: `AC${'1'.repeat(32)}`, authToken: 'sandbox-token' };
    await service.call('PUT', '/credentials/twilio', { as: 'owner', body: { sourceMode: 'byok', data } });
    assert.equal((await provision()).body.status, 'succeeded');
    await watch.runner.drain();
    assert.deepEqual(await watch.open(), []);
    assert.equal((await watch.bell('owner'))[0], 'Resolved: Setup did not finish');
    assert.equal(await lastBody(), 'The setup goes on.');
  });
});
