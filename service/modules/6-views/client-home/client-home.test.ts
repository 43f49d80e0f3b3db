import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { findBundle, loadCatalog } from '@partner-portal/catalog/index.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { addWorkflow, noonZone } from '@partner-portal/tests/harness/world.ts';
import { sql } from 'kysely';
import { clientHome } from './index.ts';

let service: TestService;
before(async () => {
  const templateOf = (name: string) => findBundle(name)?.template;
  service = await startTestService({
    modules: (platform) => [clientHome({ ...platform, catalog: loadCatalog(), templateOf, platformProviders: [] })],
  });
});
after(() => service.close());

describe('the client home', () => {
  it('counts this month in the time zone of the client, and only its own executions', async () => {
    const { partnerId, clientId } = service.world;
    await service.db.asSystem('seed', async (tx) => {
      const id = await addWorkflow(tx, { partnerId, clientId, templateName: 'missed-call-text-back', lastRunAt: new Date() });
      const rival = await addWorkflow(tx, { partnerId, clientId: null, templateName: 'missed-call-text-back' });
      await tx.updateTable('client').set({ timezone: noonZone() }).where('id', '=', clientId).execute();
      await sql`insert into workflow_hour (partner_id, workflow_id, client_id, hour, succeeded, failed, credits, contacted, helped) values
        (${partnerId}, ${id}, ${clientId}, date_trunc('hour', now()), 7, 1, 7, 4, 4), (${partnerId}, ${rival}, null, date_trunc('hour', now()), 50, 0, 50, 0, 50)`.execute(
        tx,
      );
    });
    const { status, body } = await service.call('GET', '/clients/me/summary', { as: 'clientUser' });
    assert.equal(status, 200);
    assert.deepEqual([body.runsMonth, body.failuresMonth, body.agents.length, body.partner.name], [8, 1, 1, 'Acme Agency']);
    assert.deepEqual([body.results.length, body.results[0].count, body.results[0].templateName], [1, 4, 'missed-call-text-back']);
    assert.deepEqual([body.byDay.at(-1).runs, body.byDay.at(-1).failed], [8, 1]);
    assert.ok(body.hoursSavedMonth > 0);
    assert.equal(body.previous, null);
    await service.db.asSystem('seed', (tx) =>
      tx.updateTable('appUser').set({ locale: 'de' }).where('id', '=', service.world.people.clientUser.userId).execute(),
    );
    const german = (await service.call('GET', '/clients/me/summary', { as: 'clientUser' })).body;
    assert.equal(german.results[0].phrase, 'verpasste Anrufe per SMS beantwortet');
    assert.match(german.agents[0].description, /^Bei einem verpassten Anruf/);
    await service.assertRefused('GET', '/clients/me/summary', { owner: 'role_forbidden', staff: 'role_forbidden' });
  });

  it('counts chats among the results by name only where a chatbot can run the agent', async () => {
    const { partnerId, clientId } = service.world;
    await service.db.asSystem('seed', (tx) =>
      sql`with bot as (
          insert into chatbot (partner_id, client_id, name, greeting, provider, model) values (${partnerId}, ${clientId}, 'Bot', 'Hi', 'openai', 'x') returning id)
        insert into chatbot_route (chatbot_id, n, partner_id, client_id, intent, workflow_id)
          select b.id, 1, ${partnerId}, ${clientId}, 'wants a text', w.id from bot b, workflow w where w.client_id = ${clientId}`.execute(
        tx,
      ),
    );
    const { body } = await service.call('GET', '/clients/me/summary', { as: 'clientUser' });
    assert.equal(body.results[0].phrase, 'verpasste Anrufe und Chats per SMS beantwortet');
  });

  it('compares with the same days of the month before, where an agent helped in them', async () => {
    const { partnerId, clientId } = service.world;
    await service.db.asSystem('seed', async (tx) => {
      const { id } = await tx.selectFrom('workflow').select('id').where('clientId', '=', clientId).limit(1).executeTakeFirstOrThrow();
      const zone = noonZone();
      const first = sql`date_trunc('month', now() at time zone ${zone}) - interval '1 month'`;
      // The first day of the month before always counts; the day before it belongs to an earlier month.
      await sql`insert into workflow_hour (partner_id, workflow_id, client_id, hour, succeeded, helped) values
        (${partnerId}, ${id}, ${clientId}, (${first} + interval '9 hours') at time zone ${zone}, 5, 5),
        (${partnerId}, ${id}, ${clientId}, (${first} - interval '9 hours') at time zone ${zone}, 70, 70)`.execute(tx);
    });
    const { body } = await service.call('GET', '/clients/me/summary', { as: 'clientUser' });
    assert.deepEqual([body.previous.helped, body.results[0].count, body.byDay.at(-1).runs], [5, 4, 8]);
    assert.ok(body.previous.hoursSaved > 0);
  });
});
