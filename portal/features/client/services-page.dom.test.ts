import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dialog, fill, holds, noDialog, open, press, reads, screen, see, sessionOf } from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { Refused, reply, row } from '../../testing/service.ts';

test('a client whose key is refused keeps the one that works, unless it insists', async () => {
  let isOwn = false;
  const inherited = row('listCredentials', { id: idOf(60), provider: 'resend', clientId: null, inherited: true, configured: true });
  const own = row('listCredentials', { id: idOf(61), provider: 'resend', clientId: idOf(2), sourceMode: 'byok', configured: true });
  const service = await open('client', '/client/integrations', {
    listCredentials: () => (isOwn ? [own, inherited] : [inherited]),
    listRequirements: [
      row('listRequirements', { provider: 'resend', state: 'ok', agents: [{ id: idOf(3), name: 'Report', stepNames: [] }] }),
    ],
    putCredential: ({ body }) => {
      if (body.onlyIfAccepted && body.data?.['apiKey'] !== 're_sandbox_1') throw new Refused('key_refused');
      isOwn = true;
      return own;
    },
    testCredential: { ok: false, checkedAt: own.updatedAt, message: 'Refused' },
  });
  const shown = () => screen.getAllByRole('listitem').find(({ textContent }) => textContent.startsWith('Resend')) ?? document.body;
  await holds(() => assert.match(shown().textContent, /Use own key/));
  await press('Use own key', shown());
  let form = await dialog();
  await fill(/^API key/, 're_live_of_someone', form);
  await press('Save and test', form);
  await reads(form, /The new key was not saved, and the one before stays in use\./);
  await reads(form, /agents that need it fail until Resend accepts it/);
  assert.equal(isOwn, false);
  await press('Save anyway', form);
  await noDialog();
  await press(/^Replace/, shown());
  form = await dialog();
  await fill(/^API key/, 're_sandbox_1', form);
  await press('Save and test', form);
  await noDialog();
  assert.deepEqual(
    service.sent('putCredential').map(({ data, onlyIfAccepted }) => [data?.['apiKey'], onlyIfAccepted]),
    [
      ['re_live_of_someone', true],
      ['re_live_of_someone', false],
      ['re_sandbox_1', true],
    ],
  );
});

test('a client reads in words that a key of its agency does not work or is not there, in its language', async () => {
  const inherited = { clientId: null, inherited: true, sourceMode: 'byok', configured: true, lastCheck: null } as const;
  const need = (provider: 'resend' | 'twilio' | 'openai', state: 'failing' | 'inherited' | 'missing') =>
    row('listRequirements', { provider, state, agents: [{ id: idOf(3), name: 'Report', stepNames: [] }] });
  const answers = {
    listCredentials: [
      row('listCredentials', { id: idOf(60), provider: 'resend', ...inherited }),
      row('listCredentials', { id: idOf(61), provider: 'twilio', ...inherited }),
      row('listCredentials', { id: idOf(62), provider: 'openai', ...inherited, sourceMode: 'platform', configured: false }),
    ],
    listRequirements: [need('resend', 'failing'), need('twilio', 'inherited'), need('openai', 'missing')],
  };
  const shown = (service: string) =>
    screen.getAllByRole('listitem').find(({ textContent }) => textContent.startsWith(service))?.textContent;
  await open('client', '/client/integrations', answers);
  await see('Provided by Northwind Digital, not working');
  assert.match(shown('Resend') ?? '', /Provided by Northwind Digital, not working/);
  assert.match(shown('Twilio') ?? '', /Provided by Northwind Digital(?!,)/);
  assert.doesNotMatch(shown('OpenAI') ?? '', /Provided by/);
  for (const [locale, words] of [
    ['de-DE', 'Bereitgestellt von Northwind Digital, funktioniert nicht'],
    ['es-ES', 'Ofrecido por Northwind Digital, no funciona'],
  ] as const) {
    const { user: me } = sessionOf('client');
    const mine = { ...me, locale };
    await open(
      'client',
      '/client/integrations',
      { ...answers, getMe: reply('getMe', { user: mine, partner: me.partner, client: me.client, features: me.features }) },
      {},
      { locale },
    );
    await see(words);
  }
});

test('a service that only the chatbot uses is among those in use, and a key of the platform is not called the agency’s', async () => {
  const inherited = { clientId: null, inherited: true, configured: true, lastCheck: null, usedByAgents: 0 } as const;
  await open('client', '/client/integrations', {
    listCredentials: [
      row('listCredentials', { id: idOf(60), provider: 'openai', ...inherited, sourceMode: 'platform', usedByChatbots: 1 }),
      row('listCredentials', { id: idOf(61), provider: 'anthropic', ...inherited, sourceMode: 'byok', usedByChatbots: 0 }),
      row('listCredentials', { id: idOf(62), provider: 'calcom', ...inherited, sourceMode: 'byok', configured: false, usedByChatbots: 1 }),
    ],
  });
  const used = (await screen.findByRole('heading', { level: 2, name: 'In use' })).closest('section') ?? document.body;
  await reads(used, /OpenAI.*Provided with a shared platform key.*Used by Chatbot of your website/);
  assert.doesNotMatch(used.textContent, /Anthropic/);
  assert.match(used.textContent, /Cal\.com.*Not connected\. It is needed\.Used by Chatbot/);
});

test('before a key that the chatbot uses is removed, a client reads that the chatbot stops too', async () => {
  const own = { clientId: idOf(2), sourceMode: 'byok', configured: true, lastCheck: null } as const;
  await open('client', '/client/integrations', {
    listCredentials: [
      row('listCredentials', { id: idOf(60), provider: 'openai', ...own, usedByChatbots: 1 }),
      row('listCredentials', { id: idOf(61), provider: 'twilio', ...own, usedByChatbots: 0 }),
    ],
    listRequirements: [
      row('listRequirements', { provider: 'twilio', state: 'ok', agents: [{ id: idOf(3), name: 'Report', stepNames: [] }] }),
    ],
  });
  const shown = (service: string) =>
    screen.getAllByRole('listitem').find(({ textContent }) => textContent.startsWith(service)) ?? document.body;
  await screen.findByRole('heading', { level: 2, name: 'In use' });
  for (const [service, text] of [
    ['OpenAI', /Agents and the chatbot that need it stop working unless your agency provides another key\./],
    ['Twilio', /Agents that need it stop working unless your agency provides another key\./],
  ] as const) {
    await press('Remove', shown(service));
    const asked = await dialog();
    await reads(asked, text);
    await press('Keep it', asked);
    await noDialog();
  }
});
