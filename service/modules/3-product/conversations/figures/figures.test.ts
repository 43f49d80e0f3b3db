import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Template } from '@partner-portal/core/template/types.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { addWorkflow } from '@partner-portal/tests/harness/world.ts';
import { inboxHandlers } from '../index.ts';
import { addConversation, addRun, rows } from '../test-conversations.ts';

const SILENT = { subscribe: () => () => undefined, close: () => Promise.resolve() };
/** Facts that decide whether an agent books. */
const TEMPLATES = [
  { name: 'no-show-rebooking', category: 'appointments', requiredConnections: ['calcom'] },
  { name: 'missed-call-text-back', category: 'calls', requiredConnections: ['twilio'] },
] as unknown as Template[]; // members that the figures read

let service: TestService;
before(async () => {
  service = await startTestService({
    modules: (platform) => [{ routes: inboxHandlers({ ...platform, notices: SILENT, templates: TEMPLATES }) }],
  });
});
after(() => service.close());

const PATH = '/chatbot/figures';
const get = (query: string, as: 'owner' | 'clientUser' | 'staff' | 'otherClientUser' = 'owner') =>
  service.call('GET', `${PATH}?${query}`, { as });
const setTimes = (id: string, startedAt: string, lastAt: string) =>
  rows(service, `update conversation set started_at = $2, last_message_at = $3 where id = $1`, [id, startedAt, lastAt]);

describe('the figures of conversations', () => {
  before(async () => {
    const { clientId, partnerId } = service.world;
    // Chicago is six hours behind: the first begins on 3 March there.
    const answered = await addConversation(service, { texts: ['Hi', 'Hello'] });
    await setTimes(answered, '2026-03-04T05:30:00Z', '2026-03-04T05:40:00Z');
    const closed = await addConversation(service, { texts: ['Hi', 'Hello'], status: 'closed' });
    await setTimes(closed, '2026-03-04T15:00:00Z', '2026-03-04T15:00:00Z');
    const unanswered = await addConversation(service, { texts: ['Hi'] });
    await setTimes(unanswered, '2026-03-04T15:00:00Z', '2026-03-04T15:00:00Z');
    const handed = await addConversation(service, { texts: ['Hi', 'Hello'], status: 'handed_off' });
    await setTimes(handed, '2026-03-04T16:00:00Z', '2026-03-04T16:00:00Z');
    const elsewhere = await addConversation(service, { texts: ['Hi', 'Hello'], clientId: service.world.otherClientId });
    await setTimes(elsewhere, '2026-03-04T15:00:00Z', '2026-03-04T15:00:00Z');
    for (const templateName of ['no-show-rebooking', 'missed-call-text-back']) {
      const workflowId = await service.db.asSystem('seed', (tx) => addWorkflow(tx, { partnerId, clientId, templateName }));
      await addRun(service, closed, { workflowId, startedAt: new Date('2026-03-04T15:01:00Z') });
    }
  });

  it('count by day where the client is: alone means the chatbot answered and it was not handed over', async () => {
    const { body } = await get('from=2026-03-03&to=2026-03-05', 'clientUser');
    assert.deepEqual(body.days, [
      { day: '2026-03-03', conversations: 1, answeredAlone: 1, handedOff: 0, runs: 0, bookings: 0 },
      { day: '2026-03-04', conversations: 3, answeredAlone: 1, handedOff: 1, runs: 2, bookings: 1 },
      { day: '2026-03-05', conversations: 0, answeredAlone: 0, handedOff: 0, runs: 0, bookings: 0 },
    ]);
    assert.deepEqual(body.totals, { conversations: 4, answeredAlone: 2, handedOff: 1, runs: 2, bookings: 1 });
  });

  it('change with messages and hand-overs alone, not as time passes or a conversation is closed', async () => {
    const id = await addConversation(service, { texts: ['Hi', 'Hello'], clientId: service.world.otherClientId });
    const today = async () => {
      const { conversations, answeredAlone, handedOff } = (await get('', 'otherClientUser')).body.totals;
      return [conversations, answeredAlone, handedOff];
    };
    assert.deepEqual(await today(), [1, 1, 0]);
    await rows(service, `update conversation set last_message_at = last_message_at - interval '31 minutes' where id = $1`, [id]);
    assert.deepEqual(await today(), [1, 1, 0]);
    await rows(service, `update conversation set status = 'closed' where id = $1`, [id]);
    assert.deepEqual(await today(), [1, 1, 0]);
    await rows(service, `update conversation set status = 'handed_off', was_handed_off = true where id = $1`, [id]);
    assert.deepEqual(await today(), [1, 0, 1]);
  });

  it('are of all clients for an agency, of one when it is named, and of no other tenant', async () => {
    assert.equal((await get('from=2026-03-04&to=2026-03-04')).body.totals.conversations >= 4, true);
    const { clientId, otherClientId, rivalClientId } = service.world;
    assert.equal((await get(`from=2026-03-04&to=2026-03-04&clientId=${otherClientId}`)).body.totals.conversations, 1);
    assert.equal((await get(`clientId=${rivalClientId}`)).status, 404);
    assert.equal((await get(`clientId=${clientId}`, 'otherClientUser')).status, 404);
    assert.equal((await get(`from=2026-03-04&to=2026-03-04&clientId=${clientId}`, 'staff')).body.totals.conversations, 3);
    assert.equal((await get('', 'staff')).body.code, 'invalid_query');
  });

  it('cover at most 366 days, in one statement whatever the range', async () => {
    assert.equal((await get('from=2025-01-01&to=2026-01-02')).body.code, 'invalid_query');
    assert.equal((await get('from=2025-01-01&to=2026-01-01')).body.days.length, 366);
    assert.equal((await get('')).body.days.length, 30);
    assert.equal(await service.countStatements(() => get('from=2025-01-01&to=2026-01-01')), 6);
  });
});
