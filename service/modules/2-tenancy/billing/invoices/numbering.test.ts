import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { withClient } from '#platform/db/roles.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { countLockWaits } from '@partner-portal/tests/harness/database.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { until } from '@partner-portal/tests/harness/system.ts';
import { invoices } from './index.ts';
import { takeNumber } from './store-change.ts';
import { draft, type TestDraft } from './test-drafts.ts';

let service: TestService;
/** A second process on the same database. */
let other: TestService;
let now = new Date('2026-11-23T10:00:00.000Z');
before(async () => {
  const clock = { now: () => now };
  service = await startTestService({ clock, modules: (platform) => [invoices(platform)] });
  const { database, world } = service;
  other = await startTestService({ clock, database, world, modules: (platform) => [invoices(platform)] });
});
after(async () => {
  await other.close();
  await service.close();
});

const add = (facts: Partial<TestDraft> = {}) =>
  service.db.asSystem('seed', (tx) => draft(tx, { partnerId: service.world.partnerId, ...facts }));
const issue = async (id: string, on = service): Promise<string> => {
  const reply = await on.call('POST', `/billing/invoices/${id}/issue`, { as: 'staff' });
  assert.equal(reply.status, 200, reply.text);
  return reply.body.number;
};
/** A new draft that is issued. */
const issued = async (facts: Partial<TestDraft> = {}) => {
  const id = await add(facts);
  await issue(id);
  return id;
};
const countOf = (number: string): number => Number(number.slice(5));

describe('invoice numbers', () => {
  it('have no gap and no double when two processes issue at the same time', async () => {
    const drafts = await Promise.all(Array.from({ length: 24 }, () => add()));
    const numbers = await Promise.all(drafts.map((id, index) => issue(id, index % 2 ? other : service)));
    const counts = numbers.map(countOf).toSorted((a, b) => a - b);
    const first = counts[0] ?? 0;
    assert.deepEqual(
      counts,
      counts.map((_, index) => first + index),
    );
    // The same draft twice: one of both is refused, and no number is lost.
    const id = await add();
    const replies = await Promise.all([service, other].map((on) => on.call('POST', `/billing/invoices/${id}/issue`, { as: 'staff' })));
    assert.deepEqual(
      replies.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 409],
    );
    assert.equal(countOf(await issue(await add())), first + 25);
  });

  it('have no gap when an issue is rolled back while another waits for it', async () => {
    const before = countOf(await issue(await add()));
    const id = await add();
    const taken = Promise.withResolvers<number>();
    const rollBack = Promise.withResolvers<void>();
    const failing = service.db.asSystem('billing', async (tx) => {
      taken.resolve(await takeNumber(tx, 2026));
      await rollBack.promise;
      throw new Error('rolled back');
    });
    assert.equal(await taken.promise, before + 1);
    const waiting = issue(id, other);
    await until('the other process waits', async () => (await countLockWaits(service.database)) > 0);
    rollBack.resolve();
    await assert.rejects(failing, /rolled back/);
    assert.equal(countOf(await waiting), before + 1);
  });

  it('restart with the year of issue in UTC', async () => {
    const before = await issue(await add());
    const [late, early] = [await add(), await add()];
    now = new Date('2026-12-31T23:59:59.999Z');
    const last = await issue(late);
    now = new Date('2027-01-01T00:00:00.000Z');
    const first = await issue(early);
    now = new Date('2026-11-23T10:00:00.000Z');
    assert.deepEqual([last, first], [`2026-${String(countOf(before) + 1).padStart(6, '0')}`, '2027-000001']);
  });
});

/** Runs one statement as the service's system role. */
const attempt = (text: string, values: unknown[] = []) =>
  withClient({ ...service.database.host.adminConfig, database: service.database.name }, async (client) => {
    await client.query('begin; set local role portal_system');
    const { rowCount } = await client.query(text, values);
    await client.query('commit');
    return rowCount;
  });

describe('an issued invoice', () => {
  const FROZEN: [column: string, value: string][] = [
    ['number', "'2026-999999'"],
    ['issued_at', 'now()'],
    ['due_at', "due_at + interval '1 day'"],
    ['seller', `'{"name": "Another"}'`],
    ['buyer', `'{"name": "Another"}'`],
    ['subtotal_minor', 'subtotal_minor + 1, total_minor = total_minor + 1'],
    ['tax_minor', 'tax_minor + 1, total_minor = total_minor + 1'],
    ['tax_rate_basis_points', '1'],
    ['tax_note', "'x'"],
    ['payment_instructions', "'x'"],
    ['currency', "'EUR'"],
    ['period_start', 'now()'],
    ['created_at', "created_at - interval '1 day'"],
    ['status', "'draft'"],
  ];

  it('keeps everything it says, while its reminders and its mail are recorded', async () => {
    const id = await issued();
    for (const [column, value] of FROZEN)
      await assert.rejects(attempt(`update invoice set ${column} = ${value} where id = $1`, [id]), { code: 'PB409' }, column);
    await assert.rejects(attempt('delete from invoice where id = $1', [id]), { code: 'PB409' });
    assert.equal(await attempt('update invoice set reminders_sent = 1, mailed_at = now() where id = $1', [id]), 1);
    // The same columns of a draft change; its status does not matter to them.
    const blank = await add();
    for (const [column, value] of FROZEN.filter(
      ([name]) => !['number', 'issued_at', 'subtotal_minor', 'currency', 'status'].includes(name),
    ))
      assert.equal(await attempt(`update invoice set ${column} = ${value} where id = $1`, [blank]), 1, column);
  });

  it('is paid or voided once; its payment stays as recorded', async () => {
    const id = await issued();
    assert.equal(await attempt("update invoice set status = 'paid', paid_at = now(), paid_reference = 'x' where id = $1", [id]), 1);
    for (const change of ["status = 'void'", "status = 'issued'", "paid_reference = 'y'", 'paid_at = null'])
      await assert.rejects(attempt(`update invoice set ${change} where id = $1`, [id]), { code: 'PB409' }, change);
  });

  it('keeps its lines; those of a draft change', async () => {
    const line = `insert into invoice_line (partner_id, invoice_id, kind, description, quantity, unit_price_minor, amount_minor, currency)
      select partner_id, id, 'plan', 'x', 1, 0, 0, currency from invoice where id = $1`;
    const changes = [
      line,
      "update invoice_line set description = 'y' where invoice_id = $1",
      'delete from invoice_line where invoice_id = $1 and amount_minor = 0',
      line,
      'update invoice_line set invoice_id = null where invoice_id = $1',
    ];
    const id = await issued({ lines: [{}, { unitPriceMinor: 0 }] });
    for (const change of changes) await assert.rejects(attempt(change, [id]), { code: 'PB409' }, change);
    const blank = await add({ lines: [{ unitPriceMinor: 0 }] });
    for (const change of changes) assert.ok(((await attempt(change, [blank])) ?? 0) > 0, change);
    // A waiting line joins a draft, but no issued invoice.
    const waiting = 'update invoice_line set invoice_id = $1 where invoice_id is null';
    await assert.rejects(attempt(waiting, [id]), { code: 'PB409' });
    assert.ok(((await attempt(waiting, [blank])) ?? 0) > 0);
  });

  it('gets no line by a transaction that ran while it was issued', async () => {
    const id = await add();
    const held = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const issuing = service.db.asSystem('billing', async (tx: SystemTx) => {
      await tx.selectFrom('invoice').select('id').where('id', '=', id).forUpdate().execute();
      held.resolve();
      await go.promise;
      await tx
        .updateTable('invoice')
        .set({ status: 'issued', number: '2026-900001', seller: '{}', buyer: '{}', issuedAt: now })
        .where('id', '=', id)
        .execute();
    });
    await held.promise;
    const adding = attempt("update invoice_line set description = 'late' where invoice_id = $1", [id]);
    adding.catch(() => undefined);
    await until('the change waits', async () => (await countLockWaits(service.database)) > 0);
    go.resolve();
    await issuing;
    await assert.rejects(adding, { code: 'PB409' });
  });
});

describe('the amounts of an invoice', () => {
  it('equal its lines at the commit, and the total subtotal and tax', async () => {
    const id = await add();
    const raise = 'update invoice_line set amount_minor = amount_minor + 1 where invoice_id = $1';
    await assert.rejects(attempt(raise, [id]), { code: 'PB422' });
    await assert.rejects(
      attempt('update invoice set subtotal_minor = subtotal_minor + 1, total_minor = total_minor + 1 where id = $1', [id]),
      {
        code: 'PB422',
      },
    );
    await assert.rejects(attempt('update invoice set total_minor = total_minor + 1 where id = $1', [id]), { code: '23514' });
    await assert.rejects(attempt("update invoice_line set currency = 'EUR' where invoice_id = $1", [id]), { code: 'PB422' });
    await assert.rejects(attempt('delete from invoice_line where invoice_id = $1', [id]), { code: 'PB422' });
    // Both in one transaction, in either order.
    const both = `with raised as (${raise} returning 1) update invoice set subtotal_minor = subtotal_minor + 1, total_minor = total_minor + 1 where id = $1`;
    assert.equal(await attempt(both, [id]), 1);
  });
});
