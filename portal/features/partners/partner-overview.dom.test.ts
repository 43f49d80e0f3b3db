import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button, open, press, screen, see } from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { reply } from '../../testing/service.ts';

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
