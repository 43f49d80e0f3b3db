import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createMailer } from '#adapters/mailer.ts';
import { createComputePool } from '#platform/compute/compute-pool.ts';
import { createRunner, type JobRunner } from '#platform/jobs/runner.ts';
import { countLockWaits } from '@partner-portal/tests/harness/database.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { startSmtp, type TestSmtp } from '@partner-portal/tests/harness/smtp.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import { invoices } from './index.ts';
import { invoiceMailJob } from './invoice-mail-job.ts';
import { sweepInvoiceMail } from './mail-invoice.ts';
import { draft } from './test-drafts.ts';

let smtp: TestSmtp;
let service: TestService;
/** A second process on the same database, without a mail transport. */
let other: TestService;
let runner: JobRunner;
/** How far the clock is ahead. */
let aheadMs = 0;
before(async () => {
  smtp = await startSmtp();
  const settings = {
    host: '127.0.0.1',
    port: smtp.port,
    user: null,
    password: null,
    from: 'no-reply@mail.example',
    security: 'auto',
  } as const;
  const clock = { now: () => new Date(Date.now() + aheadMs) };
  service = await startTestService({
    clock,
    mailer: createMailer(settings, { ca: smtp.certificate.cert }),
    modules: (platform) => [platform.mail, invoices(platform)],
  });
  const { database, world } = service;
  other = await startTestService({ clock, database, world, modules: (platform) => [platform.mail, invoices(platform)] });
  runner = createRunner({
    address: database.configFor('portal_queue'),
    jobs: [...service.mail.jobs, ...invoices(service).jobs],
    crons: [],
    log: service.log,
  });
});
after(async () => {
  await runner.stop(0);
  await other.close();
  await service.close();
  await smtp.stop();
});
beforeEach(async () => {
  await runner.drain();
  smtp.received.length = 0;
  aheadMs = 0;
  await query('delete from billing_profile');
});

const query = (text: string, values?: unknown[]) => service.database.query(text, values);
const issued = async (lines: Parameters<typeof draft>[1]['lines'] = [{}]): Promise<string> => {
  const id = await service.db.asSystem('seed', (tx) => draft(tx, { partnerId: service.world.partnerId, lines }));
  const reply = await service.call('POST', `/billing/invoices/${id}/issue`, { as: 'staff' });
  assert.equal(reply.status, 200, reply.text);
  return id;
};
const pdf = (id: string, on = service) => on.call('GET', `/billing/invoices/${id}/pdf`, { as: 'owner' });
const stored = (id: string) =>
  query(
    'select c.content, f.sha256, f.id from invoice_document d join file f on f.id = d.file_id join file_chunk c on c.file_id = f.id where d.invoice_id = $1',
    [id],
  );
/** Runs the job in this process, as the queue may do twice. */
async function runMailJob(process: TestService, invoiceId: string): Promise<void> {
  for (const { job, run } of invoices(process).jobs)
    if (job.name === invoiceMailJob.name) await run({ invoiceId }, { log: process.log, signal: new AbortController().signal, attempt: 1 });
}
/** Mails the first reminder of an invoice, as far as the server takes it. */
async function remind(id: string, to: string): Promise<void> {
  const data = { number: '1', owed: '$1.00', dueOn: 'May 1', overdueDays: 1, suspendsAt: null, href: '/dashboard/billing' };
  const mail = { partnerId: service.world.partnerId, to, kind: 'invoice_reminder', data, dedupeKey: `invoice_reminder:${id}:1` } as const;
  await service.db.asSystem('seed', (tx) => service.mail.queueMail(tx, mail));
  await runner.drain();
}
/** Voids an invoice. Returns who is mailed that, in order of the addresses. */
async function readersOfVoid(id: string): Promise<string[]> {
  smtp.received.length = 0;
  const reply = await service.call('POST', `/billing/invoices/${id}/void`, { as: 'staff', body: { reason: 'Billed twice' } });
  assert.equal(reply.status, 200, reply.text);
  await runner.drain();
  assert.ok(smtp.received.every(({ mail }) => mail.subject === `Invoice ${reply.body.number} is void`));
  return smtp.received.map(({ to }) => to).toSorted();
}
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('the PDF of an invoice', () => {
  it('is made once, also when two processes are asked for it at the same time, and stays the same', async () => {
    const id = await issued();
    assert.deepEqual(await stored(id), []);
    const replies = await Promise.all([service, other, service, other, service, other].map((on) => pdf(id, on)));
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
    const [reply] = replies;
    assert.equal(reply?.headers['content-type'], 'application/pdf');
    assert.match(String(reply.headers['content-disposition']), /^attachment; filename="invoice-\d{4}-\d{6}\.pdf"$/);
    assert.ok(reply.text.startsWith('%PDF-1.7'));
    const [document, ...others] = await stored(id);
    assert.deepEqual([others.length, sha256(document.content)], [0, document.sha256.toString('hex')]);
    await query(`update partner set name = 'Renamed' where id = $1`, [service.world.partnerId]);
    const later = await pdf(id, other);
    await query(`update partner set name = 'Acme Agency' where id = $1`, [service.world.partnerId]);
    assert.equal(later.text, reply.text);
    for (const change of [
      'update invoice_document set created_at = now() where invoice_id = $1',
      'delete from invoice_document where invoice_id = $1',
      "update file set content_type = 'text/html' where id = (select file_id from invoice_document where invoice_id = $1)",
      "update file_chunk set content = '\\x00' where file_id = (select file_id from invoice_document where invoice_id = $1)",
      'delete from file_chunk where file_id = (select file_id from invoice_document where invoice_id = $1)',
      'delete from file where id = (select file_id from invoice_document where invoice_id = $1)',
    ])
      await assert.rejects(query(change, [id]), { code: 'PB409' });
    // The process that was second removed what it had written.
    const files = await query("select id from file where purpose = 'invoice'");
    assert.deepEqual(files, [{ id: document.id }]);
  });

  it('of a draft is 409', async () => {
    const id = await service.db.asSystem('seed', (tx) => draft(tx, { partnerId: service.world.partnerId }));
    const reply = await service.call('GET', `/billing/invoices/${id}/pdf`, { as: 'staff' });
    assert.deepEqual([reply.status, reply.body.code], [409, 'invalid_state']);
    assert.match(reply.body.detail, /A draft has no PDF/);
  });

  it('is 503 while the threads have no room for it, and made later', async () => {
    const id = await issued();
    const compute = createComputePool({ bytesMax: 10 });
    const full = await startTestService({
      database: service.database,
      world: service.world,
      modules: (platform) => [invoices({ ...platform, compute })],
    });
    const reply = await pdf(id, full);
    await full.close();
    await compute.close();
    assert.deepEqual([reply.status, reply.body.code, reply.headers['retry-after']], [503, 'service_unavailable', '5']);
    assert.equal((await pdf(id)).status, 200);
  });
});

describe('the mail of an issued invoice', () => {
  it('waits for the first admin of an agency that has neither one nor a billing address', async () => {
    const setAdmins = (status: 'active' | 'disabled') =>
      query("update app_user set status = $2 where partner_id = $1 and partner_role = 'admin'", [service.world.partnerId, status]);
    const mailed = () => query('select mailed_at is not null as is_mailed from invoice where id = $1', [id]);
    await setAdmins('disabled');
    const id = await issued();
    await runner.drain();
    aheadMs = 86_400_000;
    await sweepInvoiceMail(service);
    await runner.drain();
    assert.deepEqual([smtp.received.length, await mailed()], [0, [{ is_mailed: false }]]);
    await setAdmins('active');
    for (const _sweep of [1, 2]) {
      await sweepInvoiceMail(service);
      await runner.drain();
    }
    aheadMs = 0;
    assert.deepEqual([smtp.received.length, await mailed()], [1, [{ is_mailed: true }]]);
  });

  it('goes to the other admins when the only one it waits for loses access, and to no one twice', async () => {
    const { owner, moderator } = service.world.people;
    const set = (userId: string, column: 'status' | 'partner_role', value: string) =>
      query(`update app_user set ${column} = $2 where id = $1`, [userId, value]);
    smtp.behaviour.recipient = () => ({ code: 451, text: '4.7.1 greylisted' });
    await issued();
    await runner.drain();
    await set(moderator.userId, 'partner_role', 'admin');
    await set(owner.userId, 'status', 'disabled');
    smtp.behaviour.recipient = undefined;
    aheadMs = 86_400_000;
    await runner.drain();
    for (const _sweep of [1, 2]) {
      await sweepInvoiceMail(service);
      await runner.drain();
    }
    aheadMs = 0;
    const read = smtp.received.map(({ to }) => to);
    await set(owner.userId, 'status', 'active');
    await set(moderator.userId, 'partner_role', 'moderator');
    assert.deepEqual(read, [moderator.email]);
  });

  it('lets its reader lose access while the invoice becomes void', async () => {
    const { partnerId, people } = service.world;
    smtp.behaviour.recipient = () => ({ code: 451, text: '4.7.1 greylisted' });
    const id = await issued();
    await runner.drain();
    smtp.behaviour.recipient = undefined;
    const held = Promise.withResolvers<undefined>();
    const goOn = Promise.withResolvers<undefined>();
    const removal = service.db.asSystem('seed', async (tx) => {
      await tx.selectFrom('partner').select('id').where('id', '=', partnerId).forNoKeyUpdate().execute();
      held.resolve(undefined);
      await goOn.promise;
      await tx.updateTable('appUser').set({ status: 'disabled' }).where('id', '=', people.owner.userId).execute();
    });
    await held.promise;
    const voiding = service.call('POST', `/billing/invoices/${id}/void`, { as: 'staff', body: { reason: 'x' } });
    await until('it waits for the partner', async () => (await countLockWaits(service.database)) > 0);
    goOn.resolve(undefined);
    const [{ status }] = await Promise.all([voiding, removal]);
    await query("update app_user set status = 'active' where id = $1", [people.owner.userId]);
    assert.equal(status, 200);
  });

  it('goes to the billing address once, with the stored document attached', async () => {
    await query("insert into billing_profile (partner_id, billing_email) values ($1, 'pay@acme.test')", [service.world.partnerId]);
    const id = await issued();
    await runner.drain();
    const [mail, ...others] = smtp.received;
    assert.ok(mail);
    assert.deepEqual([others.length, mail.to], [0, 'pay@acme.test']);
    assert.match(mail.mail.subject ?? '', /^Invoice \d{4}-\d{6} from Portal Software GmbH$/);
    const [attachment] = mail.mail.attachments;
    assert.deepEqual([attachment?.mimeType, attachment?.filename], ['application/pdf', `invoice-${mail.mail.subject?.split(' ')[1]}.pdf`]);
    const content = attachment?.content;
    assert.ok(content instanceof ArrayBuffer);
    assert.equal(sha256(new Uint8Array(content)), sha256((await stored(id))[0].content));
    // Neither the sweep nor a job that runs twice sends another.
    aheadMs = 600_000;
    await sweepInvoiceMail(service);
    await Promise.all([runMailJob(service, id), runMailJob(other, id)]);
    await runner.drain();
    assert.equal(smtp.received.length, 1);
  });

  it('goes to the admins without a billing address, and staff see what is attached', async () => {
    const id = await issued();
    await runner.drain();
    assert.deepEqual(
      smtp.received.map(({ to }) => to),
      [service.world.people.owner.email],
    );
    const listed = (await service.call('GET', '/provisioning/mail?kind=invoice_issued', { as: 'staff' })).body.data[0];
    const [{ content }] = await stored(id);
    assert.equal(listed.status, 'sent');
    assert.match(listed.attachment.name, /^invoice-/);
    assert.deepEqual([listed.attachment.invoiceId, listed.attachment.bytes], [id, content.length]);
  });

  it('is sent for a credit note, too, and not for an invoice that is void by then', async () => {
    const id = await issued();
    await service.call('POST', `/billing/invoices/${id}/void`, { as: 'staff', body: { reason: 'x' } });
    await runner.drain();
    assert.equal(smtp.received.length, 0);
    const credited = await issued();
    const body = { reason: 'Outage', lines: [{ description: 'Downtime', unitPriceMinor: 100 }] };
    assert.equal((await service.call('POST', `/billing/invoices/${credited}/credit`, { as: 'staff', body })).status, 201);
    await runner.drain();
    const subjects = new Set(smtp.received.map(({ mail }) => mail.subject?.split(' 20')[0]));
    assert.deepEqual([smtp.received.length, subjects], [2, new Set(['Credit note', 'Invoice'])]);
    const note = smtp.received.find(({ mail }) => mail.subject?.startsWith('Credit note'));
    assert.match(note?.mail.attachments[0]?.filename ?? '', /^credit-note-/);
  });

  it('is cancelled with an invoice that is voided while it waits, and neither a mail server nor staff send it then', async () => {
    const waiting = async (status: string): Promise<{ id: string; mailId: string }> => {
      const id = await issued();
      await runMailJob(service, id);
      const [mail] = await query('select id from mail where attachment_invoice_id = $1', [id]);
      if (status !== 'queued') await query("update mail set status = $2, due_at = null, held_for = 'cap' where id = $1", [mail.id, status]);
      return { id, mailId: mail.id };
    };
    const retry = (mailId: string) => service.call('POST', `/provisioning/mail/${mailId}/retry`, { as: 'staff' });
    for (const status of ['queued', 'held', 'failed', 'not_configured']) {
      const [dropped, kept] = [await waiting(status), await waiting(status)];
      const reply = await service.call('POST', `/billing/invoices/${dropped.id}/void`, { as: 'staff', body: { reason: 'Billed twice' } });
      assert.equal(reply.status, 200, reply.text);
      assert.equal((await retry(dropped.mailId)).body.code, 'invalid_state', status);
      if (status !== 'queued') assert.equal((await retry(kept.mailId)).status, 200, status);
      smtp.received.length = 0;
      await runner.drain();
      assert.equal(smtp.received.length, 1, status);
      const states = await query('select id, status, body_sealed is null as erased from mail where id in ($1, $2) order by id', [
        dropped.mailId,
        kept.mailId,
      ]);
      assert.deepEqual(states, [
        { id: dropped.mailId, status: 'cancelled', erased: true },
        { id: kept.mailId, status: 'sent', erased: true },
      ]);
    }
  });

  it('that was sent is followed by one that the invoice is void, with the reason and that another one replaces it', async () => {
    for (const replace of [false, true]) {
      const id = await issued();
      await runner.drain();
      smtp.received.length = 0;
      const body = { reason: 'The tax ID is missing', replace };
      const reply = await service.call('POST', `/billing/invoices/${id}/void`, { as: 'staff', body });
      assert.equal(reply.status, 200, reply.text);
      await runner.drain();
      const [mail, ...others] = smtp.received;
      assert.deepEqual(
        [mail?.to, mail?.mail.subject, others.length],
        [service.world.people.owner.email, `Invoice ${reply.body.number} is void`, 0],
      );
      const text = (mail?.mail.text ?? '').replaceAll(/\s+/g, ' ');
      assert.match(text, /Do not pay invoice .* it is void\..*The tax ID is missing/);
      assert.equal(text.includes('A corrected invoice replaces it.'), replace);
    }
  });

  it('that was sent is followed by one that the invoice is void for the other admins, too, when its reader loses access', async () => {
    const { owner, moderator } = service.world.people;
    const id = await issued();
    await runner.drain();
    smtp.received.length = 0;
    smtp.behaviour.recipient = () => ({ code: 451, text: '4.7.1 greylisted' });
    const reply = await service.call('POST', `/billing/invoices/${id}/void`, { as: 'staff', body: { reason: 'Billed twice' } });
    assert.equal(reply.status, 200, reply.text);
    await runner.drain();
    await query(`update app_user set partner_role = 'admin' where id = $1`, [moderator.userId]);
    await query(`update app_user set status = 'disabled' where id = $1`, [owner.userId]);
    smtp.behaviour.recipient = undefined;
    await runner.drain();
    await query(`update app_user set status = 'active' where id = $1`, [owner.userId]);
    await query(`update app_user set partner_role = 'moderator' where id = $1`, [moderator.userId]);
    assert.deepEqual(
      smtp.received.map(({ to, mail }) => `${to}: ${mail.subject}`),
      [`${moderator.email}: Invoice ${reply.body.number} is void`],
    );
  });

  it('that was refused is followed by one that the invoice is void where a reminder was sent, to the address of that, too', async () => {
    smtp.behaviour.recipient = () => ({ code: 550, text: '5.7.1 no attachments' });
    const id = await issued();
    await runner.drain();
    smtp.behaviour.recipient = undefined;
    const { partnerId, people } = service.world;
    await query("insert into billing_profile (partner_id, billing_email) values ($1, 'pay@acme.test')", [partnerId]);
    await remind(id, 'pay@acme.test');
    assert.deepEqual(await readersOfVoid(id), [people.owner.email, 'pay@acme.test']);
  });

  it('whose row was deleted after 30 days is followed by one that the invoice is void, though a reminder waits', async () => {
    const id = await issued();
    await runner.drain();
    await query('delete from mail where attachment_invoice_id = $1', [id]);
    smtp.behaviour.recipient = () => ({ code: 451, text: '4.7.1 greylisted' });
    const { owner } = service.world.people;
    await remind(id, owner.email);
    smtp.behaviour.recipient = undefined;
    assert.deepEqual(await readersOfVoid(id), [owner.email]);
  });

  for (const what of ['is under way', 'ended with unknown outcome'] as const)
    it(`whose hand-over ${what} is followed by one that the invoice is void`, async () => {
      const id = await issued();
      const [arrived, answer] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
      smtp.behaviour.beforeAnswer = () => {
        arrived.resolve(undefined);
        return answer.promise;
      };
      smtp.behaviour.dropAfterMessage = what === 'ended with unknown outcome';
      const draining = runner.drain();
      await arrived.promise;
      smtp.behaviour.beforeAnswer = undefined;
      if (smtp.behaviour.dropAfterMessage) {
        answer.resolve(undefined);
        await draining;
        smtp.behaviour.dropAfterMessage = undefined;
      }
      const body = { reason: 'Billed twice' };
      assert.equal((await service.call('POST', `/billing/invoices/${id}/void`, { as: 'staff', body })).status, 200);
      answer.resolve(undefined);
      await draining;
      await runner.drain();
      const subjects = smtp.received.map(({ mail }) => mail.subject?.replace(/ 2.*(?=is void)|(?<=Invoice) 2.*from.*/, ' '));
      assert.deepEqual(subjects, ['Invoice ', 'Invoice is void']);
    });

  it('that was sent, or a reminder, is followed by one that the invoice is void for who gets invoices no longer, once each', async () => {
    const { partnerId, people } = service.world;
    const { owner, moderator } = people;
    const setRole = (role: string) => query('update app_user set partner_role = $2 where id = $1', [moderator.userId, role]);
    await setRole('admin');
    const id = await issued();
    await runner.drain();
    await setRole('moderator');
    await query("insert into billing_profile (partner_id, billing_email) values ($1, 'pay@acme.test')", [partnerId]);
    await remind(id, 'pay@acme.test');
    await query("update billing_profile set billing_email = 'new@acme.test'");
    assert.deepEqual(await readersOfVoid(id), ['new@acme.test', owner.email, 'pay@acme.test', moderator.email].toSorted());
  });

  it('that was sent to a person who is removed is followed by none to that person, also by that of a void mail that waits', async () => {
    const { partnerId, people } = service.world;
    const add = async (email: string) =>
      query(
        `insert into app_user (email, full_name, role, partner_id, partner_role, status, password_hash) select $1, 'Gone', role, partner_id, 'admin', status, password_hash
         from app_user where id = $2`,
        [email, people.owner.userId],
      );
    const remove = () => query(`delete from app_user where email = 'gone@acme.test'`);
    const sentToGone = () => smtp.received.filter(({ to }) => to === 'gone@acme.test').length;
    await add('gone@acme.test');
    const first = await issued();
    await runner.drain();
    assert.equal(sentToGone(), 1);
    await remove();
    assert.deepEqual(await readersOfVoid(first), [people.owner.email]);

    await add('gone@acme.test');
    const second = await issued();
    await runner.drain();
    smtp.behaviour.recipient = () => ({ code: 451, text: '4.7.1 greylisted' });
    assert.deepEqual(await readersOfVoid(second), []);
    await remove();
    smtp.behaviour.recipient = undefined;
    await runner.drain();
    const waiting = await query("select from mail where partner_id = $1 and to_address = 'gone@acme.test' and status = 'queued'", [
      partnerId,
    ]);
    assert.deepEqual([sentToGone(), waiting.length], [0, 0]);
    await query(`delete from mail where status = 'queued'`);
  });

  it('is sent by the sweep when its job was lost, once a few minutes have passed', async () => {
    await issued();
    await query('delete from graphile_worker._private_jobs');
    await sweepInvoiceMail(service);
    await runner.drain();
    const before = smtp.received.length;
    aheadMs = 301_000;
    await sweepInvoiceMail(service);
    await runner.drain();
    assert.deepEqual([before, smtp.received.length], [0, 1]);
  });

  it('without a transport is kept for staff with its attachment by name', async () => {
    const id = await issued();
    // This process has none: it queues the mail as not sendable.
    await runMailJob(other, id);
    const [listed] = (await other.call('GET', '/provisioning/mail?kind=invoice_issued', { as: 'staff' })).body.data;
    assert.deepEqual([listed.status, listed.attachment.invoiceId], ['not_configured', id]);
    const read = (await other.call('GET', `/provisioning/mail/${listed.id}`, { as: 'staff' })).body;
    assert.match(read.text, /is attached/);
    assert.equal(read.attachment.name, listed.attachment.name);
  });
});
