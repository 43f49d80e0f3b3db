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
    text: `select s.*, s.source_mode = 'platform' and not (select has_feature($1::uuid, 'aiPlatformKeys')) as is_excluded,
        (select count(*)::int from chatbot b where b.partner_id = $1 and b.is_active and b.provider = s.provider and case
          when s.client_id is not null then b.client_id = s.client_id
          else not exists (select from credential o where o.partner_id = $1 and o.client_id = b.client_id and o.provider = b.provider) end) as used_by_chatbots
      from credential_summaries($1::uuid, $2::uuid, $3::text[], $4::text[], $5::uuid) s`,
    values: [scope.partnerId, scope.clientId, needs.templateNames, needs.providers, onlyId ?? null],
  });
}
