import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  button,
  dialog,
  fill,
  fireEvent,
  holds,
  isInactive,
  noDialog,
  open,
  press,
  reads,
  rows,
  screen,
  see,
  user,
  within,
} from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { type Answers, Refused, reply, row, WITHOUT_MAIL } from '../../testing/service.ts';

type Invoice = ReturnType<typeof row<'listInvoices'>>;
const NAMES = ['Harbour Media', 'Inland Works', 'Tideline'];
const invoice = (n: number, given: Partial<Invoice> = {}): Invoice =>
  row('listInvoices', { id: idOf(90 + n), partnerId: idOf(n), partnerName: NAMES[n] ?? '', status: 'draft', currency: 'USD', ...given });
const DETAIL = reply('getInvoice');

/** Invoices that become issued when that is asked for. `beforeDrafts` is awaited by each list of drafts. */
function invoices(all: Invoice[], beforeDrafts: () => Promise<void> = async () => undefined): Answers {
  return {
    listInvoices: async ({ query: { status, overdue } }) => {
      if (status === 'draft') await beforeDrafts();
      const data = all.filter((one) => (status === undefined || one.status === status) && (!overdue || one.overdueDays > 0));
      return { data, nextCursor: null };
    },
    getInvoice: ({ params }) => ({ ...DETAIL, ...all.find(({ id }) => id === params.id) }),
    issueInvoice: ({ params }) => {
      const one = all.find(({ id }) => id === params.id);
      if (one) Object.assign(one, { status: 'issued', number: '2026-000001', issuedAt: one.createdAt, dueAt: one.createdAt });
      return { ...DETAIL, ...one };
    },
  };
}

test('several selected drafts are issued together', async () => {
  const service = await open('staff', '/admin/invoices?show=draft', invoices([invoice(0), invoice(1)]));
  for (const name of NAMES.slice(0, 2)) await user.click(await screen.findByRole('checkbox', { name: `Select the draft of ${name}` }));
  await button(/^Issue 2 drafts/);
  await user.keyboard('i');
  const asked = await dialog('Issue 2 invoices?');
  for (const name of NAMES.slice(0, 2)) await see(new RegExp(name), asked);
  await press('Issue 2 invoices', asked);
  await noDialog('Issue 2 invoices?');
  assert.equal(service.calls.filter(({ name }) => name === 'issueInvoice').length, 2);
  await holds(() => assert.equal(screen.queryByRole('button', { name: /^Issue 2/ }), null));
});

test('while drafts are issued, neither Esc nor a button closes the dialog, which then shows what was refused', async () => {
  const all = [invoice(0), invoice(1)];
  const second = Promise.withResolvers<void>();
  const answers = invoices(all);
  const service = await open('staff', '/admin/invoices?show=draft', {
    ...answers,
    issueInvoice: async ({ params }) => {
      const one = all.find(({ id }) => id === params.id);
      if (one?.partnerName === NAMES[1]) {
        await second.promise;
        throw new Refused('invalid_state');
      }
      if (one) Object.assign(one, { status: 'issued', number: '2026-000001', issuedAt: one.createdAt, dueAt: one.createdAt });
      return { ...DETAIL, ...one };
    },
  });
  for (const name of NAMES.slice(0, 2)) await user.click(await screen.findByRole('checkbox', { name: `Select the draft of ${name}` }));
  await button(/^Issue 2 drafts/);
  await user.keyboard('i');
  const asked = await dialog('Issue 2 invoices?');
  await press('Issue 2 invoices', asked);
  await holds(() => assert.equal(service.calls.filter(({ name }) => name === 'issueInvoice').length, 2));
  const keep = await button('Keep as draft', asked);
  assert.ok(isInactive(keep));
  fireEvent(asked, new Event('cancel', { cancelable: true }));
  await user.click(keep);
  second.resolve();
  await see('Inland Works was not issued.', asked);
  await holds(() => assert.ok(!isInactive(keep)));
  await user.click(keep);
  await noDialog();
});

test('without a mail server, staff are asked to send the PDF of an issued invoice or credit note themselves', async () => {
  await open('staff', `/admin/invoices?show=draft&invoice=${idOf(90)}`, { ...invoices([invoice(0)]), ...WITHOUT_MAIL });
  await see('No address yet.');
  await press(/^Issue/);
  const asked = await dialog('Issue the invoice to Harbour Media?');
  await see('E-mail is not set up, so send the PDF yourself.', asked);
  assert.doesNotMatch(asked.textContent, /e-mailed/);
  await press('Issue invoice', asked);
  await see('Invoice 2026-000001 is issued. E-mail is not set up, so send the PDF yourself.');
  await press(/^Credit/);
  await see(/The note gets its own number\. E-mail is not set up, so send the PDF yourself\./, await dialog(/^Credit note for/));
});

test('before an invoice is issued, staff read that it has no billing address and never gets one', async () => {
  const buyer = { ...DETAIL.buyer, name: NAMES[0] ?? '', address: null, taxId: null };
  const all = [invoice(0)];
  const answers = invoices(all);
  await open('staff', `/admin/invoices?show=draft&invoice=${idOf(90)}`, {
    ...answers,
    getInvoice: () => ({ ...DETAIL, ...all[0], buyer }),
  });
  await press(/^Issue/);
  const asked = await dialog('Issue the invoice to Harbour Media?');
  await see('Harbour Media has no billing address. An issued invoice never gets one.', asked);
  await press('Issue invoice', asked);
  await see('Invoice 2026-000001 is issued and goes out by e-mail.');
  await see('Issued without an address.');
});

test('overdue invoices come first, the longest on top, and staff see them from the work queue', async () => {
  const issued = { status: 'issued', number: '2026-000001' } as const;
  const all = [invoice(0, { ...issued, overdueDays: 3 }), invoice(1), invoice(2, { ...issued, overdueDays: 400 })];
  await open('staff', '/admin', invoices(all));
  await user.click(await screen.findByRole('link', { name: /overdue.*400 days/ }));
  await holds(() => assert.equal(location.search, '?show=overdue'));
  await holds(() => assert.match(rows('Invoices')[0]?.textContent ?? '', /Harbour Media.*Overdue 3 days/));
  await press('Remove filter State');
  await holds(() => assert.deepEqual(rows('Open invoices').map((one) => one.dataset['row']), [idOf(92), idOf(90), idOf(91)])); // prettier-ignore
  const groups = [...screen.getByRole('table', { name: 'Open invoices' }).querySelectorAll('[data-group]')];
  assert.deepEqual(groups.map(({ textContent }) => textContent.split(':')[0]), ['Overdue', 'Drafts']); // prettier-ignore
});

test('a credit note reverses a whole invoice, and the invoice shows it', async () => {
  const [line] = [{ description: 'Starter', amountMinor: 9900, quantity: 1, unitPriceMinor: 9900 }].map((given) => ({
    ...reply('previewPlanChange').lines[0],
    id: null,
    kind: 'plan' as const,
    periodStart: null,
    periodEnd: null,
    orderId: null,
    ...given,
  }));
  const issued = {
    ...DETAIL,
    ...invoice(0, { status: 'issued', number: '2026-000001', totalMinor: 9900, subtotalMinor: 9900 }),
    lines: line ? [line] : [],
  };
  const note = { id: idOf(99), number: '2026-000002', subtotalMinor: -9900, totalMinor: -9900, issuedAt: issued.createdAt };
  const service = await open('staff', `/admin/invoices?invoice=${issued.id}`, {
    getInvoice: () => issued,
    creditInvoice: () => {
      Object.assign(issued, { creditNotes: [note] });
      return { ...DETAIL, ...invoice(1, { kind: 'credit_note', number: note.number, status: 'issued', totalMinor: -9900 }) };
    },
  });
  const drawer = await dialog(/^Invoice 2/);
  await press(/^Credit/, drawer);
  const asked = await dialog(/^Credit note for invoice/);
  await press('Credit all of it', asked);
  await holds(() => assert.equal(asked.querySelector('[role=status]')?.textContent, '$99.00 before tax'));
  await fill(/^Reason/, 'Opened twice', asked);
  await press('Issue credit note', asked);
  await noDialog(/^Credit note for invoice/);
  await see('Credited by', drawer);
  assert.deepEqual(service.sent('creditInvoice'), [
    { lines: [{ description: 'Starter', quantity: 1, unitPriceMinor: 9900 }], reason: 'Opened twice' },
  ]);
});

test('a payment is asked for and summed up as what is left of an invoice', async () => {
  const left = { status: 'issued', number: '2026-000001', overdueDays: 3, totalMinor: 9_900, owedMinor: 5_000 } as const;
  const all = [
    invoice(0, left),
    invoice(1, { totalMinor: 700, owedMinor: 0 }),
    invoice(2, { ...left, number: '2026-000002', owedMinor: 9_900 }),
  ];
  await open('staff', `/admin/invoices?invoice=${idOf(90)}`, {
    ...invoices(all),
    getInvoice: {
      ...DETAIL,
      ...all[0],
      creditNotes: [{ id: idOf(99), number: '2026-000003', subtotalMinor: -4_900, totalMinor: -4_900, issuedAt: null }],
    },
  });
  await holds(() => {
    const groups = [...screen.getByRole('table', { name: 'Open invoices' }).querySelectorAll('[data-group]')];
    assert.deepEqual(groups.map(({ textContent }) => textContent), ['Overdue: 2, $149.00', 'Drafts: 1, $7.00']); // prettier-ignore
    assert.match(rows('Open invoices')[0]?.textContent ?? '', /\$99\.00\$50\.00 left to pay/);
  });
  const drawer = await dialog(/^Invoice 2/);
  await reads(drawer, /Left to pay\$50\.00/);
  await press(/^Record payment/, drawer);
  await reads(await dialog('Record the payment of 2026-000001'), /\$50\.00 from Harbour Media\./);
});

test('an issued invoice is voided, or drafted again with other details; a draft is only voided', async () => {
  const issued = invoice(0, { status: 'issued', number: '2026-000001', totalMinor: 9_900, owedMinor: 9_900 });
  const all = [issued, invoice(1)];
  const service = await open('staff', `/admin/invoices?invoice=${issued.id}`, {
    ...invoices(all),
    voidInvoice: ({ params }) => ({ ...DETAIL, ...all.find(({ id }) => id === params.id), status: 'void' }),
  });
  await press(/^Void/, await dialog(/^Invoice 2/));
  const asked = await dialog(/^Void invoice/);
  await fill(/^Reason/, 'The tax ID is missing', asked);
  await user.click(within(asked).getByRole('checkbox', { name: /^Draft it again/ }));
  await press('Void invoice', asked);
  await see('Its draft waits among the drafts.');
  assert.deepEqual(service.sent('voidInvoice'), [{ reason: 'The tax ID is missing', replace: true }]);
  await open('staff', `/admin/invoices?invoice=${all[1]?.id}`, invoices(all));
  await press(/^Void/, await dialog(/^Draft/));
  const draft = await dialog(/^Void draft/);
  assert.equal(within(draft).queryByRole('checkbox'), null);
});

test('an unpaid invoice is drafted again or credited, and no longer voided once a part is credited', async () => {
  const credited = invoice(0, { status: 'issued', number: '2026-000001', totalMinor: 29_900, owedMinor: 19_900 });
  const draft = invoice(1);
  await open('staff', `/admin/invoices?invoice=${credited.id}`, invoices([credited, draft]));
  const drawer = await dialog(/^Invoice 2/);
  await button(/^Credit/, drawer);
  assert.equal(within(drawer).queryByRole('button', { name: /^Void/ }), null);
  await open('staff', `/admin/invoices?show=draft&invoice=${draft.id}`, invoices([credited, draft]));
  await press(/^Issue/, await dialog(/^Draft/));
  await see(
    /Afterwards only a credit note corrects it; while it is unpaid, it can also be voided and drafted again\./,
    await dialog(/^Issue the invoice/),
  );
});
