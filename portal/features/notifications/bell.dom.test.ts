import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dialog, holds, open, press, screen, see, user } from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { row } from '../../testing/service.ts';

const CASA = idOf(71);
const request = row('listAgentRequests', {
  id: idOf(40),
  title: 'Water the plants',
  clientId: idOf(72),
  clientName: 'Riverside',
  status: 'submitted',
});

test('a notification opens its request, also while another client is chosen, and a page without a record keeps the choice', async () => {
  await open('owner', `/dashboard/developer?client=${CASA}`, {
    listNotifications: {
      data: [row('listNotifications', { title: 'Request rejected', href: `/dashboard/requests?request=${request.id}` })],
      nextCursor: null,
    },
    listAgentRequests: ({ query: { clientId, open: isOpen } }) => ({
      data: isOpen && (clientId === undefined || clientId === request.clientId) ? [request] : [],
      nextCursor: null,
    }),
  });
  await press(/unread/i);
  await press(/Request rejected/);
  await see('Submitted, for Riverside', await dialog('Water the plants'));
  assert.equal(new URLSearchParams(location.search).get('client'), null);
  await open('owner', `/dashboard/developer?client=${CASA}`);
  await press(/unread/i);
  await user.click(await screen.findByRole('link', { name: 'All alerts' }));
  await holds(() => assert.equal(location.pathname, '/dashboard/alerts'));
  assert.equal(new URLSearchParams(location.search).get('client'), CASA);
});
