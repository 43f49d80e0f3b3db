import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  button,
  dialog,
  field,
  fill,
  fireEvent,
  holds,
  isInactive,
  isInvalid,
  open,
  press,
  screen,
  see,
  user,
  within,
} from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { Refused, reply } from '../../testing/service.ts';

const CLIENT = idOf(2);

test('a submitted form shows each violated constraint next to its field and focuses the first one', async () => {
  const service = await open('owner', '/dashboard/clients');
  await press('Add client');
  const asked = await dialog('Add client');
  await fill(/^Business name/, 'Harbor & Pine Vet', asked);
  // An address without its scheme is completed; what is no address is refused in our words.
  const link = await fill('Booking link', 'harborpine.example/book', asked);
  await user.tab();
  await holds(() => assert.equal(link.value, 'https://harborpine.example/book'));
  await fill('Booking link', 'our booking page', asked);
  const email = await fill('Contact e-mail', 'owner', asked);
  await press('Add client', asked);
  await holds(() => assert.equal(within(asked).getByRole('alert').textContent, '2 fields need attention.'));
  await see('Enter a web address, such as https://example.com.', asked);
  await holds(() => assert.equal(document.activeElement, link));

  // Editing a field drops its error and no other.
  await fill('Booking link', 'https://harborpine.example/book', asked);
  await holds(() => assert.equal(within(asked).getByRole('alert').textContent, 'One field needs attention.'));
  assert.deepEqual([isInvalid(email), isInvalid(await field('Booking link', asked))], [true, false]);
  assert.deepEqual(service.sent('createClient'), []);
});

test('importing is a link for admins, and inactive with the reason for moderators', async () => {
  await open('owner', '/dashboard/clients');
  assert.match((await screen.findByRole('link', { name: 'Import' })).getAttribute('href') ?? '', /clients\/import$/);
  await open('moderator', '/dashboard/clients');
  assert.ok(isInactive(await button('Import')));
  assert.equal(screen.queryByRole('link', { name: 'Import' }), null);
});

test('after a client is added, its page is open', async () => {
  const made = reply('createClient', { id: CLIENT, name: 'Harbor & Pine Vet', invitation: null });
  const service = await open('owner', '/dashboard', {
    createClient: made,
    getClient: reply('getClient', { id: CLIENT, name: 'Harbor & Pine Vet' }),
  });
  await press('Add client');
  const asked = await dialog('Add client');
  await fill(/^Business name/, 'Harbor & Pine Vet', asked);
  await press('Add client', asked);
  await holds(() => assert.equal(location.pathname, `/dashboard/clients/${CLIENT}`));
  await screen.findByRole('heading', { level: 1, name: 'Harbor & Pine Vet' });
  assert.equal(service.sent('createClient').length, 1);
});

test('while a client is added, Escape and Cancel keep the dialog; after a refusal they close it', async () => {
  const answer = Promise.withResolvers<never>();
  await open('owner', '/dashboard/clients', { createClient: () => answer.promise });
  await press('Add client');
  const asked = await dialog('Add client');
  await fill(/^Business name/, 'Harbor & Pine Vet', asked);
  await press('Add client', asked);
  await holds(() => assert.ok(isInactive(within(asked).getByRole('button', { name: 'Cancel' }))));
  fireEvent(asked, new Event('cancel', { cancelable: true }));
  await user.click(within(asked).getByRole('button', { name: 'Cancel' }));
  assert.ok(asked.isConnected);
  answer.reject(new Refused('client_limit_reached'));
  await within(asked).findByRole('alert');
  fireEvent(asked, new Event('cancel', { cancelable: true }));
  await holds(() => assert.equal(asked.isConnected, false));
});

test('Escape keeps what was typed for the next time the form is open, and Cancel drops it', async () => {
  await open('owner', '/dashboard/clients');
  await press('Add client');
  const asked = await dialog('Add client');
  await fill(/^Business name/, 'Harbor & Pine Vet', asked);
  fireEvent(asked, new Event('cancel', { cancelable: true }));
  await holds(() => assert.equal(asked.isConnected, false));
  await press('Add client');
  const again = await dialog('Add client');
  assert.equal((await field(/^Business name/, again)).value, 'Harbor & Pine Vet');
  await press('Cancel', again);
  await press('Add client');
  assert.equal((await field(/^Business name/, await dialog('Add client'))).value, '');
});

test('a name that is too long is not cut: it is refused at its field', async () => {
  const service = await open('owner', '/dashboard/clients');
  await press('Add client');
  const asked = await dialog('Add client');
  const long = 'Praxisgemeinschaft '.repeat(7).trim();
  const name = await field(/^Business name/, asked);
  await user.click(name);
  await user.paste(long);
  assert.equal(name.value, long);
  await press('Add client', asked);
  await holds(() => assert.ok(isInvalid(name)));
  await see('Use at most 120 characters.', asked);
  assert.deepEqual(service.sent('createClient'), []);
  await user.clear(name);
  await user.paste(long.slice(0, 120));
  await press('Add client', asked);
  await holds(() => assert.equal(service.sent('createClient').length, 1));
});
