import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button, dialog, field, fill, gone, holds, noDialog, open, press, screen, see, user, within } from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { changed, reply, row } from '../../testing/service.ts';

test('staff resume an agency that is suspended', async () => {
  const partner = reply('getPartner', { id: idOf(1), name: 'Northwind Digital', status: 'suspended', suspensionReason: 'Unpaid.' });
  const service = await open('staff', `/admin/partners/${partner.id}`, {
    getPartner: () => partner,
    resumePartner: () => Object.assign(partner, { status: 'active', suspensionReason: null }),
  });
  await see('Unpaid.');
  assert.equal(screen.queryByRole('button', { name: 'Suspend partner' }), null);
  await press('Resume partner');
  const resuming = await dialog('Resume Northwind Digital?');
  assert.equal(within(resuming).queryByText(/invoiced/), null, 'its subscription goes on');
  await press('Resume', resuming);
  await see('Northwind Digital is active again.');
  await button('Suspend partner');
  assert.equal(service.calls.filter(({ name }) => name === 'resumePartner').length, 1);
});

test('staff read what a resumption begins and charges where the subscription or the trial has ended', async () => {
  const partner = reply('getPartner', { id: idOf(1), name: 'Northwind Digital', status: 'suspended' });
  const billing = reply('getBilling');
  Object.assign(billing.subscription, { status: 'cancelled', planId: idOf(7), overrides: { monthlyPriceMinor: 29_900 } });
  billing.subscription.terms.currency = 'USD';
  Object.assign(billing.plan, { isTrial: false, trialDays: null });
  const at = '2027-01-28T09:00:00.000Z';
  const change = {
    direction: 'up',
    effectiveAt: at,
    invoicedAt: at,
    dueNowMinor: 29_900,
    nextMonthlyMinor: 29_900,
    currency: 'USD',
  } as const;
  const answers = {
    getPartner: partner,
    getBilling: billing,
    previewPlanChange: reply('previewPlanChange', { ...change, lines: [], exceeds: [], taxRateBasisPoints: 0 }),
  };
  const service = await open('staff', `/admin/partners/${partner.id}`, answers);
  await press('Resume partner');
  await see(/\$299\.00 is invoiced for its first month/, await dialog('Resume Northwind Digital?'));
  const asked = service.calls.find(({ name }) => name === 'previewPlanChange');
  assert.deepEqual(asked?.query, { planId: idOf(7), monthlyPriceMinor: 29_900, partnerId: partner.id });
  assert.equal(service.calls.filter(({ name }) => name === 'resumePartner').length, 0);

  const trial = { ...billing, plan: { ...billing.plan, isTrial: true, trialDays: 14 } };
  await open('staff', `/admin/partners/${partner.id}`, { ...answers, getBilling: trial });
  await press('Resume partner');
  await see('Another trial of 14 days begins. Nothing is charged.', await dialog('Resume Northwind Digital?'));
});

const [north, second] = ['Northwind Digital', 'Second Agency'].map((name, n) =>
  reply('getPartner', { id: idOf(1 + n), name, slug: `agency-${n}`, status: 'active', internalNotes: `Notes about ${name}` }),
);

async function go(name: string): Promise<void> {
  await user.keyboard('{Control>}k{/Control}');
  const palette = await dialog('Search or jump to');
  await user.type(await within(palette).findByRole('combobox'), name);
  await user.click(await within(palette).findByRole('option', { name: new RegExp(`^${name}`) }));
}

test('what is typed about one agency is not shown, offered or saved for another, and leaving it asks', async () => {
  assert.ok(north && second);
  const service = await open('staff', `/admin/partners/${second.id}`, {
    getPartner: ({ params: { id } }) => (id === north.id ? north : second),
    listPartners: { data: [row('listPartners', { id: north.id, name: north.name })], nextCursor: null },
    updatePartner: ({ params: { id }, body }) => changed(id === north.id ? north : second, body),
  });
  await press('Suspend partner');
  const suspending = await dialog(/^Suspend/);
  await fill(/^Reason/, 'They do not pay.', suspending);
  await user.click(within(suspending).getAllByRole('button')[0] ?? assert.fail());
  await noDialog();
  await fill('Internal notes', 'Only about the second one.');
  await go(north.name);
  await press('Stay', await dialog('Leave without saving?'));
  await noDialog();
  assert.equal((await field('Internal notes')).value, 'Only about the second one.');
  await go(north.name);
  await press('Leave', await dialog('Leave without saving?'));
  await screen.findByRole('heading', { level: 1, name: new RegExp(north.name) });
  await holds(() => assert.equal(screen.getByLabelText<HTMLTextAreaElement>('Internal notes').value, 'Notes about Northwind Digital'));
  await gone('Save notes');
  await press('Suspend partner');
  assert.equal((await field(/^Reason/, await dialog(/^Suspend/))).value, '');
  assert.deepEqual(service.sent('updatePartner'), []);
});

test('notes about an agency are saved for it', async () => {
  assert.ok(second);
  const service = await open('staff', `/admin/partners/${second.id}`, {
    getPartner: second,
    updatePartner: ({ body }) => changed(second, body),
  });
  await fill('Internal notes', 'They call on Mondays.');
  await press('Save notes');
  await see('Notes saved.');
  await gone('Save notes');
  assert.deepEqual(service.sent('updatePartner'), [{ internalNotes: 'They call on Mondays.' }]);
});
