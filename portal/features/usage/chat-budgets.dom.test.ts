import assert from 'node:assert/strict';
import { test } from 'node:test';
import { field, open, screen, see } from '../../testing/portal.ts';
import { reply } from '../../testing/service.ts';

test('a moderator sees the budgets and cannot change them', async () => {
  await open('moderator', '/dashboard/usage');
  await see('Used by chatbots');
  assert.ok((await field('Credits a day for one chatbot')).disabled);
});

test('chatbots that stop for credits which runs in progress reserve are not said to have used them', async () => {
  const { period, ...others } = reply('getChatBudgets');
  await open('owner', '/dashboard/usage', {
    getQuota: reply('getQuota', {
      limit: 1000,
      used: 600,
      inFlight: 400,
      remaining: 0,
      periodStart: period.resetsAt,
      resetsAt: period.resetsAt,
    }),
    getChatBudgets: { ...others, period: { ...period, stoppedBy: 'quota' } },
  });
  await see('All credits are used or reserved.');
  assert.equal(screen.queryByText(/credits are used\.$/), null);
});
