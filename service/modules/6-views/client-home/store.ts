import { runStatement } from '#platform/db/statements.ts';
import type { TenantTx } from '#platform/db/tx.ts';

export type HomeRow = {
  timezone: string;
  today: string;
  id: string;
  name: string;
  slug: string;
  logoUrl: string | null;
  logoAlt: string | null;
  brandColor: string | null;
  status: string;
  partnerTimezone: string;
  supportEmail: string | null;
};

/** Returns today's date in the client's time zone and the partner that serves it. */
export async function findHome(tx: TenantTx, clientId: string): Promise<HomeRow | undefined> {
  const [row] = await runStatement<'client_home', HomeRow>(tx, {
    name: 'client_home',
    text: `select zone as timezone, to_char(now() at time zone zone, 'YYYY-MM-DD') as today, p.id, p.name, p.slug, p.logo_url, logo_text(p.logo_media_id) as logo_alt, p.brand_color, p.status,
        p.timezone as partner_timezone, p.support_email
      from client c join partner p on p.id = c.partner_id, known_zone(c.timezone) as zone where c.id = $1 and c.status <> 'deleted'`,
    values: [clientId],
  });
  return row;
}

export type DayRow = {
  date: string;
  workflowId: string;
  /** Null for an agent that is neither installed nor among the removed ones. */
  templateName: string | null;
  /** A chatbot can run the agent. */
  isRunByChats: boolean;
  runs: number;
  helped: number;
  failed: number;
};

/** Returns this month and the one before in the client's time zone by day and agent, from the hourly counters. */
export async function daysOfMonths(tx: TenantTx, partnerId: string, clientId: string): Promise<DayRow[]> {
  return runStatement<'client_months', DayRow>(tx, {
    name: 'client_months',
    text: `with own as materialized (select c.id, zone from client c, known_zone(c.timezone) as zone where c.id = $2)
      select to_char(h.hour at time zone c.zone, 'YYYY-MM-DD') as date, h.workflow_id, coalesce(w.template_name, r.template_name) as template_name,
        exists (select from chatbot_route b where b.workflow_id = h.workflow_id) as is_run_by_chats, sum(h.succeeded + h.failed)::int as runs, sum(h.helped)::int as helped,
        sum(h.failed)::int as failed
      from workflow_hour h join own c on c.id = h.client_id left join workflow w on w.id = h.workflow_id left join agent_removal r on r.workflow_id = h.workflow_id
      where h.partner_id = $1 and h.client_id = $2 and h.hour >= (date_trunc('month', now() at time zone c.zone) - interval '1 month') at time zone c.zone
      group by 1, 2, 3 order by 1`,
    values: [partnerId, clientId],
  });
}
