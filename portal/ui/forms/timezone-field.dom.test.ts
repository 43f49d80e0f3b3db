import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button, holds, open, press, screen, user } from '../../testing/portal.ts';

test('a time zone is found by its present name, also UTC and those that browsers list under a former one', async () => {
  await open('client', '/client/settings');
  for (const [typed, chosen] of [
    ['UTC', 'UTC'],
    ['kolkata', 'Asia/Kolkata'],
    ['calcutta', 'Asia/Calcutta'],
    ['kyiv', 'Europe/Kyiv'],
    ['buenos aires', 'America/Argentina/Buenos Aires'],
    ['berlin', 'Europe/Berlin'],
  ] as const) {
    await press('Time zone');
    await user.type(await screen.findByRole('combobox', { name: 'Search Time zone' }), typed);
    await user.click(await screen.findByRole('option', { name: chosen }));
    await holds(async () => assert.equal((await button('Time zone')).getAttribute('aria-label'), `Time zone: ${chosen}`));
  }
});
