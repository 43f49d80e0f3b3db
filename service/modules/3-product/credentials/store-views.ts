import type { Provider, SourceMode } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { Scope } from './store.ts';
import type { TemplateNeeds } from './store-resolution.ts';

export type SummaryRow = {
  id: string;
  provider: Provider;
  clientId: string | null;
  inherited: boolean;
  sourceMode: SourceMode;
  hasValue: boolean;
  updatedAt: Date;
  lastCheckOk: boolean | null;
  lastCheckAt: Date | null;
  lastCheckMessage: string | null;
  lastUsedAt: Date | null;
  usedByAgents: number;
  live: 'live' | 'pending' | 'unused';
};

/**
 * Lists summaries of a partner's stored credentials, or with a client of those that count for it: its own, and the partner's
 * defaults it has no own row for (inherited, under the client's id).
 */
export async function listSummaries(tx: Tx, scope: Scope, needs: TemplateNeeds, onlyId?: string): Promise<SummaryRow[]> {
  return runStatement<'credentials_list_summaries', SummaryRow>(tx, {
    name: 'credentials_list_summaries',
    text: `with needs as (
        select * from unnest($3::text[], $4::text[]) as n(template_name, provider)
      ), uses as (
        -- By joins, like listNeedRows: an agency may have thousands of agents.
        select coalesce(own.id, standard.id) as id, count(*)::int as agents
        from workflow w join needs n on n.template_name = w.template_name
        left join credential own on own.partner_id = w.partner_id and own.client_id = w.client_id and own.provider = n.provider
        left join credential standard on standard.partner_id = w.partner_id and standard.client_id is null and standard.provider = n.provider
        where w.partner_id = $1 and ($2::uuid is null or w.client_id = $2)
        group by 1
      ), links as (
        select carried.id, bool_or(e.status = 'pending') as pending
        from engine_connection e cross join lateral effective_credential(e.partner_id, e.client_id, e.provider) carried
        where e.partner_id = $1 and ($2::uuid is null or e.client_id = $2 or e.client_id is null)
        group by 1
      )
      select c.id, c.provider, coalesce(c.client_id, $2::uuid) as client_id, ($2::uuid is not null and c.client_id is null) as inherited,
        c.source_mode, c.sealed is not null as has_value, c.updated_at, c.last_check_ok, c.last_check_at, c.last_check_message, c.last_used_at,
        coalesce(u.agents, 0) as used_by_agents,
        case when l.id is null then 'unused' when l.pending then 'pending' else 'live' end as live
      from credential c left join uses u on u.id = c.id left join links l on l.id = c.id
      where c.partner_id = $1 and ($5::uuid is null or c.id = $5)
        and ($2::uuid is null or c.client_id = $2 or c.client_id is null)
        and ($2::uuid is null or c.id = (select counts.id from effective_credential($1, $2, c.provider) counts))
      order by c.client_id nulls first, c.provider`,
    values: [scope.partnerId, scope.clientId, needs.templateNames, needs.providers, onlyId ?? null],
  });
}
