import type { AgentRequestKind, AgentRequestStatus, ProfileKey, Provider } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';
import type { Place } from '#platform/db/place.ts';

export type TimelineEntry = {
  at: string;
  actor: { type: 'user' | 'staff' | 'system'; id: string | null; name: string | null };
  from: AgentRequestStatus | null;
  to: AgentRequestStatus;
  note: string | null;
};

export type RequestRow = {
  id: string;
  partnerId: string;
  partnerName: string;
  partnerStatus: string;
  clientId: string;
  clientName: string;
  externalRef: string | null;
  kind: AgentRequestKind;
  templateName: string | null;
  title: string;
  description: string;
  config: Record<string, unknown>;
  /** Settings of the client's agent of this template; null while there is none. */
  agentConfig: Record<string, unknown> | null;
  businessProfile: { [key in ProfileKey]?: string };
  status: AgentRequestStatus;
  origin: 'partner' | 'client';
  requestedBy: string | null;
  requestedByName: string | null;
  reviewedBy: string | null;
  decisionNote: string | null;
  workflowId: string | null;
  lastAttemptId: string | null;
  failureMessage: string | null;
  missingProviders: Provider[];
  timeline: TimelineEntry[];
  dueAt: Date | null;
  run: number;
  createdAt: Date;
  updatedAt: Date;
};

const COLUMNS = `r.id, r.partner_id, p.name as partner_name, p.status as partner_status, r.client_id, c.name as client_name, c.external_ref, r.kind, r.template_name, r.title, r.description,
  r.config, r.status, r.origin, r.requested_by, coalesce(nullif(u.full_name, ''), u.email) as requested_by_name, r.reviewed_by, r.decision_note, r.workflow_id,
  r.last_attempt_id, r.failure_message, r.missing_providers, r.timeline, r.due_at, r.run, r.created_at, r.updated_at, w.config as agent_config, c.business_profile`;
const FROM = `from agent_request r join partner p on p.id = r.partner_id join client c on c.id = r.client_id left join app_user u on u.id = r.requested_by
  left join workflow w on w.partner_id = r.partner_id and w.client_id = r.client_id and w.template_name = r.template_name`;

export async function findRequest(tx: Tx, id: string): Promise<RequestRow | undefined> {
  const [row] = await runStatement<'agent_request_find', RequestRow>(tx, {
    name: 'agent_request_find',
    text: `select ${COLUMNS} ${FROM} where r.id = $1`,
    values: [id],
  });
  return row;
}

export async function findRequests(tx: Tx, ids: readonly string[]): Promise<RequestRow[]> {
  return runStatement<'agent_request_find_many', RequestRow>(tx, {
    name: 'agent_request_find_many',
    text: `select ${COLUMNS} ${FROM} where r.id = any($1) order by array_position($1::uuid[], r.id)`,
    values: [ids],
  });
}

/** Holds the row until the transaction ends: of two who decide at once, the second sees what the first decided. */
export async function lockRequest(tx: Tx, id: string): Promise<RequestRow | undefined> {
  const [row] = await runStatement<'agent_request_lock', RequestRow>(tx, {
    name: 'agent_request_lock',
    text: `select ${COLUMNS} ${FROM} where r.id = $1 for no key update of r`,
    values: [id],
  });
  return row;
}

export type RequestFilters = {
  partnerId: string | null;
  clientId?: string | undefined;
  status?: string | undefined;
  /** Among these states, or among all others. */
  among: readonly string[];
  open?: boolean | undefined;
};

export async function listRequests(tx: Tx, filters: RequestFilters, before: string | null, limit: number): Promise<RequestRow[]> {
  return runStatement<'agent_request_list', RequestRow>(tx, {
    name: 'agent_request_list',
    text: `select ${COLUMNS} ${FROM}
      where ($1::uuid is null or r.partner_id = $1) and ($2::uuid is null or r.client_id = $2) and ($3::text is null or r.status = $3)
        and ($4::boolean is null or (r.status = any($5)) = $4) and ($6::uuid is null or r.id < $6)
      order by r.id desc limit $7`,
    values: [filters.partnerId, filters.clientId ?? null, filters.status ?? null, filters.open ?? null, filters.among, before, limit],
  });
}

type Scope = Pick<RequestFilters, 'partnerId' | 'clientId'>;

/** The requests with these ids that are in scope. */
export async function findRequestsInScope(tx: Tx, scope: Scope, ids: readonly string[]): Promise<RequestRow[]> {
  return runStatement<'agent_request_find_in_scope', RequestRow>(tx, {
    name: 'agent_request_find_in_scope',
    text: `select ${COLUMNS} ${FROM} where r.id = any($3) and ($1::uuid is null or r.partner_id = $1) and ($2::uuid is null or r.client_id = $2) order by r.updated_at, r.id`,
    values: [scope.partnerId, scope.clientId ?? null, ids],
  });
}

/** Requests changed after a place: what a resumed stream missed. */
export async function listRequestsAfter(tx: Tx, scope: Scope, after: Place, limit: number): Promise<RequestRow[]> {
  return runStatement<'agent_request_list_after', RequestRow>(tx, {
    name: 'agent_request_list_after',
    text: `select ${COLUMNS} ${FROM} where (r.updated_at, r.id) > ($3, $4::uuid) and ($1::uuid is null or r.partner_id = $1) and ($2::uuid is null or r.client_id = $2)
      order by r.updated_at, r.id limit $5`,
    values: [scope.partnerId, scope.clientId ?? null, after.time, after.id, limit],
  });
}

export type ActorFacts = { type: 'user' | 'staff' | 'system'; id: string | null };

/** SQL of one timeline entry. Copies the name, so that it stays readable when the user is deleted. */
const entrySql = (type: string, id: string, from: string, to: string, note: string): string =>
  `jsonb_build_array(jsonb_build_object('at', to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'actor', jsonb_build_object('type', ${type}::text, 'id', ${id}::uuid,
      'name', (select coalesce(nullif(a.full_name, ''), a.email) from app_user a where a.id = ${id}::uuid)),
    'from', ${from}::text, 'to', ${to}::text, 'note', ${note}::text))`;

export type NewRequests = {
  partnerId: string;
  clients: readonly { id: string; config: Record<string, unknown> }[];
  kind: AgentRequestKind;
  templateName: string | null;
  title: string;
  description: string;
  status: AgentRequestStatus;
  origin: 'partner' | 'client';
  by: ActorFacts;
};

/**
 * Inserts one request per client. A client with an open request for this template gets none and is missing from the result. In the order of the clients'
 * ids, so that two calls for the same clients wait for each other and never in a circle.
 */
export async function insertRequests(tx: Tx, fresh: NewRequests): Promise<{ id: string; clientId: string }[]> {
  return runStatement<'agent_request_insert', { id: string; clientId: string }>(tx, {
    name: 'agent_request_insert',
    text: `insert into agent_request (partner_id, client_id, kind, template_name, title, description, config, status, origin, requested_by, timeline)
      select $1, n.client_id, $3, $4, $5, $6, n.config::jsonb, $8::text, $9, $10::uuid, ${entrySql('$11', '$10', 'null', '$8', 'null')}
      from unnest($2::uuid[], $7::text[]) as n(client_id, config) order by n.client_id
      on conflict (client_id, template_name) where template_name is not null and status in ('suggested', 'submitted', 'approved', 'provisioning', 'provisioning_failed')
      do nothing returning id, client_id`,
    values: [
      fresh.partnerId,
      fresh.clients.map((client) => client.id),
      fresh.kind,
      fresh.templateName,
      fresh.title,
      fresh.description,
      fresh.clients.map((client) => JSON.stringify(client.config)),
      fresh.status,
      fresh.origin,
      fresh.by.id,
      fresh.by.type,
    ],
  });
}

export type StatusChange = {
  to: AgentRequestStatus;
  by: ActorFacts;
  note?: string | null | undefined;
  dueAt?: Date | null | undefined;
  /** Unchanged when left out. */
  reviewedBy?: string | undefined;
  decisionNote?: string | undefined;
  config?: Record<string, unknown> | undefined;
  workflowId?: string | undefined;
  lastAttemptId?: string | null | undefined;
  /** Cleared when left out. */
  failureMessage?: string | undefined;
  missingProviders?: readonly Provider[] | undefined;
};

/** Writes the next status with its timeline entry. Call with the row locked. */
export async function writeStatus(tx: Tx, row: Pick<RequestRow, 'id' | 'status'>, turn: StatusChange): Promise<void> {
  await runStatement(tx, {
    name: 'agent_request_turn',
    text: `update agent_request set status = $2::text, timeline = timeline || ${entrySql('$3', '$4', '$5', '$2', '$6')}, due_at = $7,
        reviewed_by = coalesce($8, reviewed_by), decision_note = coalesce($9, decision_note), config = coalesce($10::jsonb, config),
        workflow_id = coalesce($11, workflow_id), last_attempt_id = coalesce($12, last_attempt_id), failure_message = $13, missing_providers = $14
      where id = $1`,
    values: [
      row.id,
      turn.to,
      turn.by.type,
      turn.by.id,
      row.status,
      turn.note ?? null,
      turn.dueAt ?? null,
      turn.reviewedBy ?? null,
      turn.decisionNote ?? null,
      turn.config === undefined ? null : JSON.stringify(turn.config),
      turn.workflowId ?? null,
      turn.lastAttemptId ?? null,
      turn.failureMessage ?? null,
      turn.missingProviders ?? [],
    ],
  });
}

export type ClientFacts = { id: string; name: string };

/** The clients of this partner that can get an agent. */
export async function findClients(tx: Tx, partnerId: string, ids: readonly string[]): Promise<ClientFacts[]> {
  return runStatement<'agent_request_clients', ClientFacts>(tx, {
    name: 'agent_request_clients',
    text: "select id, name from client where partner_id = $1 and id = any($2) and status not in ('deleted', 'archived')",
    values: [partnerId, ids],
  });
}

export const NO_MORE_AGENTS = 'This client is archived: it gets no more agents.';

export const SUSPENDED = 'This agency is suspended.';

/** Whether the client can get an agent: an archived one cannot. */
export async function isServed(tx: Tx, partnerId: string, clientId: string): Promise<boolean> {
  return (await findClients(tx, partnerId, [clientId])).length > 0;
}

/** Names of the clients that have this template's agent installed. */
export async function listServedClients(tx: Tx, clientIds: readonly string[], templateName: string): Promise<string[]> {
  const rows = await runStatement<'agent_request_served', { name: string }>(tx, {
    name: 'agent_request_served',
    text: `select c.name from workflow w join client c on c.id = w.client_id
      where w.client_id = any($1) and w.template_name = $2 and w.provider_flow_id is not null order by c.name`,
    values: [clientIds, templateName],
  });
  return rows.map((row) => row.name);
}

export type WorkflowFacts = { id: string; name: string; isActive: boolean; partnerId: string; clientId: string | null };

export async function findWorkflow(tx: SystemTx | Tx, id: string): Promise<WorkflowFacts | undefined> {
  const [row] = await runStatement<'agent_request_workflow', WorkflowFacts>(tx, {
    name: 'agent_request_workflow',
    text: 'select id, name, is_active, partner_id, client_id from workflow where id = $1',
    values: [id],
  });
  return row;
}

/** The agent that was added since this request and that no setup has installed to its end. */
export async function findUnfinished(tx: SystemTx | Tx, requestId: string): Promise<string | undefined> {
  const [row] = await runStatement<'agent_request_unfinished', { id: string }>(tx, {
    name: 'agent_request_unfinished',
    text: `select w.id from agent_request r
      join workflow w on w.partner_id = r.partner_id and w.client_id = r.client_id and w.template_name = r.template_name and w.created_at >= r.created_at
      where r.id = $1 and (w.provider_flow_id is null or not exists (
        select 1 from provisioning_attempt a where a.partner_id = w.partner_id and a.status = 'succeeded' and a.started_at >= w.created_at
          and w.template_name = any(a.template_names) and (a.client_id is null or a.client_id = w.client_id)))`,
    values: [requestId],
  });
  return row?.id;
}
