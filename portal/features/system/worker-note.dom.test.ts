import { test } from 'node:test';
import { open, see } from '../../testing/portal.ts';
import { reply } from '../../testing/service.ts';

const SILENT = { seenAt: '2026-11-20T09:00:00.000Z', isSilent: true };

test('the page System says that no worker runs, and what to start', async () => {
  await open('staff', '/admin/system', { getSystem: reply('getSystem', { status: 'degraded', workers: SILENT }) });
  await see('No worker is running.');
  await see('ROLE=worker');
});

test('the page Engine says that no worker runs, and what another tenancy mode means', async () => {
  const tenancyMessage = '12 agencies were set up in shared tenancy.';
  await open('staff', '/admin/engine', { getEngine: reply('getEngine', { health: 'ok', workers: SILENT, tenancyMessage }) });
  await see(/No worker is running\./);
  await see(tenancyMessage);
});
