import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { newId } from '#platform/ids.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import type { Person } from '@partner-portal/tests/harness/world.ts';
import { auditLog } from '#modules/1-ledger/audit/index.ts';
import { billing } from '../index.ts';
import { draft, type TestDraft } from './test-drafts.ts';

let service: TestService;
let now = new Date('2026-11-23T10:00:00.000Z');
const days = (count: number): Date => new Date(now.getTime() + count * 86_400_000);
before(async () => {
  service = await startTestService({ clock: { now: () => now }, modules: (platform) => [auditLog(platform), billing(platform)] });
});
after(() => service.close());
beforeEach(() => (now = new Date('2026-11-23T10:00:00.000Z')));

const query = (text: string, values?: unknown[]) => service.database.query(text, values);
const add = (facts: Partial<TestDraft> = {}) =>
  service.db.asSystem('seed', (tx) => draft(tx, { partnerId: service.world.partnerId, ...facts }));
const act = (id: string, action: string, body?: object, as: Person = 'staff', headers: Record<string, string> = {}) =>
  service.call('POST', `/billing/invoices/${id}/${action}`, { as, body, headers });
const issued = async (facts: Partial<TestDraft> = {}): Promise<string> => {
  const id = await add(facts);
  const reply = await act(id, 'issue');
  assert.equal(reply.status, 200, reply.text);
  return id;
};
const read = (id: string, as: Person = 'staff') => service.call('GET', `/billing/invoices/${id}`, { as });
const list = async (search: string, as: Person = 'staff') =>
  (await service.call('GET', `/billing/invoices?limit=100&${search}`, { as })).body.data as { id: string; owedMinor: number }[];
const ids = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);
const profile = (tax: { rate: number; note: string | null }) =>
  query(
    `insert into billing_profile (partner_id, billing_email, tax_id, address, country, tax_rate_basis_points, tax_note)
      values ($1, 'pay@acme.test', 'US-77', E'1 Main Street\\nSpringfield', 'US', $2, $3)
      on conflict (partner_id) do update set tax_rate_basis_points = $2, tax_note = $3`,
    [service.world.partnerId, tax.rate, tax.note],
  );
const lastAudit = async () => (await query('select action, result, target_label, changes from audit_entry order by id desc limit 1'))[0];

describe('issuing an invoice', () => {
  it('freezes parties, tax, number and due date, and marks its orders as invoiced', async () => {
    await profile({ rate: 825, note: 'Sales tax' });
    const orderId = newId();
    await query(
      `insert into billing_order (id, partner_id, kind, quantity, unit_price_minor, amount_minor, currency) values ($1, $2, 'seats', 1, 1510, 1510, 'USD')`,
      [orderId, service.world.partnerId],
    );
    const id = await add({ lines: [{ unitPriceMinor: 9_900 }, { description: 'Team seats', unitPriceMinor: 1_510, orderId }] });
    const { body } = await act(id, 'issue');
    assert.match(body.number, /^2026-\d{6}$/);
    assert.deepEqual(
      [body.status, body.issuedAt, body.dueAt, body.overdueDays],
      ['issued', '2026-11-23T10:00:00.000Z', '2026-12-07T10:00:00.000Z', 0],
    );
    // 8.25 % of 114.10 is 9.41325.
    assert.deepEqual(
      [body.subtotalMinor, body.taxRateBasisPoints, body.taxMinor, body.totalMinor, body.taxNote],
      [11_410, 825, 941, 12_351, 'Sales tax'],
    );
    assert.deepEqual(body.seller, service.invoicing.seller);
    assert.deepEqual(body.buyer, {
      name: 'Acme Agency',
      address: '1 Main Street\nSpringfield',
      country: 'US',
      taxId: 'US-77',
      email: 'pay@acme.test',
    });
    assert.equal(body.paymentInstructions, service.invoicing.paymentInstructions);
    assert.deepEqual(
      body.lines.map((line: { description: string; orderId: string | null }) => [line.description, line.orderId]),
      [
        ['Growth', null],
        ['Team seats', orderId],
      ],
    );
    assert.deepEqual(await query('select status from billing_order where id = $1', [orderId]), [{ status: 'invoiced' }]);
    assert.deepEqual(await lastAudit(), {
      action: 'invoice.issued',
      result: 'ok',
      target_label: body.number,
      changes: { status: ['draft', 'issued'], number: [null, body.number] },
    });
    await profile({ rate: 0, note: null });
    await query(`update partner set name = 'Renamed' where id = $1`, [service.world.partnerId]);
    const later = (await read(id, 'owner')).body;
    await query(`update partner set name = 'Acme Agency' where id = $1`, [service.world.partnerId]);
    assert.deepEqual([later.buyer.name, later.partnerName, later.taxMinor], ['Acme Agency', 'Acme Agency', 941]);
  });

  it('rounds the tax once on the subtotal, half to even', async () => {
    await profile({ rate: 1_000, note: null });
    const taxes = [];
    for (const unitPriceMinor of [5, 15, 25]) taxes.push((await read(await issued({ lines: [{ unitPriceMinor }] }))).body.taxMinor);
    // Tax of the sum of three lines of 0.05, not three times 0.00.
    taxes.push((await read(await issued({ lines: [{ unitPriceMinor: 5 }, { unitPriceMinor: 5 }, { unitPriceMinor: 5 }] }))).body.taxMinor);
    await profile({ rate: 0, note: null });
    assert.deepEqual(taxes, [0, 2, 2, 2]);
  });

  it('is refused while the configuration names no seller', async () => {
    const id = await add();
    const without = { ...service.invoicing, seller: { ...service.invoicing.seller, name: null } };
    const bare = await startTestService({
      database: service.database,
      world: service.world,
      modules: (platform) => [billing({ ...platform, invoicing: without })],
    });
    const reply = await bare.call('POST', `/billing/invoices/${id}/issue`, { as: 'staff' });
    await bare.close();
    assert.deepEqual([reply.status, reply.body.code], [409, 'invalid_state']);
    assert.match(reply.body.detail, /INVOICE_SELLER_NAME/);
    assert.equal((await act(id, 'issue')).status, 200);
  });
});

describe('an action in the wrong state', () => {
  it('is 409 with a sentence, and recorded', async () => {
    const open = await issued();
    const again = await act(open, 'issue');
    assert.deepEqual([again.status, again.body.code, again.body.detail], [409, 'invalid_state', 'This invoice is already issued.']);
    assert.deepEqual((await lastAudit()).changes, { refusal: [null, 'invalid_state'] });
    const blank = await add();
    assert.match((await act(blank, 'pay', { reference: 'x' })).body.detail, /Issue it before/);
    assert.match((await act(blank, 'credit', { reason: 'x', lines: [{ description: 'x', unitPriceMinor: 1 }] })).body.detail, /a draft/);
    assert.equal((await act(open, 'pay', { reference: 'Bank 1' })).status, 200);
    assert.match((await act(open, 'pay', { reference: 'Bank 2' })).body.detail, /already paid/);
    assert.match((await act(open, 'void', { reason: 'x' })).body.detail, /credit note instead/);
    assert.equal((await act(newId(), 'issue')).body.code, 'not_found');
  });
});

describe('a payment', () => {
  it('is recorded once with its reference, also when two are recorded at the same time', async () => {
    const id = await issued();
    const replies = await Promise.all([act(id, 'pay', { reference: 'A' }), act(id, 'pay', { reference: 'B' })]);
    assert.deepEqual(
      replies.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 409],
    );
    const paid = replies.find(({ status }) => status === 200)?.body;
    assert.deepEqual([paid.status, paid.paidAt], ['paid', now.toISOString()]);
  });

  it('may lie in the past, but not before the day of issue nor in the future', async () => {
    const id = await issued();
    const at = async (paidAt: Date) => (await act(id, 'pay', { reference: 'A', paidAt: paidAt.toISOString() })).body;
    const future = await at(days(1));
    assert.deepEqual([future.code, future.errors[0].code], ['validation_failed', 'in_the_future']);
    assert.equal((await at(days(-1))).errors[0].code, 'before_issue');
    assert.equal((await at(new Date('2026-11-23T00:00:00.000Z'))).status, 'paid');
  });
});

describe('an agency that is past due or suspended by billing', () => {
  const debtor = () => service.world.rivalPartnerId;
  const standing = async (): Promise<string[]> => {
    const [row] = await query(
      'select s.status, p.status as account from subscription s join partner p on p.id = s.partner_id where p.id = $1',
      [debtor()],
    );
    return [row?.['status'], row?.['account']];
  };

  it('is active again once its last overdue invoice is paid, voided or credited', async () => {
    const open = await Promise.all([0, 1, 2].map(() => issued({ partnerId: debtor(), lines: [{ unitPriceMinor: 500 }] })));
    now = days(60);
    // Issued today, so not overdue.
    await issued({ partnerId: debtor() });
    const lapse = async () => {
      await query("update subscription set status = 'suspended', past_due_since = $2 where partner_id = $1", [debtor(), days(-30)]);
      await query("update partner set status = 'suspended', suspended_at = $2, suspension_cause = 'billing' where id = $1", [
        debtor(),
        days(-1),
      ]);
    };
    await lapse();
    const [first = '', second = '', third = ''] = open;
    assert.equal((await act(first, 'pay', { reference: 'A' })).status, 200);
    assert.equal((await act(second, 'void', { reason: 'x' })).status, 200);
    assert.deepEqual(await standing(), ['suspended', 'suspended'], 'one is overdue still');
    const whole = { reason: 'x', lines: [{ description: 'x', unitPriceMinor: 500 }] };
    assert.equal((await act(third, 'credit', whole)).status, 201);
    assert.deepEqual(await standing(), ['active', 'active']);
    for (const [action, body] of [
      ['pay', { reference: 'A' }],
      ['void', { reason: 'x' }],
    ] as const) {
      now = new Date('2026-11-23T10:00:00.000Z');
      const last = await issued({ partnerId: debtor() });
      now = days(60);
      await lapse();
      assert.equal((await act(last, action, body)).status, 200);
      assert.deepEqual(await standing(), ['active', 'active'], action);
    }
  });
});

describe('voiding', () => {
  it('keeps the number of an issued invoice and voids its orders; a draft never gets one', async () => {
    const orderId = newId();
    await query(
      `insert into billing_order (id, partner_id, kind, quantity, unit_price_minor, amount_minor, currency) values ($1, $2, 'seats', 1, 100, 100, 'USD')`,
      [orderId, service.world.partnerId],
    );
    const id = await issued({ lines: [{ unitPriceMinor: 100, orderId }] });
    const { body } = await act(id, 'void', { reason: 'Billed twice' });
    assert.deepEqual([body.status, body.voidReason, body.number.startsWith('2026-')], ['void', 'Billed twice', true]);
    assert.deepEqual(await query('select status from billing_order where id = $1', [orderId]), [{ status: 'void' }]);
    assert.equal((await read(id, 'owner')).body.status, 'void');
    const blank = await add();
    const dropped = (await act(blank, 'void', { reason: 'Test' })).body;
    assert.deepEqual([dropped.status, dropped.number], ['void', null]);
    assert.equal((await read(blank, 'owner')).body.code, 'not_found', 'the agency never saw it');
  });

  it('a draft shows its reason to staff alone, in no log and at no order of the agency', async () => {
    const orderId = newId();
    await query(
      `insert into billing_order (id, partner_id, kind, quantity, unit_price_minor, amount_minor, currency) values ($1, $2, 'seats', 1, 100, 100, 'USD')`,
      [orderId, service.world.partnerId],
    );
    const id = await add({ lines: [{ unitPriceMinor: 100, orderId }] });
    assert.equal((await act(id, 'void', { reason: 'Pays late' })).body.voidReason, 'Pays late');
    const changes = async (as: 'staff' | 'owner') =>
      (await service.call('GET', `/audit-log?action=invoice.voided&targetId=${id}`, { as })).body.data[0].changes;
    assert.deepEqual(await changes('staff'), { status: ['draft', 'void'], internalNotes: [null, 'Pays late'] });
    assert.deepEqual(await changes('owner'), { status: ['draft', 'void'], internalNotes: ['changed', 'changed'] });
    const { body } = await service.call('GET', '/billing/orders', { as: 'owner' });
    const [order] = body.data.filter((one: { id: string }) => one.id === orderId);
    assert.deepEqual([order.status, order.invoiceId], ['void', null]);
  });
});

describe('an issued invoice that is drafted again', () => {
  it('leaves a draft of the same lines, period and orders, which is issued with the details of then', async () => {
    await profile({ rate: 0, note: null });
    const orderId = newId();
    await query(
      `insert into billing_order (id, partner_id, kind, quantity, unit_price_minor, amount_minor, currency) values ($1, $2, 'seats', 1, 100, 100, 'USD')`,
      [orderId, service.world.partnerId],
    );
    const id = await add({ lines: [{ unitPriceMinor: 9_900 }, { unitPriceMinor: 100, orderId }] });
    await query('update invoice set period_start = $2, period_end = $3 where id = $1', [id, now, days(30)]);
    const refused = await act(id, 'void', { reason: 'x', replace: true });
    assert.deepEqual([refused.status, refused.body.code], [409, 'invalid_state']);
    const first = (await act(id, 'issue')).body;
    await query("update billing_profile set tax_id = 'US-78' where partner_id = $1", [service.world.partnerId]);
    await profile({ rate: 1_900, note: 'VAT' });
    await query("update billing_profile set tax_id = 'US-78' where partner_id = $1", [service.world.partnerId]);
    const { status, body } = await act(id, 'void', { reason: 'The tax ID is missing', replace: true });
    assert.deepEqual([status, body.status], [200, 'void']);
    const [again] = await query("select id from invoice where partner_id = $1 and status = 'draft' and period_start = $2", [
      service.world.partnerId,
      now,
    ]);
    const order = () => query('select status from billing_order where id = $1', [orderId]);
    assert.deepEqual(await order(), [{ status: 'invoiced' }]);
    const second = (await act(again.id, 'issue')).body;
    const shown = (one: typeof first) => one.lines.map(({ id: _id, ...line }: Record<string, unknown>) => line);
    assert.deepEqual(shown(second), shown(first));
    assert.deepEqual(
      [second.buyer.taxId, second.subtotalMinor, second.taxMinor, second.periodStart, Number(second.number.slice(5))],
      ['US-78', 10_000, 1_900, first.periodStart, Number(first.number.slice(5)) + 1],
    );
    await act(again.id, 'void', { reason: 'Given up' });
    assert.deepEqual(await order(), [{ status: 'void' }]);
  });
});

describe('a credit note', () => {
  const credit = (unitPriceMinor: number, quantity = 1) => ({
    lines: [{ description: 'Downtime', quantity, unitPriceMinor }],
    reason: 'Goodwill',
  });

  it('has a number of the same series and the tax of its invoice, and never exceeds what is left', async () => {
    await profile({ rate: 1_900, note: 'VAT' });
    const id = await issued({ lines: [{ unitPriceMinor: 10_000 }] });
    await profile({ rate: 0, note: null });
    const before = (await read(id)).body;
    const first = await act(id, 'credit', credit(1_500, 2));
    assert.equal(first.status, 201, first.text);
    const { kind, status, number, subtotalMinor, taxMinor, totalMinor, taxNote, creditReason, creditsInvoiceId, dueAt, lines } = first.body;
    assert.deepEqual([kind, status, subtotalMinor, taxMinor, totalMinor], ['credit_note', 'issued', -3_000, -570, -3_570]);
    assert.deepEqual([taxNote, creditReason, creditsInvoiceId, dueAt], ['VAT', 'Goodwill', id, null]);
    assert.deepEqual([lines[0].quantity, lines[0].unitPriceMinor, lines[0].amountMinor], [2, -1_500, -3_000]);
    assert.equal(Number(number.slice(5)), Number(before.number.slice(5)) + 1);
    const tooMuch = await act(id, 'credit', credit(7_001));
    assert.deepEqual([tooMuch.status, tooMuch.body.errors[0].code], [422, 'too_much']);
    assert.match(tooMuch.body.detail, /\$70\.00/);
    const after = (await read(id, 'owner')).body;
    assert.deepEqual([after.status, after.totalMinor], ['issued', before.totalMinor], 'the invoice itself is unchanged');
    assert.deepEqual(after.creditNotes, [
      { id: first.body.id, number, subtotalMinor: -3_000, totalMinor: -3_570, issuedAt: now.toISOString() },
    ]);
    assert.match((await act(id, 'void', { reason: 'x' })).body.detail, /Credit the rest/);
    for (const [action, body] of [
      ['pay', { reference: 'x' }],
      ['void', { reason: 'x' }],
      ['credit', credit(1)],
    ] as const)
      assert.match((await act(first.body.id, action, body)).body.detail, /This is a credit note/);
  });

  it('that covers the rest of an unpaid invoice settles it', async () => {
    const id = await issued({ lines: [{ unitPriceMinor: 1_000 }] });
    await act(id, 'credit', credit(400));
    assert.equal((await read(id)).body.status, 'issued');
    const rest = await act(id, 'credit', credit(600));
    const { status, paidReference } = (await read(id)).body;
    assert.deepEqual([status, paidReference], ['paid', `Credited by ${rest.body.number}`]);
  });

  it('lowers what its invoice owes, which is nothing before the issue and after the payment', async () => {
    const owed = async (id: string) => {
      const listed = (await list('')).find((row) => row.id === id);
      const { owedMinor } = (await read(id)).body;
      assert.equal(listed?.owedMinor, owedMinor);
      return owedMinor;
    };
    await profile({ rate: 1_000, note: null });
    const id = await add({ lines: [{ unitPriceMinor: 1_000 }] });
    const seen = [await owed(id)];
    await act(id, 'issue');
    seen.push(await owed(id));
    const note = await act(id, 'credit', credit(400));
    seen.push(await owed(id), await owed(note.body.id));
    await act(id, 'pay', { reference: 'x' });
    seen.push(await owed(id));
    const dropped = await issued();
    await act(dropped, 'void', { reason: 'x' });
    seen.push(await owed(dropped));
    await profile({ rate: 0, note: null });
    assert.deepEqual(seen, [0, 1_100, 660, 0, 0, 0]);
  });

  it('is issued once for an Idempotency-Key, also concurrently, and no two exceed the invoice together', async () => {
    const id = await issued({ lines: [{ unitPriceMinor: 1_000 }] });
    const keyed = () => act(id, 'credit', credit(300), 'staff', { 'idempotency-key': `k-${id}` });
    const [one, two] = await Promise.all([keyed(), keyed()]);
    assert.deepEqual([one.status, two.status, one.body.id], [201, 201, two.body.id]);
    assert.equal((await act(id, 'credit', credit(200), 'staff', { 'idempotency-key': `k-${id}` })).body.code, 'idempotency_key_reused');
    const rivals = await Promise.all([act(id, 'credit', credit(500)), act(id, 'credit', credit(500))]);
    assert.deepEqual(
      rivals.map(({ status }) => status).toSorted((a, b) => a - b),
      [201, 422],
    );
    assert.equal((await read(id)).body.creditNotes.length, 2);
  });
});

describe('who sees invoices', () => {
  it('staff all, an agency its own issued ones, moderators too; no one else', async () => {
    const blank = await add();
    const own = await issued();
    const foreign = await issued({ partnerId: service.world.rivalPartnerId });
    for (const person of ['owner', 'moderator'] as const) {
      const seen = ids(await list('', person));
      assert.deepEqual([seen.includes(own), seen.includes(blank), seen.includes(foreign)], [true, false, false], person);
      assert.equal((await read(own, person)).status, 200);
      for (const id of [blank, foreign, newId()]) assert.equal((await read(id, person)).body.code, 'not_found', `${person} ${id}`);
      assert.equal((await service.call('GET', `/billing/invoices/${foreign}/pdf`, { as: person })).body.code, 'not_found');
    }
    const all = ids(await list(''));
    assert.ok([blank, own, foreign].every((id) => all.includes(id)));
    assert.ok(!ids(await list(`partnerId=${service.world.rivalPartnerId}`)).includes(own));
    assert.equal((await service.call('GET', `/billing/invoices?partnerId=${newId()}`, { as: 'staff' })).body.code, 'not_found');
    assert.equal(
      (await service.call('GET', `/billing/invoices?partnerId=${service.world.partnerId}`, { as: 'owner' })).body.code,
      'scope_forbidden',
    );
  });

  it('only staff change one or see revenue; clients see nothing', async () => {
    const id = await issued();
    const refused = { owner: 'role_forbidden', moderator: 'role_forbidden', clientUser: 'role_forbidden' } as const;
    await service.assertRefused('POST', `/billing/invoices/${id}/issue`, refused);
    await service.assertRefused('POST', `/billing/invoices/${id}/pay`, refused, { reference: 'x' });
    await service.assertRefused('POST', `/billing/invoices/${id}/void`, refused, { reason: 'x' });
    await service.assertRefused('POST', `/billing/invoices/${id}/credit`, refused, {
      reason: 'x',
      lines: [{ description: 'x', unitPriceMinor: 1 }],
    });
    await service.assertRefused('GET', '/billing/revenue', refused);
    for (const path of ['', '/export.csv', `/${id}`, `/${id}/pdf`])
      await service.assertRefused('GET', `/billing/invoices${path}`, { clientUser: 'role_forbidden' });
    assert.equal((await read(id)).body.status, 'issued');
  });

  it('a suspended agency reads on', async () => {
    const id = await issued();
    await query(`update partner set status = 'suspended', suspended_at = now() where id = $1`, [service.world.partnerId]);
    const paths = ['', '/export.csv', `/${id}`, `/${id}/pdf`];
    const replies = await Promise.all(paths.map((path) => service.call('GET', `/billing/invoices${path}`, { as: 'owner' })));
    await query(`update partner set status = 'active', suspended_at = null where id = $1`, [service.world.partnerId]);
    assert.deepEqual(
      replies.map(({ status }) => status),
      paths.map(() => 200),
    );
  });
});

describe('the list of invoices', () => {
  it('is filtered by status, overdue and day of issue', async () => {
    const late = await issued();
    const paid = await issued();
    await act(paid, 'pay', { reference: 'x' });
    now = days(20);
    const fresh = await issued();
    assert.equal((await read(late)).body.overdueDays, 6);
    const found = async (search: string) => {
      const seen = ids(await list(search, 'owner'));
      return [late, paid, fresh].map((id) => seen.includes(id));
    };
    assert.deepEqual(await found('overdue=true'), [true, false, false]);
    assert.deepEqual(await found('overdue=false'), [false, true, true]);
    assert.deepEqual(await found('status=paid'), [false, true, false]);
    assert.deepEqual(await found(`from=${days(-1).toISOString()}`), [false, false, true]);
    assert.deepEqual(await found(`to=${days(-1).toISOString()}`), [true, true, false]);
  });

  it('comes in pages, newest first, and as CSV that no spreadsheet runs', async () => {
    await query(`update partner set name = '=1+1' where id = $1`, [service.world.partnerId]);
    const id = await issued();
    await query(`update partner set name = 'Acme Agency' where id = $1`, [service.world.partnerId]);
    await act(id, 'pay', { reference: '@SUM(A1)' });
    const all = ids(await list('', 'owner'));
    const first = (await service.call('GET', '/billing/invoices?limit=2', { as: 'owner' })).body;
    const second = (await service.call('GET', `/billing/invoices?limit=2&cursor=${first.nextCursor}`, { as: 'owner' })).body;
    assert.deepEqual([...ids(first.data), ...ids(second.data)], all.slice(0, 4));
    const csv = await service.call('GET', '/billing/invoices/export.csv', { as: 'owner' });
    const lines = csv.text.replace('\uFEFF', '').trimEnd().split('\r\n');
    assert.equal(lines.length, all.length + 1);
    const line = lines.find((text) => text.startsWith(id)) ?? '';
    assert.ok(line.includes(",'=1+1,") && line.includes(",'@SUM(A1),"), line);
  });
});

describe('revenue', () => {
  it('is invoiced and paid by month and currency, credit notes taken off', async () => {
    now = new Date('2031-01-31T23:00:00.000Z');
    const paid = await issued({ currency: 'EUR', lines: [{ unitPriceMinor: 10_000 }] });
    const dropped = await issued({ currency: 'EUR', lines: [{ unitPriceMinor: 99 }] });
    await act(dropped, 'void', { reason: 'x' });
    await issued({ currency: 'JPY', lines: [{ unitPriceMinor: 500 }] });
    await act(paid, 'credit', { reason: 'x', lines: [{ description: 'x', unitPriceMinor: 1_000 }] });
    now = new Date('2031-02-01T00:00:00.000Z');
    await act(paid, 'pay', { reference: 'x' });
    now = new Date('2031-03-15T00:00:00.000Z');
    await act(paid, 'credit', { reason: 'x', lines: [{ description: 'x', unitPriceMinor: 2_000 }] });
    const { body } = await service.call('GET', '/billing/revenue?months=3', { as: 'staff' });
    assert.deepEqual(body, [
      { month: '2031-03', currency: 'EUR', invoicedMinor: -2_000, paidMinor: -2_000 },
      { month: '2031-02', currency: 'EUR', invoicedMinor: 0, paidMinor: 9_000 },
      { month: '2031-01', currency: 'EUR', invoicedMinor: 9_000, paidMinor: 0 },
      { month: '2031-01', currency: 'JPY', invoicedMinor: 500, paidMinor: 0 },
    ]);
  });
});
