import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holds, open, screen } from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { reply, row } from '../../testing/service.ts';

test('a run of an agent counts in its thirty days at once', async () => {
  const id = idOf(50);
  const day = row('getWorkflowStats', { date: '2026-06-01', succeeded: 0, failed: 0 });
  const service = await open('owner', `/dashboard/agents/${id}?tab=runs`, {
    getAgent: reply('getAgent', { id, name: 'Text-back', installed: true }),
    getWorkflowStats: () => [day],
    listWorkflowExecutions: { data: [row('listWorkflowExecutions', { id: idOf(70) })], nextCursor: null },
    listExecutions: { data: [row('listExecutions', { id: idOf(70) })], nextCursor: null },
  });
  await screen.findByRole('table', { name: 'Runs' });
  assert.equal(screen.queryByRole('heading', { name: 'Last 30 days' }), null);
  day.succeeded = 1;
  await holds(() =>
    assert.ok(service.send(`/executions/stream?workflowId=${id}`, 'execution.finished', row('listExecutions', { id: idOf(71) }))),
  );
  const panel = (await screen.findByRole('heading', { name: 'Last 30 days' })).closest('section');
  assert.match(panel?.textContent ?? '', /RunsTodayFailed/);
});
