import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choose, gone, holds, open, reads, screen } from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { row } from '../../testing/service.ts';

test('the filters of a client’s activity find what they name, and none is refused', async () => {
  const runs = [
    row('listExecutions', { id: idOf(1), status: 'FAILED', summary: 'Could not text +1 312 ··· 0121' }),
    row('listExecutions', { id: idOf(2), status: 'SUCCEEDED', summary: 'Texted +1 312 ··· 0122' }),
  ];
  const service = await open('client', '/client/activity', {
    listExecutions: ({ query: { status } }) => ({ data: runs.filter((run) => !status || run.status === status), nextCursor: null }),
  });
  const main = screen.getByRole('main');
  await reads(main, /Could not text.*Texted/);
  await choose('Result', 'Failed');
  await gone(/^Texted/);
  await reads(main, /Could not text/);
  await choose('When', 'Last 7 days');
  await holds(() =>
    assert.ok(service.calls.some(({ name, query }) => name === 'listExecutions' && (query as { from?: string }).from !== undefined)),
  );
  await reads(main, /Could not text/);
  // Searching in what was sent to an agent is for the agency.
  assert.equal(screen.queryByRole('searchbox'), null);
});
