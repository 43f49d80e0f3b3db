import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holds, open, press, reads, screen, see, sessionOf, waitFor } from '../../testing/portal.ts';
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

test('credits that runs in progress reserve are not called used', async () => {
  const answers = (used: number, inFlight: number) => ({
    getQuota: reply('getQuota', { ...PERIOD, limit: 1000, used, inFlight, remaining: 0 }),
  });
  await open('owner', '/dashboard/usage', answers(600, 400));
  await see('All credits are used or reserved by runs in progress.');
  await see(/until some of the 400 reserved come back\./);
  await open('owner', '/dashboard/usage', answers(1000, 0));
  await see('This month’s 1,000 credits are used.');
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

const DAY_RUNS = [
  {
    reader: 'America/Los_Angeles',
    agency: 'Europe/Berlin',
    at: '2026-11-28T23:30:00Z',
    first: '23 Nov',
    last: '29 Nov',
    key: '2026-11-29',
  },
  {
    reader: 'Europe/Berlin',
    agency: 'America/Los_Angeles',
    at: '2026-11-29T02:00:00Z',
    first: '22 Nov',
    last: '28 Nov',
    key: '2026-11-22',
  },
  {
    reader: 'Pacific/Auckland',
    agency: 'Pacific/Auckland',
    at: '2026-11-28T23:30:00Z',
    first: '23 Nov',
    last: '29 Nov',
    key: '2026-11-29',
  },
];
for (const { reader, agency, at, first, last, key } of DAY_RUNS)
  test(`a reader in ${reader} sees the days of an agency in ${agency}`, async (context) => {
    context.mock.timers.enable({ apis: ['Date'], now: Date.parse(at) });
    const { partner } = sessionOf('owner').user;
    await open(
      'owner',
      '/dashboard/usage?span=7d',
      { getQuota: reply('getQuota', PERIOD), getUsage: [row('getUsage', { key, label: key, credits: 9, runs: 9 })] },
      {},
      { timezone: reader, partner: { ...partner, timezone: agency } },
    );
    await see(`Runs per day${reader === agency ? '' : ` in ${agency === 'Europe/Berlin' ? 'Berlin' : 'Los Angeles'}`}`);
    await press('Show as table: Runs per day');
    const cells = (): string[][] =>
      [...screen.getByRole('table', { name: 'Runs per day' }).querySelectorAll('tbody tr')].map((line) =>
        [...line.querySelectorAll('td')].map(({ textContent }) => textContent),
      );
    await holds(() => assert.equal(cells().length, 7));
    assert.deepEqual([cells()[0]?.[0], cells().at(-1)?.[0]], [first, last]);
    assert.deepEqual(
      cells().flatMap(([, runs]) => (runs === '0' ? [] : [runs])),
      ['9'],
    );
  });

test('credits last at the present pace only when some are left and the period is old enough to say so', async (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-11-10T12:00:00Z') });
  const left = { ...PERIOD, used: 100, limit: 2_000, remaining: 1_900, monthly: 2_000, percent: 5, forecastDate: null };
  for (const [quota, expected] of [
    [left, 'they last until the reset'],
    [{ ...left, used: 2_000, remaining: 0, percent: 100 }, 'none are left'],
    [{ ...left, used: 1_200, inFlight: 800, remaining: 0, percent: 60 }, 'by runs in progress'],
    [{ ...left, periodStart: '2026-11-10T07:00:00Z', used: 1_900, remaining: 100, percent: 95 }, 'too early to say'],
  ] as const) {
    await open('owner', '/dashboard/usage', { getQuota: reply('getQuota', quota), getUsage: [] });
    await see(expected);
    assert.equal(screen.queryByText('they last until the reset') !== null, expected === 'they last until the reset');
  }
});

test('no new credits are promised to a trial that ends within the period', async (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-11-10T12:00:00Z') });
  const endsAt = '2026-11-15T13:27:10.123Z';
  const left = { ...PERIOD, endsAt, used: 100, limit: 500, remaining: 400, monthly: 500, percent: 20, forecastDate: null };
  const { period, ...others } = reply('getChatBudgets');
  const getChatBudgets = { ...others, period: { ...period, resetsAt: PERIOD.resetsAt } };
  await open('owner', '/dashboard/usage', { getQuota: reply('getQuota', left), getUsage: [], getChatBudgets });
  await see('this month, until 15 Nov');
  await see('this period, until 15 Nov');
  await see('they last until your plan ends');
  await open('owner', '/dashboard/usage', {
    getQuota: reply('getQuota', { ...left, used: 500, remaining: 0, percent: 100 }),
    getUsage: [],
  });
  await see(/New events are refused\. Your plan ends on 15 Nov, before new monthly credits come\./);
  assert.doesNotMatch(screen.getByRole('main').textContent, /1 Dec|the reset/);
});

test('of bought credits the page says how many are left once the period uses them', async () => {
  const quota = { ...PERIOD, limit: 3_000, monthly: 2_000, purchased: 1_000, used: 2_900, remaining: 100 };
  await open('owner', '/dashboard/usage', { getQuota: reply('getQuota', quota), getUsage: [] });
  await reads(screen.getByRole('main'), /Bought1,000100 of them left, Buy credits/);
  await open('owner', '/dashboard/usage', { getQuota: reply('getQuota', { ...quota, used: 1_900, remaining: 1_100 }), getUsage: [] });
  await reads(screen.getByRole('main'), /Bought1,000Buy credits/);
});
