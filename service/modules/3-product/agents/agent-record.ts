import { AI_PROVIDERS } from '@partner-portal/contract/vocabulary.ts';
import { agentNameFor, templateTextsOf } from '@partner-portal/catalog/index.ts';
import type { Provider } from '@partner-portal/contract/vocabulary.ts';
import { missingProviders, refusedProviders } from '@partner-portal/core/credential/resolution.ts';
import { checkInput } from '@partner-portal/core/template/input.ts';
import { missingSettings } from '@partner-portal/core/template/settings.ts';
import type { Template } from '@partner-portal/core/template/types.ts';
import { readerLocale } from '#modules/2-tenancy/identity/index.ts';
import { toConfigFields } from '#modules/3-product/catalog/index.ts';
import { readCredentials } from '#modules/3-product/credentials/index.ts';
import type { Actor } from '#platform/actor.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { AgentRow } from './store.ts';

export type AgentRecordDeps = { templateOf: (name: string) => Template | undefined; platformProviders: readonly Provider[] };

type Reader = Pick<Actor, 'role' | 'userId' | 'readOnly'>;

/** Agents in the contract's shape. Loads the credentials of the whole page in one statement. */
export async function toAgentRecords(deps: AgentRecordDeps, tx: Tx, rows: readonly AgentRow[], actor: Reader) {
  const locale = await readerLocale(tx, actor);
  const resolve = await readCredentials(tx, rows, deps.platformProviders);
  return rows.map(({ partnerName: _partner, businessProfile, plannedWaiting, plannedNextAt, ...row }) => {
    const source = deps.templateOf(row.templateName);
    const template = source && templateTextsOf(source, locale);
    return {
      ...row,
      name: agentNameFor(locale, row.templateName, row.name),
      planned: { waiting: plannedWaiting, nextAt: plannedNextAt },
      // An agent without a description shows that of its template, in the wording for the reader.
      description: row.description || ((actor.role === 'CLIENT' ? template?.clientSummary : template?.summary) ?? ''),
      config: row.config as Record<string, never>, // stored as JSON
      latestTemplateVersion: template?.templateVersion ?? row.templateVersion ?? 1,
      configSchema: template ? toConfigFields(template) : [],
      missingConnections: template ? missingProviders(template.requiredConnections, row, resolve) : [],
      refusedConnections: template ? refusedProviders(template.requiredConnections, row, resolve) : [],
      missingSettings: template ? missingSettings(template, row.config, businessProfile ?? {}).map(({ key }) => key) : [],
      callsModel: template?.requiredConnections.some((provider) => AI_PROVIDERS.some((one) => one === provider)) ?? false,
      runsWithoutInput: source !== undefined && checkInput(source, {}).ok,
      category: template?.category ?? 'other',
      icon: template?.icon ?? 'bot',
    };
  });
}

export async function toAgentRecord(deps: AgentRecordDeps, tx: Tx, row: AgentRow, actor: Reader) {
  const [record] = await toAgentRecords(deps, tx, [row], actor);
  if (!record) throw new Error('One agent gave no record.');
  return record;
}
