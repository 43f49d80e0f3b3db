import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dialog, gone, open, press, reads, screen, see, user } from '../../testing/portal.ts';
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

test('the schedule of an agent of a suspended client says that its check is skipped and reminders due meanwhile are cancelled', async () => {
  await open('owner', `/dashboard/agents/${ID}?tab=schedule`, {
    getAgent: {
      ...reply('getAgent', { id: ID, clientName: 'Oak Street Dental', installed: true, isActive: true }),
      clientStatus: 'suspended',
    },
    getSchedule: reply('getSchedule', {
      workflowId: ID,
      kind: 'bookings',
      schedule: { every: 'hour', at: '00:30', weekdays: [1, 2, 3, 4, 5, 6, 7], timezone: 'UTC', enabled: true },
      nextRunAt: '2099-01-05T10:30:00.000Z',
      planned: { waiting: [], waitingTotal: 37, recent: [] },
    }),
  });
  await see('Oak Street Dental is suspended, so the next check will be skipped.');
  await see('Oak Street Dental is suspended. Any reminders due meanwhile are cancelled; later ones still start.');
});

test('removing checks of bookings, or turning them off, says how many reminders it cancels first', async () => {
  let schedule = reply('getSchedule', {
    workflowId: ID,
    kind: 'bookings',
    schedule: { every: 'hour', at: '00:30', weekdays: [1, 2, 3, 4, 5, 6, 7], timezone: 'UTC', enabled: true },
    planned: { waiting: [], waitingTotal: 37, recent: [] },
  });
  const service = await open('owner', `/dashboard/agents/${ID}?tab=schedule`, {
    getAgent: reply('getAgent', { id: ID, installed: true, isActive: true }),
    getSchedule: () => schedule,
    deleteSchedule: () => {
      schedule = { ...schedule, schedule: null, planned: { ...schedule.planned, waitingTotal: 0 } };
      return undefined as never; // it has no body
    },
  });
  const enabled = await screen.findByRole('switch', { name: 'Check bookings on a schedule' });
  await user.click(enabled);
  await reads(document.body, /37 reminders wait\. Saving cancels those that checks found/);
  await user.click(enabled);
  await gone(/Saving cancels/);
  await press('Remove schedule');
  const asked = await dialog('Remove the schedule?');
  await reads(asked, /37 reminders wait\. Those that checks found are cancelled/);
  assert.equal(service.sent('deleteSchedule').length, 0);
  await press('Remove', asked);
  await see(/Schedule removed\./);
});
