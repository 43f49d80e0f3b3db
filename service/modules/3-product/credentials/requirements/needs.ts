import { loadCatalog } from '@partner-portal/catalog/index.ts';
import type { StoredProvider } from '@partner-portal/core/credential/provider-rules.ts';
import { resolveCredential } from '@partner-portal/core/credential/resolution.ts';
import type { ReadinessState } from '@partner-portal/contract/vocabulary.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { Scope } from '../store.ts';
import {
  countNeedRows,
  listMissingKeyRows,
  listNeedRows,
  type MissingKey,
  type NeedCount,
  type NeedRow,
  type TemplateNeeds,
} from '../store-resolution.ts';

export type TemplateNeed = { provider: StoredProvider; stepNames: string[] };

/**
 * Returns what each template of the catalog needs: its required connections with the labels of the steps that use them. The code
 * capability stores no key and is left out.
 */
export function needsByTemplate(): ReadonlyMap<string, readonly TemplateNeed[]> {
  return new Map(
    loadCatalog().map((template) => [
      template.name,
      template.requiredConnections
        .filter((provider) => provider !== 'code')
        .map((provider) => ({
          provider,
          stepNames: template.steps.filter((step) => step.kind === 'http' && step.provider === provider).map((step) => step.label),
        })),
    ]),
  );
}

/** The same as parallel lists for SQL. */
export function needsForSql(): TemplateNeeds {
  const pairs = [...needsByTemplate()].flatMap(([name, needs]) => needs.map((need) => [name, need.provider] as const));
  return { templateNames: pairs.map(([name]) => name), providers: pairs.map(([, provider]) => provider) };
}

/** A key that one agent needs, and whether it is stored. */
export type Need = {
  agent: { id: string; name: string; templateName: string; clientId: string | null; clientName: string | null };
  provider: StoredProvider;
  stepNames: string[];
  state: ReadinessState;
  /** Why the key is missing or failing; null otherwise. */
  message: string | null;
  /** Agents of the same owner that need the provider, also those that are not listed. */
  agents: number;
};

/** Lists the keys that the agents of a scope need, with their state. `limit`: most agents; null for all. One statement. */
export async function listNeeds(tx: Tx, scope: Scope, platformProviders: readonly string[], limit: number | null): Promise<Need[]> {
  return describeNeeds(await listNeedRows(tx, scope, needsForSql(), platformProviders, limit), platformProviders);
}

/** Counts the keys that the agents of a scope need. One statement. */
export async function countNeeds(tx: Tx, scope: Scope, platformProviders: readonly string[]): Promise<NeedCount[]> {
  return countNeedRows(tx, scope, needsForSql(), platformProviders);
}

/** Lists keys that active agents of a partner lack, or those of one client. One statement. */
export async function listMissingKeys(tx: Tx, scope: Scope, platformProviders: readonly string[], limit: number): Promise<MissingKey[]> {
  return listMissingKeyRows(tx, scope, needsForSql(), platformProviders, limit);
}

function describeNeeds(rows: readonly NeedRow[], platformProviders: readonly string[]): Need[] {
  const needs = needsByTemplate();
  return rows.map((row) => {
    const { agentId: id, agentName: name, templateName, clientId, clientName, provider } = row;
    const { state, reason } = resolveCredential(credentialOf(row), clientId, platformProviders);
    const message = reason === null ? null : MISSING_TEXTS[reason];
    return {
      agent: { id, name, templateName, clientId, clientName },
      provider,
      stepNames: needs.get(templateName)?.find((need) => need.provider === provider)?.stepNames ?? [],
      state,
      message: state === 'failing' ? row.lastCheckMessage : message,
      agents: row.agents,
    };
  });
}

const MISSING_TEXTS = {
  not_saved: 'No key is saved yet.',
  no_platform_key: 'The platform offers no key for this service right now.',
  not_in_plan: 'The plan does not include keys of the platform. Save your own key.',
};

function credentialOf(row: NeedRow) {
  return row.credentialId === null ? undefined : { ...row, clientId: row.credentialClientId };
}
