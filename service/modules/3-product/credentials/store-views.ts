import type { Provider, SourceMode, SqlTlsState } from '@partner-portal/contract/vocabulary.ts';
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
  isExcluded: boolean;
  updatedAt: Date;
  lastCheckOk: boolean | null;
  lastCheckAt: Date | null;
  lastCheckMessage: string | null;
  lastUsedAt: Date | null;
  usedByAgents: number;
  usedByChatbots: number;
  live: 'live' | 'pending' | 'unused';
  tls: SqlTlsState | null;
};

/**
 * Lists summaries of a partner's stored credentials, or with a client of those that count for it: its own, and the partner's
 * defaults it has no own row for (inherited, under the client's id).
 */
export async function listSummaries(tx: Tx, scope: Scope, needs: TemplateNeeds, onlyId?: string): Promise<SummaryRow[]> {
  return runStatement<'credentials_list_summaries', SummaryRow>(tx, {
    name: 'credentials_list_summaries',
    text: `with bots as materialized (
        select b.provider, b.client_id, o.client_id is null as uses_default from chatbot b
        left join (select distinct k.client_id, k.provider from credential k where k.partner_id = $1) o on o.client_id = b.client_id and o.provider = b.provider
        where b.partner_id = $1 and b.is_active
      )
      select s.*, s.source_mode = 'platform' and not (select has_feature($1::uuid, 'aiPlatformKeys')) as is_excluded,
        coalesce(u.chatbots, 0) as used_by_chatbots
      from credential_summaries($1::uuid, $2::uuid, $3::text[], $4::text[], $5::uuid) s
      left join (
        select b.provider, b.client_id, count(*)::int as chatbots from bots b group by 1, 2
        union all select b.provider, null, count(*)::int from bots b where b.uses_default group by 1
      ) u on u.provider = s.provider and u.client_id is not distinct from s.client_id`,
    values: [scope.partnerId, scope.clientId, needs.templateNames, needs.providers, onlyId ?? null],
  });
}
