import type { Provider, SourceMode, SqlTlsState } from '@partner-portal/contract/vocabulary.ts';
import { isCredentialUsable } from '@partner-portal/core/credential/resolution.ts';
import { type PlatformKeys, platformProviders } from '../deps.ts';
import type { SummaryRow } from '../store-views.ts';

/** A stored credential as a caller may see it. No member can hold any part of its value. */
export type CredentialSummary = {
  id: string;
  provider: Provider;
  clientId: string | null;
  sourceMode: SourceMode;
  configured: boolean;
  updatedAt: Date;
  inherited?: true;
  notInPlan?: true;
  lastCheck: { ok: boolean; at: Date; message: string } | null;
  usedByAgents: number;
  usedByChatbots: number;
  live: 'live' | 'pending' | 'unused';
  lastUsedAt: Date | null;
  tls?: SqlTlsState;
};

export function toSummary(platformKeys: PlatformKeys, row: SummaryRow): CredentialSummary {
  const checked = row.lastCheckAt !== null && row.lastCheckOk !== null;
  return {
    id: row.id,
    provider: row.provider,
    clientId: row.clientId,
    sourceMode: row.sourceMode,
    configured: isCredentialUsable(row, platformProviders(platformKeys)),
    updatedAt: row.updatedAt,
    ...(row.inherited ? { inherited: true as const } : {}),
    ...(row.isExcluded ? { notInPlan: true as const } : {}),
    lastCheck:
      checked && row.lastCheckAt ? { ok: row.lastCheckOk === true, at: row.lastCheckAt, message: row.lastCheckMessage ?? '' } : null,
    usedByAgents: row.usedByAgents,
    usedByChatbots: row.usedByChatbots,
    live: row.live,
    lastUsedAt: row.lastUsedAt,
    ...(row.tls === null ? {} : { tls: row.tls }),
  };
}
