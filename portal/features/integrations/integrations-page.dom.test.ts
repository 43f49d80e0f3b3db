import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  button,
  dialog,
  fill,
  gone,
  holds,
  isInactive,
  noDialog,
  open,
  press,
  reads,
  screen,
  see,
  settled,
  user,
  within,
} from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { reply, row } from '../../testing/service.ts';

const agent = (n: number) => ({ id: idOf(n), name: 'Review request', stepNames: [] });
const grid = () => [...screen.getByRole('table', { name: 'Readiness of agents' }).querySelectorAll('tbody tr')];

test('agents that lack a key come first, and a click shows the others', async () => {
  await open('owner', '/dashboard/integrations', {
    listRequirements: Array.from({ length: 150 }, (_, n) =>
      row('listRequirements', {
        provider: 'twilio',
        clientName: `Client ${100 + n}`,
        state: n === 149 ? 'missing' : 'ok',
        agents: [agent(n)],
      }),
    ),
    countRequirements: { agents: 150, providers: [] },
  });
  await holds(() => assert.equal(grid().length, 100));
  assert.match(grid()[0]?.textContent ?? '', /Client 249/);
  await see(/^Showing 100 of 150 agents/);
  await press('Show 50 more');
  await holds(() => assert.equal(grid().length, 150));
  await gone(/Showing 150 of/);
});

test('counts of integrations include agents that are not listed', async () => {
  await open('owner', '/dashboard/integrations', {
    listRequirements: [row('listRequirements', { provider: 'twilio', clientName: 'Oak', state: 'ok', agents: [agent(1)] })],
    countRequirements: { agents: 11_846, providers: [{ provider: 'twilio', agents: 11_800, missing: 9_000, failing: 0 }] },
  });
  await see(/^Showing 1 of 11,846 agents, those that lack a key first\./);
  const services = screen.getByRole('table', { name: 'Services' });
  assert.match(services.querySelector('[data-row="twilio"]')?.textContent ?? '', /Missing for 9,000 who need it.*11,800/);
  await press(/Twilio$/, services);
  await see(/ of 11,800 agents$/, await dialog(/Twilio/));
  assert.ok(within(services).getAllByRole('row').length > 1);
});

for (const [why, notInPlan, words] of [
  ['the plan has none', true, 'Not in the plan: save your own key'],
  ['the platform has none', undefined, 'No platform key available'],
] as const)
  test(`a card in platform mode says that it has no key because ${why}`, async () => {
    const stored = { provider: 'openai', sourceMode: 'platform', configured: false, clientId: null, lastCheck: null } as const;
    await open('owner', '/dashboard/integrations', {
      listCredentials: [row('listCredentials', { ...stored, ...(notInPlan ? { notInPlan } : {}) })],
    });
    await holds(() => {
      const services = screen.getByRole('table', { name: 'Services' });
      assert.ok((services.querySelector('[data-row="openai"]')?.textContent ?? '').includes(words));
    });
  });

const NAMES = {
  listClients: {
    data: [row('listClients', { id: idOf(71), name: 'Casa Verde' }), row('listClients', { id: idOf(72), name: 'Riverside' })],
    nextCursor: null,
  },
};

test('a key is saved for the client that the link names, and the drawer says whose it is, also while another is chosen', async () => {
  const service = await open('owner', `/dashboard/integrations?client=${idOf(71)}&service=calcom&for=${idOf(72)}`, {
    ...NAMES,
    putCredential: ({ body: { clientId } }) => reply('putCredential', { provider: 'calcom', clientId: clientId ?? null }),
  });
  const drawer = await dialog('Cal.com');
  await reads(drawer, /for Riverside/);
  await button('Client: Riverside');
  await fill('API key', 'cal_live_1', drawer);
  await press('Save and test', drawer);
  await holds(() =>
    assert.deepEqual(
      service.sent('putCredential').map(({ clientId }) => clientId),
      [idOf(72)],
    ),
  );
});

test('the way from an agent to its key leads to the key of its client, or of the agency, also while another client is chosen', async () => {
  for (const [clientId, owner] of [
    [idOf(72), /for Riverside/],
    [null, /agency default/],
  ] as const) {
    await open('owner', `/dashboard/agents/${idOf(80)}?client=${idOf(71)}`, {
      ...NAMES,
      getAgent: reply('getAgent', { id: idOf(80), clientId, missingConnections: ['calcom'] }),
    });
    await user.click(await screen.findByRole('link', { name: 'Connect Cal.com' }));
    await reads(await dialog('Cal.com'), owner);
    await holds(() => assert.equal(new URLSearchParams(location.search).get('client'), clientId));
  }
});

test('an alert about a key opens that key, also while another client is chosen', async () => {
  const keys = [row('listCredentials', { id: idOf(90), provider: 'twilio', clientId: idOf(72), sourceMode: 'byok' })];
  await open('owner', `/dashboard/alerts?client=${idOf(71)}`, {
    ...NAMES,
    listAlerts: {
      data: [row('listAlerts', { href: `/dashboard/integrations?key=${idOf(90)}`, rule: 'credential_invalid', status: 'open' })],
      nextCursor: null,
    },
    listCredentials: ({ query: { clientId } }) => keys.filter((key) => clientId === undefined || key.clientId === clientId),
  });
  await user.click(await screen.findByRole('link', { name: 'Replace key' }));
  await reads(await dialog('Twilio'), /for Riverside/);
});

test('a moderator looks at a key that is there, and every control that would add one says whom to ask', async () => {
  const needs = [row('listRequirements', { provider: 'twilio', clientName: 'Oak', state: 'missing', agents: [agent(1)] })];
  const keys = [row('listCredentials', { id: idOf(40), provider: 'openai', clientId: null, sourceMode: 'byok' })];
  const answers = { listRequirements: needs, listCredentials: keys, countRequirements: { agents: 1, providers: [] } };
  await open('moderator', '/dashboard/integrations', answers);
  const services = await screen.findByRole('table', { name: 'Services' });
  const add = await button('Add default: Twilio', services);
  assert.ok(isInactive(add) && isInactive(await button('Add', grid()[0] as HTMLElement)));
  await user.click(add);
  await holds(() => assert.match(screen.getAllByRole('tooltip').at(-1)?.textContent ?? '', /^Ask an admin/));
  await noDialog();
  await press('See: OpenAI', services);
  await dialog(/OpenAI/);
  await open('owner', '/dashboard/integrations', answers);
  await press('Add default: Twilio', await screen.findByRole('table', { name: 'Services' }));
  await dialog(/Twilio/);
});

test('the answer about a key stays with its service, also one that comes late', async () => {
  const now = new Date().toISOString();
  const stored = { clientId: null, sourceMode: 'byok', configured: true } as const;
  let answer = (): void => undefined;
  await open('owner', '/dashboard/integrations', {
    listCredentials: [
      row('listCredentials', { id: idOf(40), provider: 'twilio', ...stored }),
      row('listCredentials', { id: idOf(41), provider: 'resend', ...stored }),
    ],
    testCredential: ({ params: { provider } }) =>
      provider === 'twilio'
        ? new Promise((resolve) => (answer = () => resolve({ ok: false, checkedAt: now, message: 'Twilio refused the key.' })))
        : { ok: true, checkedAt: now, message: 'Resend accepted the key.' },
  });
  const services = await screen.findByRole('table', { name: 'Services' });
  await press('Manage: Resend', services);
  await press('Test now', await dialog('Resend'));
  await see('Resend accepted the key.', await dialog('Resend'));
  await press('Manage: Twilio', services);
  const twilio = await dialog('Twilio');
  await gone('Resend accepted the key.', twilio);
  await press('Test now', twilio);
  await button('Testing', twilio);
  await press('Manage: Resend', services);
  await button('Test now', await dialog('Resend'));
  answer();
  await settled();
  await gone(/refused the key/);
});

test('a key that its service did not answer about is not called refused', async () => {
  await open('owner', '/dashboard/integrations?service=openai', {
    listCredentials: [
      row('listCredentials', { provider: 'openai', clientId: null, sourceMode: 'byok', configured: true, lastCheck: null }),
    ],
    testCredential: { ok: null, checkedAt: new Date().toISOString(), message: 'OpenAI is limiting requests. Try again in a minute.' },
  });
  const drawer = await dialog('OpenAI');
  await press('Test now', drawer);
  await reads(drawer, /The key is saved, but was not tested\. OpenAI is limiting requests\./);
  assert.doesNotMatch(drawer.textContent, /[Rr]efused|does not work/);
});

test('a key that a chatbot answers with says so, and so does its removal', async () => {
  const key = { provider: 'openai', clientId: null, configured: true, live: 'unused', usedByAgents: 1, usedByChatbots: 2 } as const;
  await open('owner', '/dashboard/integrations?service=openai', {
    listCredentials: [row('listCredentials', { ...key, sourceMode: 'byok' })],
  });
  const drawer = await dialog('OpenAI');
  await reads(drawer, /Nowin use[\s\S]*Used by1 agent and 2 chatbots[\s\S]*Chatbots answer with it\./);
  await press('Remove', drawer);
  await reads(
    await dialog('Remove the OpenAI key?'),
    /1 agent and 2 chatbots use it\. Agents of clients without their own key will fail, and their chatbots stop answering\. You cannot restore the key\./,
  );
  await open('owner', '/dashboard/integrations?service=openai', {
    listCredentials: [row('listCredentials', { ...key, sourceMode: 'platform', usedByAgents: 0, usedByChatbots: 0 })],
  });
  await press('Remove', await dialog('OpenAI'));
  await reads(await dialog('Remove the OpenAI key?'), /0 agents use it\.[\s\S]*will fail\. You can choose the platform key again later\./);
});

test('the key drawer of a client whose agency default was refused says so and leads to that default; one that works stays as it is', async () => {
  for (const ok of [false, true]) {
    const key = row('listCredentials', {
      provider: 'twilio',
      clientId: null,
      sourceMode: 'byok',
      configured: true,
      lastCheck: { ok, at: new Date().toISOString(), message: 'It answered 401.' },
    });
    await open('owner', `/dashboard/integrations?client=${idOf(71)}&service=twilio`, {
      ...NAMES,
      listCredentials: ({ query: { clientId } }) => [clientId ? { ...key, clientId, inherited: true as const } : key],
    });
    const drawer = await dialog('Twilio');
    await reads(drawer, /for Casa Verde/);
    if (ok) {
      await reads(drawer, /This client uses the agency default\. Add its own key to override it\./);
      assert.equal(within(drawer).queryByRole('link', { name: 'Replace the agency default' }), null);
      continue;
    }
    await reads(drawer, /This client uses the agency default, which Twilio refused/);
    await user.click(await within(drawer).findByRole('link', { name: 'Replace the agency default' }));
    await reads(await dialog('Twilio'), /agency default.*Replace.*Refused/s);
    await holds(() => assert.equal(new URLSearchParams(location.search).get('client'), null));
  }
});
