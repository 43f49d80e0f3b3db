import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choose, dialog, field, fill, gone, holds, isInvalid, open, press, reads, see, user, within } from '../../testing/portal.ts';
import { Refused, row } from '../../testing/service.ts';

const PATH = '/dashboard/integrations?service=postgres';
const refused = (message: string, ...fields: string[]) =>
  new Refused('validation_failed', { errors: fields.map((name) => ({ field: name, code: 'invalid', message })) });

test('an unverified SQL database shows its risk before it is saved, and a CA certificate has a field of its own', async () => {
  await open('owner', PATH, {
    putCredential: () => {
      throw refused('A certificate begins with -----BEGIN CERTIFICATE-----.', 'data.ssl');
    },
  });
  const drawer = await dialog('SQL database');
  await field('Host', drawer);
  await gone(/can pretend to be your database/, drawer);
  await choose('Encryption', 'TLS, do not verify', drawer);
  await see(/can pretend to be your database/, drawer);
  await choose('Encryption', 'No TLS', drawer);
  await see(/unencrypted/, drawer);
  await choose('Encryption', 'TLS, verify with a CA certificate', drawer);
  const ca = within(drawer).getByRole('textbox', { name: /^CA certificate/ });
  await fill(/^CA certificate/, 'not a certificate', drawer);
  for (const [name, value] of [
    ['Host', 'db.example.com'],
    ['Database', 'shop'],
    ['User', 'reader'],
    ['Password', 'a password'],
  ] as const)
    await fill(name, value, drawer);
  await press('Save and test', drawer);
  await holds(() => assert.ok(isInvalid(ca)));
  await see(/begins with -----BEGIN CERTIFICATE-----/, drawer);
});

test('a field error of the service shows next to its field, the first has the focus, and editing one drops its error alone', async () => {
  await open('owner', PATH, {
    putCredential: () => {
      throw refused('This field is required.', 'data.database', 'data.user', 'data.password');
    },
  });
  const drawer = await dialog('SQL database');
  const host = await fill('Host', 'db.example.com', drawer);
  await press('Save and test', drawer);
  await holds(() => assert.match(within(drawer).getByRole('alert').textContent ?? '', /fields need attention\.$/));
  const database = await field('Database', drawer);
  await holds(() => assert.equal(document.activeElement, database));
  assert.ok(!isInvalid(host));
  await fill('Database', 'shop', drawer);
  assert.deepEqual([isInvalid(database), isInvalid(await field('User', drawer))], [false, true]);
});

const TWILIO = { accountSid: 'ACsandbox00000000000000000000000000', authToken: 'sandbox' };

test('a working key stays in use when its replacement is refused, and a wrong format is reported when its field is left', async () => {
  const working = row('listCredentials', {
    provider: 'twilio',
    sourceMode: 'byok',
    configured: true,
    lastCheck: { ok: true, at: new Date().toISOString(), message: 'Accepted' },
  });
  const service = await open('owner', '/dashboard/integrations?service=twilio', {
    listCredentials: [working],
    putCredential: ({ body }) => {
      if (body.onlyIfAccepted && body.data?.['authToken'] === 'of_someone_else')
        throw new Refused('key_refused', { detail: 'Twilio refused the key.' });
      return working;
    },
  });
  const drawer = await dialog('Twilio');
  await press('Replace the Twilio key', drawer);
  assert.equal(document.activeElement, await field('Account SID', drawer));
  await press('Cancel', drawer);
  assert.equal(document.activeElement, within(drawer).getByRole('button', { name: 'Replace the Twilio key' }));
  await user.keyboard('{Enter}');
  const sid = await fill('Account SID', 'SK0123456789', drawer);
  await gone(/An account SID starts with AC/, drawer);
  await user.tab();
  await see(/An account SID starts with AC/, drawer);
  await fill('Account SID', 'AC0123456789', drawer);
  await gone(/An account SID starts with AC/, drawer);
  await fill('Auth token', 'of_someone_else', drawer);
  await user.keyboard('{Enter}');
  await reads(drawer, /The new key was not saved, and the one before stays in use\. Twilio refused the key\.Details/);
  await reads(drawer, /Last checkWorking,/);
  assert.equal(sid.value, 'AC0123456789');
  await fill('Account SID', TWILIO.accountSid, drawer);
  await fill('Auth token', TWILIO.authToken, drawer);
  await press('Save and test', drawer);
  await see('Twilio key saved.');
  assert.deepEqual(service.sent('putCredential').at(-1), { sourceMode: 'byok', data: TWILIO, onlyIfAccepted: true });
});

const replacements = {
  'another key': async (drawer: HTMLElement) => {
    await press('Replace the OpenAI key', drawer);
    await fill('API key', 'sk-sandbox-2', drawer);
    await press('Save and test', drawer);
    return ['OpenAI key saved.', { sourceMode: 'byok', data: { apiKey: 'sk-sandbox-2' }, onlyIfAccepted: true }] as const;
  },
  'the key of the platform': async (drawer: HTMLElement) => {
    await user.click(await within(drawer).findByRole('radio', { name: 'Platform key' }));
    await press('Use the platform key', drawer);
    return ['OpenAI now uses the platform key.', { sourceMode: 'platform' }] as const;
  },
};
for (const [what, replace] of Object.entries(replacements))
  test(`${what} in place of an own one asks for the password when the login is old, and then continues`, async () => {
    let isConfirmed = false;
    const own = row('listCredentials', { provider: 'openai', sourceMode: 'byok', configured: true });
    const service = await open('owner', '/dashboard/integrations?service=openai', {
      listCredentials: [own],
      reauthenticate: () => {
        isConfirmed = true;
        return { confirmedUntil: new Date().toISOString() };
      },
      putCredential: ({ body: { sourceMode } }) => {
        if (!isConfirmed) throw new Refused('reauthentication_required');
        return { ...own, sourceMode };
      },
    });
    const [said, sent] = await replace(await dialog('OpenAI'));
    const asked = await dialog('Confirm that it is you');
    await fill('Current password', 'seven green sparrows', asked);
    await press('Confirm', asked);
    await see(said);
    assert.deepEqual(service.sent('putCredential'), [sent, sent]);
  });
