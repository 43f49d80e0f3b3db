import assert from 'node:assert/strict';
import { test } from 'node:test';
import { open, screen, see, waitFor } from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { reply, row } from '../../testing/service.ts';

// Only once the module hooks are there.
const [{ queryClient }, { quotaQuery }] = await Promise.all([import('../../app/query-client.ts'), import('../../queries/agency.ts')]);

const PERIOD = { periodStart: '2026-11-01T13:27:10.123Z', resetsAt: '2026-12-01T13:27:10.123Z' };

test('a run that ends between two reads of the meter is no row of its own', async () => {
  let used = 10;
  await open('owner', '/dashboard/usage?by=client', {
    getQuota: () => reply('getQuota', { ...PERIOD, used: used++ }),
    getUsage: () => [row('getUsage', { key: idOf(2), label: 'Oak Street Dental', credits: used, runs: used })],
  });
  await see('Oak Street Dental');
  assert.equal(screen.queryByText(/this period, in|before this period/), null);
});

test('what the rows lack of the meter stays as it was read with them', async () => {
  let used = 12;
  await open('owner', '/dashboard/usage?by=client', {
    getQuota: () => reply('getQuota', { ...PERIOD, used }),
    getUsage: [row('getUsage', { key: idOf(2), label: 'Oak Street Dental', credits: 9, runs: 9 })],
  });
  await see('Removed since, or begun before this period');
  await see(/12 credits/);
  used = 13;
  await queryClient.refetchQueries(quotaQuery);
  await waitFor(() => assert.equal(queryClient.getQueryData(quotaQuery.queryKey)?.used, 13));
  await see(/12 credits/);
});
