import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button, dialog, gone, holds, isInactive, open, press, reads, rows, screen, see, user, within } from '../../testing/portal.ts';
import { idOf } from '../../testing/sample.ts';
import { type Answers, reply, row } from '../../testing/service.ts';

const OAK = { clientId: idOf(2), clientName: 'Oak Street Dental' };
const agent = (n: number, name: string, isActive = true) =>
  row('listAgents', { id: idOf(50 + n), name, templateName: `template-${n}`, installed: true, isActive, ...OAK });
const bar = () => screen.getByRole('region', { name: 'Selected agents' });

test('agents chosen with X are paused together, and Undo turns on those that were on', async () => {
  const all = [agent(1, 'Text-back'), agent(2, 'Reminder', false), agent(3, 'Report')];
  const service = await open('owner', '/dashboard/agents', {
    listAgents: () => ({ data: all, nextCursor: null }),
    switchAgents: ({ body: { ids, isActive } }) => ({
      results: ids.map((id) => {
        const one = all.find((known) => known.id === id) ?? assert.fail(id);
        const result = one.isActive === isActive ? 'unchanged' : 'changed';
        one.isActive = isActive;
        return { id, name: one.name, result };
      }),
    }),
  });
  const on = () => screen.getAllByRole('switch').map((one) => one.getAttribute('aria-checked'));
  await holds(() => assert.deepEqual(on(), ['true', 'false', 'true']));
  await user.keyboard('j');
  await holds(() => assert.equal(document.activeElement, rows('Agents')[0]));
  await user.keyboard('x');
  await holds(() => assert.match(bar().textContent, /1 agent of 1 client/));
  await user.keyboard('j');
  await holds(() => assert.equal(document.activeElement, rows('Agents')[1]));
  await user.keyboard('x');
  await holds(() => assert.match(bar().textContent, /2 agents of 1 client/));
  await press('Pause', bar());
  await see('1 agent is paused.');
  await holds(() => assert.deepEqual(on(), ['false', 'false', 'true']));
  // The one that was off before stays off.
  await press(/^Undo/);
  await holds(() => assert.deepEqual(on(), ['true', 'false', 'true']));
  assert.deepEqual(service.sent('switchAgents'), [
    { ids: [idOf(51), idOf(52)], isActive: false },
    { ids: [idOf(51)], isActive: true },
  ]);
  await press('Clear', bar());
  await holds(() => assert.equal(screen.queryByRole('region', { name: 'Selected agents' }), null));
});

test('turning on several agents leaves out those of a suspended client', async () => {
  const held = { ...agent(1, 'Text-back', false), clientStatus: 'suspended' as const };
  const service = await open('owner', '/dashboard/agents', {
    listAgents: { data: [held, agent(2, 'Reminder', false)], nextCursor: null },
    switchAgents: { results: [{ id: idOf(52), name: 'Reminder', result: 'changed' }] },
  });
  await user.click(await screen.findByRole('checkbox', { name: `Select Text-back for ${OAK.clientName}` }));
  await holds(() => assert.match(bar().textContent, /1 agent of 1 client/));
  assert.equal(within(bar()).queryByRole('button', { name: 'Turn on' }), null);
  await user.click(await screen.findByRole('checkbox', { name: `Select Reminder for ${OAK.clientName}` }));
  await press('Turn on', bar());
  await see('1 agent is on.');
  assert.deepEqual(service.sent('switchAgents'), [{ ids: [idOf(52)], isActive: true }]);
});

test('several agents are copied to all clients that a search finds, with a result for each agent and client', async () => {
  const sources = [agent(1, 'Text-back'), agent(2, 'Reminder')];
  // More clients than one page of the choice shows and one call accepts.
  const clients = Array.from({ length: 130 }, (_, n) =>
    row('listClients', { id: idOf(1000 + n), name: `Copy shop ${n}`, externalRef: `shop-${n}` }),
  );
  const PAGE = 50;
  const nameOf = (id: string): string => clients.find((client) => client.id === id)?.name ?? '';
  const answers: Answers = {
    listAgents: { data: sources, nextCursor: null },
    listClients: ({ query: { q, cursor, limit } }) => {
      const found = clients.filter(({ name, externalRef }) => !q || `${name} ${externalRef ?? ''}`.includes(q));
      const from = Number(cursor ?? 0);
      return { data: found.slice(from, from + limit), nextCursor: from + limit < found.length ? String(from + limit) : null };
    },
    previewCopies: ({ params, body }) =>
      reply('previewCopies', {
        agentId: params.id,
        setupStatus: 'ready',
        targets: body.clientIds.map((clientId) => ({
          clientId,
          clientName: nameOf(clientId),
          state: 'ready',
          missingConnections: [],
          refusedConnections: clientId === clients[5]?.id ? ['twilio'] : [],
          missingSettings: [],
          differences: [],
          needsInstallation: true,
        })),
      }),
    copyAgent: ({ body }) => ({
      results: body.clientIds.map((clientId) => ({ clientId, clientName: nameOf(clientId), result: 'submitted', requestId: idOf(9) })),
    }),
  };
  const service = await open('owner', '/dashboard/agents', answers);
  for (const { name } of sources) await user.click(await screen.findByRole('checkbox', { name: `Select ${name} for ${OAK.clientName}` }));
  await press('Copy to clients', bar());
  const copying = await dialog('Copy 2 agents to other clients');
  const choices = (): number => within(copying).queryAllByRole('checkbox', { name: /^Copy shop/ }).length;
  await holds(() => assert.equal(choices(), PAGE));
  // The service looks through all of them; Enter in the search sends nothing.
  const search = within(copying).getByRole('searchbox');
  await user.type(search, 'shop-12{Enter}');
  await holds(() => assert.equal(choices(), 11));
  await user.clear(search);
  await user.type(search, 'Copy shop');
  await holds(() => assert.equal(choices(), PAGE));
  await user.click(await within(copying).findByRole('checkbox', { name: 'All that match' }));
  await see('130 chosen', copying);
  await holds(() => assert.ok(within(copying).getByRole<HTMLInputElement>('checkbox', { name: 'All that match' }).checked));
  const preview = await within(copying).findByRole('region', { name: 'What each client gets' });
  for (const { name } of sources) await within(preview).findByRole('heading', { name: new RegExp(`^${name}`) });
  // A refused key stops no request, and is on top of the list.
  await reads(preview, /129 ready and 1 has a refused key/);
  await holds(() => assert.match(preview.querySelector('li')?.textContent ?? '', /^Copy shop 5Twilio key refused/));
  const send = await button('Request 260 copies', copying);
  await holds(() => assert.ok(!isInactive(send)));
  assert.deepEqual(service.sent('copyAgent'), []);
  await user.dblClick(send);
  await see('260 requests submitted.', copying);
  const results = within(copying).getByRole('region', { name: 'Result of each copy' });
  assert.equal(within(results).getAllByRole('listitem').length, 260);
  assert.equal(within(results).getAllByText('Requested').length, 260);
  // Each agent for each client once, no call with more clients than it accepts, and each call under a key of its own.
  const calls = service.calls.filter(({ name }) => name === 'copyAgent');
  const pairs = calls.flatMap(({ params, body }) =>
    (body as { clientIds: string[] }).clientIds.map((id) => `${(params as { id: string }).id} ${id}`),
  );
  assert.equal(new Set(pairs).size, 260);
  assert.deepEqual(calls.map(({ body }) => (body as { clientIds: string[] }).clientIds.length), [100, 30, 100, 30]); // prettier-ignore
  assert.equal(new Set(calls.map(({ headers }) => headers.get('idempotency-key'))).size, 4);
  await press('Open the requests', copying);
  await holds(() => assert.equal(location.pathname, '/dashboard/requests'));
  await gone(/260 requests submitted/);
  await reads(screen.getByRole('main'), /Requests/);
});
