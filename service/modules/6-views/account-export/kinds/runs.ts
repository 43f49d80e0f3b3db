import { redactCause } from '@partner-portal/core/execution/error.ts';
import { failureOf } from '@partner-portal/core/execution/failures.ts';
import { RUN_CONTENT_DAYS } from '@partner-portal/core/trust/retention.ts';
import { messagesFor } from '@partner-portal/messages/all.ts';
import { failureSentence } from '@partner-portal/messages/failure-sentence.ts';
import { type RowOf, runStatement } from '#platform/db/statements.ts';
import { ERROR_MESSAGE, SHOWN_FROM, SUMMARY } from '#platform/db/run-columns.ts';
import { defineKind } from './kind.ts';
import { showPayload } from './show-payload.ts';

/**
 * A batch ends with the row that takes its payloads beyond 2 MiB. Sizes are exact for what is compressed; what is not is small. A payload's text
 * may be twice the limit of an event or a report, since jsonb adds blanks; one beyond that consists of numbers made to grow and is left out.
 */
const RUNS = `with page as materialized (
    select e.id, case when pg_column_compression(p.input) is null then pg_column_size(p.input) else octet_length(p.input::text) end as input,
      case when pg_column_compression(p.output) is null then pg_column_size(p.output) else octet_length(p.output::text) end as output,
      case when pg_column_compression(p.steps) is null then pg_column_size(p.steps) else octet_length(p.steps::text) end as steps,
      coalesce(pg_column_size(p.understood), 0) + coalesce(pg_column_size(p.remarks), 0) as reading
    from execution e left join execution_payload p on p.partner_id = e.partner_id and p.id = e.id and p.id >= ${SHOWN_FROM}
    where e.partner_id = $1 and ($2::uuid is null or e.client_id = $2) and ($3::uuid is null or e.id > $3)
    order by e.id limit $4
  ), taken as materialized (
    select s.id from (select id, sum(coalesce(input, 0) + coalesce(output, 0) + coalesce(steps, 0) + reading) over (order by id)
      - coalesce(input, 0) - coalesce(output, 0) - coalesce(steps, 0) - reading as before from page) s where s.before < 2097152
  )
  select e.id, e.client_id, e.workflow_id, w.name as agent_name, e.status,
    case when e.status = 'SUCCEEDED' then coalesce(e.tone, case when e.stopped then 'neutral' else 'good' end) end as tone, e.source, ${SUMMARY}, e.started_at, e.finished_at, e.error_code,
    ${ERROR_MESSAGE}, e.error_step, e.credits_charged, e.rerun_of, e.late, e.template_version,
    case when p.id is null then 'expired' when octet_length(x.input) > 524288 or octet_length(x.output) > 2097152 or octet_length(x.steps) > 2097152
        or octet_length(x.understood) > 524288 then 'too_large'
      else 'stored' end as payload,
    case when octet_length(x.input) <= 524288 then x.input end as input, case when octet_length(x.output) <= 2097152 then x.output end as output,
    case when octet_length(x.steps) <= 2097152 then x.steps end as steps, case when octet_length(x.understood) <= 524288 then x.understood end as understood,
    x.remarks
  from taken t join execution e on e.id = t.id and e.partner_id = $1 left join workflow w on w.id = e.workflow_id
  left join execution_payload p on p.partner_id = e.partner_id and p.id = e.id and p.id >= ${SHOWN_FROM}
  cross join lateral (select p.input::text as input, p.output::text as output, p.steps::text as steps,
    p.understood::text as understood, p.remarks::text as remarks offset 0) x
  order by e.id`;

type Run = RowOf<'export_runs'>;

export const runs = defineKind({
  name: 'runs',
  about: `Runs of agents. Input, output, steps, summary and error message are stored for ${RUN_CONTENT_DAYS} days; later the column payload says expired.`,
  reach: 'client',
  batch: 300,
  read: (tx, scope, after, limit) =>
    runStatement<'export_runs', Run>(tx, {
      name: 'export_runs',
      prepare: false,
      text: RUNS,
      values: [scope.partnerId, scope.clientId, after, limit],
    }),
  async count(tx, scope) {
    const [row] = await runStatement<'export_runs_count', { count: number }>(tx, {
      name: 'export_runs_count',
      prepare: false,
      text: 'select count(*) as count from execution where partner_id = $1 and ($2::uuid is null or client_id = $2)',
      values: [scope.partnerId, scope.clientId],
    });
    return row?.count ?? 0;
  },
  async shape(row, scope, pace) {
    const input = await showPayload(row.input, scope, pace);
    const output = await showPayload(row.output, scope, pace);
    const understood = await showPayload(row.understood, scope, pace);
    const remarks = await showPayload(row.remarks, scope, pace);
    // Clients do not get the steps.
    if (scope.audience === 'client') return { ...withoutCause(row), input, understood, remarks, output };
    return { ...row, input, understood, remarks, output, steps: await showPayload(row.steps, scope, pace) };
  },
  columns: {
    id: 'value',
    clientId: 'value',
    workflowId: 'value',
    agentName: 'value',
    status: 'value',
    tone: 'value',
    source: 'value',
    summary: 'value',
    startedAt: 'value',
    finishedAt: 'value',
    errorCode: 'value',
    errorMessage: 'value',
    errorStep: 'agency',
    creditsCharged: 'value',
    rerunOf: 'value',
    late: 'value',
    templateVersion: 'value',
    payload: 'value',
    input: 'json',
    understood: 'json',
    remarks: 'json',
    output: 'json',
    steps: 'agencyJson',
  },
});

/** As clients see runs in the portal: the kind of cause instead of the cause. */
function withoutCause(row: Run): Run {
  const cause = row.errorCode === null ? null : { code: row.errorCode, message: row.errorMessage ?? '', stepName: row.errorStep };
  const { summary, error } = redactCause({ summary: row.summary ?? '', error: cause });
  return {
    ...row,
    summary: row.summary && summary,
    errorMessage: error && failureSentence(messagesFor('en').t, failureOf(error.code).kind),
  };
}
