import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button, dialog, gone, holds, isInactive, open, press, reads, screen, see, sessionOf, user } from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { changed, reply, row } from '../../testing/service.ts';

const CLIENT = idOf(2);
type Summary = ReturnType<typeof reply<'getMySummary'>>;
const QUIET = reply('getMySummary', { timezone: 'America/Chicago' });
const refusedKey: Summary['attention'][number] = {
  kind: 'key_failing',
  alert: null,
  title: 'Anthropic refused the key',
  subject: null,
  detail: 'Replace it',
  action: 'Replace key',
  href: '/dashboard/integrations',
  since: null,
};
const needs = () => screen.getByRole('heading', { name: /^Needs attention/ }).closest('section') ?? document.body;

test('the overview lists runs that failed today and visitors who wait, and claims that nothing needs attention only without them', async () => {
  const answers = (failed: number, waiting: number) => ({
    getClient: reply('getClient', { id: CLIENT, name: 'Calm Cafe' }),
    getMySummary: { ...QUIET, today: { ...QUIET.today, failed } },
    countConversations: { unread: 0, waiting },
  });
  const path = `/dashboard/clients/${CLIENT}`;
  await open('owner', path, answers(0, 0));
  await see('Nothing needs your attention.');
  await open('owner', path, answers(0, 1));
  await see('1 visitor waits for a person');
  await gone('Nothing needs your attention.');
  await open('owner', path, answers(2, 1));
  await see('2 runs failed today');
  assert.match(needs().textContent, /^Needs attention2/);
  await user.click(await screen.findByRole('link', { name: 'Open the inbox' }));
  await holds(() => assert.equal(location.pathname + location.search, '/dashboard/inbox?show=waiting'));

  // A refused key needs attention, and is no “none failing”. The number next to the title is that of the lines below it.
  await open('owner', '/dashboard', {
    ...answers(2, 1),
    getMySummary: { ...QUIET, today: { ...QUIET.today, failed: 2 }, attention: [refusedKey] },
  });
  await see('Anthropic refused the key');
  await see('1 visitor waits for a person');
  const main = screen.getByRole('main');
  await reads(main, /1 refused key/);
  assert.doesNotMatch(main.textContent, /none failing|Nothing needs your attention/);
  assert.match(needs().textContent, /^Needs attention3(?!\+)/);
  assert.equal(needs().querySelectorAll('li').length, 3);
  // An agent that is off for want of a key is not off for a refused key that none uses.
  await open('owner', '/dashboard', {
    ...answers(0, 0),
    getMySummary: { ...QUIET, attention: [refusedKey, { ...refusedKey, kind: 'missing_key', title: 'A Cal.com key is missing' }] },
  });
  await see('1 missing key');
  assert.doesNotMatch(screen.getByRole('main').textContent, /1 refused key/);
  // Another list may be the one that is full.
  for (const [missing, words] of [
    [1, '1 missing key'],
    [20, '20+ missing keys'],
  ] as const) {
    const attention = Array.from({ length: missing }, (_, n) => ({
      ...refusedKey,
      kind: 'missing_key' as const,
      title: `Key ${n} is missing`,
    }));
    await open('owner', '/dashboard', { ...answers(0, 0), getMySummary: { ...QUIET, hasMoreAttention: true, attention } });
    await see(words);
    assert.ok(needs().textContent.startsWith(`Needs attention${missing}+`));
  }
});

test('a client with failed runs never reads 0%, and texts are not counted as people', async () => {
  const of = (id: number, runs: number, failed: number) => ({ id: idOf(id), name: `Client ${id}`, runs, failed, byDay: [] });
  const clients = [of(1, 637, 3), of(2, 200, 199), of(3, 50, 50)];
  const activity: ReturnType<typeof reply<'getClientsActivity'>> = { ...reply('getClientsActivity'), clients, total: 3 };
  await open('owner', '/dashboard', {
    getMySummary: { ...QUIET, today: { ...QUIET.today, textsSent: 6 } },
    getClientsActivity: activity,
  });
  for (const [failed, share] of [
    ['3', '<1%'],
    ['199', '99%'],
    ['50', '100%'],
  ] as const)
    await holds(() => assert.ok(screen.getAllByRole('link').some(({ textContent }) => textContent === failed + share)));
  const main = screen.getByRole('main');
  await reads(main, /Texts sent6/);
  assert.doesNotMatch(main.textContent, /people/);
});

test('an admin of a new agency is asked for its time zone, offered the browser’s, and reads times in it', async () => {
  const zone = process.env['TZ']; // oxlint-disable-line node/no-process-env -- the time zone of the browser
  process.env['TZ'] = 'America/Denver'; // oxlint-disable-line node/no-process-env -- the time zone of the browser
  try {
    const { user: me } = sessionOf('owner');
    const inUtc = { ...me, timezone: 'UTC', partner: { ...me.partner, timezone: 'UTC' } };
    const mine = reply('getMyPartner', { id: me.partner.id, timezone: 'UTC' });
    const service = await open('owner', '/dashboard', {
      getMe: reply('getMe', { user: inUtc, partner: inUtc.partner, client: null, features: me.features }),
      getMyPartner: mine,
      updateMyPartner: ({ body }) => changed(mine, body),
      updateMe: ({ body }) => changed(inUtc, body),
    });
    await reads(document.body, /Which time zone is your agency in\?.*Quiet hours follow the time zone of each client/);
    await see(/ in UTC$/);
    await press('Use Denver');
    await gone(/Which time zone is your agency in/);
    await see(/ in Denver$/);
    await see(/Quiet hours and reminders follow the time zone of each client: check it/);
    assert.deepEqual(
      [service.sent('updateMyPartner'), service.sent('updateMe')],
      [[{ timezone: 'America/Denver' }], [{ timezone: 'America/Denver' }]],
    );
  } finally {
    if (zone === undefined) delete process.env['TZ']; // oxlint-disable-line node/no-process-env -- as it was
    else process.env['TZ'] = zone; // oxlint-disable-line node/no-process-env -- as it was
  }
});

test('credits that runs in progress reserve are not called used', async () => {
  const answers = (used: number, inFlight: number) => ({
    getMySummary: { ...QUIET, quota: { ...QUIET.quota, limit: 1000, used, inFlight, remaining: 0, percent: used / 10 } },
  });
  await open('owner', '/dashboard', answers(600, 400));
  await see(/Runs in progress reserve the other 400\. New events are refused until some of these come back\./);
  await open('owner', '/dashboard', answers(1000, 0));
  await see(/This month’s credits are used\./);
});

test('runs are compared with last week only where last week had some', async () => {
  const answers = (runs: number, lastWeekByNow: number) => ({ getMySummary: { ...QUIET, today: { ...QUIET.today, runs, lastWeekByNow } } });
  await open('owner', '/dashboard', answers(0, 0));
  await see('none yet today');
  await open('owner', '/dashboard', answers(3, 0));
  await see(/^none last \w+day at this time$/);
  await open('owner', '/dashboard', answers(3, 3));
  await see(/^the same as last \w+day at this time$/);
});

test('a new agency sees its first steps instead of zeros until its first run, which is celebrated once', async () => {
  const event = {
    key: 'event',
    label: 'Send a test event',
    action: 'Choose an agent',
    href: '/dashboard/agents',
    dismissedAt: null,
  } as const;
  const item = {
    key: 'client',
    title: 'Add your first client',
    isDone: false,
    doneAt: null,
    dismissedAt: null,
    href: '/dashboard/clients',
    action: 'Add a client',
  } as const;
  const onboarding = reply('getOnboarding', { items: [item], done: 0, total: 1, nextKey: 'client', sample: null, dismissedAt: null });
  const runWith = (status: 'FAILED' | 'SUCCEEDED') =>
    row('listExecutions', { id: idOf(80), source: 'ingest', status, agentName: 'Text-back', clientName: 'Calm Cafe' });
  let isDone = false;
  let run = runWith('FAILED');
  const answers = {
    getOnboarding: onboarding,
    getMySummary: () => ({ ...QUIET, checklist: [{ ...event, done: isDone }], latestRuns: isDone ? [run] : [] }),
  };
  await open('owner', '/dashboard', answers);
  await see('Add your first client');
  const main = screen.getByRole('main');
  assert.doesNotMatch(main.textContent, /Runs today|Today by the hour|Latest runs/);
  assert.doesNotMatch(main.textContent, /Your first run/);

  isDone = true;
  await open('owner', '/dashboard', answers);
  await see('Runs today');
  assert.doesNotMatch(screen.getByRole('main').textContent, /Your first run/, 'a run that failed has not worked');

  run = runWith('SUCCEEDED');
  await open('owner', '/dashboard', answers);
  await see('Runs today');
  await reads(screen.getByRole('main'), /Your first run\. Text-back worked for Calm Cafe\./);
  await press('Close');
  await gone(/Your first run/);
  await open('owner', '/dashboard', answers);
  await see('Runs today');
  assert.doesNotMatch(screen.getByRole('main').textContent, /Your first run/);
});

test('figures of a day in another zone than the reader’s name it, and their link begins with that day', async () => {
  // A reader in Chicago, and an agency on the other side of the date line.
  const { user: me } = sessionOf('owner');
  const there = { ...me, partner: { ...me.partner, timezone: 'Pacific/Auckland' } };
  const summary = {
    ...QUIET,
    timezone: 'Pacific/Auckland',
    now: new Date().toISOString(),
    today: { ...QUIET.today, runs: 5, failed: 2, lastWeekByNow: 3 },
  };
  const answers = {
    getMe: reply('getMe', { user: there, partner: there.partner, client: null, features: me.features }),
    getClient: reply('getClient', { id: CLIENT, name: 'Calm Cafe' }),
    getMySummary: summary,
  };
  await open('owner', '/dashboard', answers);
  await see(/^2 more than last \w+day at this time in Auckland$/);
  await see('today in Auckland');
  await see('2 runs failed today in Auckland');
  const service = await open('owner', `/dashboard/clients/${CLIENT}`, answers);
  await see('Runs today in Auckland');
  await user.click(await screen.findByRole('link', { name: 'Open the runs' }));
  await holds(() => assert.equal(new URLSearchParams(location.search).get('started'), 'agency'));
  await see('Today in Auckland');
  const asked = () => JSON.stringify(service.calls.findLast(({ name }) => name === 'listExecutions')?.query);
  await holds(() => assert.match(asked(), /"from":"[^"]+T1[12]:00:00/, 'midnight in Auckland'));
  // In the reader’s own zone nothing is added.
  await open('owner', '/dashboard', { getMySummary: { ...summary, timezone: 'America/Chicago' } });
  await see(/^2 more than last \w+day at this time$/);
  await see('2 runs failed today');
});

test('credits of a trial end with it, and nothing says that they reset', async (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-11-10T12:00:00Z') });
  const period = { periodStart: '2026-11-01T13:27:10.123Z', resetsAt: '2026-12-01T13:27:10.123Z', endsAt: '2026-11-15T13:27:10.123Z' };
  const quota = { ...QUIET.quota, ...period, used: 100, limit: 500, remaining: 400, percent: 20, forecastDate: null };
  await open('owner', '/dashboard', { getMySummary: { ...QUIET, quota } });
  await see('end 15 Nov');
  await see('At this period’s pace your credits last until your plan ends.');
  await open('owner', '/dashboard', { getMySummary: { ...QUIET, quota: { ...quota, used: 500, remaining: 0, percent: 100 } } });
  await see(/New events are refused\. Your plan ends on 15 Nov, before new monthly credits come\./);
  assert.doesNotMatch(screen.getByRole('main').textContent, /1 Dec|reset/);
});

test('the first step of a client opens its form, and a moderator is not asked to take steps', async () => {
  const step = { key: 'client', action: 'Add a client', href: '/dashboard/clients', dismissedAt: null } as const;
  const item = { ...step, title: 'Add your first client', isDone: false, doneAt: null };
  const onboarding = reply('getOnboarding', { items: [item], done: 0, total: 1, nextKey: 'client', sample: null, dismissedAt: null });
  const event = { ...step, key: 'event', label: 'Send a test event', done: true } as const;
  const begun = { ...QUIET, checklist: [{ ...step, label: 'Add your first client', done: false }, event] };
  await open('owner', '/dashboard/first-steps', { getOnboarding: onboarding });
  await user.click(await screen.findByRole('link', { name: 'Add a client' }));
  await dialog('Add client');
  await holds(() => assert.equal(location.pathname, '/dashboard/clients'));
  await open('owner', '/dashboard', { getMySummary: begun });
  await screen.findByRole('region', { name: 'First steps' });
  await open('moderator', '/dashboard', { getMySummary: begun });
  await see('Runs today');
  assert.equal(screen.queryByRole('region', { name: 'First steps' }), null);
  await open('moderator', '/dashboard/first-steps', { getOnboarding: onboarding });
  assert.ok(isInactive(await button('Add a client')));
});
