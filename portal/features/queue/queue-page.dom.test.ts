import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dialog, gone, holds, noDialog, open, reads, screen, see, user, within } from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { reply, row } from '../../testing/service.ts';

test('each J in the work queue moves one item down, even if the address updates late', async () => {
  const items = [1, 2, 3].map((n) => row('getWorkQueue', { kind: 'plan_request', itemId: idOf(n), since: `2026-06-0${n}T09:00:00.000Z` }));
  await open('staff', '/admin', { getWorkQueue: items });
  const links = () => within(screen.getByRole('region', { name: 'Items' })).getAllByRole('link');
  await holds(() => assert.equal(links().length, 3));
  await user.keyboard('jjj');
  await holds(() => assert.match(location.search, /item=/));
  await holds(() => assert.ok(links()[2]?.hasAttribute('aria-current')));
});

const setups = [1, 2, 3].map((n) =>
  row('getWorkQueue', {
    kind: 'failed_setup',
    itemId: idOf(n),
    partnerId: idOf(20 + n),
    ownerId: null,
    since: `2026-06-0${n}T09:00:00.000Z`,
  }),
);
const itemLinks = () => within(screen.getByRole('region', { name: 'Items' })).getAllByRole('link');

test('a key that follows J at once acts on the item that J opened, not on the one of before', async () => {
  const service = await open('staff', '/admin', {
    getWorkQueue: setups,
    assignWorkItem: ({ body: { itemId } }) => ({
      ...(setups.find((one) => one.itemId === itemId) ?? assert.fail(itemId)),
      ownerId: idOf(10),
    }),
  });
  await holds(() => assert.equal(itemLinks().length, 3));
  await user.keyboard('jjm');
  await holds(() => assert.deepEqual(service.sent('assignWorkItem'), [{ kind: 'failed_setup', itemId: idOf(2), assigned: true }]));
  await user.keyboard('jkjm');
  await holds(() => assert.equal(service.sent('assignWorkItem')[1]?.itemId, idOf(3)));
  // So does one that follows a click.
  const [first] = itemLinks();
  assert.ok(first);
  await user.click(first);
  await user.keyboard('m');
  await holds(() => assert.equal(service.sent('assignWorkItem')[2]?.itemId, idOf(1)));
  await holds(() => assert.match(location.search, new RegExp(idOf(1))));
});

test('while the details of the item that J opened are read, its keys do nothing; then they act on it', async () => {
  const items = [1, 2].map((n) => row('getWorkQueue', { kind: 'plan_request', itemId: idOf(n), since: `2026-06-0${n}T09:00:00.000Z` }));
  const read = Promise.withResolvers<void>();
  const service = await open('staff', '/admin', {
    getWorkQueue: items,
    getPlanRequest: async ({ params: { id } }) => {
      if (id === idOf(2)) await read.promise;
      const one = reply('getPlanRequest', { id, status: 'pending', kind: 'signup', partnerId: null });
      return { ...one, applicant: { ...one.applicant, companyName: id === idOf(1) ? 'First Agency' : 'Second Agency' } };
    },
  });
  await see('First Agency');
  await user.keyboard('jj');
  await user.keyboard('amr');
  await gone('First Agency');
  await noDialog();
  assert.deepEqual(service.sent('assignWorkItem'), []);
  read.resolve();
  await see('Second Agency');
  await user.keyboard('r');
  await reads(await dialog(), /Reject Second Agency\?/);
});

const drift = row('getWorkQueue', {
  kind: 'drift',
  itemId: idOf(21),
  partnerId: idOf(21),
  partnerName: 'Oak Agency',
  title: '2 agents of Oak Agency differ in the engine',
  detail: 'Lead qualifier for Oak Dental: gone from the engine\nWin-back: changed in the engine',
  ownerId: null,
  since: '2026-06-01T09:00:00.000Z',
});
const pane = () => screen.getByRole('region', { name: 'The open item' });

test('agents that differ in the engine are named, lead to where a repair is, and are taken with M', async () => {
  const service = await open('staff', '/admin', {
    getWorkQueue: [drift],
    assignWorkItem: () => ({ ...drift, ownerId: idOf(10), ownerName: 'Ines Calder' }),
  });
  await holds(() => assert.equal(itemLinks().length, 1));
  await reads(screen.getByRole('region', { name: 'Items' }), /Oak Agency.*Agents differ.*2 agents of Oak Agency differ in the engine/);
  const { getByRole } = within(pane());
  assert.equal(getByRole('heading', { level: 2 }).textContent, drift.title);
  const named = within(pane()).getAllByRole('listitem');
  assert.deepEqual(named.map(({ textContent }) => textContent), drift.detail.split('\n')); // prettier-ignore
  assert.equal(getByRole('link', { name: 'View agents and repair' }).getAttribute('href'), `/admin/partners/${idOf(21)}/automation`);
  assert.equal(getByRole('link', { name: 'Oak Agency' }).getAttribute('href'), `/admin/partners/${idOf(21)}`);
  await user.keyboard('m');
  await holds(() => assert.deepEqual(service.sent('assignWorkItem'), [{ kind: 'drift', itemId: idOf(21), assigned: true }]));
});

test('an item that a comparison adds reaches the open queue from the stream', async ({ mock }) => {
  const { timeoutManager } = await import('@tanstack/react-query');
  // Without the stream it would come with the next poll.
  mock.method(timeoutManager, 'setInterval', () => 0);
  let waiting: (typeof drift)[] = [];
  const service = await open('staff', '/admin', { getWorkQueue: () => waiting });
  await see('Nothing to do');
  waiting = [drift];
  await holds(() => assert.ok(service.send('/notifications/stream', 'setup.changed', { partnerId: idOf(21) })));
  await see(drift.title);
});
