import { RUN_CONTENT_DAYS } from '@partner-portal/core/trust/retention.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';

export type ReportClient = {
  id: string;
  name: string;
  timezone: string;
  locale: string;
  status: string;
  createdAt: Date;
  /** Start of the first hour with a run. */
  firstHour: Date | null;
  partnerId: string;
  partnerName: string;
  logoUrl: string | null;
  brandColor: string | null;
  supportEmail: string | null;
  /** The reader's own language tag. */
  readerLocale: string | null;
};

/** Returns the client with its agency and its first hour of work; undefined when it is deleted, unknown or not visible. */
export async function findReportClient(tx: Tx, clientId: string, readerId: string | null): Promise<ReportClient | undefined> {
  const [row] = await runStatement<'reports_client', ReportClient>(tx, {
    name: 'reports_client',
    text: `select c.id, c.name, c.timezone, c.locale, c.status, c.created_at, p.id as partner_id, p.name as partner_name, p.logo_url, p.brand_color, p.support_email,
        (select h.hour from workflow_hour h where h.partner_id = c.partner_id and h.client_id = c.id and h.succeeded + h.failed > 0 order by h.hour limit 1) as first_hour,
        (select u.locale from app_user u where u.id = $2) as reader_locale
      from client c join partner p on p.id = c.partner_id where c.id = $1 and c.status <> 'deleted'`,
    values: [clientId, readerId],
  });
  return row;
}

export type ReportScope = { partnerId: string; clientId: string };

/** Results of one agent in one month. */
export type MonthRow = {
  /** Index of the month in the given boundaries. */
  month: number;
  workflowId: string;
  /** Null when the agent is neither installed nor among the removed ones. */
  agentName: string | null;
  templateName: string | null;
  /** A chatbot can run the agent. */
  isRunByChats: boolean;
  succeeded: number;
  failed: number;
  contacted: number;
  helped: number;
  credits: number;
};

/**
 * Returns the counters by month and agent. `starts`: the first moment of each month, oldest first; `end`: that of the month behind the last. An
 * hour belongs to the month in which it starts.
 */
export async function listMonths(tx: Tx, scope: ReportScope, starts: readonly Date[], end: Date): Promise<MonthRow[]> {
  return runStatement<'reports_months', MonthRow>(tx, {
    name: 'reports_months',
    prepare: false,
    text: `with own as materialized (
        select width_bucket(h.hour, $3::timestamptz[]) - 1 as month, h.workflow_id, sum(h.succeeded)::int as succeeded, sum(h.failed)::int as failed,
          sum(h.contacted)::int as contacted, sum(h.helped)::int as helped, sum(h.credits)::int as credits
        from workflow_hour h where h.partner_id = $1 and h.client_id = $2 and h.hour >= ($3::timestamptz[])[1] and h.hour < $4 group by 1, 2)
      select o.*, coalesce(w.name, r.name) as agent_name, coalesce(w.template_name, r.template_name) as template_name,
        exists (select from chatbot_route c where c.workflow_id = o.workflow_id) as is_run_by_chats
      from own o left join workflow w on w.id = o.workflow_id left join agent_removal r on r.workflow_id = o.workflow_id`,
    values: [scope.partnerId, scope.clientId, starts, end],
  });
}

/**
 * Returns the credits of language models that belong to no run, such as answers of chatbots, in a month and in the one before. The three times
 * are the first moments of both and of the month behind; an hour belongs to the month in which it starts.
 */
export async function readModelCredits(
  tx: Tx,
  scope: ReportScope,
  { before, start, end }: { before: Date; start: Date; end: Date },
): Promise<{ own: number; before: number }> {
  const [row] = await runStatement<'reports_model_credits', { own: number; before: number }>(tx, {
    name: 'reports_model_credits',
    prepare: false,
    text: `select coalesce((select sum_bigint(u.credits) from usage_of_agents($1, $4, $5, false) u where u.workflow_id is null and u.client_id = $2), 0)::int as own,
        coalesce((select sum_bigint(u.credits) from usage_of_agents($1, $3, $4, false) u where u.workflow_id is null and u.client_id = $2), 0)::int as before`,
    values: [scope.partnerId, scope.clientId, before, start, end],
  });
  return row ?? { own: 0, before: 0 };
}

export type BusyHour = { weekday: number; hour: number; runs: number };

/** Returns runs by weekday and hour in the client's time zone. */
export async function listBusyHours(tx: Tx, scope: ReportScope, month: { start: Date; end: Date; timezone: string }): Promise<BusyHour[]> {
  return runStatement<'reports_busy_hours', BusyHour>(tx, {
    name: 'reports_busy_hours',
    prepare: false,
    text: `select extract(isodow from h.hour at time zone z.zone)::int as weekday, extract(hour from h.hour at time zone z.zone)::int as hour,
        sum(h.succeeded + h.failed)::int as runs
      from workflow_hour h cross join known_zone($5) as z(zone)
      where h.partner_id = $1 and h.client_id = $2 and h.hour >= $3 and h.hour < $4 group by 1, 2 having sum(h.succeeded + h.failed) > 0 order by 1, 2`,
    values: [scope.partnerId, scope.clientId, month.start, month.end, month.timezone],
  });
}

export type FailureRow = { workflowId: string; errorCode: string | null; count: number; handled: number };

/**
 * Returns failed runs by agent and error code. `handled`: those that were run again, by hand or one after the other, until one succeeded,
 * in whichever month.
 */
export async function listFailures(tx: Tx, scope: ReportScope, { start, end }: { start: Date; end: Date }): Promise<FailureRow[]> {
  return runStatement<'reports_failures', FailureRow>(tx, {
    name: 'reports_failures',
    prepare: false,
    text: `with recursive rerun as materialized (
        select e.id, e.rerun_of, e.status from execution e
        where e.partner_id = $1 and e.client_id = $2 and e.source = 'rerun' and e.id >= uuid_floor($3::timestamptz - interval '2 hours')
      ), good as (
        select r.rerun_of as id from rerun r where r.status = 'SUCCEEDED'
        union select r.rerun_of from good g join rerun r on r.id = g.id
      )
      select e.workflow_id, e.error_code, count(*)::int as count, count(g.id)::int as handled
      from execution e left join good g on g.id = e.id
      where e.partner_id = $1 and e.client_id = $2 and e.status = 'FAILED' and e.id >= uuid_floor($3::timestamptz - interval '2 hours')
        and e.id < uuid_floor($4::timestamptz + interval '2 hours') and date_trunc('hour', e.started_at) >= $3 and date_trunc('hour', e.started_at) < $4
      group by 1, 2`,
    values: [scope.partnerId, scope.clientId, start, end],
  });
}

export type WordsRow = { id: string; words: string; customer: string; rating: number };

/** Runs of the month whose output is looked at for words of customers, newest first. */
const WORDS_RUNS_MAX = 500;

/** Returns what customers wrote and allowed to be quoted, as runs of these templates reported it; as long as contents of runs are stored. */
export async function listWords(
  tx: Tx,
  scope: ReportScope,
  { start, end }: { start: Date; end: Date },
  templateNames: readonly string[],
): Promise<WordsRow[]> {
  return runStatement<'reports_words', WordsRow>(tx, {
    name: 'reports_words',
    prepare: false,
    text: `with run as materialized (
        select e.id, e.partner_id from execution e join workflow w on w.id = e.workflow_id
        where e.partner_id = $1 and e.client_id = $2 and w.template_name = any ($5::text[]) and e.status = 'SUCCEEDED'
          and e.id >= uuid_floor(greatest($3::timestamptz - interval '2 hours', now() - make_interval(days => ${RUN_CONTENT_DAYS})))
          and e.id < uuid_floor($4::timestamptz + interval '2 hours') and date_trunc('hour', e.started_at) >= $3 and date_trunc('hour', e.started_at) < $4
        order by e.id desc limit ${WORDS_RUNS_MAX})
      select r.id, p.output -> 'quote' ->> 'words' as words, p.output -> 'quote' ->> 'customer' as customer,
        (p.output -> 'quote' ->> 'rating')::double precision as rating
      from run r join execution_payload p on p.partner_id = r.partner_id and p.id = r.id
      where jsonb_typeof(p.output -> 'quote' -> 'words') = 'string' and jsonb_typeof(p.output -> 'quote' -> 'customer') = 'string'
        and jsonb_typeof(p.output -> 'quote' -> 'rating') = 'number'`,
    values: [scope.partnerId, scope.clientId, start, end, templateNames],
  });
}

/** Returns the templates of which the client has an agent of its own; one of its agency serves the agency. */
export async function listInstalled(tx: Tx, scope: ReportScope): Promise<string[]> {
  const rows = await runStatement<'reports_installed', { templateName: string }>(tx, {
    name: 'reports_installed',
    text: `select distinct w.template_name from workflow w where w.partner_id = $1 and w.client_id = $2`,
    values: [scope.partnerId, scope.clientId],
  });
  return rows.map((row) => row.templateName);
}
