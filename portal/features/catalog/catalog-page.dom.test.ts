import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dialog, open, reads, screen } from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { reply, row } from '../../testing/service.ts';

const CLIENT = idOf(2);
const entry = row('listCatalog', {
  name: 'appointment-reminder',
  title: 'Appointment reminder',
  ready: true,
  requiredConnections: ['calcom', 'twilio', 'code'],
  missingConnections: [],
});
const key = (id: number, provider: 'calcom' | 'twilio', given: Partial<ReturnType<typeof row<'listCredentials'>>>) =>
  row('listCredentials', { id: idOf(id), provider, sourceMode: 'byok', configured: true, lastCheck: null, ...given });
const failed = { ok: false, at: new Date().toISOString(), message: 'Refused' };

test('an agent of the catalog says whose key counts, also while no agent needs it, and which one is refused', async () => {
  const own = key(40, 'calcom', { clientId: CLIENT });
  const answers = {
    getClient: reply('getClient', { id: CLIENT, name: 'Oak Street Dental' }),
    listCatalog: [entry],
    listRequirements: [],
    listCredentials: [own, key(41, 'twilio', { clientId: null, inherited: true })],
  };
  const path = `/dashboard/catalog?client=${CLIENT}&open=appointment-reminder`;
  await open('owner', path, answers);
  await reads(await dialog('Appointment reminder'), /Ready for .*Cal\.comown keyTwilioagency default/);
  await screen.findByRole('radio', { name: 'Ready 1' });
  await open('owner', path, {
    ...answers,
    listCredentials: [own, key(41, 'twilio', { clientId: null, inherited: true, lastCheck: failed })],
  });
  const drawer = await dialog('Appointment reminder');
  // The list and its filter say the same.
  await screen.findByRole('button', { name: /Appointment reminder.*Twilio refused/ });
  await screen.findByRole('radio', { name: 'Ready 0' });
  await reads(drawer, /Not ready for .*Cal\.comown keyTwilioagency default, refusedReplace key/);
  const replace = screen.getByRole('link', { name: 'Replace key' });
  // The refused key is the agency’s.
  assert.equal(replace.getAttribute('href'), '/dashboard/integrations?service=twilio');
  await open('owner', path, { ...answers, listCredentials: [{ ...own, lastCheck: failed }] });
  const replaceOwn = await screen.findByRole('link', { name: 'Replace key' });
  assert.equal(replaceOwn.getAttribute('href'), `/dashboard/integrations?service=calcom&client=${CLIENT}`);
  // The agency’s own view shows its keys, and no client’s.
  await open('owner', '/dashboard/catalog?open=appointment-reminder', {
    ...answers,
    listCredentials: [
      key(42, 'calcom', { clientId: CLIENT, lastCheck: failed }),
      key(43, 'calcom', { clientId: null }),
      key(44, 'twilio', { clientId: null }),
    ],
  });
  await reads(await dialog('Appointment reminder'), /Ready for your agency.*Cal\.comagency defaultTwilioagency default/);
});
