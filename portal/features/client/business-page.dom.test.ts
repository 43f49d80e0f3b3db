import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button, field, fill, holds, open, press, see } from '../../testing/portal.ts';
import { reply } from '../../testing/service.ts';

test('the business details that a client writes are saved, and what it types meanwhile stays', async () => {
  const saved = reply('getMyClient', { name: 'Oak Street Dental' });
  const gate = Promise.withResolvers<void>();
  const service = await open('client', '/client/business', {
    getMyClient: saved,
    updateMyClient: async ({ body }) => {
      await gate.promise;
      return { ...saved, businessProfile: { ...saved.businessProfile, ...body.businessProfile } };
    },
  });
  await fill('Opening hours', 'Mon to Fri, 8 to 16');
  await see('Unsaved: Opening hours');
  await see(/of 8,000$/);
  await press('Save changes');
  await holds(() => assert.equal(service.sent('updateMyClient').length, 1));
  await fill('Address', 'typed meanwhile');
  gate.resolve();
  const save = await button('Save changes');
  await holds(() => assert.notEqual(save.getAttribute('aria-busy'), 'true'));
  await see(/^Unsaved: Address/);
  assert.equal(service.sent('updateMyClient')[0]?.businessProfile?.hours, 'Mon to Fri, 8 to 16');
  assert.equal((await field('Opening hours')).value, 'Mon to Fri, 8 to 16');
  assert.equal((await field('Address')).value, 'typed meanwhile');
});
