import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { templateConfig } from '@partner-portal/contract/records/template.ts';
import { button, dialog, holds, open, press, reads, screen, see, user } from '../../testing/portal.ts';
import { idOf, sample } from '../../testing/sample.ts';
import { Refused, reply, row } from '../../testing/service.ts';

const ID = idOf(40);
const AGENT = { id: ID, name: 'Missed-call text-back', installed: true, isActive: true, clientCanPause: true };

test('a switch that the service refuses to turn goes back', async () => {
  let isRefused = false;
  await open('client', `/client/agents/${ID}`, {
    getAgent: () => {
      if (isRefused) throw new Refused('invalid_query');
      return reply('getAgent', AGENT);
    },
    pauseAgent: () => {
      isRefused = true;
      throw new Refused('invalid_query', { detail: 'Refused.' });
    },
  });
  const control = () => screen.getByRole('switch', { name: AGENT.name });
  await holds(() => assert.equal(control().getAttribute('aria-checked'), 'true'));
  await user.click(control());
  await see(/Refused/, await screen.findByRole('alert'));
  await holds(() => assert.equal(control().getAttribute('aria-checked'), 'true'));
});

test('a client’s agent counts its results of the month', async () => {
  await open('client', '/client/agents', {
    listAgents: { data: [row('listAgents', AGENT)], nextCursor: null },
    getMyClientSummary: reply('getMyClientSummary', {
      agents: [row('listAgents', AGENT)],
      resultsOfAgents: [{ workflowId: ID, count: 1240 }],
    }),
  });
  await see(/1,240 results in /);
});

test('a client reads when its report runs, and nothing of a schedule that is off or only checks bookings', async () => {
  const schedule = { kind: 'run', every: 'week', at: '07:30', weekdays: [1, 5], timezone: 'Asia/Tokyo', enabled: true } as const;
  const shown = [
    [schedule, 'Monday and Friday at 07:30 (Tokyo)'],
    [{ ...schedule, every: 'day', weekdays: [] }, 'every day at 07:30 (Tokyo)'],
    [{ ...schedule, every: 'hour', weekdays: [] }, 'every hour at minute 30 (Tokyo)'],
    [{ ...schedule, enabled: false }, null],
    [{ ...schedule, kind: 'bookings' }, null],
    [null, null],
  ] as const;
  for (const [given, text] of shown) {
    const weekdays = given === null ? [] : [...given.weekdays];
    await open('client', `/client/agents/${ID}`, { getAgent: reply('getAgent', { ...AGENT, schedule: given && { ...given, weekdays } }) });
    if (text === null) assert.equal(screen.queryByText(/07:30|minute 30/), null);
    else await see(text);
  }
});

const lacking = () => ({ health: 'ok' as const, missingConnections: [], refusedConnections: [], missingSettings: ['fromEmail' as const] });

test('an agent that lacks a required setting is being set up until it has run, and only one whose tasks fail is failing', async () => {
  const configSchema = [
    sample(templateConfig, { key: 'fromEmail', label: 'Sender address', type: 'email', default: '', fromProfile: null }),
    sample(templateConfig, { key: 'faqText', label: 'Facts', type: 'longtext', default: '', fromProfile: 'faqText' }),
  ];
  const missingSettings = ['fromEmail', 'faqText'];
  const agents = [
    row('listAgents', { ...AGENT, ...lacking(), lastRunAt: null }),
    row('listAgents', { ...AGENT, ...lacking(), configSchema, missingSettings, id: idOf(43), lastRunAt: null }),
    row('listAgents', { ...AGENT, ...lacking(), id: idOf(42), lastRunAt: '2026-06-01T09:00:00.000Z' }),
    row('listAgents', { ...AGENT, id: idOf(41), health: 'failing', missingConnections: [], refusedConnections: [], missingSettings: [] }),
  ];
  await open('client', '/client/agents', { listAgents: { data: agents, nextCursor: null } });
  const [lacks, ofBoth, emptied, failing] = await screen.findAllByRole('listitem');
  assert.ok(lacks && ofBoth && emptied && failing);
  await reads(lacks, /Being set up: Northwind Digital still has to add something(?!,)/);
  await reads(ofBoth, /still has to add something, and you can add under Business: Questions and answers/);
  await reads(emptied, /On, but failing/);
  await reads(failing, /On, but failing/);
});

test('a client starts a report by hand: it reads who gets mail, and a double click starts one run', async () => {
  const report = {
    ...AGENT,
    name: 'Daily report',
    runsWithoutInput: true,
    configSchema: [sample(templateConfig, { key: 'recipients', label: 'Recipients', type: 'email-list', default: [] })],
    config: { recipients: ['front@oakstreet.example', 'ada@oakstreet.example'] },
  };
  await open('client', `/client/agents/${ID}`, { getAgent: reply('getAgent', { ...report, installed: false }) });
  assert.equal(screen.queryByRole('button', { name: 'Run now' }), null);

  const service = await open('client', `/client/agents/${ID}`, {
    getAgent: reply('getAgent', { ...report, health: 'ok' }),
    triggerWorkflow: reply('triggerWorkflow', { executionId: idOf(41) }),
  });
  await press('Run now');
  const asked = await dialog('Run Daily report now?');
  await reads(asked, /It can send an e-mail to front@oakstreet\.example and ada@oakstreet\.example\./);
  await user.dblClick(await button('Run now', asked));
  await see('Daily report has started.');
  const started = service.calls.filter(({ name }) => name === 'triggerWorkflow');
  assert.deepEqual(started.map(({ body }) => body), [{ input: {} }]); // prettier-ignore
  assert.match(started[0]?.headers.get('idempotency-key') ?? '', /^[0-9a-f-]{36}$/);
});

test('a client pauses an agent that it may pause, and takes it back', async () => {
  const agent = reply('getAgent', AGENT);
  const service = await open('client', `/client/agents/${ID}`, {
    getAgent: () => agent,
    pauseAgent: () => Object.assign(agent, { isActive: false }),
    resumeAgent: () => Object.assign(agent, { isActive: true }),
  });
  const isOn = (expected: string) =>
    holds(() => assert.equal(screen.getByRole('switch', { name: AGENT.name }).getAttribute('aria-checked'), expected));
  await isOn('true');
  await user.click(screen.getByRole('switch', { name: AGENT.name }));
  await isOn('false');
  await press(/^Undo/);
  await isOn('true');
  assert.deepEqual(service.calls.flatMap(({ name }) => (name === 'pauseAgent' || name === 'resumeAgent' ? [name] : [])), ['pauseAgent', 'resumeAgent']); // prettier-ignore
});

test('a client reads the texts of an agent with the links of its business, and the rest as placeholders in its language', async () => {
  const url = (key: string, label: string, fromProfile: string) =>
    sample(templateConfig, { key, label, type: 'url', default: '', fromProfile });
  const text = (key: string, value: string) => sample(templateConfig, { key, label: 'SMS', type: 'longtext', default: value });
  const profile = reply('getMyClient').businessProfile;
  await open(
    'client',
    `/client/agents/${ID}`,
    {
      getAgent: reply('getAgent', {
        ...AGENT,
        config: {},
        configSchema: [
          text('message', 'Hi {firstName}, {businessName}: book at {bookingUrl} or rate us at {reviewUrl}. {slots}'),
          url('bookingUrl', 'Buchungslink', 'bookingUrl'),
          url('reviewUrl', 'Bewertungslink', 'reviewUrl'),
        ],
      }),
      getMyClient: reply('getMyClient', { businessProfile: { ...profile, bookingUrl: 'https://oak.example/book', reviewUrl: '' } }),
    },
    {},
    { locale: 'de' },
  );
  await reads(
    document.body,
    /Hi Vorname, Oak Street Dental: book at https:\/\/oak\.example\/book or rate us at Bewertungslink\. freie Termine/,
  );
});

test('the note to a declined text stands in the quotation marks of its reader', async () => {
  const declined = row('listTextSuggestions', { id: idOf(60), status: 'declined', decisionNote: 'Zu lang' });
  const answers = { getAgent: reply('getAgent', AGENT), listTextSuggestions: { data: [declined], nextCursor: null } };
  await open('client', `/client/agents/${ID}`, answers, {}, { locale: 'de' });
  await see(/: „Zu lang“$/);
});

test('every placeholder of the catalog that is no setting has a word in the reader’s language', async () => {
  const catalog = join(import.meta.dirname, '../../../catalog');
  type Given = { config: { key: string; help?: string; default?: unknown }[] };
  const keys = readdirSync(catalog, { withFileTypes: true }).flatMap((folder) => {
    const file = join(catalog, folder.name, 'template.json');
    if (!folder.isDirectory() || !existsSync(file)) return [];
    const { config } = JSON.parse(readFileSync(file, 'utf8')) as Given; // held by the schema of the catalog
    const texts = config.flatMap(({ help, default: fallback }) => [help ?? '', typeof fallback === 'string' ? fallback : '']);
    const settings = new Set(config.map(({ key }) => key));
    return texts.flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].flatMap(([, key = '']) => (settings.has(key) ? [] : [key])));
  });
  const asked = [...new Set(keys)].filter((key) => key !== 'businessName');
  assert.ok(asked.includes('callerNumber') && asked.includes('service'));
  const configSchema = asked.map((key) =>
    sample(templateConfig, { key: `text_${key}`, label: key, type: 'longtext', default: `{${key}}` }),
  );
  const english = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/ url$/, ' link');
  for (const locale of ['de', 'es']) {
    await open('client', `/client/agents/${ID}`, { getAgent: reply('getAgent', { ...AGENT, config: {}, configSchema }) }, {}, { locale });
    const shown = () => [...document.querySelectorAll('.message-bubble')].map(({ textContent }) => textContent);
    await holds(() => assert.equal(shown().length, asked.length));
    assert.deepEqual(
      shown().filter((text, at) => text === english(asked[at] ?? '')),
      [],
      locale,
    );
  }
});
