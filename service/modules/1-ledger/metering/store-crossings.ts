import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx } from '#platform/db/tx.ts';

/** Returns the names of these partners by id. */
export async function listPartnerNames(tx: SystemTx, partnerIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await runStatement<'metering_partner_names', { id: string; name: string }>(tx, {
    name: 'metering_partner_names',
    text: 'select id, name from partner where id = any($1::uuid[])',
    values: [partnerIds],
  });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export type TopClient = { id: string; name: string; used: number };

/** Lists the five clients of a partner that used most credits since the hour of this time. */
export function listTopClients(tx: SystemTx, partnerId: string, since: Date): Promise<TopClient[]> {
  return runStatement<'metering_top_clients', TopClient>(tx, {
    name: 'metering_top_clients',
    prepare: false,
    text: `select k.id, k.name, n.used
      from (select u.client_id, sum_bigint(u.credits)::int as used from usage_of_agents($1, date_trunc('hour', $2::timestamptz), 'infinity', false) u where u.client_id is not null
        group by 1 having sum_bigint(u.credits) <> 0 or sum_bigint(u.succeeded) <> 0 or sum_bigint(u.failed) <> 0) n join client k on k.id = n.client_id and k.status <> 'deleted' order by 3 desc, 1 limit 5`,
    values: [partnerId, since],
  });
}
