import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holds, open, press, savedFiles, screen, user } from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { reply } from '../../testing/service.ts';

const AGENCY = idOf(1);
/** The cells of each row of the table that a chart is shown as. */
const cells = (table: string): string[][] =>
  [...screen.getByRole('table', { name: table }).querySelectorAll('tbody tr')].map((row) =>
    [...row.querySelectorAll('td')].map(({ textContent }) => textContent),
  );
const dayBefore = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

test('staff see which agencies use most, as a picture and as a table', async () => {
  const harbour = { key: AGENCY, label: 'Harbour Media', credits: 90_460, runs: 90_503, failed: 43 };
  await open('staff', '/admin/usage', {
    getUsage: ({ query: { groupBy } }) =>
      groupBy === 'partner'
        ? [{ key: idOf(2), label: 'Inland Works', credits: 12, runs: 12, failed: 0 }, harbour]
        : [{ key: groupBy === 'kind' ? 'run' : dayBefore(0), label: '', credits: 90_472, runs: 90_515, failed: 43 }],
  });
  await screen.findByRole('img', { name: 'Agencies with most credits' });
  await press('Show as table: Agencies with most credits');
  await holds(() => assert.deepEqual(cells('Agencies with most credits')[0], ['Harbour Media', '90,460', '90,503', '43']));
  assert.equal(cells('Credits by kind')[0]?.[0], 'Run');
  const byAgency = screen.getByRole('table', { name: 'Credits by agency' });
  await user.click([...byAgency.querySelectorAll('a')].find(({ textContent }) => textContent === 'Harbour Media') ?? document.body);
  await holds(() => assert.equal(location.pathname, `/admin/partners/${AGENCY}/billing`));
});

test('only runs and AI tokens are used credits: what ended periods took of bought ones is taken from those added', async () => {
  const kind = (key: string, credits: number, runs = 0) => ({ key, label: '', credits, runs, failed: 0 });
  await open('staff', '/admin/usage', {
    getUsage: ({ query: { groupBy } }) =>
      groupBy === 'kind' ? [kind('run', 2_300, 2_300), kind('adjustment', 400), kind('ai_tokens', 100), kind('purchase', -1_000)] : [],
  });
  await screen.findByRole('table', { name: 'Credits by kind' });
  assert.deepEqual(cells('Credits by kind'), [
    ['Run', '2,300', '2,300', '–'],
    ['Adjustment', '–', '–', '−400'],
    ['AI tokens', '–', '100', '–'],
    ['Purchase', '–', '–', '1,000'],
  ]);
});

test('staff see how the runs of an agency succeed by day, and its days on its own page', async () => {
  const days = [
    { key: dayBefore(1), label: '', credits: 3, runs: 4, failed: 1 },
    { key: dayBefore(0), label: '', credits: 9, runs: 10, failed: 1 },
  ];
  const answers = {
    getUsage: ({ query: { partnerId } }: { query: { partnerId?: string | undefined } }) => (partnerId === AGENCY ? days : []),
    getPartner: reply('getPartner', { id: AGENCY, name: 'Harbour Media', status: 'active', timezone: 'UTC' }),
  };
  await open('staff', `/admin/usage?partner=${AGENCY}&span=7d`, answers);
  await press('Show as table: Share of succeeded runs per day');
  await holds(() => assert.deepEqual(cells('Share of succeeded runs per day').at(-1)?.slice(1), ['90%', '10', '1']));
  assert.deepEqual(cells('Share of succeeded runs per day').at(-2)?.slice(1), ['75%', '4', '1']);
  assert.deepEqual(cells('Share of succeeded runs per day')[0]?.slice(1), ['–', '0', '0']);

  await open('staff', `/admin/partners/${AGENCY}`, answers);
  await screen.findByRole('img', { name: 'Runs per day' });
  await user.click(await screen.findByRole('link', { name: '12 credits' }));
  await holds(() => assert.deepEqual([location.pathname, new URLSearchParams(location.search).get('partner')], ['/admin/usage', AGENCY]));
});

for (const { timezone, place, at, days } of [
  { timezone: 'Pacific/Auckland', place: 'Auckland', at: '2026-11-28T23:30:00Z', days: ['23 Nov', '29 Nov'] },
  { timezone: 'America/Los_Angeles', place: 'Los Angeles', at: '2026-11-29T02:00:00Z', days: ['22 Nov', '28 Nov'] },
])
  test(`staff see the days of an agency in ${place}, which are those that the service counts by`, async (context) => {
    context.mock.timers.enable({ apis: ['Date'], now: Date.parse(at) });
    const keys = ['2026-11-22', '2026-11-29'];
    await open('staff', `/admin/usage?partner=${AGENCY}&span=7d`, {
      getUsage: ({ query: { groupBy } }) =>
        groupBy === 'day' ? keys.map((key) => ({ key, label: '', credits: 9, runs: 9, failed: 0 })) : [],
      getPartner: reply('getPartner', { id: AGENCY, name: 'Harbour Media', status: 'active', timezone }),
    });
    await screen.findByText(`Credits per day in ${place}`);
    await press('Show as table: Credits per day');
    await holds(() => assert.equal(cells('Credits per day').length, 7));
    const shown = cells('Credits per day');
    assert.deepEqual([shown[0]?.[0], shown.at(-1)?.[0]], days);
    assert.deepEqual(
      shown.flatMap(([, credits]) => (credits === '0' ? [] : [credits])),
      ['9'],
    );
  });

test('a month of which more was credited than invoiced is a number in the saved file, which a spreadsheet adds up', async () => {
  const month = { currency: 'EUR', invoicedMinor: -12_050, paidMinor: 0 };
  await open('staff', '/admin/usage', {
    getRevenue: [
      { ...month, month: '2026-10-01' },
      { ...month, month: '2026-11-01', invoicedMinor: 20_000 },
    ],
  });
  await press('Export as CSV');
  await holds(() => assert.equal(savedFiles.length, 1));
  const text = await savedFiles[0]?.content.text();
  assert.match(text ?? '', /2026-10-01,EUR,-120\.5,0\r\n2026-11-01,EUR,200,0\r\n/);
});
