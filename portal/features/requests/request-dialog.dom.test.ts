import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button, dialog, holds, isInactive, open, press, reads, screen, user, within } from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { row } from '../../testing/service.ts';

test('a request for several clients says which of them lack a key, and for one where to add it', async () => {
  const clients = [
    row('listClients', { id: idOf(3), name: 'Keyless Bakery' }),
    row('listClients', { id: idOf(4), name: 'Lakeview Physio' }),
  ];
  const service = await open('owner', '/dashboard/catalog?open=appointment-reminder', {
    listCatalog: [
      row('listCatalog', { name: 'appointment-reminder', title: 'Appointment reminder', requiredConnections: ['twilio', 'calcom'] }),
    ],
    listClients: { data: clients, nextCursor: null },
    getRequestReadiness: ({ query: { clientIds } }) =>
      clients.flatMap(({ id, name }) =>
        clientIds.includes(id)
          ? [
              row('getRequestReadiness', {
                clientId: id,
                clientName: name,
                state: 'missing',
                missingConnections: id === idOf(3) ? ['twilio', 'calcom'] : ['calcom'],
              }),
            ]
          : [],
      ),
  });
  await press('Request');
  const asked = await dialog('Request an agent');
  const choose = async (name: string): Promise<void> => {
    (await within(asked).findByRole('checkbox', { name })).focus();
    await user.keyboard(' ');
  };
  await choose('Keyless Bakery');
  const needs = await within(asked).findByRole('region', { name: 'What it needs' });
  const [add] = await within(needs).findAllByRole('link', { name: /^Add the .* key in a new tab$/ });
  assert.equal(new URL(add?.getAttribute('href') ?? '', location.href).searchParams.get('client'), idOf(3));
  await choose('Lakeview Physio');
  const both = await within(needs).findByRole('list', { name: 'What the clients need' });
  await reads(both, /1 client: needs a key for Twilio and Cal\.com/);
  await reads(both, /1 client: needs a key for Cal\.com/);
  await press('Cancel', asked);
  assert.deepEqual(service.sent('createAgentRequest'), []);
  assert.ok(screen.queryByRole('dialog', { name: 'Request an agent' }) === null);
});

test('a request says that it is approved first, and why it cannot be sent yet', async () => {
  const client = row('listClients', { id: idOf(3), name: 'Keyless Bakery' });
  await open('owner', '/dashboard/catalog?open=appointment-reminder', {
    listCatalog: [row('listCatalog', { name: 'appointment-reminder', title: 'Appointment reminder', requiredConnections: ['twilio'] })],
    listClients: { data: [client], nextCursor: null },
    getRequestReadiness: [
      row('getRequestReadiness', { clientId: client.id, clientName: client.name, state: 'missing', missingConnections: ['twilio'] }),
    ],
  });
  await press('Request');
  const asked = await dialog('Request an agent');
  const send = await button('Request', asked);
  assert.ok(isInactive(send));
  send.focus();
  await holds(() => assert.ok(screen.getAllByRole('tooltip').some(({ textContent }) => textContent.includes('Choose a client.'))));
  await user.click(await within(asked).findByRole('checkbox', { name: client.name }));
  await reads(asked, /It is installed once we approve it, usually within one working day, and the key is saved\./);
  assert.ok(!isInactive(send));
});
