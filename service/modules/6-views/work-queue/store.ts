import type { WorkItemKind } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { describeDrift, type DriftFacts } from './describe-drift.ts';
import { describeRequest, type RequestFacts } from './describe-request.ts';

export type WorkItem = {
  kind: WorkItemKind;
  itemId: string;
  partnerId: string | null;
  partnerName: string | null;
  clientId: string | null;
  title: string;
  detail: string;
  ownerId: string | null;
  ownerName: string | null;
  since: Date;
};

/** `facts`: those of which texts are made here. */
type Row = WorkItem & { facts: RequestFacts | DriftFacts | null };

const APPLICATIONS = `select case when r.partner_id is null then 'application' else 'plan_request' end as kind, r.id as item_id, r.partner_id, r.company_name as partner_name,
    case r.kind when 'trial' then 'Trial for ' || r.company_name when 'signup' then 'Application of ' || r.company_name else 'Other terms for ' || r.company_name end as title,
    null::uuid as client_id, '' as detail, r.created_at as since,
    jsonb_build_object('kind', r.kind, 'applicant', r.applicant_name, 'plan', g.name, 'clients', r.desired->'clients', 'seats', r.desired->'seats',
      'credits', r.desired->'credits', 'features', case jsonb_typeof(r.desired->'features') when 'array' then jsonb_array_length(r.desired->'features') else 0 end,
      'message', left(r.desired->>'message', 200) || case when length(r.desired->>'message') > 200 then '…' else '' end) as facts
  from plan_request r left join plan g on g.id = r.plan_id where r.status = 'pending'`;
/** What a suspended agency needs comes back with the agency: until then staff can install and repair nothing for it. */
const AGENT_REQUESTS = `select 'agent_request', r.id, r.partner_id, p.name, r.title, r.client_id,
    case r.status when 'submitted' then 'Waits for a decision' when 'provisioning_failed' then coalesce(nullif(r.failure_message, ''), 'The installation failed')
      else 'Approved, to be ' || case r.kind when 'custom' then 'built by hand' else 'installed later' end end, r.updated_at, null
  from agent_request r join partner p on p.id = r.partner_id
  where p.status = 'active' and (r.status in ('submitted', 'provisioning_failed') or (r.status = 'approved' and r.due_at is null))`;
/** A setup that only lacked keys is the item of its request. */
const FAILED_SETUPS = `select 'failed_setup', i.partner_id, i.partner_id, p.name, 'Setup of ' || p.name || ' failed', null, coalesce(i.error_public, ''),
    coalesce((select a.finished_at from provisioning_attempt a where a.id = i.current_attempt_id), i.updated_at), null
  from automation_instance i join partner p on p.id = i.partner_id where i.status = 'failed' and p.status = 'active'
    and not exists (select from agent_request r where r.partner_id = i.partner_id and r.status = 'provisioning_failed' and r.last_attempt_id = i.current_attempt_id
      and cardinality(r.missing_providers) > 0)`;
/** Running for longer than usual, but not yet ended by the sweep. */
const STUCK_ATTEMPTS = `select 'stuck_attempt', a.id, a.partner_id, p.name, 'Setup of ' || p.name || ' has been running for long', null, 'Attempt ' || a.number || ', ' || a.mode, a.started_at, null
  from provisioning_attempt a join partner p on p.id = a.partner_id where a.status = 'running' and a.started_at < now() - interval '5 minutes'`;

/** Those about clients are decided by their agency. A reactivation is settled with the suspension. */
const ACCOUNT_REQUESTS = `select 'deletion_request', r.id, r.partner_id, p.name, 'Deletion of ' || p.name, null,
    left(r.reason, 200) || case when length(r.reason) > 200 then '…' else '' end, r.created_at, null
  from deletion_request r join partner p on p.id = r.partner_id where r.status = 'pending' and r.scope = 'partner'
  union all select 'reactivation_request', r.id, r.partner_id, p.name, 'Reactivation of ' || p.name, null,
    left(r.message, 200) || case when length(r.message) > 200 then '…' else '' end, r.created_at, null
  from reactivation_request r join partner p on p.id = r.partner_id where r.status = 'pending' and r.scope = 'partner'`;

/** Names that resemble a protected one; mail to strangers waits for staff. */
const NAMES = `select 'name_review', n.id, n.partner_id, p.name, 'Name of ' || n.name, n.client_id, 'Resembles ' || n.resembles || '. Mail to strangers waits.', n.created_at, null
  from name_review n join partner p on p.id = n.partner_id where n.status = 'pending' and p.status <> 'deleted'`;

/**
 * Agencies whose flows differ from their templates; those being set up, those whose setup failed, which is an item of its own, and those that a repair is
 * refused for do not wait. Only the client and the flow of today count, as on the Automation page. The clients by their key, as in `ITEMS`.
 */
const DRIFT = `select 'drift', d.partner_id, d.partner_id, p.name, '', null, '', d.since,
    jsonb_build_object('kind', 'drift', 'agents', d.agents, 'first', (
      select jsonb_agg(jsonb_build_object('name', w.name, 'client', (select c.name from client c where c.id = w.client_id), 'state', f.state) order by w.name, w.id)
      from workflow_drift f join workflow w on w.id = f.workflow_id where f.workflow_id = any(d.first)))
  from (select f.partner_id, count(*)::int as agents, min(f.found_at) as since, (array_agg(w.id order by w.name, w.id))[:3] as first
      from workflow_drift f join workflow w on w.id = f.workflow_id and w.provider_flow_id = f.provider_flow_id
      where f.found_at is not null and coalesce((select c.status from client c where c.id = w.client_id), 'active') not in ('deleted', 'archived')
      group by f.partner_id) d
    join automation_instance i on i.partner_id = d.partner_id and i.status = 'ready' join partner p on p.id = d.partner_id and p.status = 'active'`;

const WAITING = `${APPLICATIONS} union all ${AGENT_REQUESTS} union all ${ACCOUNT_REQUESTS} union all ${NAMES} union all ${FAILED_SETUPS} union all ${STUCK_ATTEMPTS} union all ${DRIFT}`;
/**
 * The client by its key, and only of the items that are returned: joined, all clients are read for the few that wait; the title of a name has it already. Drift has the id of its agency: who took
 * what was settled before it was found has not taken it.
 */
const ITEMS = `select w.kind, w.item_id, w.partner_id, w.partner_name, w.client_id,
    w.title || coalesce(' for ' || (select c.name from client c where c.id = w.client_id and w.kind <> 'name_review'), '') as title, w.detail, o.user_id as owner_id,
    coalesce(nullif(u.full_name, ''), u.email) as owner_name, w.since, w.facts
  from (${WAITING}) w
  left join work_item_owner o on o.kind = w.kind and o.item_id = w.item_id and (w.kind <> 'drift' or o.assigned_at >= w.since) left join app_user u on u.id = o.user_id`;

export type StaffCounts = { partners: number; failingEndpoints: number };

export async function countForStaff(tx: SystemTx): Promise<StaffCounts> {
  const [row] = await runStatement<'work_queue_counts', StaffCounts>(tx, {
    name: 'work_queue_counts',
    text: `select (select count(*)::int from partner p where not p.is_house and p.status in ('active', 'suspended')) as partners,
      (select count(*)::int from webhook_endpoint e where e.deleted_at is null and e.failure_streak > 0) as failing_endpoints`,
  });
  return row ?? { partners: 0, failingEndpoints: 0 };
}

/** Returns all waiting items, oldest first, with their owner, in one statement. */
export async function listWorkItems(tx: SystemTx, limit: number): Promise<WorkItem[]> {
  const rows = await runStatement<'work_queue', Row>(tx, {
    name: 'work_queue',
    text: `${ITEMS} order by w.since, w.item_id limit $1`,
    values: [limit],
  });
  return rows.map(toItem);
}

export async function findWorkItem(tx: SystemTx, kind: WorkItemKind, itemId: string): Promise<WorkItem | undefined> {
  const [row] = await runStatement<'work_item', Row>(tx, {
    name: 'work_item',
    text: `${ITEMS} where w.kind = $1 and w.item_id = $2`,
    values: [kind, itemId],
  });
  return row && toItem(row);
}

function toItem({ facts, ...item }: Row): WorkItem {
  if (!facts) return item;
  return facts.kind === 'drift'
    ? { ...item, ...describeDrift(item.partnerName ?? '', facts) }
    : { ...item, detail: describeRequest(facts) };
}

/** Assigns an item, also from another owner. */
export async function takeWorkItem(tx: SystemTx, item: { kind: WorkItemKind; itemId: string; userId: string }): Promise<void> {
  await runStatement(tx, {
    name: 'work_queue_take_work_item',
    prepare: false,
    text: `insert into work_item_owner (kind, item_id, user_id) values ($1, $2, $3)
      on conflict (kind, item_id) do update set user_id = excluded.user_id, assigned_at = now()`,
    values: [item.kind, item.itemId, item.userId],
  });
}

export async function releaseWorkItem(tx: SystemTx, item: { kind: WorkItemKind; itemId: string }): Promise<void> {
  await runStatement(tx, {
    name: 'work_queue_give_back_work_item',
    prepare: false,
    text: 'delete from work_item_owner where kind = $1 and item_id = $2',
    values: [item.kind, item.itemId],
  });
}

/** Deletes owners of items that were settled. */
export async function deleteSettledOwners(tx: SystemTx): Promise<void> {
  await runStatement(tx, {
    name: 'work_queue_forget_settled',
    prepare: false,
    text: `delete from work_item_owner o where o.assigned_at < now() - interval '1 day'
      and not exists (select 1 from (${WAITING}) w
        where w.kind = o.kind and w.item_id = o.item_id)`,
    values: [],
  });
}
