import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { loadCatalog } from '@partner-portal/catalog/index.ts';
import { creditsElsewhere, usageSince } from '@partner-portal/core/quota/breakdown.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { addClient, addWorkflow } from '@partner-portal/tests/harness/world.ts';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { metering } from '#modules/1-ledger/metering/index.ts';
import { overview } from './index.ts';

/** Credits of one period, read in every place that shows them: the meter, its breakdowns, the ledger and the overview. */

const catalog = loadCatalog();
const USED = 3 + 5 + 2 + 7 + 4 + 1 + 1 + 1 + 1;
let service: TestService;

before(async () => {
  service = await startTestService({
    modules: (platform) => [metering(platform), overview({ ...platform, catalog, platformProviders: [] })],
  });
  const { partnerId, clientId, otherClientId } = service.world;
  await service.db.asSystem('seed', async (tx) => {
    const enter = async (entry: { clientId: string | null; workflowId: string | null; credits: number; kind?: string }): Promise<void> => {
      const { kind = 'run', ...rest } = entry;
      const id = newId();
      await tx
        .insertInto('usageEntry')
        .values({ ...rest, kind, id, partnerId, executionId: rest.workflowId && id, credits: -rest.credits })
        .execute();
      if (rest.workflowId !== null)
        await sql`insert into workflow_hour as h (partner_id, workflow_id, client_id, hour, succeeded, failed, credits)
          values (${partnerId}, ${rest.workflowId}, ${rest.clientId}, date_trunc('hour', now()), ${kind === 'run' ? 1 : 0}, 0, ${rest.credits})
          on conflict (partner_id, workflow_id, hour) do update set succeeded = h.succeeded + excluded.succeeded, credits = h.credits + excluded.credits`.execute(
          tx,
        );
    };
    const agent = (owner: string | null): Promise<string> =>
      addWorkflow(tx, { partnerId, clientId: owner, templateName: 'missed-call-text-back' });
    await sql`update partner_quota set period_start = now(), used = ${USED} where partner_id = ${partnerId}`.execute(tx);
    await enter({ clientId, workflowId: await agent(clientId), credits: 3 });
    // Tokens of a run, of a chatbot's answers, and of a call by the API that names no client.
    await enter({ clientId: otherClientId, workflowId: await agent(otherClientId), credits: 5, kind: 'ai_tokens' });
    await enter({ clientId: null, workflowId: await agent(null), credits: 2 });
    await enter({ clientId, workflowId: null, credits: 7, kind: 'ai_tokens' });
    await enter({ clientId: null, workflowId: null, credits: 4, kind: 'ai_tokens' });
    for (const name of ['Ash', 'Birch', 'Cedar', 'Elm']) {
      const id = await addClient(tx, partnerId, name);
      await enter({ clientId: id, workflowId: await agent(id), credits: 1 });
    }
  });
});
after(() => service.close());

const read = async (path: string) => (await service.call('GET', path, { as: 'owner' })).body;
const listed = (rows: { credits: number }[]): number => rows.reduce((sum, { credits }) => sum + credits, 0);

describe('the credits of a period', () => {
  it('are as many by day, client, agent and kind, and in the ledger, as the meter shows', async () => {
    const quota = await read('/metering/quota');
    assert.equal(quota.used, USED);
    const from = usageSince(new Date(quota.periodStart)).toISOString();
    for (const groupBy of ['day', 'client', 'agent', 'kind'] as const)
      assert.equal(listed(await read(`/metering/usage?groupBy=${groupBy}&from=${from}`)), USED, groupBy);
    assert.equal(-listed((await read(`/metering/ledger?limit=100&from=${from}`)).data), USED);
  });

  it('name what belongs to no client, and the AI tokens that belong to no run', async () => {
    const rows = async (groupBy: string): Promise<[string, number][]> =>
      (await read(`/metering/usage?groupBy=${groupBy}`)).map(({ label, credits }: { label: string; credits: number }) => [label, credits]);
    assert.deepEqual(
      (await rows('client')).find(([label]) => label === 'No client'),
      ['No client', 6],
    );
    assert.deepEqual(
      (await rows('agent')).find(([label]) => label.startsWith('AI')),
      ['AI tokens outside runs', 11],
    );
  });

  it('are as many on the overview: its largest clients, with the AI tokens of their chatbots, and the others', async () => {
    const { quota, topClients } = await read('/partners/me/summary');
    assert.deepEqual(
      topClients.slice(0, 3).map(({ name, credits }: { name: string; credits: number }) => [name, credits]),
      [
        ['Oak Street Dental', 10],
        ['No client', 6],
        ['Elm Road Physio', 5],
      ],
    );
    assert.equal(topClients.length, 5);
    assert.equal(creditsElsewhere(quota.used, topClients), 2);
    const { clientId } = service.world;
    const [own] = (await read(`/partners/me/summary?clientId=${clientId}`)).topClients;
    const byClient: { key: string; credits: number }[] = await read('/metering/usage?groupBy=client');
    assert.deepEqual([own.id, own.credits], [clientId, byClient.find(({ key }) => key === clientId)?.credits]);
  });

  it('are listed in the order of the times that the ledger shows', async () => {
    const { partnerId } = service.world;
    // A run that began first and was charged last.
    const id = await service.db.asSystem('seed', async (tx) => {
      const { rows } = await sql<{ id: string }>`insert into usage_entry (id, kind, partner_id, credits, at)
        values (uuidv7(interval '-2 minutes'), 'run', ${partnerId}, -1, now()) returning id`.execute(tx);
      return rows[0]?.id;
    });
    const { data } = await read('/metering/ledger?limit=100');
    const times = data.map(({ beganAt }: { beganAt: string }) => beganAt);
    assert.deepEqual(times, times.toSorted().toReversed());
    assert.equal(data.at(-1).id, id);
    assert.ok(data.at(-1).beganAt < data.at(-1).at);
  });
});
