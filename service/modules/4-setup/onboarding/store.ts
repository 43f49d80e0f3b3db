import type { AgentRequestStatus, ExecutionStatus } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { TenantTx, Tx } from '#platform/db/tx.ts';

export type FactsRow = {
  partnerId: string;
  clientAt: Date | null;
  keyAt: Date | null;
  agentAt: Date | null;
  hasSample: boolean;
  hasEvent: boolean;
  teamAt: Date | null;
  webhookAt: Date | null;
  dismissals: { key: string; dismissedAt: string }[];
};

/** Reads the facts from which the first steps of these agencies are computed, in one statement for any number of them. */
export async function readFacts(tx: Tx, partnerIds: readonly string[], sampleTemplate: string): Promise<FactsRow[]> {
  return runStatement<'onboarding_facts', FactsRow>(tx, {
    name: 'onboarding_facts',
    text: `select p.id as partner_id,
        (select min(c.created_at) from client c where c.partner_id = p.id and c.status in ('active', 'suspended')) as client_at,
        (select min(k.created_at) from credential k where k.partner_id = p.id and k.last_check_ok is not false) as key_at,
        least((select min(r.created_at) from agent_request r where r.partner_id = p.id),
          (select min(w.created_at) from workflow w where w.partner_id = p.id and w.provider_flow_id is not null and w.template_name <> $2)) as agent_at,
        exists (select 1 from workflow w where w.partner_id = p.id and w.template_name = $2 and w.last_run_at is not null) as has_sample,
        -- A test is no event: only the newest runs of another source count.
        exists (select 1 from workflow w cross join lateral (select e.source from execution e where e.workflow_id = w.id order by e.id desc limit 100) e
          where w.partner_id = p.id and w.last_run_at is not null and e.source <> 'test') as has_event,
        least((select u.created_at from app_user u where u.partner_id = p.id and u.role = 'PARTNER' order by u.created_at, u.id offset 1 limit 1),
          (select min(i.created_at) from invitation i where i.partner_id = p.id and i.kind = 'team' and i.status = 'pending')) as team_at,
        (select min(h.created_at) from webhook_endpoint h where h.partner_id = p.id and h.deleted_at is null) as webhook_at,
        (select coalesce(jsonb_agg(jsonb_build_object('key', d.key, 'dismissedAt', d.dismissed_at)), '[]') from onboarding_dismissal d
          where d.partner_id = p.id) as dismissals
      from partner p where p.id = any($1) and not p.is_house`,
    values: [partnerIds, sampleTemplate],
  });
}

export type SampleAgent = { id: string; isActive: boolean; clientName: string | null };

/** An installed agent of the template, one that is on first. */
export async function findSampleAgent(tx: TenantTx, partnerId: string, templateName: string): Promise<SampleAgent | undefined> {
  const [row] = await runStatement<'onboarding_sample_agent', SampleAgent>(tx, {
    name: 'onboarding_sample_agent',
    text: `select w.id, w.is_active, c.name as client_name from workflow w left join client c on c.id = w.client_id
      where w.partner_id = $1 and w.template_name = $2 and w.provider_flow_id is not null and (c.id is null or c.status = 'active')
      order by w.is_active desc, w.id limit 1`,
    values: [partnerId, templateName],
  });
  return row;
}

export type TextingAgent = { id: string; name: string; clientName: string | null };

/** The first agent of one of these templates that is installed and on. */
export async function findTextingAgent(
  tx: TenantTx,
  partnerId: string,
  templateNames: readonly string[],
): Promise<TextingAgent | undefined> {
  const [row] = await runStatement<'onboarding_texting_agent', TextingAgent>(tx, {
    name: 'onboarding_texting_agent',
    text: `select w.id, w.name, c.name as client_name from workflow w left join client c on c.id = w.client_id
      where w.partner_id = $1 and w.template_name = any($2) and w.provider_flow_id is not null and w.is_active and (c.id is null or c.status = 'active')
      order by w.id limit 1`,
    values: [partnerId, templateNames],
  });
  return row;
}

export type SampleRequest = { id: string; status: AgentRequestStatus; isWaiting: boolean; clientName: string };

export async function findSampleRequest(tx: TenantTx, partnerId: string, templateName: string): Promise<SampleRequest | undefined> {
  const [row] = await runStatement<'onboarding_sample_request', SampleRequest>(tx, {
    name: 'onboarding_sample_request',
    text: `select r.id, r.status, r.due_at is not null as is_waiting, c.name as client_name from agent_request r join client c on c.id = r.client_id
      where r.partner_id = $1 and r.template_name = $2 and r.status in ('suggested', 'submitted', 'approved', 'provisioning', 'provisioning_failed')
      order by r.id desc limit 1`,
    values: [partnerId, templateName],
  });
  return row;
}

/** The client for whom a sample can be requested: the oldest. */
export async function findFirstClient(tx: TenantTx, partnerId: string): Promise<{ id: string; name: string } | undefined> {
  const [row] = await runStatement<'onboarding_first_client', { id: string; name: string }>(tx, {
    name: 'onboarding_first_client',
    text: `select id, name from client where partner_id = $1 and status = 'active' order by id limit 1`,
    values: [partnerId],
  });
  return row;
}

export type TestRun = { id: string; status: ExecutionStatus; startedAt: Date; finishedAt: Date | null };

/** The newest test run of an agent. */
export async function findLastTest(tx: TenantTx, workflowId: string): Promise<TestRun | undefined> {
  const [row] = await runStatement<'onboarding_last_test', TestRun>(tx, {
    name: 'onboarding_last_test',
    prepare: false,
    text: `select id, status, started_at, finished_at from execution where workflow_id = $1 and source = 'test' order by id desc limit 1`,
    values: [workflowId],
  });
  return row;
}

/** Whether agents of the agency do not run because its plan ended. */
export async function isSubscriptionOver(tx: TenantTx, partnerId: string): Promise<boolean> {
  const rows = await runStatement(tx, {
    name: 'onboarding_subscription_over',
    text: `select 1 from subscription where partner_id = $1 and not may_run_agents('active', null, status)`,
    values: [partnerId],
  });
  return rows.length > 0;
}

/** Returns whether the key was not dismissed before. */
export async function addDismissal(tx: TenantTx, partnerId: string, key: string, userId: string): Promise<boolean> {
  const rows = await runStatement(tx, {
    name: 'onboarding_dismiss',
    text: `insert into onboarding_dismissal (partner_id, key, dismissed_by) values ($1, $2, $3) on conflict do nothing returning 1`,
    values: [partnerId, key, userId],
  });
  return rows.length > 0;
}

/** Returns whether there was a dismissal. */
export async function removeDismissal(tx: TenantTx, partnerId: string, key: string): Promise<boolean> {
  const rows = await runStatement(tx, {
    name: 'onboarding_restore',
    text: 'delete from onboarding_dismissal where partner_id = $1 and key = $2 returning 1',
    values: [partnerId, key],
  });
  return rows.length > 0;
}
