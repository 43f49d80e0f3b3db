import { randomUUID } from 'node:crypto';
import { withClient } from '@house/service/platform/db/roles.ts';
import type { EngineDispatch } from '@house/service/modules/executions/index.ts';
import type pg from 'pg';
import type { TestDatabase } from './database.ts';

/** Seeds what runs need, straight into the tables, and stands for the engine at its adapter. */

export type SeededWorkflow = { workflowId: string; partnerId: string; clientId: string | null; flowId: string };
export type SeedOptions = {
  partnerId?: string;
  clientId?: string | null;
  templateName?: string;
  monthlyCredits?: number;
  creditsPerRun?: number;
  isActive?: boolean;
  installed?: boolean;
  name?: string;
};

/** One statement as the administrator: no policy applies. */
export async function adminQuery<Row extends pg.QueryResultRow>(database: TestDatabase, text: string, values: unknown[] = []): Promise<Row[]> {
  return withClient({ ...database.host.adminConfig, database: database.name }, async (client) => (await client.query<Row>(text, values)).rows);
}

/** An agency with its meter, its subscription and one client. */
export async function seedPartner(database: TestDatabase, options: { monthlyCredits?: number; name?: string } = {}): Promise<{ partnerId: string; clientId: string }> {
  const slug = `p-${randomUUID().slice(0, 13)}`;
  const [row] = await adminQuery<{ partner_id: string; client_id: string }>(
    database,
    `with p as (insert into partner (name, slug, timezone) values ($1, $2, 'America/Chicago') returning id),
      c as (insert into client (partner_id, name, timezone, business_profile) select id, 'Oak Street Dental', 'America/New_York', '{"bookingUrl": "https://oakstreet.example/book"}' from p returning id),
      s as (insert into subscription (partner_id, plan_id, status, current_period_start, current_period_end)
        select p.id, (select id from plan where name = 'Growth'), 'active', now() - interval '1 day', now() + interval '29 days' from p),
      q as (insert into partner_quota (partner_id, period_start, period_end, monthly_credits) select id, now() - interval '1 day', now() + interval '29 days', $3 from p)
    select p.id as partner_id, c.id as client_id from p, c`,
    [options.name ?? 'Northwind Agency', slug, options.monthlyCredits ?? 10_000],
  );
  if (!row) throw new Error('The agency was not seeded.');
  return { partnerId: row.partner_id, clientId: row.client_id };
}

/** A workflow that the engine knows, unless told otherwise. Without a partner it gets one of its own. */
export async function seedWorkflow(database: TestDatabase, options: SeedOptions = {}): Promise<SeededWorkflow> {
  const owner = options.partnerId
    ? { partnerId: options.partnerId, clientId: options.clientId ?? null }
    : await seedPartner(database, options.monthlyCredits === undefined ? {} : { monthlyCredits: options.monthlyCredits });
  const flowId = `flow${randomUUID().replaceAll('-', '').slice(0, 17)}`;
  const clientId = options.clientId === undefined ? owner.clientId : options.clientId;
  const [row] = await adminQuery<{ id: string }>(
    database,
    `insert into workflow (partner_id, client_id, template_name, template_version, name, is_active, credits_per_run, provider_flow_id)
     values ($1, $2, $3, 1, $4, $5, $6, $7) returning id`,
    [
      owner.partnerId, clientId, options.templateName ?? 'missed-call-text-back', options.name ?? 'Missed-call text-back', options.isActive ?? true, options.creditsPerRun ?? 1,
      options.installed === false ? null : flowId,
    ],
  );
  if (!row) throw new Error('The workflow was not seeded.');
  return { workflowId: row.id, partnerId: owner.partnerId, clientId, flowId };
}

export type RecordedDispatch = { flowId: string; body: { executionId: string; workflowId: string; callbackToken: string; input: Record<string, unknown>; config: Record<string, unknown>; facts: Record<string, unknown>; client: Record<string, unknown> } };

/** The engine at its adapter: records what it was given and answers what the test says. */
export function recordingEngine() {
  const calls: RecordedDispatch[] = [];
  const engine: EngineDispatch & { calls: RecordedDispatch[]; answer: (flowId: string) => Awaited<ReturnType<EngineDispatch['dispatch']>>; find: EngineDispatch['findRun'] } = {
    calls,
    answer: () => 'accepted',
    find: async () => null,
    async dispatch(flowId, body) {
      calls.push({ flowId, body: body as RecordedDispatch['body'] }); // the payload this service makes
      return engine.answer(flowId);
    },
    findRun: (flowId, executionId, since) => engine.find(flowId, executionId, since),
  };
  return engine;
}
