import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  applicationOf,
  apply,
  current,
  fresh,
  held,
  invite,
  sentTo,
  useStrangerMail,
} from '@partner-portal/tests/harness/stranger-mail.ts';

/** Names that resemble a protected one: mail to addresses without an account waits until staff approve them. */

useStrangerMail();

describe('a name that resembles a bank’s', () => {
  const rename = (name: string, as: 'owner' | 'rivalOwner' = 'owner') =>
    current.service.call('PATCH', '/partners/me', { as, body: { name } });
  const queued = async () =>
    (await current.service.call('GET', '/provisioning/queue', { as: 'staff' })).body.filter(
      ({ kind }: { kind: string }) => kind === 'name_review',
    );

  it('holds the agency’s mail to strangers until staff approve it once; nothing else stops', async () => {
    assert.equal((await rename('РayPаl Security')).status, 200);
    const email = fresh();
    assert.equal((await invite(email)).body.emailStatus, 'held');
    // A person with an account elsewhere must look the same.
    assert.equal((await invite('rivalowner@portal.test')).body.emailStatus, 'held');
    assert.deepEqual([await sentTo(), (await invite(fresh(), 'rivalOwner')).body.emailStatus], [[], null]);
    const [item, ...rest] = await queued();
    assert.deepEqual([item.title, item.partnerId, rest], ['Name of РayPаl Security', current.service.world.partnerId, []]);
    assert.match(item.detail, /Resembles PayPal/);
    const path = `/provisioning/name-reviews/${item.itemId}`;
    await current.service.assertRefused(
      'POST',
      `${path}/approve`,
      { owner: 'role_forbidden', moderator: 'role_forbidden', clientUser: 'role_forbidden' },
      {},
    );
    await current.service.assertRefused('POST', `${path}/reject`, { owner: 'role_forbidden', clientUser: 'role_forbidden' }, { note: 'x' });
    await current.service.assertRefused('GET', path, { owner: 'role_forbidden', clientUser: 'role_forbidden' });
    assert.equal((await current.service.call('GET', path, { as: 'staff' })).body.waitingMails, 2);
    const rejected = await current.service.call('POST', `${path}/reject`, { as: 'staff', body: { note: 'Not theirs' } });
    assert.deepEqual([rejected.status, rejected.body.status, rejected.body.note], [200, 'rejected', 'Not theirs']);
    assert.deepEqual([await queued(), (await held()).length], [[], 2]);
    assert.equal((await current.service.call('POST', `${path}/reject`, { as: 'staff', body: { note: 'x' } })).body.code, 'invalid_state');
    for (const as of ['owner', 'moderator'] as const) {
      const { body, text } = await current.service.call('GET', '/audit-log', { as });
      const entry = body.data.find(
        ({ action, result }: { action: string; result: string }) => action === 'name_review.rejected' && result === 'ok',
      );
      assert.deepEqual(entry.changes, { status: ['pending', 'rejected'], internalNotes: ['changed', 'changed'] });
      assert.doesNotMatch(text, /Not theirs/);
    }
    assert.match((await current.service.call('GET', '/audit-log', { as: 'staff' })).text, /Not theirs/);
    const approved = await current.service.call('POST', `${path}/approve`, { as: 'staff', body: {} });
    assert.deepEqual([approved.body.status, approved.body.waitingMails], ['approved', 0]);
    assert.ok((await sentTo()).includes(email));
    assert.equal((await invite(fresh())).body.emailStatus, null);
    // The same name stays approved; another one is looked at.
    assert.equal((await rename('Acme Agency')).status, 200);
    assert.equal((await invite(fresh())).body.emailStatus, null);
    const actions = await current.service.db.asSystem('seed', (tx) =>
      tx
        .selectFrom('auditEntry')
        .select('action')
        .where('action', 'like', 'name\\_review.%')
        .where('result', '=', 'ok')
        .orderBy('id')
        .execute(),
    );
    assert.deepEqual(
      actions.map(({ action }) => action),
      ['name_review.opened', 'name_review.rejected', 'name_review.approved'],
    );
  });

  it('of a client holds only what names that client', async () => {
    const made = await current.service.call('POST', '/clients', {
      as: 'owner',
      body: { name: 'Wells Fargo Support', inviteEmail: fresh() },
    });
    assert.deepEqual([made.status, made.body.invitation.emailStatus], [201, 'held']);
    assert.equal((await invite(fresh())).body.emailStatus, null);
    const [item] = await queued();
    assert.equal(
      (await current.service.call('POST', `/provisioning/name-reviews/${item.itemId}/approve`, { as: 'staff', body: {} })).status,
      200,
    );
    assert.equal((await sentTo()).length, 2);
    // A harmless name leaves nothing to look at.
    await current.service.call('PATCH', `/clients/${made.body.id}`, { as: 'owner', body: { name: 'HSBC Alerts' } });
    assert.equal((await queued()).length, 1);
    await current.service.call('PATCH', `/clients/${made.body.id}`, { as: 'owner', body: { name: 'Oak Plumbing' } });
    assert.deepEqual(await queued(), []);
  });

  it('says with its approval what was sent, and what waits for another name', async () => {
    assert.equal((await rename('PayPal Partners')).status, 200);
    const email = fresh();
    await current.service.call('POST', '/clients', { as: 'owner', body: { name: 'Wells Fargo Support', inviteEmail: email } });
    const approve = async (title: string) => {
      const { itemId } = (await queued()).find((item: { title: string }) => item.title === title);
      const { body } = await current.service.call('POST', `/provisioning/name-reviews/${itemId}/approve`, { as: 'staff', body: {} });
      return [body.mailsSent, body.waitingMails];
    };
    assert.deepEqual(await approve('Name of Wells Fargo Support'), [0, 1]);
    assert.deepEqual(await sentTo(), []);
    assert.deepEqual(await approve('Name of PayPal Partners'), [1, 0]);
    assert.deepEqual(await sentTo(), [email]);
  });

  it('that was changed keeps its mail, also when staff approve another one', async () => {
    const email = fresh();
    const made = await current.service.call('POST', '/clients', { as: 'owner', body: { name: 'PayPal Security', inviteEmail: email } });
    const approve = async () => {
      for (const { itemId } of await queued())
        assert.equal(
          (await current.service.call('POST', `/provisioning/name-reviews/${itemId}/approve`, { as: 'staff', body: {} })).status,
          200,
        );
    };
    const call = (name: string) => current.service.call('PATCH', `/clients/${made.body.id}`, { as: 'owner', body: { name } });
    const other = fresh();
    await call('Oak Plumbing');
    await current.service.call('POST', '/clients', { as: 'owner', body: { name: 'Square', inviteEmail: other } });
    await approve();
    assert.deepEqual(await sentTo(), [other]);
    await call('Target');
    const [review] = (await current.service.call('GET', '/provisioning/name-reviews?status=pending', { as: 'staff' })).body.data;
    assert.deepEqual([review.name, review.waitingMails], ['Target', 0]);
    await approve();
    assert.deepEqual([await sentTo(), await held()], [[other], [`name ${email}`]]);
    // Its own name, which staff see again, is what it waits for.
    await call('PayPal Security');
    await approve();
    assert.deepEqual(await sentTo(), [email, other].toSorted());
  });

  it('is found where it was saved before the rule, and looked at once', async () => {
    await current.service.db.asSystem('seed', async (tx) => {
      await tx.updateTable('partner').set({ name: 'Coinbase Service' }).where('id', '=', current.service.world.rivalPartnerId).execute();
      await tx.updateTable('client').set({ name: 'Apple Support' }).where('id', '=', current.service.world.clientId).execute();
    });
    await current.runner.runCron('name-reviews.look');
    const items = await queued();
    assert.deepEqual(items.map(({ title }: { title: string }) => title).toSorted(), ['Name of Apple Support', 'Name of Coinbase Service']);
    const all = (await current.service.call('GET', '/provisioning/name-reviews?status=pending', { as: 'staff' })).body.data;
    for (const { id } of all) await current.service.call('POST', `/provisioning/name-reviews/${id}/approve`, { as: 'staff', body: {} });
    // The next version of the rule looks at all names again, and not at those that were decided.
    await current.service.db.asSystem('seed', (tx) => tx.updateTable('nameRule').set({ version: 0 }).execute());
    await current.runner.runCron('name-reviews.look');
    assert.deepEqual(await queued(), []);
  });

  it('is approved by staff who save it, and shown to them with an application', async () => {
    const email = fresh();
    await apply(email, '198.51.100.77', { companyName: 'Pay-Pal Verification' });
    const application = await applicationOf(email);
    assert.equal(application.nameResembles, 'PayPal');
    const plan = await current.service.db.asSystem('seed', (tx) =>
      tx.selectFrom('plan').select('id').where('isActive', '=', true).executeTakeFirstOrThrow(),
    );
    const { body } = await current.service.call('POST', `/custom-plan-requests/${application.id}/approve`, {
      as: 'staff',
      body: { planId: plan.id },
    });
    assert.equal(body.invitation.emailStatus, null);
    const [review] = (await current.service.call('GET', '/provisioning/name-reviews', { as: 'staff' })).body.data;
    assert.deepEqual([review.name, review.status, review.partnerId], ['Pay-Pal Verification', 'approved', body.partner.id]);
    const plain = fresh();
    await apply(plain, '198.51.100.78');
    assert.equal((await applicationOf(plain)).nameResembles, null);
  });
});
