import { test } from 'node:test';
import { open, see } from '../../testing/portal.ts';
import { reply } from '../../testing/service.ts';
import { idOf } from '../../testing/sample.ts';

const attempt = { id: idOf(1), startedAt: '2026-11-20T09:00:00.000Z', finishedAt: '2026-11-20T09:01:00.000Z' };
const errorPublic = 'The automation platform refused this change. Please contact support. The repair itself stopped nothing.';

test('a repair that failed is called so, not a setup', async () => {
  const getMyAutomation = reply('getMyAutomation', { status: 'failed', errorPublic, attempt: { ...attempt, mode: 'repair' } });
  await open('owner', '/dashboard/setup', { getMyAutomation });
  await see('Repair failed');
});

test('a first setup that failed is called so', async () => {
  const getMyAutomation = reply('getMyAutomation', { status: 'failed', errorPublic: 'No.', attempt: { ...attempt, mode: 'provision' } });
  await open('owner', '/dashboard/setup', { getMyAutomation });
  await see('Setup failed');
});
