import type { StoredCredential } from '@partner-portal/core/credential/resolution.ts';
import type { StoredProvider } from '@partner-portal/core/credential/provider-rules.ts';
import type { SourceMode } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { Tx } from '#platform/db/tx.ts';
import { DATA_KEY, type DataKeyRow } from '#schema/data-key-columns.ts';
import { type CredentialRow, ROW, type Scope, type Slot } from './store.ts';

/** Which credential counts, in SQL: the function `effective_credentials`. The states that follow from it are decided in core/credential/resolution.ts. */

/** Whether a row is in platform mode, and the plan of its agency has no keys of the platform. */
const IS_EXCLUDED = "c.source_mode = 'platform' and not has_feature(c.partner_id, 'aiPlatformKeys') as is_excluded";

export type EffectiveRow = CredentialRow & { isExcluded: boolean } & Partial<DataKeyRow>;

/** Returns the row that counts for this slot, with the data key that opens it. */
export async function findEffective(tx: Tx, slot: Slot): Promise<EffectiveRow | undefined> {
  const [row] = await runStatement<'credentials_find_effective', EffectiveRow>(tx, {
    name: 'credentials_find_effective',
    text: `select ${ROW}, ${IS_EXCLUDED}, ${DATA_KEY} from effective_credential($1, $2, $3) c left join partner_data_key k on k.partner_id = c.partner_id`,
    values: [slot.partnerId, slot.clientId, slot.provider],
  });
  return row;
}

/** Whether the plan of an agency, or its own terms, include the keys of the platform. */
export async function includesPlatformKeys(tx: Tx, partnerId: string): Promise<boolean> {
  const [row] = await runStatement<'credentials_includes_platform_keys', { isIncluded: boolean }>(tx, {
    name: 'credentials_includes_platform_keys',
    text: `select has_feature($1, 'aiPlatformKeys') as is_included`,
    values: [partnerId],
  });
  return row?.isIncluded ?? false;
}

const STATE = `c.id, c.source_mode, c.sealed is not null as has_value, ${IS_EXCLUDED}, c.last_check_ok, c.last_check_at, c.last_check_message, c.updated_at`;

/** A stored credential without its value, and the outcome of its last check. */
export type CredentialState = StoredCredential & { id: string; lastCheckAt: Date | null; lastCheckMessage: string | null; updatedAt: Date };

/** Lists the stored credentials of these partners and of these clients (null: of all their clients), without their values. */
export function listCredentialStates(
  tx: Tx,
  of: { partnerIds: readonly string[]; clientIds: readonly string[] | null },
): Promise<CredentialState[]> {
  return runStatement<'credentials_list_states', CredentialState>(tx, {
    name: 'credentials_list_states',
    text: `select c.partner_id, c.client_id, c.provider, ${STATE} from credential c
      where c.partner_id = any($1::uuid[]) and ($2::uuid[] is null or c.client_id is null or c.client_id = any($2))`,
    values: [of.partnerIds, of.clientIds],
  });
}

/** Returns the state of the row that counts for each slot, in the order of the slots; undefined where none is stored. */
export async function findEffectiveStates(tx: Tx, slots: readonly Slot[]): Promise<(CredentialState | undefined)[]> {
  if (slots.length === 0) return [];
  const rows = await runStatement<'credentials_find_effective_states', CredentialState & { index: number }>(tx, {
    name: 'credentials_find_effective_states',
    text: `select s.ord::int - 1 as index, c.partner_id, c.client_id, c.provider, ${STATE}
      from unnest($1::uuid[], $2::uuid[], $3::text[]) with ordinality as s(partner_id, client_id, provider, ord)
      cross join lateral effective_credential(s.partner_id, s.client_id, s.provider) c`,
    values: [slots.map((slot) => slot.partnerId), slots.map((slot) => slot.clientId), slots.map((slot) => slot.provider)],
  });
  const byIndex = new Map(rows.map((row) => [row.index, row]));
  return slots.map((_slot, index) => byIndex.get(index));
}

/** Which template needs which provider, as two parallel lists for SQL: the catalog is data in files. */
export type TemplateNeeds = { templateNames: string[]; providers: string[] };

export type NeedRow = {
  agentId: string;
  agentName: string;
  partnerId: string;
  clientId: string | null;
  clientName: string | null;
  templateName: string;
  provider: StoredProvider;
  credentialId: string | null;
  credentialClientId: string | null;
  sourceMode: SourceMode;
  hasValue: boolean;
  isExcluded: boolean | null;
  lastCheckOk: boolean | null;
  lastCheckMessage: string | null;
  /** Agents of the same owner that need the provider, also those that are not listed. */
  agents: number;
};

/**
 * Lists what the agents of a scope need, each with the row that counts. `limit` chooses agents in this order: a client's own before agency-wide ones, then
 * those without a usable key or with one that failed its last check, then the newest.
 */
export function listNeedRows(
  tx: Tx,
  scope: Scope,
  needs: TemplateNeeds,
  platformProviders: readonly string[],
  limit: number | null,
): Promise<NeedRow[]> {
  return runStatement<'credentials_list_needs', NeedRow>(tx, {
    name: 'credentials_list_needs',
    text: `select n.*, n.source_mode = 'platform' and not (select has_feature($1::uuid, 'aiPlatformKeys')) as is_excluded
      from agent_needs($1::uuid, $2::uuid, $3::text[], $4::text[], $5::text[], $6::int) n`,
    values: [scope.partnerId, scope.clientId, needs.templateNames, needs.providers, platformProviders, limit],
  });
}

/** How many agents need a provider, for how many owners its key is missing or failed its last check, and how many agents need any key. */
export type NeedCount = { provider: StoredProvider; agents: number; missing: number; failing: number; allAgents: number };

/** Counts what `listNeedRows` lists without a limit. */
export function countNeedRows(tx: Tx, scope: Scope, needs: TemplateNeeds, platformProviders: readonly string[]): Promise<NeedCount[]> {
  return runStatement<'credentials_count_needs', NeedCount>(tx, {
    name: 'credentials_count_needs',
    text: `select * from need_counts($1::uuid, $2::uuid, $3::text[], $4::text[], $5::text[])`,
    values: [scope.partnerId, scope.clientId, needs.templateNames, needs.providers, platformProviders],
  });
}

/** A key that active agents lack. */
export type MissingKey = { provider: StoredProvider; clientId: string | null; clientName: string | null; agents: string[] };

/** Returns the first keys that the agents of a partner lack, or those of one client, by provider; those of the partner itself last. */
export function listMissingKeyRows(
  tx: Tx,
  scope: Scope,
  needs: TemplateNeeds,
  platformProviders: readonly string[],
  limit: number,
): Promise<MissingKey[]> {
  return runStatement<'credentials_list_missing', MissingKey>(tx, {
    name: 'credentials_list_missing',
    text: `select * from missing_keys($1::uuid, $2::uuid, $3::text[], $4::text[], $5::text[], $6::int)`,
    values: [scope.partnerId, scope.clientId, needs.templateNames, needs.providers, platformProviders, limit],
  });
}
