import type { ProfileKey } from '@partner-portal/contract/vocabulary.ts';
import type { TemplateBundle } from '@partner-portal/core/template/types.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';
import { IS_INSTALLED_AGAIN } from '#schema/agent-conditions.ts';

/** An agent as an attempt finds it. */
export type Target = {
  id: string;
  partnerId: string;
  clientId: string | null;
  clientName: string | null;
  name: string;
  templateName: string;
  templateVersion: number | null;
  providerFlowId: string | null;
  isActive: boolean;
  config: Record<string, unknown>;
  /** That of its client; null for an agent of the agency itself. */
  businessProfile: { [key in ProfileKey]?: string } | null;
};

const TARGET = `w.id, w.partner_id, w.client_id, c.name as client_name, w.name, w.template_name, w.template_version, w.provider_flow_id, w.is_active,
  w.config, c.business_profile
  from workflow w left join client c on c.id = w.client_id`;

/** The agency's agents, or those of one client, its own only, or those of some templates; those of archived clients stay as they are. */
export async function listTargets(
  tx: Tx,
  scope: { partnerId: string; clientId: string | null; templateNames: string[] | null; agencyWide?: boolean },
): Promise<Target[]> {
  return runStatement<'provisioning_list_targets', Target>(tx, {
    name: 'provisioning_list_targets',
    text: `select ${TARGET} where w.partner_id = $1 and ($2::uuid is null or w.client_id = $2) and ($3::text[] is null or w.template_name = any($3))
      and (not $4::boolean or w.client_id is null)
      and ${IS_INSTALLED_AGAIN} order by c.name nulls first, w.name, w.id`,
    values: [scope.partnerId, scope.clientId, scope.templateNames, scope.agencyWide ?? false],
  });
}

export async function listTargetsById(tx: Tx, partnerId: string, ids: readonly string[]): Promise<Target[]> {
  return runStatement<'provisioning_list_targets_by_id', Target>(tx, {
    name: 'provisioning_list_targets_by_id',
    text: `select ${TARGET} where w.partner_id = $1 and w.id = any($2) order by c.name nulls first, w.name, w.id`,
    values: [partnerId, ids],
  });
}

/** Every agent of the agency, those of archived clients too. */
export async function listAllTargets(tx: Tx, partnerId: string): Promise<Target[]> {
  return runStatement<'provisioning_list_all_targets', Target>(tx, {
    name: 'provisioning_list_all_targets',
    text: `select ${TARGET} where w.partner_id = $1 order by c.name nulls first, w.name, w.id`,
    values: [partnerId],
  });
}

export type NewAgent = {
  templateName: string;
  name: string;
  description: string;
  config: Readonly<Record<string, unknown>>;
  creditsPerRun: number;
};

/** Adds agents that are not there yet; those that are stay untouched. */
export async function addWorkflows(tx: SystemTx, partnerId: string, clientId: string | null, agents: readonly NewAgent[]): Promise<void> {
  if (agents.length === 0) return;
  await runStatement(tx, {
    name: 'provisioning_add_workflows',
    text: `insert into workflow (partner_id, client_id, template_name, name, description, config, credits_per_run)
      select $1, $2, n.template_name, n.name, n.description, n.config::jsonb, n.credits
      from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::int[]) as n(template_name, name, description, config, credits)
      on conflict (partner_id, client_id, template_name) do nothing`,
    values: [
      partnerId,
      clientId,
      agents.map((agent) => agent.templateName),
      agents.map((agent) => agent.name),
      agents.map((agent) => agent.description),
      agents.map((agent) => JSON.stringify(agent.config)),
      agents.map((agent) => agent.creditsPerRun),
    ],
  });
}

/** Ties a workflow to its flow the moment the flow exists, so that a retry updates it and never makes a second one. */
export async function recordFlow(tx: SystemTx, partnerId: string, workflowId: string, providerFlowId: string): Promise<void> {
  await runStatement(tx, {
    name: 'provisioning_record_flow',
    text: 'update workflow set provider_flow_id = $3 where id = $2 and partner_id = $1',
    values: [partnerId, workflowId, providerFlowId],
  });
}

/** Records which template an agent runs, and what a run of it costs. */
export async function recordVersion(
  tx: SystemTx,
  partnerId: string,
  workflowId: string,
  { templateVersion, creditsPerRun }: { templateVersion: number; creditsPerRun: number },
): Promise<void> {
  await runStatement(tx, {
    name: 'provisioning_record_version',
    text: 'update workflow set template_version = $3, credits_per_run = $4 where id = $2 and partner_id = $1',
    values: [partnerId, workflowId, templateVersion, creditsPerRun],
  });
}

/** The flow is gone from the engine. The agent, its settings and its ingest URL stay; events for it are refused from now on. */
export async function forgetFlow(tx: SystemTx, partnerId: string, workflowId: string): Promise<void> {
  await runStatement(tx, {
    name: 'provisioning_forget_flow',
    text: `update workflow set provider_flow_id = null, template_version = null
      where id = $2 and partner_id = $1 and (provider_flow_id is not null or template_version is not null)`,
    values: [partnerId, workflowId],
  });
}

/** Forgets flows that were never published: their agents are not installed. The next attempt finds a flow by its tag. */
export async function forgetUnpublished(tx: SystemTx, partnerIds: readonly string[]): Promise<void> {
  await runStatement(tx, {
    name: 'provisioning_forget_unpublished',
    text: `update workflow set provider_flow_id = null
      where partner_id = any($1::uuid[]) and provider_flow_id is not null and template_version is null`,
    values: [partnerIds],
  });
}

export async function findFlowId(tx: SystemTx, partnerId: string, workflowId: string): Promise<string | null> {
  const [row] = await runStatement<'provisioning_find_flow_id', { providerFlowId: string | null }>(tx, {
    name: 'provisioning_find_flow_id',
    text: 'select provider_flow_id from workflow where id = $2 and partner_id = $1',
    values: [partnerId, workflowId],
  });
  return row?.providerFlowId ?? null;
}

export type StoredCopy = { templateName: string; templateVersion: number; definition: TemplateBundle };

export async function listCopies(tx: Tx, partnerId: string, templateNames: readonly string[]): Promise<StoredCopy[]> {
  return runStatement<'provisioning_list_copies', StoredCopy>(tx, {
    name: 'provisioning_list_copies',
    text: 'select template_name, template_version, definition from template_copy where partner_id = $1 and template_name = any($2)',
    values: [partnerId, templateNames],
  });
}

/** Stores the agency's copy of a template, replacing an older one. */
export async function saveCopy(tx: SystemTx, partnerId: string, bundle: TemplateBundle): Promise<void> {
  await runStatement(tx, {
    name: 'provisioning_save_copy',
    text: `insert into template_copy (partner_id, template_name, template_version, definition) values ($1, $2, $3, $4)
      on conflict (partner_id, template_name) do update set template_version = excluded.template_version, definition = excluded.definition, copied_at = now()`,
    values: [partnerId, bundle.template.name, bundle.template.templateVersion, JSON.stringify(bundle)],
  });
}
