import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';

export type AccountCounts = {
  partnerId: string;
  partnerName: string;
  accountName: string;
  clients: number;
  /** On, of an account that may run them. */
  runningAgents: number;
  /** Clients that these are of. */
  runningClients: number;
  agents: number;
  users: number;
  webhooks: number;
  files: number;
};

/** Counts what belongs to an agency, or to one client; undefined when it is unknown, deleted or not visible in this transaction. */
export async function countAccount(
  tx: Tx,
  { partnerId, clientId }: { partnerId: string | null; clientId: string | null },
): Promise<AccountCounts | undefined> {
  const [row] = await runStatement<'accounts_count', AccountCounts>(tx, {
    name: 'accounts_count',
    prepare: false,
    text: `select p.id as partner_id, p.name as partner_name, coalesce(c.name, p.name) as account_name,
        case when $2::uuid is null then (select count(*)::int from client x where x.partner_id = p.id and x.status <> 'deleted') else 1 end as clients,
        g.agents as running_agents, g.clients as running_clients,
        (select count(*)::int from workflow w where w.partner_id = p.id and ($2::uuid is null or w.client_id = $2)) as agents,
        (select count(*)::int from app_user u where u.partner_id = p.id and ($2::uuid is null or u.client_id = $2)) as users,
        (select count(*)::int from webhook_endpoint e where e.partner_id = p.id and $2::uuid is null) as webhooks,
        (select count(*)::int from media m where m.partner_id = p.id and ($2::uuid is null or m.client_id = $2)) as files
      from partner p left join client c on c.id = $2 and c.partner_id = p.id
      cross join lateral (select count(*)::int as agents, count(distinct w.client_id)::int as clients from workflow w
        left join client x on x.id = w.client_id left join subscription s on s.partner_id = p.id
        where w.partner_id = p.id and ($2::uuid is null or w.client_id = $2) and w.provider_flow_id is not null and w.is_active
          and may_run_agents(p.status, x.status, s.status)) g
      where ($1::uuid is null or p.id = $1) and ($2::uuid is null or (c.id is not null and c.status <> 'deleted')) and p.status <> 'deleted' and not p.is_house`,
    values: [partnerId, clientId],
  });
  return row;
}
