import assert from 'node:assert/strict';
import { test } from 'node:test';
import { open, screen, see } from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { reply } from '../../testing/service.ts';

const ID = idOf(41);
const TRACE = ID.replaceAll('-', '');
const openRun = (trace: { id: string; url: string | null } | null) =>
  open('owner', `/dashboard/runs/${ID}`, { getExecution: reply('getExecution', { id: ID, trace }) });

test('a run whose trace is shown links to it where an address is configured', async () => {
  await openRun({ id: TRACE, url: `https://traces.example.com/trace/${TRACE}` });
  await see('Trace');
  const link = screen.getByTitle(TRACE);
  assert.equal(link.getAttribute('href'), `https://traces.example.com/trace/${TRACE}`);
  assert.equal(link.getAttribute('rel'), 'noreferrer');
  assert.ok(screen.getByRole('button', { name: 'Copy the trace ID' }));
});

test('a run whose trace has no address shows its ID alone', async () => {
  await openRun({ id: TRACE, url: null });
  assert.equal(screen.getByTitle(TRACE).tagName, 'CODE');
});

test('a run without a trace says nothing of traces', async () => {
  await openRun(null);
  await see('Run ID');
  assert.equal(screen.queryByText('Trace'), null);
});
