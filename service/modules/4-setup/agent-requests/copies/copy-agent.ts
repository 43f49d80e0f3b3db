import { defaultTextsOf } from '@partner-portal/catalog/index.ts';
import { LOCALES } from '@partner-portal/contract/locales.ts';
import { missingProviders, refusedProviders } from '@partner-portal/core/credential/resolution.ts';
import { type CopySource, copySettings, targetState } from '@partner-portal/core/template/copy.ts';
import { missingSettings } from '@partner-portal/core/template/settings.ts';
import type { Template } from '@partner-portal/core/template/types.ts';
import { originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { type AgentRow, findAgent } from '#modules/3-product/agents/index.ts';
import { readCredentials } from '#modules/3-product/credentials/index.ts';
import type { TenantTx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse, refuseField } from '#platform/refuse.ts';
import type { AgentRequestsDeps } from '../deps.ts';
import { readConfigs } from '../read-configs.ts';
import { findSetupStatus, findSourceClient, findTargets, type TargetRow } from './store-copies.ts';
import { manyOnce, requestForMany } from './request-for-many.ts';

export type CopyInput = { clientIds: readonly string[]; config?: Record<string, unknown> | undefined };

/** Shows, for each client, what it would get and what it lacks. Changes nothing. */
export function previewCopies(deps: AgentRequestsDeps, { actor }: RequestContext, agentId: string, input: CopyInput) {
  return deps.db.asTenant(actor, async (tx) => {
    const copy = await planCopies(deps, tx, actor.partnerId, agentId, input);
    return {
      agentId,
      title: copy.template.title,
      creditsPerRun: copy.template.creditsPerRun,
      setupStatus: await findSetupStatus(tx, actor.partnerId),
      targets: copy.targets.map(({ row, state, missing, refused, config, differences }) => ({
        clientId: row.id,
        clientName: row.name,
        state,
        missingConnections: missing,
        refusedConnections: refused,
        missingSettings: missingSettings(copy.template, config, row.businessProfile).map(({ key, label }) => ({ key, label })),
        differences,
        needsInstallation: state === 'ready' || state === 'missing',
      })),
    };
  });
}

/**
 * Requests a copy for each client that can have one. A copy becomes an agent as every other does: staff approve its request, and the pipeline
 * installs it.
 */
export function copyAgent(deps: AgentRequestsDeps, context: RequestContext, agentId: string, input: CopyInput) {
  const { actor } = context;
  return deps.db.asTenant(actor, (tx) =>
    manyOnce(tx, context, { names: ['copyAgent', agentId], body: input }, async () => {
      const { agent, template, targets } = await planCopies(deps, tx, actor.partnerId, agentId, input);
      const results = await requestForMany(deps, tx, context, {
        template,
        // The client reads it: the source is in the audit entry below.
        description: '',
        targets: targets.map(({ row, config }) => ({ row, config })),
      });
      const submitted = results.filter((one) => one.result === 'submitted');
      if (submitted.length > 0)
        await recordAudit(tx, {
          partnerId: actor.partnerId,
          clientId: agent.clientId,
          actor,
          action: 'agent.copied',
          target: { type: 'agent', id: agent.id, label: agent.name },
          changes: { copies: [null, submitted.length] },
          origin: originOf(context),
        });
      return results;
    }),
  );
}

async function planCopies(deps: AgentRequestsDeps, tx: TenantTx, partnerId: string, agentId: string, input: CopyInput) {
  const agent = (await findAgent(tx, agentId)) ?? refuse('not_found');
  const template = deps.templateOf(agent.templateName);
  if (!template?.isActive) return refuse('invalid_state', { detail: 'The catalog no longer offers the template of this agent.' });
  const rows = await requireTargets(tx, partnerId, input.clientIds, template.name);
  const given = await readConfigs(tx, partnerId, idsOf(rows), { template, config: input.config });
  const source = await sourceOf(tx, agent, template);
  const owners = rows.map((row) => ({ partnerId, clientId: row.id }));
  const resolve = await readCredentials(tx, owners, deps.platformProviders);
  const targets = rows.map((row) => {
    const { config, differences } = copySettings(template, source, { ...row, texts: defaultTextsOf(template, row.locale) }, given(row.id));
    const owner = { partnerId, clientId: row.id };
    const missing = missingProviders(template.requiredConnections, owner, resolve);
    const refused = refusedProviders(template.requiredConnections, owner, resolve);
    const state = targetState({ ...row, hasOpenRequest: row.requestId !== null, missing: missing.length });
    return { row, config, differences, missing, refused, state };
  });
  return { agent, template, targets };
}

/** Refuses `not_found` for a client that is not the partner's own. */
export async function requireTargets(
  tx: TenantTx,
  partnerId: string,
  clientIds: readonly string[],
  templateName: string,
): Promise<TargetRow[]> {
  const ids = [...new Set(clientIds)];
  const rows = await findTargets(tx, partnerId, ids, templateName);
  return rows.length < ids.length ? refuse('not_found') : rows;
}

const idsOf = (rows: readonly TargetRow[]): string[] => rows.map(({ id }) => id);

async function sourceOf(tx: TenantTx, { clientId, config }: AgentRow, template: Template): Promise<CopySource> {
  const client = clientId === null ? undefined : await findSourceClient(tx, clientId);
  const texts = LOCALES.map((locale) => defaultTextsOf(template, locale));
  if (!client) return { config, texts, client: null };
  const { name, timezone, businessProfile, contactName, contactEmail, phone, website } = client;
  return { config, texts, client: { name, timezone, businessProfile, contacts: [contactName, contactEmail, phone, website] } };
}

/** Requests an agent of the catalog for many clients, each with its own result. */
export function createManyRequests(
  deps: AgentRequestsDeps,
  context: RequestContext,
  input: {
    clientIds: readonly string[];
    templateName: string;
    description?: string | undefined;
    config?: Record<string, unknown> | undefined;
  },
) {
  const { actor } = context;
  const template: Template | undefined = deps.templateOf(input.templateName);
  if (!template?.isActive) return refuseField('templateName', 'unknown', 'The catalog has no such template.');
  return deps.db.asTenant(actor, (tx) =>
    manyOnce(tx, context, { names: ['createAgentRequests'], body: input }, async () => {
      const rows = await requireTargets(tx, actor.partnerId, input.clientIds, template.name);
      const configOf = await readConfigs(tx, actor.partnerId, idsOf(rows), { template, config: input.config });
      const targets = rows.map((row) => ({ row, config: configOf(row.id) }));
      return requestForMany(deps, tx, context, { template, description: input.description ?? '', targets });
    }),
  );
}
