import type { BenchDatabase } from './database.ts';

const BATCH = 50_000;

/** Creates ended runs of an agency, spread over the last `days`, with payloads of half a kilobyte and their entries in the ledger. */
export async function fillRuns(database: BenchDatabase, partnerId: string, count: number, days = 0): Promise<void> {
  for (let from = 0; from < count; from += BATCH) await fill(database, partnerId, Math.min(BATCH, count - from), days);
  await database.admin('vacuum analyze execution, execution_payload, usage_entry');
}

async function fill(database: BenchDatabase, partnerId: string, count: number, days: number): Promise<void> {
  await database.admin(
    `with w as (select array_agg(w.id order by w.id) as ids, array_agg(w.client_id order by w.id) as clients, count(*)::int as n from workflow w where w.partner_id = $1),
      e as (insert into execution (id, partner_id, client_id, workflow_id, status, source, summary, template_version, credits_held, credits_charged, started_at, finished_at, due_at)
        select uuidv7(-make_interval(days => i % ($3::int + 1))), $1, w.clients[1 + i % w.n], w.ids[1 + i % w.n], 'SUCCEEDED', 'ingest', 'Texted +1 312 ··· 0121 after a missed call', 1, 0, 1, now(), now(), now()
        from w, generate_series(1, $2::int) i returning id, client_id, workflow_id),
      p as (insert into execution_payload (id, partner_id, client_id, input, output, steps)
        select id, $1, client_id, jsonb_build_object('callerNumber', '+13125550121', 'businessNumber', '+13125550100', 'note', md5(id::text)),
          jsonb_build_object('summary', 'Texted the caller.', 'messageId', md5(workflow_id::text || id)),
          jsonb_build_array(jsonb_build_object('name', 'send_text', 'label', 'Send a text', 'status', 'succeeded', 'durationMs', 132, 'output', jsonb_build_object('id', md5(id::text)))) from e)
    insert into usage_entry (id, partner_id, client_id, kind, credits, execution_id, workflow_id) select uuidv7(), $1, client_id, 'run', -1, id, workflow_id from e`,
    [partnerId, count, days],
  );
}
