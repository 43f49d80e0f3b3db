import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gone, open, reads, screen, see } from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { reply, row } from '../../testing/service.ts';

const QUIET = reply('getStaffOverview');
const ENGINE = reply('getEngine', { health: 'ok', workers: { isSilent: false, seenAt: null } as never });
const AGENCY = { partnerId: idOf(1), suspendedAt: null, overdueInvoices: 0, trialEndsAt: null, failingAgents: 0, refusedKeys: 0 };
const section = (name: RegExp): HTMLElement => {
  const found = screen.getByRole('heading', { name, level: 2 }).closest('section');
  assert.ok(found);
  return found;
};
const hrefs = (part: HTMLElement): string[] => [...part.querySelectorAll('a')].map((link) => link.getAttribute('href') ?? '');

test('staff read what is wrong first, and that nothing is only once all of it is known', async () => {
  const late: { give?: () => void } = {};
  await open('staff', '/admin/overview', {
    getStaffOverview: QUIET,
    getEngine: ENGINE,
    getWorkQueue: () => new Promise((resolve) => (late.give = () => resolve([]))),
  });
  await see('No agency is at risk.');
  await see('No run failed in the last seven days.');
  assert.doesNotMatch(section(/^Needs attention/).textContent, /is empty/);
  late.give?.();
  await see(/The engine is healthy, the work queue is empty, no invoice is overdue, and no webhook endpoint fails\./);

  await open('staff', '/admin/overview', {
    getStaffOverview: QUIET,
    getEngine: { ...ENGINE, health: 'down', message: 'The engine does not answer.' },
    getStaffCounts: { partners: 4, failingEndpoints: 1 },
    getWorkQueue: [row('getWorkQueue', { itemId: idOf(1) }), row('getWorkQueue', { itemId: idOf(2) })],
    listInvoices: { data: [row('listInvoices', { overdueDays: 3 })], nextCursor: null },
  });
  await see('The engine does not answer.');
  await gone(/The engine is healthy/);
  const attention = section(/^Needs attention/);
  await reads(
    attention,
    /^Needs attention4.*does not answer.*1 invoice is overdue.*1 webhook endpoint fails.*2 items wait in the work queue/,
  );
  assert.deepEqual(hrefs(attention), ['/admin/engine', '/admin/invoices?show=overdue', '/admin/deliveries', '/admin']);
});

test('each reason of an agency at risk, and each figure that a page lists, links to the page where staff act on it', async () => {
  await open('staff', '/admin/overview', {
    getEngine: ENGINE,
    getStaffCounts: { partners: 80, failingEndpoints: 0 },
    getStaffOverview: {
      ...QUIET,
      revenue: [{ currency: 'EUR', invoicedMinor: 9_900, paidMinor: 4_950, lastInvoicedMinor: 1_000, lastPaidMinor: 0 }],
      atRisk: {
        total: 60,
        agencies: [
          { ...AGENCY, partnerName: 'Late Ltd', suspendedAt: '2026-06-01T00:00:00.000Z', overdueInvoices: 2 },
          {
            ...AGENCY,
            partnerId: idOf(2),
            partnerName: 'New Ltd',
            trialEndsAt: '2026-06-03T00:00:00.000Z',
            failingAgents: 1,
            refusedKeys: 1,
          },
        ],
      },
      failures: {
        isWhole: false,
        causes: [
          {
            code: 'x',
            cause: 'Twilio did not accept the saved key',
            runs: 12,
            agencies: 3,
            most: [{ partnerId: idOf(2), partnerName: 'New Ltd', runs: 7 }],
          },
        ],
      },
      week: { runs: 112, failed: 12, runsBefore: 100, newAgencies: 1, newAgents: 2, subscriptionChanges: 3 },
    },
  });
  await see('Late Ltd');
  const risk = section(/^Agencies at risk/);
  await reads(risk, /Suspended since 1 Jun2 overdue invoices.*Trial ends 3 Jun1 failing agent1 refused key.*The first 2 of 60 are shown\./);
  assert.deepEqual(hrefs(risk), [
    `/admin/partners/${idOf(1)}`,
    `/admin/partners/${idOf(1)}`,
    `/admin/invoices?show=overdue&partner=${idOf(1)}`,
    `/admin/partners/${idOf(2)}`,
    `/admin/partners/${idOf(2)}/billing`,
    '/admin/alerts?rule=failure_streak',
    '/admin/alerts?rule=credential_invalid',
  ]);
  await reads(
    section(/^Failures by cause/),
    /12 in 7 days.*12Twilio did not accept the saved keyNew Ltd 7and 2 other agencies.*older ones/,
  );
  const revenue = section(/^Revenue this month/);
  await reads(revenue, /€99.00 invoicedPaid€49.50Last month€10.00 invoiced, €0.00 paid/);
  assert.deepEqual(hrefs(revenue), ['/admin/usage?currency=EUR']);
  const week = section(/^Last 7 days/);
  await reads(week, /New agencies1New agents2Subscription changes3Runs112.*12% more than the week before/);
  assert.deepEqual(hrefs(week), [
    '/admin/partners',
    '/admin/audit-log?action=billing.subscription_changed&result=ok&time=7d',
    '/admin/usage?span=7d',
  ]);
  await reads(screen.getByRole('main'), /Agencies at risk60 of 80/);
});
