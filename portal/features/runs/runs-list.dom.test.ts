import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { button, holds, open, rows, screen, see, user } from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { row } from '../../testing/service.ts';

const PAGE = '/dashboard/runs?started=all';
const MINUTE_MS = 60_000;
const RUNS = Array.from({ length: 3 }, (_, n) =>
  row('listExecutions', { id: idOf(100 + n), status: 'SUCCEEDED', summary: `Run number ${n}` }),
);
const shownIds = (): (string | undefined)[] => rows('Runs').map((one) => one.dataset['row']);
const startedHeading = (): HTMLElement => screen.getByRole('columnheader', { name: 'Started' });
const ORDERED = { newest: RUNS, oldest: RUNS.toReversed() };

test('runs are sorted by their heading, the order is in the address, and the focus stays', async () => {
  const asked: (string | undefined)[] = [];
  await open('owner', PAGE, {
    listExecutions: ({ query }) => {
      asked.push(query.sort);
      return { data: ORDERED[query.sort ?? 'newest'], nextCursor: null };
    },
  });
  await see('Run number 0');
  assert.equal(startedHeading().getAttribute('aria-sort'), 'descending');
  const heading = await button('Sort: Started');
  heading.focus();
  await user.keyboard('{Enter}');
  await holds(() =>
    assert.deepEqual(
      shownIds(),
      ORDERED.oldest.map(({ id }) => id),
    ),
  );
  assert.equal(startedHeading().getAttribute('aria-sort'), 'ascending');
  assert.match(location.search, /sort=oldest/);
  assert.equal(document.activeElement, heading);
  await user.keyboard('{Enter}');
  await holds(() =>
    assert.deepEqual(
      shownIds(),
      ORDERED.newest.map(({ id }) => id),
    ),
  );
  assert.doesNotMatch(location.search, /sort/);
  assert.equal(document.activeElement, heading);
  assert.equal(asked.filter((sort) => sort === 'oldest').length, 1);
});

test('an order is in force when its address is opened', async () => {
  await open('owner', `${PAGE}&sort=oldest`, {
    listExecutions: ({ query }) => ({ data: ORDERED[query.sort ?? 'newest'], nextCursor: null }),
  });
  await holds(() =>
    assert.deepEqual(
      shownIds(),
      ORDERED.oldest.map(({ id }) => id),
    ),
  );
  assert.equal(startedHeading().getAttribute('aria-sort'), 'ascending');
});

test('a column has a button where the service can order, and none where it cannot: by another value, or in a search for a text', async () => {
  await open('owner', PAGE, { listExecutions: { data: RUNS, nextCursor: null } });
  await see('Run number 0');
  assert.equal(screen.getByRole('button', { name: /^Sort/ }).textContent, 'Sort: Started');
  await open('owner', `${PAGE}&q=oak&sort=oldest`, { listExecutions: { data: RUNS, nextCursor: null } });
  await see('Run number 0');
  assert.equal(screen.queryByRole('button', { name: /^Sort/ }), null);
  assert.equal(startedHeading().hasAttribute('aria-sort'), false);
});

test('times in a row say how long ago they were, go on, and are exact in the row that has the focus', async () => {
  mock.timers.enable({ apis: ['setInterval', 'Date'], now: Date.now() });
  try {
    const startedAt = new Date(Date.now() - 12.5 * MINUTE_MS).toISOString();
    const yesterday = new Date(Date.now() - 30 * 60 * MINUTE_MS).toISOString();
    const data = [row('listExecutions', { ...RUNS[0], startedAt }), row('listExecutions', { ...RUNS[1], startedAt: yesterday })];
    await open('owner', PAGE, { listExecutions: { data, nextCursor: null } });
    await see('12 min ago');
    const time = screen.getByText('12 min ago');
    assert.equal(time.getAttribute('datetime'), startedAt);
    assert.match(time.getAttribute('title') ?? '', /in Chicago, .* UTC$/);
    assert.match(time.dataset['exact'] ?? '', /\d\d:\d\d:\d\d/);
    mock.timers.tick(MINUTE_MS);
    await see('13 min ago');
    assert.equal(rows('Runs')[1]?.querySelector('time')?.textContent?.includes('ago'), false, 'a day ago it is a date');
  } finally {
    mock.timers.reset();
  }
});
