import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { addWorkflow, type Person } from '@partner-portal/tests/harness/world.ts';
import { newId } from '#platform/ids.ts';
import { stopList } from './index.ts';

/** Whom no agent of a client writes to, as agency and client see and change it. */

let service: TestService;
let path: string;
let otherPath: string;
before(async () => {
  service = await startTestService({ modules: (platform) => [stopList(platform)] });
  path = `/clients/${service.world.clientId}/stop-list`;
  otherPath = `/clients/${service.world.otherClientId}/stop-list`;
});
after(() => service.close());
beforeEach(async () => {
  await service.db.asSystem('seed', async (tx) => {
    await tx.deleteFrom('optOut').execute();
    await tx.deleteFrom('auditEntry').execute();
  });
});

const list = async (as: Person, query = '', of = path) => service.call('GET', `${of}${query}`, { as });
const contacts = async (as: Person, query = '') => (await list(as, query)).body.data.map((row: { contact: string }) => row.contact);
const add = (as: Person, body: object, of = path) => service.call('POST', of, { as, body });
const remove = (as: Person, contact: string, body: object = { reason: 'Asked in the shop.' }, of = path) =>
  service.call('DELETE', `${of}/${encodeURIComponent(contact)}`, { as, body });
const audited = async () =>
  (
    await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('auditEntry').select(['action', 'targetLabel', 'changes']).orderBy('id').execute(),
    )
  ).map((row) => ({ ...row }));
const seed = (rows: { contact: string; clientId?: string | null; reason?: string }[]) =>
  service.db.asSystem('seed', (tx) =>
    tx
      .insertInto('optOut')
      .values(
        rows.map(({ contact, clientId = service.world.clientId, reason = 'word' }) => ({
          partnerId: service.world.partnerId,
          clientId,
          contact,
          reason,
        })),
      )
      .execute(),
  );

describe('the stop list of a client', () => {
  it('names the run that brought an entry while it is kept, and its agent in the language of the reader', async () => {
    const { partnerId, clientId } = service.world;
    const runId = newId();
    await service.db.asSystem('seed', async (tx) => {
      const workflowId = await addWorkflow(tx, { partnerId, clientId, templateName: 'ai-faq-reply', name: 'AI answers to texts' });
      await tx
        .insertInto('execution')
        .values({
          id: runId,
          partnerId,
          clientId,
          workflowId,
          source: 'ingest',
          summary: 'Running',
          templateVersion: 5,
          creditsHeld: 0,
          dueAt: new Date(),
        })
        .execute();
      const kept = { partnerId, clientId, contact: '+13125550121', reason: 'word', executionId: runId };
      await tx.insertInto('optOut').values(kept).execute();
      await tx
        .insertInto('optOut')
        .values({ ...kept, contact: '+13125550122', executionId: newId() })
        .execute();
      await tx.updateTable('appUser').set({ locale: 'de' }).where('id', '=', service.world.people.clientUser.userId).execute();
    });
    const seen = async (as: Person) =>
      (await list(as)).body.data.map((row: { contact: string; executionId: string | null; agentName: string | null }) => [
        row.contact,
        row.executionId,
        row.agentName,
      ]);
    assert.deepEqual(await seen('owner'), [
      ['+13125550122', null, null],
      ['+13125550121', runId, 'AI answers to texts'],
    ]);
    assert.deepEqual((await seen('clientUser'))[1], ['+13125550121', runId, 'KI-Antworten auf SMS']);
    await service.db.asSystem('seed', (tx) =>
      tx.updateTable('appUser').set({ locale: 'en' }).where('id', '=', service.world.people.clientUser.userId).execute(),
    );
  });

  it('is added to without a reason by agency and client, in one notation, once', async () => {
    const made = await add('owner', { contact: ' +1 (312) 555-0121 ' });
    assert.equal(made.status, 201, made.text);
    assert.deepEqual([made.body.contact, made.body.reason, made.body.isOfAgency], ['+13125550121', 'agency', false]);
    const again = await add('clientUser', { contact: '0013125550121', note: 'Called us.' });
    assert.deepEqual([again.status, again.body.id, again.body.note], [201, made.body.id, null], 'stays as it was');
    const mail = await add('clientUser', { contact: 'Ada@Example.com', note: 'Called us.' });
    assert.deepEqual([mail.body.contact, mail.body.reason, mail.body.note], ['ada@example.com', 'client', 'Called us.']);
    assert.deepEqual(await contacts('owner'), ['ada@example.com', '+13125550121'], 'newest first');
    assert.deepEqual(await contacts('clientUser'), ['ada@example.com', '+13125550121']);
    assert.deepEqual(
      (await audited()).map(({ action, changes }) => [action, changes]),
      [
        ['stop_list.added', { contact: [null, '+1 312 ··· 0121'] }],
        ['stop_list.added', { contact: [null, 'a···@example.com'], note: [null, 'Called us.'] }],
      ],
    );
  });

  it('refuses what is no contact at its field', async () => {
    for (const contact of ['555 0121', 'ada', '+1']) {
      const refused = await add('owner', { contact });
      assert.deepEqual([refused.status, refused.body.errors?.[0]?.field], [422, 'contact'], contact);
    }
    assert.deepEqual(await contacts('owner'), []);
  });

  it('takes a number without its country code as one of the client’s country, when it is added and taken off', async () => {
    assert.equal((await add('owner', { contact: '(312) 555-0121' })).status, 201);
    assert.deepEqual(await contacts('owner'), ['+13125550121']);
    await remove('clientUser', '312-555-0121');
    assert.deepEqual(await contacts('owner'), []);
  });

  it('is taken off with a reason only, which the audit log keeps', async () => {
    await seed([{ contact: '+13125550121' }]);
    assert.equal((await remove('owner', '+13125550121', {})).status, 422);
    assert.equal((await remove('owner', '+13125550121', { reason: ' ' })).status, 422);
    assert.equal((await contacts('owner')).length, 1);
    assert.equal((await remove('owner', '+13125550121')).status, 204);
    assert.deepEqual(await contacts('owner'), []);
    const [entry] = (await audited()).filter(({ action }) => action === 'stop_list.removed').slice(-1);
    assert.deepEqual(entry?.changes, { contact: ['+1 312 ··· 0121', null], reason: [null, 'Asked in the shop.'] });
    assert.equal((await remove('owner', '+13125550121')).status, 404, 'it is no longer there');
    await seed([{ contact: '+13125550121' }]);
    assert.equal((await remove('clientUser', '+13125550121')).status, 204);
  });

  it('is read by all of the agency and of the client, and changed by its admins and the client', async () => {
    await seed([{ contact: '+13125550121' }]);
    for (const person of ['owner', 'moderator', 'clientUser', 'staff'] as const)
      assert.equal((await list(person)).body.data.length, 1, person);
    assert.equal((await add('moderator', { contact: '+13125550122' })).status, 403);
    assert.equal((await remove('moderator', '+13125550121')).status, 403);
    assert.equal((await add('staff', { contact: '+13125550122' })).status, 403);
    assert.equal((await contacts('owner')).length, 1);
  });

  it('is one client’s: no other client, and no other agency, sees or changes it', async () => {
    await seed([{ contact: '+13125550121' }]);
    for (const person of ['otherClientUser', 'rivalOwner', 'rivalClientUser'] as const) {
      assert.equal((await list(person)).status, 404, person);
      assert.equal((await add(person, { contact: '+13125550122' })).status, 404, person);
      assert.equal((await remove(person, '+13125550121')).status, 404, person);
      assert.equal((await service.call('GET', `${path}/export.csv`, { as: person })).status, 404, person);
    }
    assert.equal((await add('clientUser', { contact: '+13125550122' }, otherPath)).status, 404);
    assert.deepEqual((await list('owner', '', otherPath)).body.data, [], 'it holds for one client');
    assert.deepEqual(await contacts('owner'), ['+13125550121']);
  });

  it('shows the agency who opted out of its own agents, and its clients nothing of it', async () => {
    await seed([{ contact: '+13125550121', clientId: null }]);
    const [row] = (await list('owner')).body.data;
    assert.deepEqual([row.contact, row.isOfAgency], ['+13125550121', true]);
    assert.deepEqual(await contacts('clientUser'), []);
    assert.equal((await remove('clientUser', '+13125550121')).status, 404);
    assert.equal((await remove('owner', '+13125550121')).status, 204);
    assert.deepEqual(await contacts('owner'), []);
  });

  it('is searched by part of a number in any notation or of an address, and read page by page', async () => {
    await seed([{ contact: '+13125550121' }, { contact: '+436641234567' }, { contact: 'ada@example.com' }]);
    for (const [q, found] of [
      ['(312) 555', ['+13125550121']],
      ['0664 123', ['+436641234567']],
      ['+43 (0)664 123', ['+436641234567']],
      ['0043 (0) 664 / 123', ['+436641234567']],
      ['(0664) 123', ['+436641234567']],
      ['ADA@', ['ada@example.com']],
      ['%', []],
    ] as const)
      assert.deepEqual(await contacts('owner', `?q=${encodeURIComponent(q)}`), found, q);
    const first = await list('owner', '?limit=2');
    const second = await list('owner', `?limit=2&cursor=${first.body.nextCursor}`);
    const read: string[] = [...first.body.data, ...second.body.data].map((row) => row.contact);
    assert.deepEqual(read.toSorted(), ['+13125550121', '+436641234567', 'ada@example.com']);
    assert.equal(second.body.nextCursor, null);
    assert.equal((await list('owner', `?limit=2&q=ada&cursor=${first.body.nextCursor}`)).status, 400, 'a cursor belongs to its filter');
  });

  it('is exported as CSV, with the reason in words', async () => {
    await seed([{ contact: '+13125550121' }, { contact: 'ada@example.com', reason: 'client' }]);
    const csv = await service.call('GET', `${path}/export.csv?q=312`, { as: 'clientUser' });
    assert.equal(csv.status, 200);
    const [head, ...rows] = csv.text.replace('\uFEFF', '').trimEnd().split('\r\n');
    assert.match(head ?? '', /Contact/);
    assert.equal(rows.length, 1);
    assert.match(rows[0] ?? '', /13125550121.*Asked by text/);
  });
});
