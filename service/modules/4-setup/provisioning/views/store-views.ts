import type { AttemptMode, AttemptStatus, InstanceStatus, StageKey, StepStatus, TenancyMode } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';
import { IS_INSTALLED_AGAIN } from '#schema/agent-conditions.ts';

/** Reads. Partners are shown only columns the tenant role may read; the rest is for staff. */

export type InstanceRow = {
  partnerId: string;
  provider: string;
  status: InstanceStatus;
  tenancyMode: TenancyMode;
  projectId: string | null;
  baseUrl: string | null;
  provisionedAt: Date | null;
  lastError: string | null;
  errorPublic: string | null;
  currentAttemptId: string | null;
  /** Mode of the attempt that holds or held it last. */
  lastMode: AttemptMode | null;
  updatedAt: Date;
};

export async function findInstance(tx: SystemTx, partnerId: string): Promise<InstanceRow | undefined> {
  const [row] = await runStatement<'provisioning_find_instance', InstanceRow>(tx, {
    name: 'provisioning_find_instance',
    text: `select i.partner_id, i.provider, i.status, i.tenancy_mode, i.project_id, i.base_url, i.provisioned_at, i.last_error, i.error_public, i.current_attempt_id,
        (select a.mode from provisioning_attempt a where a.id = i.current_attempt_id) as last_mode, i.updated_at
      from automation_instance i where i.partner_id = $1`,
    values: [partnerId],
  });
  return row;
}

/**
 * Agencies whose instance has changed since a time, the newest change first, or the one named if it has: an attempt claimed or left it, or a comparison
 * found something else.
 */
export async function listChangedInstances(tx: SystemTx, since: Date, partnerId: string | null, limit: number): Promise<string[]> {
  const rows = await runStatement<'provisioning_list_changed_instances', { partnerId: string }>(tx, {
    name: 'provisioning_list_changed_instances',
    text: 'select partner_id from automation_instance where updated_at > $1 and ($2::uuid is null or partner_id = $2) order by updated_at desc limit $3',
    values: [since, partnerId, limit],
  });
  return rows.map((row) => row.partnerId);
}

export type AttemptRow = {
  id: string;
  number: number;
  partnerId: string;
  mode: AttemptMode;
  status: AttemptStatus;
  requestedBy: string | null;
  requestedByName: string | null;
  clientId: string | null;
  templateNames: string[];
  refreshTemplates: boolean;
  startedAt: Date;
  finishedAt: Date | null;
  error: string | null;
  errorPublic: string | null;
};

export type DriftRow = { workflowId: string; state: string; differences: { step: string; what: string }[]; checkedAt: Date };

/** Result of the last drift check of each of these workflows whose flow has not been replaced since. Those of archived clients are not compared. */
export async function listDrift(tx: SystemTx, partnerId: string, workflowIds: readonly string[]): Promise<DriftRow[]> {
  if (workflowIds.length === 0) return [];
  return runStatement<'provisioning_list_drift', DriftRow>(tx, {
    name: 'provisioning_list_drift',
    text: `select d.workflow_id, d.state, d.differences, d.checked_at from workflow_drift d join workflow w on w.id = d.workflow_id
        left join client c on c.id = w.client_id
      where d.partner_id = $1 and coalesce(c.status, 'active') not in ('deleted', 'archived') and d.workflow_id = any($2::uuid[]) and w.partner_id = $1 and w.provider_flow_id = d.provider_flow_id`,
    values: [partnerId, workflowIds],
  });
}

/** Newest first; one attempt when `attemptId` is given. */
export async function listAttempts(tx: SystemTx, partnerId: string, limit: number, attemptId: string | null = null): Promise<AttemptRow[]> {
  return runStatement<'provisioning_list_attempts', AttemptRow>(tx, {
    name: 'provisioning_list_attempts',
    text: `select a.id, a.number, a.partner_id, a.mode, a.status, a.requested_by, coalesce(nullif(u.full_name, ''), u.email) as requested_by_name, a.client_id,
        a.template_names, a.refresh_templates, a.started_at, a.finished_at, a.error, a.error_public
      from provisioning_attempt a left join app_user u on u.id = a.requested_by
      where a.partner_id = $1 and ($3::uuid is null or a.id = $3) order by a.number desc limit $2`,
    values: [partnerId, limit, attemptId],
  });
}

export type StepRow = {
  attemptId: string;
  name: string;
  order: number;
  stage: StageKey;
  status: StepStatus;
  startedAt: Date | null;
  finishedAt: Date | null;
  summary: string | null;
  warnings: string[];
  error: string | null;
  errorPublic: string | null;
  metadata: { [key: string]: unknown };
};

export async function listSteps(tx: SystemTx, attemptId: string): Promise<StepRow[]> {
  return runStatement<'provisioning_list_steps', StepRow>(tx, {
    name: 'provisioning_list_steps',
    text: `select attempt_id, name, "order", stage, status, started_at, finished_at, summary, warnings, error, error_public, metadata
      from provisioning_step where attempt_id = $1 order by "order"`,
    values: [attemptId],
  });
}

export type PublicState = {
  status: InstanceStatus;
  errorPublic: string | null;
  provisionedAt: Date | null;
  attemptId: string | null;
  attemptNumber: number | null;
  mode: AttemptMode | null;
  startedAt: Date | null;
  finishedAt: Date | null;
};

/**
 * The instance and the attempt that holds or held it last, as a partner may see them; an attempt that lost its claim can be newer. Names only
 * columns the tenant role may read.
 */
export async function findPublicState(tx: Tx, partnerId: string): Promise<PublicState | undefined> {
  const [row] = await runStatement<'provisioning_find_public_state', PublicState>(tx, {
    name: 'provisioning_find_public_state',
    text: `select coalesce(i.status, 'unprovisioned') as status, i.error_public, i.provisioned_at, a.id as attempt_id, a.number as attempt_number, a.mode, a.started_at, a.finished_at
      from (select 1) one
      left join (select status, error_public, provisioned_at, current_attempt_id from automation_instance where partner_id = $1) i on true
      left join lateral (
        select x.id, x.number, x.mode, x.started_at, x.finished_at from provisioning_attempt x where x.partner_id = $1
          and x.id = coalesce(
            (select y.id from provisioning_attempt y where y.partner_id = $1 and y.id = i.current_attempt_id),
            (select y.id from provisioning_attempt y where y.partner_id = $1 order by y.number desc limit 1))) a on true`,
    values: [partnerId],
  });
  return row;
}

export type LastAttempt = {
  instance: InstanceStatus;
  attemptId: string | null;
  mode: AttemptMode | null;
  attemptStatus: AttemptStatus | null;
  templateNames: string[] | null;
  errorPublic: string | null;
};

/** The instance with the attempt that runs, or else held it last. Names only columns the tenant role may read. */
export async function findLastAttempt(tx: Tx, partnerId: string): Promise<LastAttempt | undefined> {
  const [row] = await runStatement<'provisioning_find_last_attempt', LastAttempt>(tx, {
    name: 'provisioning_find_last_attempt',
    text: `select coalesce(i.status, 'unprovisioned') as instance, a.id as attempt_id, a.mode, a.status as attempt_status, a.template_names, a.error_public
      from (select 1) one
      left join (select status, current_attempt_id from automation_instance where partner_id = $1) i on true
      left join lateral (
        select x.id, x.mode, x.status, x.template_names, x.error_public from provisioning_attempt x where x.partner_id = $1
          order by x.status = 'running' desc, (x.id = i.current_attempt_id) desc nulls last, x.number desc limit 1) a on true`,
    values: [partnerId],
  });
  return row;
}

export type PublicStep = { order: number; stage: StageKey; status: StepStatus; startedAt: Date | null; finishedAt: Date | null };

export async function listPublicSteps(tx: Tx, partnerId: string, attemptId: string): Promise<PublicStep[]> {
  return runStatement<'provisioning_list_public_steps', PublicStep>(tx, {
    name: 'provisioning_list_public_steps',
    text: `select "order", stage, status, started_at, finished_at from provisioning_step where attempt_id = $2 and partner_id = $1 order by "order"`,
    values: [partnerId, attemptId],
  });
}

export type WorkflowRow = {
  workflowId: string;
  partnerId: string;
  name: string;
  clientId: string | null;
  clientName: string | null;
  templateName: string;
  templateVersion: number | null;
  providerFlowId: string | null;
  isActive: boolean;
  createdAt: Date;
  updatedAt: Date;
};

/** The client by its key, row by row: joined, the planner takes the few clients of an average agency, and reads thousands for each agent of a large one. */
const WORKFLOW = `select w.id as workflow_id, w.partner_id, w.name, w.client_id, (select c.name from client c where c.id = w.client_id) as client_name, w.template_name, w.template_version, w.provider_flow_id, w.is_active,
  w.created_at, w.updated_at from workflow w`;

/** Workflows in either view of an installation. */
const WORKFLOWS_SHOWN = 500;

/** All workflows of a partner, those that are installed, and the clients that these belong to. */
export type WorkflowCounts = { total: number; installed: number; clients: number };

/**
 * Returns the workflows of a partner that staff see, by the name of the client, partner-wide ones first, and how many there are: those whose flow differed from its
 * template at the last check, or could not be compared, then the newest.
 */
export async function listShownWorkflows(
  tx: SystemTx,
  partnerId: string,
  limit = WORKFLOWS_SHOWN,
): Promise<{ rows: WorkflowRow[]; counts: WorkflowCounts }> {
  const found = await runStatement<'provisioning_shown_workflows', WorkflowRow & WorkflowCounts>(tx, {
    name: 'provisioning_shown_workflows',
    text: `select w.*, c.total, c.installed, c.clients
      from (${WORKFLOW} join (
          select n.id from (
            (select f.id, true as differs from workflow_drift d join workflow f on f.partner_id = $1 and f.id = d.workflow_id and f.provider_flow_id = d.provider_flow_id
                left join client k on k.id = f.client_id
              where d.partner_id = $1 and coalesce(k.status, 'active') not in ('deleted', 'archived') and d.state <> 'none' order by f.id desc limit $2)
            union all (select a.id, false from workflow a where a.partner_id = $1 order by a.id desc limit $2)
          ) n group by n.id order by bool_or(n.differs) desc, n.id desc limit $2) n on n.id = w.id where w.partner_id = $1) w
        cross join (select count(*)::int as total, count(a.provider_flow_id)::int as installed,
            count(distinct a.client_id) filter (where a.provider_flow_id is not null)::int as clients
          from workflow a where a.partner_id = $1) c
      order by w.client_name nulls first, w.name, w.workflow_id`,
    values: [partnerId, limit],
    // Planned for its agency: the generic plan expects the twelve agents of an average one, and sorts all of them.
    prepare: false,
  });
  const { total, installed, clients } = found[0] ?? { total: 0, installed: 0, clients: 0 };
  return {
    rows: found.map(({ total: _total, installed: _installed, clients: _clients, ...row }) => row),
    counts: { total, installed, clients },
  };
}

/** Returns the newest workflows of a partner, or of one client, in the order of `listShownWorkflows`, and how many there are. */
export async function listNewestWorkflows(
  tx: Tx,
  { partnerId, clientId }: { partnerId: string; clientId: string | null },
  limit = WORKFLOWS_SHOWN,
): Promise<{ rows: WorkflowRow[]; total: number }> {
  const found = await runStatement<'provisioning_newest_workflows', WorkflowRow & { total: number }>(tx, {
    name: 'provisioning_newest_workflows',
    text: `select w.*, (select count(*)::int from workflow a where a.partner_id = $1 and ($2::uuid is null or a.client_id = $2)) as total from (${WORKFLOW}
        join (select n.id from workflow n where n.partner_id = $1 and ($2::uuid is null or n.client_id = $2) order by n.id desc limit $3) n on n.id = w.id) w
      order by w.client_name nulls first, w.name, w.workflow_id`,
    values: [partnerId, clientId, limit],
    // Planned for its agency: the kept plan sorts all agents, of which an average agency has twelve.
    prepare: false,
  });
  return { rows: found.map(({ total: _total, ...row }) => row), total: found[0]?.total ?? 0 };
}

export async function findWorkflow(tx: Tx, partnerId: string, workflowId: string): Promise<WorkflowRow | undefined> {
  const [row] = await runStatement<'provisioning_find_workflow', WorkflowRow>(tx, {
    name: 'provisioning_find_workflow',
    text: `${WORKFLOW} where w.partner_id = $1 and w.id = $2`,
    values: [partnerId, workflowId],
  });
  return row;
}

export type Adoption = { templateName: string; templateVersion: number; partners: number; workflows: number };

/** Returns the versions that agents have which a roll-out may renew: not those of archived clients or suspended agencies. */
export async function listAdoption(tx: SystemTx): Promise<Adoption[]> {
  return runStatement<'provisioning_list_adoption', Adoption>(tx, {
    name: 'provisioning_list_adoption',
    prepare: false,
    text: `select template_name, template_version, count(*)::int as partners, sum(workflows)::int as workflows
      from (select w.template_name, w.template_version, count(*) as workflows
        from workflow w join partner p on p.id = w.partner_id left join client c on c.id = w.client_id
        where w.template_version is not null and w.provider_flow_id is not null and p.status = 'active' and ${IS_INSTALLED_AGAIN}
        group by w.template_name, w.template_version, w.partner_id) of_partner
      group by 1, 2 order by 1, 2 desc`,
  });
}

export type RunCounts = { running: number; timedOut: number; waiting: number };

/** Execution counts of all partners. Each uses a partial index, so the cost does not grow with volume. */
export async function countRuns(tx: SystemTx, since: Date): Promise<RunCounts> {
  const [row] = await runStatement<'provisioning_count_runs', RunCounts>(tx, {
    name: 'provisioning_count_runs',
    prepare: false,
    text: `select (select count(*)::int from execution where status = 'RUNNING') as running,
        (select count(*)::int from dispatch) as waiting,
        (select count(*)::int from execution e where e.status = 'FAILED' and e.error_code = 'timeout' and e.id >= uuid_floor($1)) as timed_out`,
    values: [since],
  });
  return row ?? { running: 0, timedOut: 0, waiting: 0 };
}

export type HourRow = { at: Date; succeeded: number; failed: number };

/** The last 24 hours by the hour, empty ones included. Read from the sums of all agencies. */
export async function listHours(tx: SystemTx, now: Date): Promise<HourRow[]> {
  return runStatement<'provisioning_list_hours', HourRow>(tx, {
    name: 'provisioning_list_hours',
    prepare: false,
    text: `with span as (
        select hour from generate_series(date_trunc('hour', $1::timestamptz) - interval '23 hours', date_trunc('hour', $1::timestamptz), interval '1 hour') as s(hour)
      ), counted as (
        select h.hour, sum(h.succeeded)::int as succeeded, sum(h.failed)::int as failed
        from usage_of_all(date_trunc('hour', $1::timestamptz) - interval '23 hours', 'infinity') h where h.counter = 'ended_runs' group by h.hour
      )
      select s.hour as at, coalesce(c.succeeded, 0) as succeeded, coalesce(c.failed, 0) as failed from span s left join counted c on c.hour = s.hour order by s.hour`,
    values: [now],
  });
}

/** Agencies that are set up, or were begun to be, in another tenancy mode than this one. */
export async function countOtherTenancy(tx: SystemTx, mode: TenancyMode): Promise<number> {
  const [row] = await runStatement<'provisioning_count_other_tenancy', { count: number }>(tx, {
    name: 'provisioning_count_other_tenancy',
    prepare: false,
    text: 'select count(*)::int as count from automation_instance where project_id is not null and tenancy_mode <> $1',
    values: [mode],
  });
  return row?.count ?? 0;
}

/** Attempts running past their limit. */
export async function countStuck(tx: SystemTx, timeoutMinutes: number): Promise<number> {
  const [row] = await runStatement<'provisioning_count_stuck', { count: number }>(tx, {
    name: 'provisioning_count_stuck',
    prepare: false,
    text: "select count(*)::int as count from provisioning_attempt where status = 'running' and started_at < now() - make_interval(mins => $1)",
    values: [timeoutMinutes],
  });
  return row?.count ?? 0;
}
