import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { SuspensionCause } from '@partner-portal/contract/vocabulary.ts';
import { longDate } from '@partner-portal/core/billing/invoice.ts';
import { createRunner, type JobRunner } from '#platform/jobs/runner.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { addPartner } from '@partner-portal/tests/harness/world.ts';
import { billing } from '#modules/2-tenancy/billing/index.ts';
import { reactivatePartner } from '#modules/2-tenancy/partners/index.ts';
import { notifyFromAudit } from '#modules/5-reactions/notifications/notify-from-audit.ts';
import { createNotify } from '#modules/5-reactions/notifications/notify.ts';
import { settleInvoice } from './collect.ts';

/** The payment clock: reminders, past due, suspension, back to active. Two services on one database are two processes. */

const DAY_MS = 86_400_000;
// In the future: sessions older than their user are refused.
const DUE = new Date('2100-03-10T12:00:00.000Z');
const PARTY = JSON.stringify({ name: 'A party', address: null, country: null, taxId: null, email: null });
const day = (days: number): Date => new Date(DUE.getTime() + days * DAY_MS);
let now = DUE;
const clock = { now: () => now };
let service: TestService;
let other: TestService;
let one: ReturnType<typeof billing> | undefined;
let two: ReturnType<typeof billing> | undefined;
let runner: JobRunner;
let count = 0;

before(async () => {
  service = await startTestService({ clock, modules: (platform) => [(one = billing(platform)), platform.mail] });
  const { database, world } = service;
  other = await startTestService({ clock, database, world, modules: (platform) => [(two = billing(platform))] });
  assert.ok(one);
  runner = createRunner({ address: database.configFor('portal_queue'), jobs: one.jobs, crons: [], log: service.log });
});
after(async () => {
  await runner.stop(0);
  await other.close();
  await service.close();
});

const seed: TestService['db']['asSystem'] = (_reason, fn) => service.db.asSystem('seed', fn);

/** An agency with admins and one invoice, due on `DUE`. */
async function addDebtor({ billingEmail = null, totalMinor = 2_900 }: { billingEmail?: string | null; totalMinor?: number } = {}) {
  const number = `2026-${String(++count).padStart(6, '0')}`;
  return seed('seed', async (tx) => {
    const partnerId = await addPartner(tx, { name: `Debtor ${count}`, slug: `debtor-${count}`, planId: service.world.planId });
    await tx
      .insertInto('appUser')
      .values(
        ['admin', 'second'].map((name) => ({
          partnerId,
          role: 'PARTNER',
          partnerRole: 'admin',
          email: `${name}@debtor-${count}.test`,
          fullName: name,
          passwordHash: 'x',
        })),
      )
      .execute();
    if (billingEmail !== null) await tx.insertInto('billingProfile').values({ partnerId, billingEmail }).execute();
    const invoiceId = await addInvoice(tx, partnerId, number, DUE, totalMinor);
    return { partnerId, invoiceId, number };
  });
}

async function addInvoice(
  tx: Parameters<Parameters<TestService['db']['asSystem']>[1]>[0],
  partnerId: string,
  number: string,
  dueAt: Date,
  totalMinor: number,
): Promise<string> {
  const { id } = await tx
    .insertInto('invoice')
    .values({ partnerId, currency: 'USD', subtotalMinor: totalMinor, totalMinor, dueAt })
    .returning('id')
    .executeTakeFirstOrThrow();
  await tx
    .insertInto('invoiceLine')
    .values({
      partnerId,
      invoiceId: id,
      kind: 'plan',
      description: 'Growth',
      quantity: 1,
      unitPriceMinor: totalMinor,
      amountMinor: totalMinor,
      currency: 'USD',
    })
    .execute();
  await tx
    .updateTable('invoice')
    .set({ status: 'issued', number, issuedAt: new Date(dueAt.getTime() - 14 * DAY_MS), seller: PARTY, buyer: PARTY })
    .where('id', '=', id)
    .execute();
  return id;
}

/** Lets the clock of both processes run at this moment. */
async function sweepAt(at: Date): Promise<void> {
  assert.ok(one && two);
  now = at;
  await Promise.all([one.periods.collectDue(), two.periods.collectDue()]);
}
const mails = (partnerId: string) =>
  seed('seed', async (tx) =>
    (await tx.selectFrom('mail').select(['kind', 'toAddress']).where('partnerId', '=', partnerId).orderBy('id').execute()).map(
      (mail) => `${mail.kind} ${mail.toAddress.split('@')[0]}`,
    ),
  );
/** Texts of its mail, which this service has no transport for. */
async function texts(partnerId: string): Promise<string[]> {
  const { data } = (await service.call('GET', `/provisioning/mail?partnerId=${partnerId}`, { as: 'staff' })).body;
  const read = async (id: string) => (await service.call('GET', `/provisioning/mail/${id}`, { as: 'staff' })).body.text;
  return Promise.all(data.map(({ id }: { id: string }) => read(id)));
}
const standing = (partnerId: string) =>
  seed('seed', (tx) =>
    tx.selectFrom('subscription').select(['status', 'pastDueSince']).where('partnerId', '=', partnerId).executeTakeFirstOrThrow(),
  );
const account = (partnerId: string) =>
  seed('seed', (tx) =>
    tx.selectFrom('partner').select(['status', 'suspensionReason']).where('id', '=', partnerId).executeTakeFirstOrThrow(),
  );
const audits = (partnerId: string) =>
  seed('seed', async (tx) =>
    (await tx.selectFrom('auditEntry').select('action').where('partnerId', '=', partnerId).orderBy('id').execute()).map(
      ({ action }) => action,
    ),
  );
const suspensions = (partnerId: string) =>
  seed('seed', (tx) =>
    tx.selectFrom('event').select('data').where('partnerId', '=', partnerId).where('type', '=', 'account.suspended').execute(),
  );
/** Staff change the subscription. */
async function change(partnerId: string, body: object) {
  const reply = await service.call('PATCH', `/billing/subscriptions/${partnerId}`, { as: 'staff', body });
  assert.equal(reply.status, 200, reply.text);
  return reply.body;
}
const suspend = (partnerId: string, cause: SuspensionCause) =>
  seed('seed', (tx) =>
    tx
      .updateTable('partner')
      .set({ status: 'suspended', suspendedAt: now, suspensionReason: 'Abuse', suspensionCause: cause })
      .where('id', '=', partnerId)
      .execute(),
  );
const resumeAt = async (at: Date, partnerId: string): Promise<void> => {
  now = at;
  await seed('seed', (tx) => reactivatePartner(tx, partnerId, at));
};
const settle = (invoiceId: string, partnerId: string) =>
  seed('seed', async (tx) => {
    await tx.updateTable('invoice').set({ status: 'paid', paidAt: now }).where('id', '=', invoiceId).execute();
    await settleInvoice(service, tx, { id: invoiceId, partnerId }, now);
  });

/** Runs the notice of the audit entry, as its job does. */
async function notifyPastDue(partnerId: string): Promise<void> {
  const [entry] = await seed('seed', (tx) =>
    tx.selectFrom('auditEntry').select('id').where('partnerId', '=', partnerId).where('action', '=', 'billing.past_due').execute(),
  );
  await notifyFromAudit({ db: service.db, clock: service.clock, notify: createNotify(service.mail) }, entry?.id ?? '');
}

describe('an invoice that is not paid', () => {
  it('is reminded of on days 1, 7 and 13, past due after 14 days, and suspends the account 14 days later, each once for two processes', async () => {
    const { partnerId, number } = await addDebtor({ billingEmail: 'bills@debtor.test' });
    for (const [at, expected] of [
      [day(0.9), []],
      [day(1), ['invoice_reminder bills']],
      [day(6.9), ['invoice_reminder bills']],
      [day(7), ['invoice_reminder bills', 'invoice_reminder bills']],
      [day(13), ['invoice_reminder bills', 'invoice_reminder bills', 'invoice_reminder bills']],
    ] as const) {
      await sweepAt(at);
      await sweepAt(at);
      assert.deepEqual(await mails(partnerId), expected);
    }
    assert.deepEqual(await standing(partnerId), { status: 'active', pastDueSince: null });
    await sweepAt(day(14));
    assert.deepEqual(await standing(partnerId), { status: 'past_due', pastDueSince: day(14) });
    assert.deepEqual((await mails(partnerId)).slice(3), ['payment_past_due bills']);
    assert.deepEqual(await audits(partnerId), ['billing.past_due']);
    await sweepAt(day(27.9));
    assert.equal((await account(partnerId)).status, 'active');
    await sweepAt(day(28));
    await sweepAt(day(29));
    assert.equal((await standing(partnerId)).status, 'suspended');
    assert.deepEqual(await account(partnerId), { status: 'suspended', suspensionReason: `Invoices are unpaid: ${number}.` });
    assert.deepEqual(
      (await suspensions(partnerId)).map(({ data }) => (data as { reason: string }).reason),
      ['billing'],
    );
    assert.equal((await mails(partnerId)).length, 4);
  });

  it('is mailed to every admin when there is no address for invoices, and notifies the team and staff when it is past due', async () => {
    const { partnerId } = await addDebtor();
    await sweepAt(day(1));
    assert.deepEqual(await mails(partnerId), ['invoice_reminder admin', 'invoice_reminder second']);
    await sweepAt(day(15));
    await notifyPastDue(partnerId);
    const notified = await seed('seed', (tx) =>
      tx
        .selectFrom('notification')
        .innerJoin('appUser', 'appUser.id', 'notification.userId')
        .select(['appUser.role', 'notification.title', 'notification.href'])
        .where('notification.subject', '=', `partner:${partnerId}`)
        .orderBy('appUser.role')
        .execute(),
    );
    assert.deepEqual(
      notified.map(({ role, title }) => [role, title]),
      [
        ['ADMIN', `Debtor ${count} is past due`],
        ['PARTNER', 'Your payment is past due'],
        ['PARTNER', 'Your payment is past due'],
      ],
    );
  });

  it('is mailed as past due to each of the team who wants it, but for those who get the mail with the invoices', async () => {
    for (const [payer, expected] of [
      ['bills', ['notification admin', 'notification member', 'notification second', 'payment_past_due bills']],
      ['second', ['notification admin', 'notification member', 'payment_past_due second']],
      [null, ['notification member', 'payment_past_due admin', 'payment_past_due second']],
    ] as const) {
      const { partnerId } = await addDebtor({ billingEmail: payer && `${payer}@debtor-${count + 1}.test` });
      const member = { partnerId, role: 'PARTNER', partnerRole: 'moderator', email: `member@debtor-${count}.test`, fullName: 'member' };
      await seed('seed', (tx) => tx.insertInto('appUser').values(member).execute());
      await sweepAt(day(15));
      await notifyPastDue(partnerId);
      assert.deepEqual((await mails(partnerId)).toSorted(), expected);
    }
  });

  it('is reminded of once there is an admin, by the latest reminder alone, when there was no one to mail', async () => {
    const { partnerId } = await addDebtor();
    const setAdmins = (status: 'active' | 'disabled') =>
      seed('seed', (tx) => tx.updateTable('appUser').set({ status }).where('partnerId', '=', partnerId).execute());
    await setAdmins('disabled');
    await sweepAt(day(1));
    await sweepAt(day(7));
    assert.deepEqual(await mails(partnerId), []);
    await setAdmins('active');
    await sweepAt(day(8));
    await sweepAt(day(9));
    assert.deepEqual(await mails(partnerId), ['invoice_reminder admin', 'invoice_reminder second']);
  });

  it('is mailed about again, with the day of the suspension, when the only readers of its unsent mail lose access', async () => {
    const { partnerId } = await addDebtor();
    const setStatus = (status: 'active' | 'disabled', name: string) =>
      seed('seed', (tx) =>
        tx.updateTable('appUser').set({ status }).where('partnerId', '=', partnerId).where('email', 'like', `${name}@%`).execute(),
      );
    await setStatus('disabled', 'second');
    await sweepAt(day(7));
    await setStatus('active', 'second');
    await setStatus('disabled', 'admin');
    await runner.drain();
    await sweepAt(day(8));
    await sweepAt(day(9));
    const reminded = ['invoice_reminder admin', 'invoice_reminder second'];
    assert.deepEqual(await mails(partnerId), reminded);
    await sweepAt(day(15));
    await setStatus('active', 'admin');
    await setStatus('disabled', 'second');
    await runner.drain();
    assert.deepEqual(await mails(partnerId), [...reminded, 'payment_past_due second', 'payment_past_due admin']);
    await setStatus('disabled', 'admin');
    await runner.drain();
    await setStatus('active', 'second');
    await sweepAt(day(16));
    await sweepAt(day(17));
    assert.deepEqual((await mails(partnerId)).slice(4), ['invoice_reminder second']);
    const [latest] = await texts(partnerId);
    assert.match(latest ?? '', /was due 16\sdays ago\.[^]*will be\ssuspended on Thursday, April 8, 2100/);
  });

  it('brings one reminder and the full days before a suspension after a long absence', async () => {
    const { partnerId } = await addDebtor({ billingEmail: 'late@debtor.test' });
    await sweepAt(day(8));
    assert.deepEqual(await mails(partnerId), ['invoice_reminder late']);
    await sweepAt(day(90));
    assert.deepEqual((await mails(partnerId)).slice(1), ['payment_past_due late']);
    await sweepAt(day(103.9));
    assert.equal((await standing(partnerId)).status, 'past_due');
    await sweepAt(day(104));
    assert.equal((await standing(partnerId)).status, 'suspended');
  });

  it('brings nothing while staff pause the clock, and only the latest reminder and the full days before a suspension afterwards', async () => {
    const { partnerId } = await addDebtor({ billingEmail: 'paused@debtor.test' });
    const pause = (at: Date | null) =>
      seed('seed', (tx) =>
        tx
          .updateTable('subscription')
          .set({ clockPausedAt: at, clockPausedReason: at && 'Agreed by phone' })
          .where('partnerId', '=', partnerId)
          .execute(),
      );
    await pause(DUE);
    await sweepAt(day(12));
    assert.deepEqual(await mails(partnerId), []);
    await pause(null);
    await sweepAt(day(12.5));
    assert.deepEqual(await mails(partnerId), ['invoice_reminder paused']);
    await sweepAt(day(20));
    await pause(day(20));
    await sweepAt(day(60));
    assert.equal((await standing(partnerId)).status, 'past_due');
    await change(partnerId, { clockPausedReason: null });
    await sweepAt(day(73.9));
    assert.deepEqual(await standing(partnerId), { status: 'past_due', pastDueSince: day(60) }, 'the pause used up no days');
    await sweepAt(day(74));
    assert.equal((await standing(partnerId)).status, 'suspended');
  });

  it('keeps the whole pause when its reason is changed meanwhile', async () => {
    const { partnerId } = await addDebtor();
    await sweepAt(day(20));
    for (const [at, reason] of [
      [day(21), 'They pay by Friday'],
      [day(59), 'They pay by Monday'],
    ] as const) {
      now = at;
      const { clockPaused } = await change(partnerId, { clockPausedReason: reason });
      assert.deepEqual(clockPaused, { at: day(21).toISOString(), reason });
    }
    now = day(60);
    await change(partnerId, { clockPausedReason: null });
    await sweepAt(day(60.1));
    assert.deepEqual(
      await standing(partnerId),
      { status: 'past_due', pastDueSince: day(59) },
      'one of the days had passed before the pause',
    );
  });

  it('keeps the pause when one change resumes the clock and cancels the subscription', async () => {
    const { partnerId } = await addDebtor();
    await sweepAt(day(20));
    now = day(21);
    await change(partnerId, { clockPausedReason: 'They pay by Friday' });
    now = day(60);
    const cancelled = await change(partnerId, { clockPausedReason: null, status: 'cancelled' });
    assert.deepEqual([cancelled.cancelAt, cancelled.pastDueSince], [cancelled.currentPeriodEnd, day(59).toISOString()]);
    await sweepAt(day(60.1));
    assert.equal((await standing(partnerId)).status, 'past_due');
  });

  it('brings nothing while the account is suspended, and past due with its full days once it is resumed', async () => {
    for (const cause of ['manual', 'policy', 'deletion_approved'] as const) {
      const { partnerId } = await addDebtor({ billingEmail: 'halted@debtor.test' });
      now = DUE;
      await suspend(partnerId, cause);
      for (const at of [day(1), day(14), day(40)]) await sweepAt(at);
      assert.deepEqual([await mails(partnerId), await audits(partnerId)], [[], []], cause);
      assert.deepEqual(await standing(partnerId), { status: 'active', pastDueSince: null });
      await resumeAt(day(40), partnerId);
      await sweepAt(day(40));
      assert.deepEqual(await mails(partnerId), ['payment_past_due halted']);
      assert.deepEqual(await standing(partnerId), { status: 'past_due', pastDueSince: day(40) });
    }
  });

  it('is past due from the resumption on when the account was suspended meanwhile, and names no day of a suspension until then', async () => {
    const { partnerId } = await addDebtor();
    const suspendsAt = async () =>
      (await service.call('GET', `/billing?partnerId=${partnerId}`, { as: 'staff' })).body.subscription.suspendsAt;
    await sweepAt(day(14));
    assert.equal(await suspendsAt(), day(28).toISOString());
    await suspend(partnerId, 'manual');
    await sweepAt(day(30));
    assert.deepEqual([await standing(partnerId), await suspendsAt()], [{ status: 'past_due', pastDueSince: day(14) }, null]);
    await resumeAt(day(40), partnerId);
    await sweepAt(day(53.9));
    assert.deepEqual(
      [await standing(partnerId), await suspendsAt()],
      [{ status: 'past_due', pastDueSince: day(40) }, day(54).toISOString()],
    );
    await sweepAt(day(54));
    assert.equal((await account(partnerId)).status, 'suspended');
  });

  it('that is the last of an ended subscription is still reminded of', async () => {
    const { partnerId } = await addDebtor({ billingEmail: 'ended@debtor.test' });
    await seed('seed', (tx) => tx.updateTable('subscription').set({ status: 'cancelled' }).where('partnerId', '=', partnerId).execute());
    await suspend(partnerId, 'billing');
    await sweepAt(day(1));
    await sweepAt(day(30));
    assert.deepEqual(await mails(partnerId), ['invoice_reminder ended', 'invoice_reminder ended']);
  });

  it('is named in the mail about past due when it is overdue, and not on the day it is due', async () => {
    const { partnerId, number } = await addDebtor({ billingEmail: 'today@debtor.test' });
    const today = `2026-5${String(++count).padStart(5, '0')}`;
    await seed('seed', (tx) => addInvoice(tx, partnerId, today, day(13.5), 100));
    await sweepAt(day(14));
    assert.deepEqual(await mails(partnerId), ['payment_past_due today']);
    const [text] = await texts(partnerId);
    assert.deepEqual([text?.includes(number), text?.includes(today)], [true, false], text);
    assert.ok(text?.includes(`, due ${longDate(DUE)}\n`), text);
  });

  it('is left alone once it is credited in full, and asks for the rest while it is credited in part', async () => {
    const [full, part] = [await addDebtor({ billingEmail: 'full@debtor.test' }), await addDebtor({ billingEmail: 'part@debtor.test' })];
    await seed('seed', async (tx) => {
      for (const [{ partnerId, invoiceId }, totalMinor] of [
        [full, -2_900],
        [part, -2_899],
      ] as const) {
        const { id } = await tx
          .insertInto('invoice')
          .values({ partnerId, kind: 'credit_note', currency: 'USD', creditsInvoiceId: invoiceId, subtotalMinor: totalMinor, totalMinor })
          .returning('id')
          .executeTakeFirstOrThrow();
        await tx
          .insertInto('invoiceLine')
          .values({
            partnerId,
            invoiceId: id,
            kind: 'credit_note',
            description: 'Credit',
            quantity: 1,
            unitPriceMinor: totalMinor,
            amountMinor: totalMinor,
            currency: 'USD',
          })
          .execute();
        const number = `2026-9${String(++count).padStart(5, '0')}`;
        await tx
          .updateTable('invoice')
          .set({ status: 'issued', number, issuedAt: now, seller: '{}', buyer: '{}' })
          .where('id', '=', id)
          .execute();
      }
    });
    await sweepAt(day(13));
    await sweepAt(day(14));
    assert.deepEqual([await mails(full.partnerId), await mails(part.partnerId)], [[], ['invoice_reminder part', 'payment_past_due part']]);
    for (const text of await texts(part.partnerId))
      assert.deepEqual(
        text.match(/\$[\d.]+/g)?.filter((amount) => amount !== '$0.01'),
        [],
        text,
      );
  });
});

describe('a payment', () => {
  it('makes the subscription active and resumes the account once nothing is overdue', async () => {
    const { partnerId, invoiceId } = await addDebtor();
    const second = await seed('seed', (tx) => addInvoice(tx, partnerId, `2026-8${String(++count).padStart(5, '0')}`, day(2), 100));
    await sweepAt(day(14));
    await sweepAt(day(28));
    assert.deepEqual([(await standing(partnerId)).status, (await account(partnerId)).status], ['suspended', 'suspended']);
    await settle(invoiceId, partnerId);
    assert.deepEqual([(await standing(partnerId)).status, (await account(partnerId)).status], ['suspended', 'suspended']);
    await settle(second, partnerId);
    assert.deepEqual([await standing(partnerId), (await account(partnerId)).status], [{ status: 'active', pastDueSince: null }, 'active']);
    assert.deepEqual((await audits(partnerId)).slice(-2), ['billing.subscription_changed', 'partner.resumed']);
    await settle(second, partnerId);
    assert.equal((await audits(partnerId)).filter((action) => action === 'partner.resumed').length, 1);
  });

  it('resumes the account while the next invoice was due less than a whole day ago, and no longer after that', async () => {
    for (const [paidAt, expected] of [
      [day(30.9), 'active'],
      [day(31), 'suspended'],
    ] as const) {
      const { partnerId, invoiceId } = await addDebtor();
      await sweepAt(day(14));
      await sweepAt(day(28));
      await seed('seed', (tx) => addInvoice(tx, partnerId, `2026-6${String(++count).padStart(5, '0')}`, day(30), 100));
      now = paidAt;
      await settle(invoiceId, partnerId);
      assert.deepEqual([(await standing(partnerId)).status, (await account(partnerId)).status], [expected, expected]);
    }
  });

  it('of the last two invoices at the same time resumes it, too', async () => {
    const { partnerId, invoiceId } = await addDebtor();
    const second = await seed('seed', (tx) => addInvoice(tx, partnerId, `2026-7${String(++count).padStart(5, '0')}`, day(2), 100));
    await sweepAt(day(14));
    await Promise.all([settle(invoiceId, partnerId), settle(second, partnerId), sweepAt(day(14))]);
    assert.deepEqual(await standing(partnerId), { status: 'active', pastDueSince: null });
  });

  it('cancels waiting reminders of the invoice, as void and credit do, and the mail about past due once nothing is overdue', async () => {
    const act = async (invoiceId: string, action: string, body: object): Promise<void> => {
      const reply = await service.call('POST', `/billing/invoices/${invoiceId}/${action}`, { as: 'staff', body });
      assert.ok(reply.status < 300, reply.text);
    };
    const states = (partnerId: string) =>
      seed('seed', async (tx) =>
        (await tx.selectFrom('mail').select(['kind', 'status']).where('partnerId', '=', partnerId).orderBy('id').execute()).map(
          ({ kind, status }) => `${kind} ${status}`,
        ),
      );
    const add = () => addDebtor({ billingEmail: 'waits@debtor.test' });
    const [paid, dropped, credited, partly] = [await add(), await add(), await add(), await add()];
    await seed('seed', (tx) => addInvoice(tx, partly.partnerId, `2026-4${String(++count).padStart(5, '0')}`, DUE, 100));
    await sweepAt(day(13));
    await sweepAt(day(14));
    const waiting = ['invoice_reminder not_configured', 'payment_past_due not_configured'];
    assert.deepEqual(await states(paid.partnerId), waiting);
    const payment = { reference: 'x', paidAt: day(14).toISOString() };
    await act(paid.invoiceId, 'pay', payment);
    await act(partly.invoiceId, 'pay', payment);
    await act(dropped.invoiceId, 'void', { reason: 'x' });
    await act(credited.invoiceId, 'credit', { reason: 'x', lines: [{ description: 'x', unitPriceMinor: 2_900 }] });
    for (const { partnerId } of [paid, dropped, credited])
      assert.deepEqual(await states(partnerId), ['invoice_reminder cancelled', 'payment_past_due cancelled']);
    assert.deepEqual((await states(partly.partnerId)).toSorted(), ['invoice_reminder cancelled', ...waiting]);
  });

  it('does not lift a suspension by staff', async () => {
    const { partnerId, invoiceId } = await addDebtor();
    await sweepAt(day(14));
    await suspend(partnerId, 'manual');
    await sweepAt(day(28));
    await settle(invoiceId, partnerId);
    assert.deepEqual(
      [(await standing(partnerId)).status, await account(partnerId)],
      ['active', { status: 'suspended', suspensionReason: 'Abuse' }],
    );
  });
});
