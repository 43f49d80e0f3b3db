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
  await see('Northwind Digital is active again.');
  await button('Suspend partner');
  assert.equal(service.calls.filter(({ name }) => name === 'resumePartner').length, 1);
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
