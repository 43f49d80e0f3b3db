import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button, dialog, fill, gone, holds, noDialog, open, press, reads, screen, see, user, within } from '../../testing/portal.ts';
import { window } from '../../testing/dom.ts';
import { idOf } from '../../testing/sample.ts';
import { type Answers, Refused, reply, row } from '../../testing/service.ts';

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

/** Two wishes of an agency; `left` has the first cancelled by its agency, which the queue is read again for. */
async function openWishes(given: { search?: string; answers?: Answers } = {}) {
  let listed = [1, 2].map((n) =>
    row('getWorkQueue', {
      kind: 'agent_request',
      itemId: idOf(n),
      title: n === 1 ? 'First wish' : 'Second wish',
      partnerId: idOf(20),
      ownerId: null,
      since: `2026-06-0${n}T09:00:00.000Z`,
    }),
  );
  const service = await open('staff', `/admin${given.search ?? ''}`, {
    getWorkQueue: () => listed,
    getAgentRequest: ({ params: { id } }) =>
      reply('getAgentRequest', { id, kind: 'template', title: id === idOf(1) ? 'First wish' : 'Second wish', status: 'submitted' }),
    assignWorkItem: ({ body: { itemId, assigned } }) => {
      // The list is read again at any time, such as when the stream opens.
      listed = listed.map((one) => (one.itemId === itemId ? { ...one, ownerId: assigned ? idOf(10) : null } : one));
      return listed.find((one) => one.itemId === itemId) ?? assert.fail(itemId);
    },
    ...given.answers,
  });
  const left = async (): Promise<void> => {
    listed = listed.filter(({ itemId }) => itemId !== idOf(1));
    await holds(() =>
      assert.ok(service.send('/agent-requests/stream', 'request', row('listAgentRequests', { id: idOf(1), status: 'cancelled' }))),
    );
    await holds(() => assert.equal(itemLinks().length, 1));
  };
  await holds(() => assert.equal(itemLinks().length, 2));
  await button(/^(Approve and install|Try again)/);
  return { service, left };
}
test('a dialog over an item stays with its text when the item leaves the queue, and what is typed on does nothing else', async () => {
  for (const search of ['', `?item=agent_request.${idOf(1)}`]) {
    const { service, left } = await openWishes({ search });
    await user.keyboard('r');
    const rejecting = await dialog('Reject “First wish”?');
    const note = await fill(/^Note/, 'We cannot build this because', rejecting);
    await left();
    await user.keyboard(' many a');
    assert.equal(note.value, 'We cannot build this because many a');
    assert.equal((await dialog()).isSameNode(rejecting), true);
    await press('Back', rejecting);
    await noDialog();
    assert.deepEqual(service.sent('assignWorkItem'), []);
  }
});

test('an item that others settle stays open and says so, its keys do nothing, and J opens the one that took its place', async () => {
  for (const search of ['', `?item=agent_request.${idOf(1)}`]) {
    const { service, left } = await openWishes({ search });
    await left();
    await see(/^This item left the queue: it is settled, or its agency is suspended\./, pane());
    await user.keyboard('mar');
    await noDialog();
    await user.keyboard('j');
    await gone(/^This item left the queue/);
    await within(pane()).findByRole('button', { name: /^Approve and install/ });
    await user.keyboard('m');
    await holds(() =>
      assert.deepEqual(
        service.sent('assignWorkItem').map(({ itemId }) => itemId),
        [idOf(2)],
      ),
    );
    await user.keyboard('r');
    await dialog('Reject “Second wish”?');
  }
});

test('an item that leaves the view by its new owner stays open, and so does one that is no longer the reader’s own', async () => {
  const { service } = await openWishes({ search: `?show=unowned&item=agent_request.${idOf(1)}` });
  await user.keyboard('m');
  await holds(() => assert.equal(itemLinks().length, 1));
  await within(pane()).findByRole('button', { name: /^Unassign/ });
  await user.keyboard('m');
  await holds(() => assert.equal(itemLinks().length, 2));
  assert.deepEqual(
    service.sent('assignWorkItem').map(({ itemId }) => itemId),
    [idOf(1), idOf(1)],
  );
});

test('an installation that is being started by its key is not started again by it', async () => {
  const started = Promise.withResolvers<void>();
  const { service } = await openWishes({
    answers: {
      getAgentRequest: ({ params: { id } }) =>
        reply('getAgentRequest', { id, kind: 'template', title: 'First wish', status: 'provisioning_failed' }),
      retryAgentRequest: async ({ params: { id } }) => {
        await started.promise;
        return reply('retryAgentRequest', { id, kind: 'template', status: 'provisioning' });
      },
    },
  });
  await user.keyboard('a');
  await button(/^Starting/);
  await user.keyboard('a');
  started.resolve();
  await see('“First wish”: installation started.');
  assert.equal(service.sent('retryAgentRequest').length, 1);
});

test('a link that follows J at once leaves no other item open than the address says', async () => {
  await open('staff', '/admin', { getWorkQueue: setups });
  await holds(() => assert.equal(itemLinks().length, 3));
  const pressJ = (): boolean => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }));
  pressJ();
  pressJ();
  screen.getAllByRole('link', { name: /^Work queue/ })[0]?.click();
  await holds(() => assert.ok(itemLinks()[0]?.hasAttribute('aria-current')));
  assert.equal(location.search, '');
});

test('a request that was cancelled meanwhile leaves the list once a decision about it was refused', async () => {
  const request = reply('getPlanRequest', { id: idOf(1), kind: 'change', status: 'pending', partnerId: idOf(21) });
  let isCancelled = false;
  await open('staff', '/admin', {
    getWorkQueue: () => (isCancelled ? [] : [row('getWorkQueue', { kind: 'plan_request', itemId: request.id, partnerId: idOf(21) })]),
    getPlanRequest: request,
    rejectPlanRequest: () => {
      isCancelled = true;
      throw new Refused('invalid_state', { detail: 'This request is already cancelled.' });
    },
  });
  await holds(() => assert.equal(itemLinks().length, 1));
  await press(/^Reject/);
  const asked = await dialog(/^Reject/);
  await user.type(await within(asked).findByRole('textbox'), 'Not now.');
  await press('Reject', asked);
  await see(/This request is already cancelled\./, asked);
  await press('Back', asked);
  await noDialog();
  await holds(() => assert.equal(screen.queryByRole('region', { name: 'Items' })?.querySelectorAll('a').length ?? 0, 0));
});

test('the approval of a name, by its key, says which mail it sent, and which waits for another name', async () => {
  const review = reply('getNameReview', { id: idOf(1), status: 'pending', waitingMails: 3, name: 'Wells Fargo Support' });
  await open('staff', '/admin', {
    getWorkQueue: [row('getWorkQueue', { kind: 'name_review', itemId: idOf(1) })],
    getNameReview: review,
    approveNameReview: { ...review, status: 'approved', mailsSent: 1, waitingMails: 2 },
  });
  await within(screen.getByRole('region', { name: 'The open item' })).findByRole('button', { name: /^Approve/ });
  await user.keyboard('a');
  await press('Approve', await dialog());
  await see('“Wells Fargo Support” is approved. 1 mail sent. 2 mails wait for another name of the agency.');
});

test('after a decision the next item opens, or on a phone the list: nothing else that can be decided appears in its place', async (t) => {
  t.after(() => window.happyDOM.setViewport({ width: 1280 }));
  for (const [width, next] of [
    [1280, idOf(2)],
    [390, undefined],
  ] as const) {
    window.happyDOM.setViewport({ width });
    let listed = [1, 2].map((n) => row('getWorkQueue', { kind: 'agent_request', itemId: idOf(n), partnerId: idOf(20) }));
    await open('staff', `/admin?item=agent_request.${idOf(1)}`, {
      getWorkQueue: () => listed,
      getAgentRequest: ({ params: { id } }) =>
        reply('getAgentRequest', { id, kind: 'template', title: id === idOf(1) ? 'First wish' : 'Second wish', status: 'submitted' }),
      approveAgentRequest: ({ params: { id } }) => {
        listed = listed.filter(({ itemId }) => itemId !== id);
        return reply('approveAgentRequest', { id, kind: 'template', status: 'provisioning' });
      },
    });
    await press(/^Approve and install/);
    await press('Approve and install', await dialog());
    await see('“First wish” is approved.');
    await holds(() => assert.equal(itemLinks().length, 1));
    await holds(() => assert.equal(new URLSearchParams(location.search).get('item') ?? undefined, next && `agent_request.${next}`));
  }
});
