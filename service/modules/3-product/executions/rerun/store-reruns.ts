import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, TenantTx, Tx } from '#platform/db/tx.ts';
import { SHOWN_FROM } from '#platform/db/run-columns.ts';
import { matching, valuesOf, WAS_RERUN } from '../read/store.ts';

/** Statements of reruns of many: a request, its originals, and the portions in which they are read. */

/** Returns the partner of a workflow in scope. */
export async function findWorkflowPartner(tx: Tx, workflowId: string): Promise<string | undefined> {
  const [row] = await runStatement<'reruns_workflow_partner', { partnerId: string }>(tx, {
    name: 'reruns_workflow_partner',
    text: 'select partner_id from workflow where id = $1',
    values: [workflowId],
  });
  return row?.partnerId;
}

/** Inserts a request without originals and returns its id. `audit` is the entry that each rerun records. */
export async function insertRequest(
  tx: Tx,
  request: { partnerId: string; workflowId: string; audit: Record<string, unknown> },
): Promise<string> {
  const [row] = await runStatement<'reruns_insert_request', { id: string }>(tx, {
    name: 'reruns_insert_request',
    text: 'insert into rerun_request (partner_id, workflow_id, total, audit) values ($1, $2, 0, $3::jsonb) returning id',
    values: [request.partnerId, request.workflowId, JSON.stringify(request.audit)],
  });
  if (!row) throw new Error('A request of reruns was not stored.');
  return row.id;
}

/**
 * Adds the oldest failed executions of a window (with this error code, if one is given) whose input is still stored, at most `limit`, and returns how many. Left out are those that
 * were run again, and those of a request of the last day unless it refused them; concurrent requests never share one.
 */
export async function addFailed(
  tx: Tx,
  request: { id: string; partnerId: string; workflowId: string; from: string; to: string; cause?: string | undefined },
  limit: number,
): Promise<number> {
  const { id, ...window } = request;
  const failed = { ...window, status: 'FAILED' } as const;
  const [row] = await runStatement<'reruns_add_failed', { added: number }>(tx, {
    name: 'reruns_add_failed',
    prepare: false,
    text: `with added as (
        insert into rerun_item as i (execution_id, partner_id, request_id)
        select e.id, e.partner_id, $11::uuid from execution e join execution_payload p on p.partner_id = e.partner_id and p.id = e.id
          and p.id >= ${SHOWN_FROM}
        where ${matching(failed)} and not ${WAS_RERUN}
          and not exists (select from rerun_item x where x.execution_id = e.id and x.state <> 'refused')
        order by e.id limit $12
        on conflict (execution_id) do update set request_id = excluded.request_id, state = 'waiting', reason = null where i.state = 'refused'
        returning 1
      ), counted as (select count(*)::int as added from added)
      update rerun_request r set total = c.added from counted c where r.id = $11 returning c.added`,
    values: [...valuesOf(failed, null), id, limit],
  });
  return row?.added ?? 0;
}

/** Deletes a request with its originals, which may be requested again. */
export async function deleteRequest(tx: Tx, id: string): Promise<void> {
  await runStatement(tx, { name: 'reruns_delete_request', text: 'delete from rerun_request where id = $1', values: [id] });
}

/** Returns the oldest open request of a partner. */
export async function findOpenRequest(tx: TenantTx, partnerId: string): Promise<string | undefined> {
  const [row] = await runStatement<'reruns_find_open', { id: string }>(tx, {
    name: 'reruns_find_open',
    text: 'select id from rerun_request where partner_id = $1 and finished_at is null order by id limit 1',
    values: [partnerId],
  });
  return row?.id;
}

/** An original of a portion. `input` is null when it is no longer stored, or `isTooLarge`. */
export type PortionItem = {
  id: string;
  workflowId: string;
  source: string;
  input: Record<string, unknown> | null;
  isTooLarge: boolean;
  /** Its late report corrected it after the request. */
  hasSucceeded: boolean;
  audit: Record<string, unknown>;
};

/**
 * Lists the next waiting originals of a request with their inputs, oldest first: at most `itemsMax`, and no more than `bytesMax` of inputs
 * unless the first alone has more. The text of a jsonb value has blanks that the event had not: twice the limit of an event is beyond what
 * they add; below it an event is measured exactly when it is accepted.
 */
export function listPortion(tx: TenantTx, requestId: string, portion: { itemsMax: number; bytesMax: number }): Promise<PortionItem[]> {
  return runStatement<'reruns_list_portion', PortionItem>(tx, {
    name: 'reruns_list_portion',
    prepare: false,
    text: `with next as (
        select i.execution_id, r.audit from rerun_item i join rerun_request r on r.id = i.request_id
        where i.request_id = $1 and i.state = 'waiting' order by i.execution_id limit $2
      ), measured as (
        select e.id, e.workflow_id, e.source, e.status <> 'FAILED' as has_succeeded, p.input, n.audit, coalesce(octet_length(p.input::text), 0) as bytes
        from next n join execution e on e.id = n.execution_id left join execution_payload p on p.partner_id = e.partner_id and p.id = e.id
          and p.id >= ${SHOWN_FROM}
      ), summed as (
        select m.*, m.bytes > 2 * $4::int as is_too_large,
          sum(case when m.bytes > 2 * $4::int then 0 else m.bytes end) over (order by m.id) as upto, row_number() over (order by m.id) as n
        from measured m
      )
      select id, workflow_id, source, case when not is_too_large then input end as input, is_too_large, has_succeeded, audit from summed
      where n = 1 or upto <= $3 order by id`,
    values: [requestId, portion.itemsMax, portion.bytesMax, LIMITS.eventBytesMax],
  });
}

/** Records what became of originals: 'started', or refused for a reason. Repeating it changes nothing. */
export async function settleItems(tx: TenantTx, outcomes: readonly { id: string; reason: string | null }[]): Promise<void> {
  await runStatement(tx, {
    name: 'reruns_settle_items',
    text: `update rerun_item i set state = case when o.reason is null then 'started' else 'refused' end, reason = o.reason
      from unnest($1::uuid[], $2::text[]) as o(id, reason) where i.execution_id = o.id and i.state = 'waiting'`,
    values: [outcomes.map((one) => one.id), outcomes.map((one) => one.reason)],
  });
}

/** Refuses all waiting originals of a request for the same reason. */
export async function refuseWaiting(tx: TenantTx, requestId: string, reason: string): Promise<void> {
  await runStatement(tx, {
    name: 'reruns_refuse_waiting',
    text: `update rerun_item set state = 'refused', reason = $2 where request_id = $1 and state = 'waiting'`,
    values: [requestId, reason],
  });
}

/** Finishes a request in which nothing waits. Returns how many wait. */
export async function finishRequest(tx: TenantTx, requestId: string): Promise<number> {
  const [row] = await runStatement<'reruns_finish', { waiting: number }>(tx, {
    name: 'reruns_finish',
    text: `with left_over as (select count(*)::int as waiting from rerun_item where request_id = $1 and state = 'waiting'),
        finished as (update rerun_request r set finished_at = now() from left_over l where r.id = $1 and r.finished_at is null and l.waiting = 0)
      select waiting from left_over`,
    values: [requestId],
  });
  return row?.waiting ?? 0;
}

/** Lists partners with an open request, whose job may have been lost in a crash. */
export async function listPartnersWithOpen(tx: SystemTx): Promise<string[]> {
  const rows = await runStatement<'reruns_partners_with_open', { partnerId: string }>(tx, {
    name: 'reruns_partners_with_open',
    text: 'select distinct partner_id from rerun_request where finished_at is null',
  });
  return rows.map((row) => row.partnerId);
}

/** Deletes finished requests older than a day: from then on their originals may be rerun again. */
export async function deleteOldRequests(tx: SystemTx): Promise<void> {
  await runStatement(tx, {
    name: 'reruns_delete_old',
    text: `delete from rerun_request where finished_at is not null and created_at < now() - interval '1 day'`,
  });
}

export type RerunRequestRow = {
  id: string;
  workflowId: string;
  agentName: string;
  total: number;
  started: number;
  refused: number;
  refusal: string | null;
  createdAt: Date;
  finishedAt: Date | null;
};

/** Lists the newest requests of a partner, or of all, with their progress. */
export function listRequests(tx: Tx, partnerId: string | null, limit: number): Promise<RerunRequestRow[]> {
  return runStatement<'reruns_list_requests', RerunRequestRow>(tx, {
    name: 'reruns_list_requests',
    prepare: false,
    text: `select r.id, r.workflow_id, coalesce(w.name, 'Removed agent') as agent_name, r.total, i.started, i.refused, i.refusal, r.created_at, r.finished_at
      from (select * from rerun_request where $1::uuid is null or partner_id = $1 order by id desc limit $2) r left join workflow w on w.id = r.workflow_id
      cross join lateral (
        select count(*) filter (where state = 'started')::int as started, count(*) filter (where state = 'refused')::int as refused, min(reason) as refusal
        from rerun_item where request_id = r.id) i
      order by r.id desc`,
    values: [partnerId, limit],
  });
}
