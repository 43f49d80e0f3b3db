import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button, field, fill, holds, isInactive, isInvalid, open, press, reads, screen, see } from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { reply } from '../../testing/service.ts';

const CLIENT = idOf(2);
const RESULT = {
  workflowId: idOf(3),
  agentName: 'Missed-call text-back',
  templateName: 'missed-call-text-back',
  icon: 'phone',
  count: 7,
  phrase: 'missed calls answered by text',
  runs: 9,
  failed: 0,
  hoursSaved: 1.2,
  previousCount: null,
  worthMinor: 31_850,
};
const plain = reply('getClientReport', { month: '2026-10', isFinished: true, results: [{ ...RESULT, worthMinor: null }] });
const REPORT = {
  ...plain,
  client: { ...plain.client, id: CLIENT, name: 'Oak Street Dental' },
  partner: { ...plain.partner, name: 'Northwind Digital' },
  totals: { ...plain.totals, runs: 9, helped: 7, hoursSaved: 1.2 },
};
const PRICED = {
  ...REPORT,
  worth: { currency: 'EUR', minor: 31_850, previousMinor: null },
  words: { text: 'On time, and so friendly.', customer: 'Ana', rating: 5 },
  results: [RESULT],
};
const VALUES = {
  currency: 'USD',
  values: [
    {
      templateName: 'missed-call-text-back',
      title: 'Missed-call text-back',
      icon: 'phone',
      phrase: 'missed call answered',
      valueMinor: null,
    },
    { templateName: 'review-request', title: 'Review request', icon: 'star', phrase: 'customer asked', valueMinor: 1_250 },
  ],
};

test('a client reads whose report it is, what it is thought to be worth as an estimate, and the words of a customer', async () => {
  await open('client', '/client/report', { getClientReport: PRICED });
  const main = screen.getByRole('main');
  await reads(main, /Northwind Digital.*Oak Street Dental · October 2026/);
  await reads(main, /Estimated value: €319An estimate: the results, times what Northwind Digital thinks one is worth\./);
  await reads(main, /worth about €319/);
  await reads(screen.getByRole('figure', { name: 'What a customer said' }), /“On time, and so friendly\.”Ana, 5 of 5/);
});

test('a month without a run is promised to fill only while it lasts', async () => {
  const empty = { ...REPORT, totals: { ...REPORT.totals, runs: 0 } };
  await open('client', '/client/report', { getClientReport: empty });
  await see('No tasks in this month');
  assert.equal(screen.queryByText(/The report fills/), null);
  await open('client', '/client/report', { getClientReport: { ...empty, isFinished: false } });
  await see(/The report fills/);
});

test('a report without amounts and words says nothing of money', async () => {
  await open('client', '/client/report', { getClientReport: REPORT });
  await see(/In October the agents delivered 7 results/);
  assert.doesNotMatch(document.body.textContent, /[Ee]stimate|worth|€|\$/);
  assert.equal(screen.queryByRole('figure', { name: 'What a customer said' }), null);
});

test('an admin sets what results are worth, all at once, and a moderator reads it', async () => {
  const service = await open('owner', `/dashboard/clients/${CLIENT}?tab=report`, {
    getClient: reply('getClient', { id: CLIENT, name: 'Oak Street Dental' }),
    getClientReport: REPORT,
    getResultValues: VALUES,
    putResultValues: { ...VALUES, currency: 'EUR' },
  });
  await see('shown to all clients');
  const missed = await fill(/^Missed-call text-back1/, 'a lot');
  await press('Save');
  await holds(() => assert.ok(isInvalid(missed)));
  await see('Enter an amount such as 1200 or 45.50, without a thousands separator.');
  for (const ambiguous of ['1,200', '1.200', '1,200.50', '1 200']) {
    await fill(/^Missed-call text-back1/, ambiguous);
    await press('Save');
    await holds(() => assert.ok(isInvalid(missed), ambiguous));
  }
  await fill(/^Missed-call text-back1/, '45,50');
  await fill('Currency', 'eur');
  assert.equal((await field(/^Review request1/)).value, '12.50');
  await press('Save');
  await see('Reports show this estimate.');
  assert.deepEqual(service.sent('putResultValues'), [
    {
      currency: 'EUR',
      values: [
        { templateName: 'missed-call-text-back', valueMinor: 4_550 },
        { templateName: 'review-request', valueMinor: 1_250 },
      ],
    },
  ]);
  await open('moderator', `/dashboard/clients/${CLIENT}?tab=report`, {
    getClient: reply('getClient', { id: CLIENT, name: 'Oak Street Dental' }),
    getClientReport: REPORT,
    getResultValues: VALUES,
  });
  await see('shown to all clients');
  await see('$12.50');
  assert.equal(screen.queryByRole('textbox', { name: 'Currency' }), null);
});

test('an agency reads in whose time zone and in which languages a report is mailed', async () => {
  await open('owner', `/dashboard/clients/${CLIENT}?tab=report`, { getClientReport: REPORT, getResultValues: VALUES });
  await see(/in the time zone of Oak Street Dental\. People of the client read it in their own language, your agency in English\./);
});

test('the recipients of a suspended client are not promised a report', async () => {
  await open('owner', `/dashboard/clients/${CLIENT}?tab=report`, {
    getClient: reply('getClient', { id: CLIENT, name: 'Oak Street Dental', status: 'suspended' }),
    getClientReport: REPORT,
    getResultValues: VALUES,
  });
  await see('Nothing is sent while the client is suspended.');
  assert.ok(isInactive(await button('Preview and send')));
});
