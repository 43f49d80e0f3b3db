import { test } from 'node:test';
import { open, screen, see } from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { reply } from '../../testing/service.ts';

const ID = idOf(50);

test('a check that shares the default key says that no reminder is planned, and leads to the key of the client', async () => {
  await open('owner', `/dashboard/agents/${ID}?tab=schedule`, {
    getAgent: reply('getAgent', { id: ID, clientId: idOf(51), installed: true, isActive: true }),
    getSchedule: reply('getSchedule', {
      workflowId: ID,
      kind: 'bookings',
      schedule: { every: 'hour', at: '00:30', weekdays: [1, 2, 3, 4, 5, 6, 7], timezone: 'UTC', enabled: true },
      last: { dueAt: '2027-01-05T10:00:00.000Z', outcome: 'failed', reason: 'key_shared', executionId: null, found: null },
    }),
  });
  await see(/several clients use the agency’s default Cal\.com key.*no reminder is planned; give each client its own key/);
  await screen.findByRole('link', { name: 'Open key' });
});
