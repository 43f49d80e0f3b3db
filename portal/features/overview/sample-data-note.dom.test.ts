import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button, gone, holds, open, press, screen, see } from '../../testing/portal.ts';
import { reply } from '../../testing/service.ts';

const ENDS_AT = '2026-11-28T17:00:00.000Z';

test('an admin removes the sample data after reading what goes and what stays, and it is shown no more', async () => {
  let endsAt: string | null = ENDS_AT;
  const service = await open('owner', '/dashboard', {
    getMySummary: () => reply('getMySummary', { sampleDataEndsAt: endsAt, timezone: 'America/Chicago' }),
    removeSampleData: () => {
      endsAt = null;
      return { runs: 5310, conversations: 71 };
    },
  });
  await see(/Everything until .* is a made-up past/);
  await press('Remove sample data');
  await see(/all runs, conversations and usage until/);
  await see(/Clients, agents, keys, your team, invoices and everything that happened since then stay/);
  assert.ok(!service.calls.some(({ name }) => name === 'removeSampleData'));
  await press('Remove');
  await see('5,310 sample runs and 71 sample conversations removed.');
  await gone(/is a made-up past/);
});

test('a moderator reads that there is sample data, and who may remove it', async () => {
  await open('moderator', '/dashboard', { getMySummary: reply('getMySummary', { sampleDataEndsAt: ENDS_AT }) });
  await see(/is a made-up past/);
  const remove = await button('Remove sample data');
  await holds(() => assert.equal(remove.getAttribute('aria-disabled'), 'true'));
});

test('an agency without sample data reads nothing of it', async () => {
  await open('owner', '/dashboard', { getMySummary: reply('getMySummary', { sampleDataEndsAt: null }) });
  await see('Latest runs');
  assert.equal(screen.queryByText('Sample data'), null);
});
