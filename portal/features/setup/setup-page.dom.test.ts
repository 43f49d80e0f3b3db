import assert from 'node:assert/strict';
import { test } from 'node:test';
import { open, screen, see } from '../../testing/portal.ts';
import { reply, type Answers } from '../../testing/service.ts';
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

const agent = { workflowId: idOf(2), name: 'Text back', clientId: null, clientName: null, templateName: 'missed-call-text-back' };
const failed = (mode: 'repair' | 'recreate' | 'deprovision', installed: boolean): Answers => ({
  getMyAutomation: reply('getMyAutomation', {
    status: 'failed',
    errorPublic: 'No.',
    attempt: { ...attempt, mode },
    workflows: [{ ...agent, templateVersion: 3, latestTemplateVersion: 3, isActive: true, installed }],
    workflowCount: 1,
  }),
});
const page = (): string => screen.getByRole('main').textContent;

test('only a repair that failed says that it stopped nothing', async () => {
  await open('owner', '/dashboard/setup', failed('repair', true));
  await see(/Nothing that worked before was stopped/);
});

test('a setup that failed and left agents without a flow says that they accept no events', async () => {
  await open('owner', '/dashboard/setup', failed('recreate', false));
  await see(/runs it again\. Agents listed as not installed accept no events/);
  assert.doesNotMatch(page(), /was stopped/);
});

test('a removal that failed is not said to be set up again', async () => {
  await open('owner', '/dashboard/setup', failed('deprovision', false));
  await see(/Agents listed as not installed accept no events/);
  assert.doesNotMatch(page(), /was stopped|runs it again|runs the setup/);
});
