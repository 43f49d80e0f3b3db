import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { addPartner, type PersonFacts } from '@partner-portal/tests/harness/world.ts';
import { invitations } from '#modules/2-tenancy/invitations/index.ts';
import { partners } from '#modules/2-tenancy/partners/index.ts';
import { workQueue } from '#modules/6-views/work-queue/index.ts';
import { planRequests } from './index.ts';

let service: TestService;
let endTrials: () => Promise<number>;
const planIds: Record<string, string> = {};
before(async () => {
  service = await startTestService({
    modules: (platform) => {
      const partnerModule = partners(platform);
      endTrials = partnerModule.endTrials;
      return [partnerModule, invitations(platform), planRequests(platform), workQueue(platform)];
    },
  });
  const plans = await service.db.asSystem('seed', (tx) => tx.selectFrom('plan').select(['id', 'name']).execute());
  for (const plan of plans) planIds[plan.name] = plan.id;
});
after(() => service.close());

const application = (email: string, more: object = {}) => ({
  email,
  fullName: 'Ada Applicant',
  companyName: `Company of ${email.split('@')[0]}`,
  acceptTerms: true,
  ...more,
});
const apply = (body: object, path = '/auth/register') => service.call('POST', path, { body });
const pending = async (email: string): Promise<string> => {
  const { body } = await service.call('GET', '/custom-plan-requests?status=pending&limit=100', { as: 'staff' });
  const found = body.data.find((one: { applicant: { email: string } }) => one.applicant.email === email);
  assert.ok(found, `no application of ${email} is waiting`);
  return found.id;
};
const mailsTo = (to: string) =>
  service.db.asSystem('seed', (tx) =>
    tx.selectFrom('mail').select(['kind', 'partnerId']).where('toAddress', '=', to).orderBy('id').execute(),
  );
/** Counts partners, users, subscriptions, quotas and invitations. */
const counts = () =>
  service.db.asSystem('seed', (tx) =>
    Promise.all(
      (['partner', 'appUser', 'subscription', 'partnerQuota', 'invitation'] as const).map(async (table) => {
        const row = await tx
          .selectFrom(table)
          .select((eb) => eb.fn.countAll().as('n'))
          .executeTakeFirstOrThrow();
        return Number(row.n);
      }),
    ),
  );

describe('an application', () => {
  it('is a pending plan request, without user, workspace or session', async () => {
    const untouched = await counts();
    const { status, body } = await apply(
      application('new@apply.test', { planId: planIds['Growth'], expectedClients: 12, message: 'Hello' }),
    );
    assert.equal(status, 202);
    assert.deepEqual(Object.keys(body), ['planRequest']);
    assert.deepEqual([body.planRequest.kind, body.planRequest.status], ['signup', 'pending']);
    assert.deepEqual(await counts(), untouched);
    const { body: stored } = await service.call('GET', `/custom-plan-requests/${body.planRequest.id}`, { as: 'staff' });
    assert.deepEqual([stored.planName, stored.desired, stored.partnerId], ['Growth', { clients: 12, message: 'Hello' }, null]);
    assert.deepEqual(
      (await mailsTo('new@apply.test')).map((mail) => mail.kind),
      ['application_received'],
    );
    const trial = await apply(application('try@apply.test'), '/auth/register-trial');
    assert.deepEqual([trial.status, trial.body.planRequest.kind], [202, 'trial']);
  });

  it('needs the terms accepted', async () => {
    const refused = await apply({ ...application('terms@apply.test'), acceptTerms: false });
    assert.deepEqual([refused.status, refused.body.errors[0].field], [422, 'acceptTerms']);
  });

  it('returns the same for a known address and a second application, with a mail and no second request', async () => {
    const known = await apply(application('owner@portal.test'));
    const fresh = await apply(application('fresh@apply.test'));
    const again = await apply(application('fresh@apply.test'));
    for (const reply of [known, again]) {
      assert.equal(reply.status, fresh.status);
      assert.deepEqual({ ...reply.body.planRequest, id: '' }, { ...fresh.body.planRequest, id: '' });
      assert.equal((await service.call('GET', `/custom-plan-requests/${reply.body.planRequest.id}`, { as: 'staff' })).status, 404);
    }
    assert.deepEqual(
      (await mailsTo('owner@portal.test')).map((mail) => mail.kind),
      ['application_known_address'],
    );
    assert.equal((await mailsTo('fresh@apply.test')).length, 1);
  });

  it('does the same work for an unknown address, a known one and one that is already pending', async () => {
    const unknown = await service.countStatements(() => apply(application('count@apply.test')));
    const known = await service.countStatements(() => apply(application('moderator@portal.test')));
    const again = await service.countStatements(() => apply(application('count@apply.test')));
    assert.deepEqual([known, again], [unknown, unknown]);
    const lines = await service.db.asSystem('seed', (tx) =>
      tx
        .selectFrom('auditEntry')
        .select(['result', 'changes'])
        .where('action', '=', 'plan_request.submitted')
        .where('targetLabel', 'in', ['Company of count', 'Company of moderator'])
        .orderBy('id')
        .execute(),
    );
    assert.deepEqual(
      lines.map(({ result, changes }) => [result, changes]),
      [
        ['ok', {}],
        ['refused', { refusal: [null, 'email_in_use'] }],
        ['refused', { refusal: [null, 'already_pending'] }],
      ],
    );
  });

  it('is seen by staff only', async () => {
    const id = await pending('new@apply.test');
    assert.equal((await service.call('GET', `/custom-plan-requests/${id}`, { as: 'owner' })).status, 404);
    assert.deepEqual((await service.call('GET', '/custom-plan-requests', { as: 'owner' })).body.data, []);
    await service.assertRefused('GET', '/custom-plan-requests', { clientUser: 'role_forbidden' });
  });
});

describe('approving an application', () => {
  it('creates workspace, terms and quota and invites the owner as admin, who can sign in', async () => {
    await apply(application('win@apply.test', { website: 'https://win.example' }));
    const id = await pending('win@apply.test');
    const { status, body } = await service.call('POST', `/custom-plan-requests/${id}/approve`, {
      as: 'staff',
      body: { planId: planIds['Starter'], slug: 'winners', overrides: { monthlyCredits: 77, includedSeats: 4 } },
    });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual([body.request.status, body.request.resultPartnerId, body.partner.slug], ['approved', body.partner.id, 'winners']);
    assert.deepEqual([body.invitation.kind, body.invitation.partnerRole], ['owner', 'admin']);
    assert.deepEqual([body.subscription.partnerId, body.subscription.planName], [body.partner.id, 'Starter']);
    assert.deepEqual([body.subscription.terms.monthlyCredits, body.subscription.terms.includedSeats], [77, 4]);
    const quota = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('partnerQuota').select('monthlyCredits').where('partnerId', '=', body.partner.id).executeTakeFirstOrThrow(),
    );
    assert.equal(quota.monthlyCredits, 77);
    const mails = await mailsTo('win@apply.test');
    assert.deepEqual(
      mails.map((mail) => mail.kind),
      ['application_received', 'application_approved'],
    );
    const token = String(body.invitation.acceptUrl).split('/').at(-1);
    assert.equal((await service.call('POST', '/invitations/accept', { body: { token, password: 'eleven brown otters' } })).status, 201);
    const session = await service.login('win@apply.test', 'eleven brown otters');
    assert.equal(session.body.user.partnerRole, 'admin');
  });

  it('happens once when two staff users approve concurrently', async () => {
    await apply(application('race@apply.test'));
    const id = await pending('race@apply.test');
    const untouched = await counts();
    const replies = await Promise.all(
      ['racer-one', 'racer-two'].map((slug) =>
        service.call('POST', `/custom-plan-requests/${id}/approve`, { as: 'staff', body: { planId: planIds['Starter'], slug } }),
      ),
    );
    assert.deepEqual(
      replies.map((reply) => reply.status).toSorted((a, b) => a - b),
      [200, 409],
    );
    assert.equal(replies.find((reply) => reply.status === 409)?.body.code, 'invalid_state');
    const [workspaces = 0, people = 0, terms = 0, quotas = 0, links = 0] = untouched;
    assert.deepEqual(await counts(), [workspaces + 1, people, terms + 1, quotas + 1, links + 1]);
  });

  it('finds a slug for each of several companies of the same name, when staff choose none', async () => {
    const slugs: string[] = [];
    for (const email of ['same1@apply.test', 'same2@apply.test', 'same3@apply.test']) {
      await apply(application(email, { companyName: 'Same & Söhne' }));
      const body = { planId: planIds['Starter'] };
      const approved = await service.call('POST', `/custom-plan-requests/${await pending(email)}/approve`, { as: 'staff', body });
      assert.equal(approved.status, 200, approved.text);
      slugs.push(approved.body.partner.slug);
    }
    assert.deepEqual(slugs, ['same-sohne', 'same-sohne-2', 'same-sohne-3']);
  });

  it('creates nothing when a part of it is refused, and can be repeated', async () => {
    await apply(application('taken@apply.test'));
    const id = await pending('taken@apply.test');
    const untouched = await counts();
    const refused = await service.call('POST', `/custom-plan-requests/${id}/approve`, {
      as: 'staff',
      body: { planId: planIds['Starter'], slug: 'winners' },
    });
    assert.deepEqual([refused.status, refused.body.code], [409, 'already_exists']);
    const noPlan = await service.call('POST', `/custom-plan-requests/${id}/approve`, { as: 'staff', body: { planId: id } });
    assert.equal(noPlan.status, 404);
    assert.deepEqual(await counts(), untouched);
    assert.equal(
      (await service.call('POST', `/custom-plan-requests/${id}/approve`, { as: 'staff', body: { planId: planIds['Trial'] } })).status,
      200,
    );
  });

  it('is for staff only', async () => {
    const id = await pending('new@apply.test');
    await service.assertRefused(
      'POST',
      `/custom-plan-requests/${id}/approve`,
      { owner: 'role_forbidden', moderator: 'role_forbidden', clientUser: 'role_forbidden' },
      { planId: planIds['Starter'] },
    );
  });
});

describe('rejecting', () => {
  it('mails the reason and is final', async () => {
    await apply(application('no@apply.test'));
    const id = await pending('no@apply.test');
    const { status, body } = await service.call('POST', `/custom-plan-requests/${id}/reject`, {
      as: 'staff',
      body: { note: 'Not yet in your country.' },
    });
    assert.deepEqual([status, body.status, body.decisionNote], [200, 'rejected', 'Not yet in your country.']);
    assert.deepEqual(
      (await mailsTo('no@apply.test')).map((mail) => mail.kind),
      ['application_received', 'application_rejected'],
    );
    const late = await service.call('POST', `/custom-plan-requests/${id}/approve`, { as: 'staff', body: { planId: planIds['Starter'] } });
    assert.deepEqual([late.status, late.body.code], [409, 'invalid_state']);
  });

  it('of other terms is mailed to the admin who asked, about the plan and not about a workspace', async () => {
    const { body: request } = await service.call('POST', '/custom-plan-requests', {
      as: 'owner',
      body: { kind: 'change', planId: planIds['Scale'], message: 'We grow.' },
    });
    const rejected = await service.call('POST', `/custom-plan-requests/${request.id}/reject`, {
      as: 'staff',
      body: { note: 'Not this month.' },
    });
    assert.equal(rejected.status, 200, rejected.text);
    const mails = await service.db.asSystem('seed', (tx) =>
      tx
        .selectFrom('mail')
        .select(['kind', 'subject', 'userId', 'partnerId'])
        .where('toAddress', '=', request.applicant.email)
        .orderBy('id')
        .execute(),
    );
    const mail = mails.at(-1);
    assert.deepEqual(
      [mail?.kind, mail?.userId, mail?.partnerId],
      ['plan_request_rejected', service.world.people.owner.userId, service.world.partnerId],
    );
    assert.match(mail?.subject ?? '', /^Your plan request for .+ was rejected$/);
    assert.equal(mails.filter(({ kind }) => kind === 'application_rejected').length, 0);
  });

  it('of other terms is mailed to the admins in office when the one who asked is disabled, removed or no admin any more', async () => {
    const { people, partnerId } = service.world;
    const { owner, moderator } = people;
    const set = (member: PersonFacts, values: { status?: 'active' | 'disabled'; partnerRole?: 'admin' | 'moderator' }) =>
      service.db.asSystem('seed', (tx) => tx.updateTable('appUser').set(values).where('id', '=', member.userId).execute());
    const left = [
      () => set(moderator, { status: 'disabled' }),
      () => set(moderator, { partnerRole: 'moderator' }),
      () =>
        service.db.asSystem('seed', (tx) =>
          tx.updateTable('planRequest').set({ requestedBy: null }).where('requestedBy', '=', moderator.userId).execute(),
        ),
    ];
    for (const leave of left) {
      await set(moderator, { status: 'active', partnerRole: 'admin' });
      const { body: request } = await service.call('POST', '/custom-plan-requests', {
        headers: service.bearer({ ...moderator, partnerRole: 'admin' }),
        body: { kind: 'custom', message: 'We grow.' },
      });
      await leave();
      if (leave === left.at(-1)) await set(moderator, { status: 'disabled' });
      const path = `/custom-plan-requests/${request.id}/reject`;
      assert.equal((await service.call('POST', path, { as: 'staff', body: { note: 'Not this month.' } })).status, 200);
      const mails = await service.db.asSystem('seed', (tx) =>
        tx.selectFrom('mail').select(['toAddress', 'userId', 'partnerId']).where('dedupeKey', '=', `rejected:${request.id}`).execute(),
      );
      assert.deepEqual(mails, [{ toAddress: owner.email, userId: owner.userId, partnerId }]);
    }
    await set(moderator, { status: 'active', partnerRole: 'moderator' });
  });
});

describe('a partner\u2019s request', () => {
  it('keeps what the plan cost when it was sent', async () => {
    const setPrice = (monthlyPriceMinor: number) =>
      service.db.asSystem('seed', (tx) =>
        tx
          .updateTable('plan')
          .set({ monthlyPriceMinor })
          .where('id', '=', planIds['Scale'] ?? '')
          .execute(),
      );
    const body = { kind: 'change', planId: planIds['Scale'], message: 'We grow.' };
    const sent = await service.call('POST', '/custom-plan-requests', { as: 'owner', body });
    const before = sent.body.desired.monthlyPriceMinor;
    await setPrice(before + 5_000);
    const path = `/custom-plan-requests/${sent.body.id}`;
    assert.equal((await service.call('GET', path, { as: 'staff' })).body.desired.monthlyPriceMinor, before);
    await setPrice(before);
    await service.call('POST', `${path}/cancel`, { as: 'owner' });
  });

  it('is the only pending one, also under concurrency, and can be cancelled', async () => {
    const send = () =>
      service.call('POST', '/custom-plan-requests', {
        as: 'owner',
        body: {
          kind: 'change',
          planId: planIds['Scale'],
          desired: { clients: 1, credits: 50_000, features: ['sso'] },
          message: 'We grow.',
        },
      });
    const replies = await Promise.all([send(), send()]);
    assert.deepEqual(
      replies.map((reply) => reply.status).toSorted((a, b) => a - b),
      [201, 409],
    );
    assert.equal(replies.find((reply) => reply.status === 409)?.body.code, 'already_pending');
    const { id, applicant } = replies.find((reply) => reply.status === 201)?.body ?? {};
    const queue: { itemId: string; detail: string }[] = (await service.call('GET', '/provisioning/queue', { as: 'staff' })).body;
    assert.equal(
      queue.find((item) => item.itemId === id)?.detail,
      `${applicant.fullName} asks for the Scale plan, 1 client, 50,000 credits a month and 1 more feature. “We grow.”`,
    );
    await service.assertRefused(
      'POST',
      '/custom-plan-requests',
      { moderator: 'partner_role_forbidden', clientUser: 'role_forbidden', staff: 'role_forbidden' },
      { kind: 'custom', message: 'x' },
    );
    const note = 'We stay as we are.';
    const cancelled = await service.call('POST', `/custom-plan-requests/${id}/cancel`, { as: 'owner', body: { note } });
    assert.deepEqual([cancelled.body.status, cancelled.body.decisionNote], ['cancelled', note]);
    const [entry] = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('auditEntry').select('changes').where('targetId', '=', id).where('action', '=', 'plan_request.cancelled').execute(),
    );
    assert.deepEqual(entry?.changes, { status: ['pending', 'cancelled'], note: [null, note] });
    assert.equal((await service.call('POST', `/custom-plan-requests/${id}/cancel`, { as: 'owner' })).body.code, 'invalid_state');
  });

  it('shows the note of its approval to staff alone, and that of a refusal to the agency', async () => {
    const decide = async (decision: string, body: object): Promise<string> => {
      const asked = await service.call('POST', '/custom-plan-requests', { as: 'owner', body: { kind: 'custom', message: 'More.' } });
      const { status, text } = await service.call('POST', `/custom-plan-requests/${asked.body.id}/${decision}`, { as: 'staff', body });
      assert.equal(status, 200, text);
      return asked.body.id;
    };
    const approved = await decide('approve', { planId: planIds['Growth'], note: 'Weak payer' });
    const rejected = await decide('reject', { note: 'Not this month' });
    for (const [as, note] of [
      ['staff', 'Weak payer'],
      ['owner', null],
      ['moderator', null],
    ] as const) {
      assert.equal((await service.call('GET', `/custom-plan-requests/${approved}`, { as })).body.decisionNote, note);
      assert.equal((await service.call('GET', `/custom-plan-requests/${rejected}`, { as })).body.decisionNote, 'Not this month');
      for (const path of ['', '/export.csv']) {
        const { status, text } = await service.call('GET', `/custom-plan-requests${path}`, { as });
        assert.deepEqual(
          [status, text.includes('Weak payer'), text.includes('Not this month')],
          [200, note !== null, true],
          `${as} ${path}`,
        );
      }
    }
  });

  it('becomes its terms when staff approve, and used credits stay used', async () => {
    const { body: request } = await service.call('POST', '/custom-plan-requests', {
      as: 'owner',
      body: { kind: 'custom', message: 'More, please.' },
    });
    await service.db.asSystem('seed', (tx) =>
      tx.updateTable('partnerQuota').set({ used: 5 }).where('partnerId', '=', service.world.partnerId).execute(),
    );
    const { status, body } = await service.call('POST', `/custom-plan-requests/${request.id}/approve`, {
      as: 'staff',
      body: { planId: planIds['Scale'], overrides: { monthlyCredits: 123_456, features: { chatbot: false } } },
    });
    assert.deepEqual([status, body.invitation], [200, null]);
    const { planName, terms } = body.subscription;
    assert.deepEqual([planName, terms.monthlyCredits, terms.features.chatbot], ['Scale', 123_456, false]);
    const quota = await service.db.asSystem('seed', (tx) =>
      tx
        .selectFrom('partnerQuota')
        .select(['monthlyCredits', 'used'])
        .where('partnerId', '=', service.world.partnerId)
        .executeTakeFirstOrThrow(),
    );
    assert.deepEqual(quota, { monthlyCredits: 123_456, used: 5 });
    const me = await service.call('GET', '/auth/me', { as: 'owner' });
    assert.deepEqual([me.body.features.customTemplates, me.body.features.chatbot], [true, false]);
  });

  it('replaces the old terms: an override that is not in the new ones no longer applies, less than before waits for the period', async () => {
    const approve = async (overrides: object): Promise<object> => {
      const sent = await service.call('POST', '/custom-plan-requests', { as: 'owner', body: { kind: 'custom', message: 'More seats.' } });
      const { status, text } = await service.call('POST', `/custom-plan-requests/${sent.body.id}/approve`, {
        as: 'staff',
        body: { planId: planIds['Scale'], overrides },
      });
      assert.equal(status, 200, text);
      return service.db.asSystem('seed', (tx) =>
        tx
          .selectFrom('partnerQuota as q')
          .innerJoin('subscription as s', 's.partnerId', 'q.partnerId')
          .select(['q.monthlyCredits', 's.overrides', 's.pendingPlanId', 's.pendingOverrides'])
          .where('q.partnerId', '=', service.world.partnerId)
          .executeTakeFirstOrThrow(),
      );
    };
    const more = { monthlyCredits: 123_457, includedSeats: 60 };
    const none = { pendingPlanId: null, pendingOverrides: null };
    assert.deepEqual(await approve(more), { monthlyCredits: 123_457, overrides: more, ...none });
    assert.equal((await service.call('GET', '/auth/me', { as: 'owner' })).body.features.chatbot, true);
    const less = { pendingPlanId: planIds['Scale'], pendingOverrides: { includedSeats: 60 } };
    assert.deepEqual(await approve({ includedSeats: 60 }), { monthlyCredits: 123_457, overrides: more, ...less });
  });
});

describe('a suspended agency', () => {
  let owner: PersonFacts;
  before(async () => {
    owner = await service.db.asSystem('seed', async (tx) => {
      const partnerId = await addPartner(tx, { name: 'Ended', slug: 'ended', planId: planIds['Trial'] ?? '' });
      const email = 'own@ended.test';
      const { userId } = await tx
        .insertInto('appUser')
        .values({ email, fullName: 'Nora', role: 'PARTNER', partnerRole: 'admin', partnerId, sessionsValidFrom: new Date(0) })
        .returning('id as userId')
        .executeTakeFirstOrThrow();
      return { userId, email, role: 'PARTNER', partnerId, partnerRole: 'admin', clientId: null };
    });
  });
  const asOwner = (method: 'GET' | 'POST', path: string, body?: object) =>
    service.call(method, path, { headers: service.bearer(owner), body });
  const ask = () => asOwner('POST', '/custom-plan-requests', { kind: 'change', planId: planIds['Growth'], message: 'We stay.' });

  it('whose trial ended asks for a plan, withdraws it, and is active again with the approval', async () => {
    await service.db.asSystem('seed', (tx) =>
      tx
        .updateTable('subscription')
        .set({ status: 'trialing', trialEndsAt: new Date(Date.now() - 60_000) })
        .where('partnerId', '=', owner.partnerId)
        .execute(),
    );
    await endTrials();
    assert.equal((await asOwner('GET', '/partners/me')).body.code, 'account_suspended');
    const first = await ask();
    assert.deepEqual([first.status, first.body.status], [201, 'pending']);
    assert.equal((await asOwner('GET', '/custom-plan-requests')).body.data[0].id, first.body.id);
    assert.equal((await asOwner('POST', `/custom-plan-requests/${first.body.id}/cancel`)).body.status, 'cancelled');
    const { id } = (await ask()).body;
    const { status, body } = await service.call('POST', `/custom-plan-requests/${id}/approve`, {
      as: 'staff',
      body: { planId: planIds['Growth'] },
    });
    assert.deepEqual([status, body.partner.status], [200, 'active']);
    assert.deepEqual([body.subscription.status, body.subscription.planName], ['active', 'Growth']);
    assert.equal((await asOwner('GET', '/partners/me')).status, 200);
  });

  it('that staff suspended asks for its reactivation, and for no plan', async () => {
    const byStaff = (action: string, body?: object) =>
      service.call('POST', `/partners/${owner.partnerId}/${action}`, { as: 'staff', body });
    assert.equal((await byStaff('suspend', { reason: 'Spam' })).status, 200);
    const { data } = (await service.call('GET', '/custom-plan-requests', { as: 'staff' })).body;
    const { id } = data.find((row: { partnerId: string }) => row.partnerId === owner.partnerId);
    for (const refused of [
      await ask(),
      await asOwner('GET', '/custom-plan-requests'),
      await asOwner('GET', '/custom-plan-requests/export.csv'),
      await asOwner('GET', `/custom-plan-requests/${id}`),
      await asOwner('POST', `/custom-plan-requests/${id}/cancel`),
    ])
      assert.deepEqual([refused.status, refused.body.code], [403, 'account_suspended']);
    assert.equal((await byStaff('resume')).status, 200);
    assert.equal((await ask()).status, 201);
  });
});

describe('the work queue', () => {
  it('lists waiting items, oldest first, with their owner, and drops settled ones', async () => {
    await apply(application('queue@apply.test'));
    const id = await pending('queue@apply.test');
    const { body } = await service.call('GET', '/provisioning/queue', { as: 'staff' });
    const times = body.map((item: { since: string }) => item.since);
    assert.deepEqual(
      times,
      times.toSorted((a: string, b: string) => a.localeCompare(b)),
    );
    const taken = await service.call('POST', '/provisioning/queue/assign', {
      as: 'staff',
      body: { kind: 'application', itemId: id, assigned: true },
    });
    assert.equal(taken.body.ownerId, service.world.people.staff.userId);
    const back = await service.call('POST', '/provisioning/queue/assign', {
      as: 'staff',
      body: { kind: 'application', itemId: id, assigned: false },
    });
    assert.equal(back.body.ownerId, null);
    await service.call('POST', `/custom-plan-requests/${id}/reject`, { as: 'staff', body: { note: 'No.' } });
    const gone = await service.call('POST', '/provisioning/queue/assign', {
      as: 'staff',
      body: { kind: 'application', itemId: id, assigned: true },
    });
    assert.equal(gone.status, 404);
    await service.assertRefused('GET', '/provisioning/queue', { owner: 'role_forbidden', clientUser: 'role_forbidden' });
  });
});

describe('a trial', () => {
  it('ends on time: the account is suspended, one event is published, and staff can lift it', async () => {
    await apply(application('trial@apply.test'), '/auth/register-trial');
    const { body } = await service.call('POST', `/custom-plan-requests/${await pending('trial@apply.test')}/approve`, {
      as: 'staff',
      body: { planId: planIds['Trial'], slug: 'on-trial', trialDays: 3 },
    });
    const partnerId = body.partner.id;
    await endTrials();
    assert.equal((await service.call('GET', `/partners/${partnerId}`, { as: 'staff' })).body.status, 'active');
    await service.db.asSystem('seed', (tx) =>
      tx
        .updateTable('subscription')
        .set({ trialEndsAt: new Date(Date.now() - 1_000) })
        .where('partnerId', '=', partnerId)
        .execute(),
    );
    await Promise.all([endTrials(), endTrials()]);
    assert.equal((await service.call('GET', `/partners/${partnerId}`, { as: 'staff' })).body.status, 'suspended');
    const events = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('event').select(['type', 'data']).where('partnerId', '=', partnerId).execute(),
    );
    assert.deepEqual(
      events.map((event) => [event.type, (event.data as { reason?: string }).reason]),
      [['account.suspended', 'billing']],
    );
    assert.equal((await service.call('POST', `/partners/${partnerId}/resume`, { as: 'staff' })).body.status, 'active');
    assert.equal((await service.call('POST', `/partners/${partnerId}/resume`, { as: 'staff' })).body.code, 'invalid_state');
    await endTrials();
    assert.equal((await service.call('GET', `/partners/${partnerId}`, { as: 'staff' })).body.status, 'active');
  });
});
