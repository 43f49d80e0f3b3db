import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { nextBoundary } from '@partner-portal/core/billing/period.ts';
import { events } from '@partner-portal/service/modules/1-ledger/events/index.ts';
import { billing } from '@partner-portal/service/modules/2-tenancy/billing/index.ts';
import { clients } from '@partner-portal/service/modules/2-tenancy/clients/index.ts';
import { invitations } from '@partner-portal/service/modules/2-tenancy/invitations/index.ts';
import { partners } from '@partner-portal/service/modules/2-tenancy/partners/index.ts';
import { createRunner, type JobRunner } from '@partner-portal/service/platform/jobs/runner.ts';
import { type Notices, openNotices } from '@partner-portal/service/platform/notify.ts';
import { type Body, startTestService, type TestCall, type TestService } from '../harness/service.ts';
import { assertNothingHeldHere } from '../harness/held.ts';

/** An agency buys seats, gives one back, does not pay, is suspended and pays: through HTTP, with a clock that the test moves. */

const DAY_MS = 86_400_000;
const OWNER = 'nora@harbor.test';
/** Ahead of the server's own time, so that a session is never older than its user. */
let now = new Date(Date.now() + 3_600_000);
let service: TestService;
let module: ReturnType<typeof billing>;
let eventModule: ReturnType<typeof events>;
let notices: Notices;
let runner: JobRunner;

before(async () => {
  service = await startTestService({
    clock: { now: () => now },
    modules: (platform) => {
      const { db, log, mail, database } = platform;
      notices = openNotices(database.configFor('portal_service'), log);
      module = billing(platform);
      eventModule = events({ db, notices, log, reactions: mail.reactions });
      return [module, partners(platform), clients(platform), invitations(platform), mail];
    },
  });
  const { database, log } = service;
  runner = createRunner({ address: database.configFor('portal_queue'), jobs: module.jobs, crons: [], log });
});
after(async () => {
  await runner.stop(0);
  await eventModule.stop();
  await notices.close();
  await service.close();
  assertNothingHeldHere();
});

/** Lets what follows from the last step happen: events, and mail with documents. */
async function settle(): Promise<void> {
  while ((await eventModule.runOnce()) > 0);
  await runner.drain();
}

const after28 = (date: string, days: number): Date => new Date(Date.parse(date) + days * DAY_MS);

describe('two seats', () => {
  let partnerId: string;
  let session: Record<string, string>;

  const staff = async (method: 'GET' | 'POST', path: string, body?: object): Promise<Body> => {
    const { status, body: reply, text } = await service.call(method, path, { as: 'staff', ...(body ? { body } : {}) });
    assert.ok(status < 300, `${method} ${path}: ${text}`);
    return reply;
  };
  const owner = (method: 'GET' | 'POST', path: string, options: TestCall = {}) =>
    service.call(method, path, { ...options, headers: { ...session, ...options.headers } });
  const own = async (path: string): Promise<Body> => {
    const { status, body, text } = await owner('GET', path);
    assert.equal(status, 200, text);
    return body;
  };
  const invite = (email: string) => owner('POST', '/invitations', { body: { kind: 'team', email } });
  const mails = async (kind: string): Promise<string[]> =>
    (
      await service.db.asSystem('seed', (tx) =>
        tx.selectFrom('mail').select('toAddress').where('partnerId', '=', partnerId).where('kind', '=', kind).execute(),
      )
    ).map(({ toAddress }) => toAddress);
  const published = async (type: string): Promise<Body[]> =>
    (
      await service.db.asSystem('seed', (tx) =>
        tx.selectFrom('event').select('data').where('partnerId', '=', partnerId).where('type', '=', type).execute(),
      )
    ).map(({ data }) => data);
  const draftOf = async (): Promise<Body> => (await staff('GET', `/billing/invoices?partnerId=${partnerId}&status=draft`)).data[0];
  const amounts = (lines: { kind: string; amountMinor: number }[]) => lines.map(({ kind, amountMinor }) => [kind, amountMinor]);

  it('are bought by a new agency that has paid its first invoice', async () => {
    const plan = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('plan').select('id').where('name', '=', 'Starter').executeTakeFirstOrThrow(),
    );
    const opened = await staff('POST', '/partners', {
      name: 'Harbor Agency',
      slug: 'harbor',
      ownerEmail: OWNER,
      ownerName: 'Nora',
      planId: plan.id,
    });
    partnerId = opened.partner.id;
    const token = String(opened.invitation.acceptUrl).split('/').at(-1);
    assert.equal((await service.call('POST', '/invitations/accept', { body: { token, password: 'eleven brown otters' } })).status, 201);
    const signedIn = await service.login(OWNER, 'eleven brown otters');
    const { id: userId } = signedIn.body.user;
    session = service.bearer({ userId, email: OWNER, role: 'PARTNER', partnerId, partnerRole: 'admin', clientId: null });

    const first = await draftOf();
    assert.equal(first.totalMinor, 9_900);
    assert.deepEqual((await own('/billing/invoices')).data, [], 'agencies see no drafts');
    const issued = await staff('POST', `/billing/invoices/${first.id}/issue`);
    assert.match(issued.number, /^\d{4}-000001$/);
    await settle();
    assert.deepEqual(await mails('invoice_issued'), [OWNER]);
    assert.equal((await staff('POST', `/billing/invoices/${first.id}/pay`, { reference: 'Wire 1' })).status, 'paid');

    const order = { body: { quantity: 2 }, headers: { 'idempotency-key': 'two-seats' } };
    const [bought, again] = [await owner('POST', '/billing/seats', order), await owner('POST', '/billing/seats', order)];
    assert.deepEqual([bought.status, again.body.id], [201, bought.body.id]);
    assert.deepEqual((await own('/billing')).seats, { included: 3, purchased: 2, used: 1, pendingInvites: 0, free: 4 });
    assert.deepEqual(
      (await published('seat_purchase.completed')).map(({ seats }) => seats),
      [{ included: 3, purchased: 2, total: 5, used: 1 }],
    );
  });

  it('are used by invitations at once, and only as many as there are', async () => {
    for (const name of ['ada', 'ben', 'cy', 'di']) assert.equal((await invite(`${name}@harbor.test`)).status, 201);
    const full = await invite('eve@harbor.test');
    assert.deepEqual([full.status, full.body.code, full.body.limit], [409, 'seat_limit_reached', 5]);
    const early = await owner('POST', '/billing/seats/release', { body: { quantity: 1 } });
    assert.deepEqual([early.status, early.body.code], [409, 'seat_limit_reached']);
  });

  it('are released with the end of the period, when the invoice is what was shown before', async () => {
    const pending = (await own('/invitations?status=pending&limit=100')).data.filter(({ kind }: { kind: string }) => kind === 'team');
    assert.equal((await owner('POST', `/invitations/${pending[0].id}/revoke`)).status, 200);
    const released = await owner('POST', '/billing/seats/release', { body: { quantity: 1 } });
    assert.deepEqual([released.status, released.body.pendingSeatRelease, released.body.purchasedSeats], [200, 1, 2]);
    assert.equal((await owner('POST', '/billing/credits', { body: { packId: 'pack-1000', quantity: 1 } })).status, 201);
    const shown = await own('/billing');
    assert.deepEqual(
      shown.nextInvoice.lines.map(({ kind, quantity }: { kind: string; quantity: number }) => [kind, quantity]),
      [
        ['plan', 1],
        ['seats', 1],
        ['seats', 2],
        ['credits', 1],
      ],
    );

    now = after28(shown.subscription.currentPeriodEnd, 1);
    session = service.bearer({ ...(await claims()) });
    await module.periods.rollOverDue();
    assert.equal(await module.periods.rollOverDue(), 0);
    const { subscription, credits } = await own('/billing');
    assert.deepEqual([subscription.purchasedSeats, subscription.pendingSeatRelease, credits.purchased], [1, 0, 1_000]);
    const end = new Date(shown.subscription.currentPeriodEnd);
    assert.deepEqual(
      [subscription.currentPeriodStart, subscription.currentPeriodEnd],
      [end.toISOString(), nextBoundary(end, end).toISOString()],
    );
    const draft = await staff('GET', `/billing/invoices/${(await draftOf()).id}`);
    assert.deepEqual(amounts(draft.lines), amounts(shown.nextInvoice.lines));
    assert.equal(draft.totalMinor, shown.nextInvoice.totalMinor);
  });

  it('are invoiced, and reminders follow when the invoice is not paid', async () => {
    const issued = await staff('POST', `/billing/invoices/${(await draftOf()).id}/issue`);
    assert.match(issued.number, /^\d{4}-\d{6}$/);
    await settle();
    assert.deepEqual(await mails('invoice_issued'), [OWNER, OWNER]);
    const document = await owner('GET', `/billing/invoices/${issued.id}/pdf`);
    assert.deepEqual([document.status, document.text.slice(0, 5)], [200, '%PDF-']);
    assert.deepEqual(
      (await own('/billing/orders')).data.map(({ kind, status }: { kind: string; status: string }) => [kind, status]),
      [
        ['credits', 'invoiced'],
        ['seats', 'invoiced'],
      ],
    );
    for (const [days, reminders] of [
      [0, 0],
      [1, 1],
      [7, 2],
      [13, 3],
    ] as const) {
      now = after28(issued.dueAt, days);
      await Promise.all([module.periods.collectDue(), module.periods.collectDue()]);
      assert.equal((await mails('invoice_reminder')).length, reminders, `${days} days overdue`);
    }
    now = after28(issued.dueAt, 14);
    session = service.bearer(await claims());
    await module.periods.collectDue();
    const { subscription } = await own('/billing');
    assert.deepEqual([subscription.status, subscription.suspendsAt], ['past_due', after28(issued.dueAt, 28).toISOString()]);
    assert.deepEqual(await mails('payment_past_due'), [OWNER]);
    assert.equal((await own('/clients')).data.length, 0);
  });

  it('end in a suspension, which the payment lifts', async () => {
    const invoice = (await own('/billing/invoices?overdue=true')).data[0];
    now = after28(invoice.dueAt, 28);
    session = service.bearer(await claims());
    await module.periods.collectDue();
    await settle();
    assert.equal((await owner('GET', '/clients')).body.code, 'account_suspended');
    assert.equal((await owner('POST', '/billing/seats', { body: { quantity: 1 } })).body.code, 'account_suspended');
    assert.equal((await own('/billing')).subscription.status, 'suspended');
    assert.equal((await own('/billing/invoices')).data.length, 2);
    assert.deepEqual(
      (await published('account.suspended')).map(({ reason }) => reason),
      ['billing'],
    );
    assert.deepEqual(await mails('account_suspended'), [OWNER]);

    await staff('POST', `/billing/invoices/${invoice.id}/pay`, { reference: 'Wire 2' });
    assert.equal((await own('/billing')).subscription.status, 'active');
    assert.equal((await own('/clients')).data.length, 0);
    assert.equal((await owner('POST', '/billing/seats', { body: { quantity: 1 } })).status, 201);
  });

  async function claims() {
    const { userId } = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('appUser').select('id as userId').where('email', '=', OWNER).executeTakeFirstOrThrow(),
    );
    return { userId, email: OWNER, role: 'PARTNER', partnerId, partnerRole: 'admin', clientId: null } as const;
  }
});
