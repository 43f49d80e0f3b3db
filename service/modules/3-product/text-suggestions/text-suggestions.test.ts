import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { findBundle } from '@partner-portal/catalog/index.ts';
import { notifications } from '#modules/5-reactions/notifications/index.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { addWorkflow, type Person } from '@partner-portal/tests/harness/world.ts';
import { newId } from '#platform/ids.ts';
import { textSuggestions } from './index.ts';

let service: TestService;
let agentId: string;
let notifyFromAudit: (entryId: string) => Promise<void>;

before(async () => {
  service = await startTestService({
    modules: (platform) => {
      const silent = { subscribe: () => () => undefined, close: () => Promise.resolve() };
      const module = notifications({
        ...platform,
        notices: silent,
        queueMail: platform.mail.queueMail,
        cancelKeyed: platform.mail.cancelKeyed,
        links: platform.mail.links,
      });
      ({ notifyFromAudit } = module);
      return [textSuggestions({ ...platform, templateOf: (name) => findBundle(name)?.template })];
    },
  });
});
after(() => service.close());
beforeEach(async () => {
  await service.db.asSystem('seed', async (tx) => {
    await tx.deleteFrom('workflow').execute();
    const { partnerId, clientId } = service.world;
    agentId = await addWorkflow(tx, { partnerId, clientId, templateName: 'missed-call-text-back' });
  });
});

const query = (text: string, values?: unknown[]) => service.database.query(text, values);
const suggest = (body: object, as: Person = 'clientUser', headers: Record<string, string> = {}) =>
  service.call('POST', `/clients/me/agents/${agentId}/text-suggestions`, { as, body, headers });
const suggested = async (body: object = { key: 'message', text: 'Sorry! {bookingUrl}' }): Promise<{ id: string; before: string }> => {
  const made = await suggest(body);
  assert.equal(made.status, 201, made.text);
  return made.body;
};
const act = (id: string, verb: string, as: Person, body?: object) =>
  service.call('POST', `/text-suggestions/${id}/${verb}`, { as, ...(body ? { body } : {}) });
const list = async (as: Person, query = '') => (await service.call('GET', `/text-suggestions${query}`, { as })).body.data;
const config = async () => {
  const [row] = await service.db.asSystem('seed', (tx) => tx.selectFrom('workflow').select('config').where('id', '=', agentId).execute());
  return row?.config as Record<string, unknown>;
};
const entriesOf = (target: string) =>
  service.db.asSystem('seed', (tx) =>
    tx.selectFrom('auditEntry').select(['id', 'action', 'changes']).where('targetId', '=', target).orderBy('id').execute(),
  );
const noticesOf = (person: Person) =>
  service.db.asSystem('seed', (tx) =>
    tx.selectFrom('notification').select(['type', 'title', 'href']).where('userId', '=', service.world.people[person].userId).execute(),
  );

describe('a suggested text', () => {
  it('waits for the agency, with the text it would replace, and both sides are notified once', async () => {
    const { id, before: replaced } = await suggested({ key: 'message', text: 'Sorry! {bookingUrl}', note: 'Shorter, please.' });
    const [row] = await list('owner', '?status=pending');
    assert.deepEqual(
      [row.id, row.label, row.text, row.note, row.present === replaced, row.suggestedByName, row.clientName],
      [id, 'Message', 'Sorry! {bookingUrl}', 'Shorter, please.', true, 'ClientUser Tester', 'Oak Street Dental'],
    );
    const [created] = await entriesOf(id);
    assert.equal(created?.action, 'text_suggestion.created');
    await notifyFromAudit(created?.id ?? '');
    await notifyFromAudit(created?.id ?? '');
    for (const person of ['owner', 'moderator'] as const)
      assert.deepEqual((await noticesOf(person)).filter(({ type }) => type === 'text_suggested').length, 1, person);
    assert.deepEqual(await noticesOf('clientUser'), []);
    assert.equal((await act(id, 'decline', 'owner', { note: 'Legal asks for the longer one.' })).status, 200);
    const declined = (await entriesOf(id)).at(-1);
    await notifyFromAudit(declined?.id ?? '');
    assert.deepEqual(await noticesOf('clientUser'), [
      { type: 'text_suggestion_resolved', title: 'Your text for missed-call-text-back was declined', href: `/client/agents/${agentId}` },
    ]);
    const [own] = await list('clientUser');
    assert.deepEqual([own.status, own.decisionNote, own.decidedByName], ['declined', 'Legal asks for the longer one.', 'Owner Tester']);
  });

  it('becomes the agent’s when it is applied, once, through the audit log of its settings', async () => {
    const { id, before: replaced } = await suggested();
    const both = await Promise.all([0, 1].map(() => act(id, 'apply', 'owner', { replaces: replaced })));
    assert.deepEqual(
      both.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 409],
    );
    assert.equal(both.find(({ status }) => status === 409)?.body.code, 'invalid_state');
    assert.deepEqual(await config(), { message: 'Sorry! {bookingUrl}' });
    assert.deepEqual(
      (await entriesOf(agentId)).map(({ action }) => action),
      ['agent.changed'],
    );
    const [own] = await list('clientUser');
    assert.deepEqual([own.status, own.present, own.before], ['applied', 'Sorry! {bookingUrl}', replaced]);
  });

  it('is not applied over a text that changed since it was compared, and is over the one that was seen', async () => {
    const { id, before: replaced } = await suggested();
    await query(`update workflow set config = '{"message":"Changed by another."}' where id = $1`, [agentId]);
    assert.equal((await act(id, 'apply', 'owner', { replaces: replaced })).body.code, 'stale_record');
    const [row] = await list('owner');
    assert.deepEqual([row.status, row.before, row.present], ['pending', replaced, 'Changed by another.']);
    assert.equal((await act(id, 'apply', 'owner', { replaces: row.present })).status, 200);
    assert.deepEqual(await config(), { message: 'Sorry! {bookingUrl}' });
  });

  it('passes the checks of the setting, when it is sent and when it is applied', async () => {
    for (const [body, code] of [
      [{ key: 'message', text: 'x'.repeat(321) }, 'too_long'],
      [{ key: 'quietHours', text: 'in the evening' }, 'invalid'],
      [{ key: 'repeatAfterHours', text: '3' }, 'unknown'],
      [{ key: 'password', text: 'x' }, 'unknown'],
      [{ key: 'quietHours', text: '21:00-08:00' }, 'unchanged'],
    ] as const) {
      const { status, body: problem } = await suggest(body);
      assert.deepEqual([status, problem.errors[0].code], [422, code], JSON.stringify(body));
    }
    const { id, before: replaced } = await suggested({ key: 'quietHours', text: '20:00-09:00' });
    await query(`update text_suggestion set text = 'always' where id = $1`, [id]);
    assert.equal((await act(id, 'apply', 'owner', { replaces: replaced })).body.code, 'validation_failed');
    assert.deepEqual(await config(), {});
    await query(`update text_suggestion set text = '20:00-09:00' where id = $1`, [id]);
    assert.equal((await act(id, 'apply', 'owner', { replaces: replaced })).status, 200);
  });

  it('is refused when the page it was written on is out of date', async () => {
    const stale = await suggest({ key: 'message', text: 'New' }, 'clientUser', { 'if-match': '"2020-01-01T00:00:00.000Z"' });
    assert.equal(stale.body.code, 'stale_record');
    assert.equal((await suggest({ key: 'message', text: 'New' })).status, 201);
  });

  it('is one per text and twenty per client at most, until one is withdrawn', async () => {
    const { id } = await suggested();
    assert.equal((await suggest({ key: 'message', text: 'Another' })).body.code, 'already_pending');
    assert.equal((await act(id, 'withdraw', 'clientUser')).status, 200);
    assert.equal((await suggest({ key: 'message', text: 'Another' })).status, 201);
    const { partnerId, clientId } = service.world;
    await query(
      `insert into text_suggestion (partner_id, client_id, workflow_id, key, before, text, suggested_by_name)
        select $1, $2, $3, 'key' || n, '', '', 'Someone' from generate_series(1, 18) n`,
      [partnerId, clientId, agentId],
    );
    const two = await Promise.all(['optOutLine', 'quietHours'].map((key) => suggest({ key, text: '22:00-07:00' })));
    assert.deepEqual(
      two.map(({ status }) => status).toSorted((a, b) => a - b),
      [201, 409],
    );
    assert.equal(two.find(({ status }) => status === 409)?.body.code, 'suggestion_limit_reached');
    const [newest] = await list('clientUser');
    assert.equal((await act(newest.id, 'withdraw', 'clientUser')).status, 200);
    assert.equal((await suggest({ key: 'bookingUrl', text: 'https://oak.example/book' })).status, 201);
  });

  it('is the client’s to send and withdraw, an admin’s to decide, and invisible to all others', async () => {
    const path = `/clients/me/agents/${agentId}/text-suggestions`;
    const body = { key: 'message', text: 'Sorry! {bookingUrl}' };
    const roles = { owner: 'role_forbidden', staff: 'role_forbidden', otherClientUser: 'not_found', rivalClientUser: 'not_found' };
    await service.assertRefused('POST', path, roles, body);
    const { id } = await suggested();
    const decides = {
      clientUser: 'role_forbidden',
      moderator: 'partner_role_forbidden',
      staff: 'role_forbidden',
      rivalOwner: 'not_found',
    };
    await service.assertRefused('POST', `/text-suggestions/${id}/apply`, decides, { replaces: '' });
    await service.assertRefused('POST', `/text-suggestions/${id}/decline`, decides, {});
    await service.assertRefused('POST', `/text-suggestions/${id}/withdraw`, {
      owner: 'role_forbidden',
      otherClientUser: 'not_found',
      rivalClientUser: 'not_found',
    });
    assert.equal((await act(newId(), 'apply', 'owner', { replaces: '' })).body.code, 'not_found');
    for (const other of ['otherClientUser', 'rivalOwner', 'rivalClientUser'] as const) assert.deepEqual(await list(other), [], other);
    for (const reader of ['clientUser', 'owner', 'moderator', 'staff'] as const) assert.equal((await list(reader)).length, 1, reader);
  });

  it('goes with its agent', async () => {
    await suggested();
    await query('delete from workflow where id = $1', [agentId]);
    assert.deepEqual(await list('owner'), []);
  });
});
