import type { Provider, SourceMode } from '@partner-portal/contract/vocabulary.ts';
import { isUsable, type PlatformKeys } from '../deps.ts';
import type { SummaryRow } from '../store-views.ts';

/** What may be told of a stored key. There is no member into which any part of a value could go. */
export type CredentialSummary = {
  id: string;
  provider: Provider;
  clientId: string | null;
  sourceMode: SourceMode;
  configured: boolean;
  updatedAt: Date;
  inherited?: true;
  lastCheck: { ok: boolean; at: Date; message: string } | null;
  usedByAgents: number;
  live: 'live' | 'pending' | 'unused';
  lastUsedAt: Date | null;
};

export function toSummary(platformKeys: PlatformKeys, row: SummaryRow): CredentialSummary {
  const checked = row.lastCheckAt !== null && row.lastCheckOk !== null;
  return {
    id: row.id,
    provider: row.provider,
    clientId: row.clientId,
    sourceMode: row.sourceMode,
    configured: isUsable(platformKeys, row),
    updatedAt: row.updatedAt,
    ...(row.inherited ? { inherited: true as const } : {}),
    lastCheck:
      checked && row.lastCheckAt ? { ok: row.lastCheckOk === true, at: row.lastCheckAt, message: row.lastCheckMessage ?? '' } : null,
    usedByAgents: row.usedByAgents,
    live: row.live,
    lastUsedAt: row.lastUsedAt,
  };
}
