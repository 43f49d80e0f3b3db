import { createHmac } from 'node:crypto';
import { startChild } from '../support/child.ts';
import { type BenchDatabase, seedWorkflows } from '../support/database.ts';
import type { LoadResult } from '../support/load.ts';
import { timingText } from '../support/measure.ts';
import type { ReportsAnswer } from '../support/reports-process.ts';
import type { ServiceSetup } from '../support/service.ts';
import { startLoad } from '../support/start-load.ts';

const SECRET = 'callback-secret-of-the-bench';
const BODY = JSON.stringify({ callerNumber: '+13125550121', businessNumber: '+13125550100' });
const PER_SECOND = 200;
const REPORTS = 10_000;
const AGENCIES = 100;
/** Ten in the morning, UTC, on the first working day of a month. */
const NOW = '2026-12-01T10:00:00Z';

/**
 * The reports of one night: 10⁴ clients (`reports=1000` for fewer) of a hundred agencies with a reader each, while events arrive; the latency
 * of these without and during the reports, in the same run.
 */
export async function benchReports(database: BenchDatabase, say: (line: string) => void, reports = REPORTS): Promise<void> {
  const workflows = await seedWorkflows(database, AGENCIES, Math.ceil(reports / AGENCIES));
  await database.admin(
    `with c as (update client set timezone = 'UTC', created_at = '2026-01-01' returning id, partner_id),
      u as (insert into app_user (email, full_name, role, partner_id, client_id) select 'reader-' || c.id || '@bench.example', 'Reader', 'CLIENT', c.partner_id, c.id from c
        returning id, partner_id, client_id)
    insert into report_subscription (client_id, user_id, partner_id, is_subscribed, changed_by, changed_at) select client_id, id, partner_id, true, id, '2026-02-01' from u`,
  );
  // Two months of an agent that runs twice a day.
  await database.admin(
    `insert into workflow_hour (partner_id, workflow_id, client_id, hour, succeeded, helped, credits)
      select w.partner_id, w.id, w.client_id, h, 2, 2, 2 from workflow w, generate_series(timestamptz '2026-10-01', '2026-11-30 23:00', interval '12 hours') h`,
  );
  await database.admin('vacuum analyze');
  const address = database.addressOf('portal_service');
  const setup: ServiceSetup = { address, callbackSecret: SECRET };
  const service = await startChild<ServiceSetup, { origin: string }>(new URL('../support/service.ts', import.meta.url), setup);
  const sender = await startChild<object, object, object, ReportsAnswer>(new URL('../support/reports-process.ts', import.meta.url), {
    address,
    now: NOW,
  });
  const paths = workflows
    .slice(0, 400)
    .map((id) => `/webhooks/agents/${id}?token=${createHmac('sha256', SECRET).update(`ingest:${id}`).digest('hex')}`);
  const load = await startLoad({
    origin: service.ready.origin,
    paths,
    body: BODY,
  });
  const offer = (seconds: number): Promise<LoadResult> => load.ask({ kind: 'offered', connections: 64, perSecond: PER_SECOND, seconds });
  try {
    await offer(2);
    const without = await offer(20);
    say(`ingest at ${PER_SECOND}/s alone: ${timingText(without.timing)}, refused ${without.refused}, failed ${without.failed}`);
    const [sent, beside] = await Promise.all([sender.child.ask({}), offer(20)]);
    say(
      `${sent.mails} reports in ${sent.seconds.toFixed(1)} s beside it: ${Math.round(sent.mails / sent.seconds)} a second, ${(sent.statements / Math.max(1, sent.mails)).toFixed(1)} statements each`,
    );
    say(`ingest beside it: ${timingText(beside.timing)}, refused ${beside.refused}, failed ${beside.failed}`);
    say(
      `ratio of p50 ${(beside.timing.p50 / without.timing.p50).toFixed(2)}, of p99 ${(beside.timing.p99 / without.timing.p99).toFixed(2)}`,
    );
    const again = await sender.child.ask({});
    say(`asked again: ${again.mails} reports in ${again.seconds.toFixed(2)} s`);
  } finally {
    for (const one of [load, sender.child, service.child]) await one.stop();
  }
}
