import { isDeepStrictEqual } from 'node:util';
import type { AuditAction } from '@partner-portal/contract/audit-actions.ts';
import { canonicalConfig, checkConfig, type ConfigProblem, emptiedSettings } from '@partner-portal/core/template/settings.ts';
import type { ReadingClient } from '@partner-portal/core/template/input.ts';
import type { Template } from '@partner-portal/core/template/types.ts';
import { changesBetween, originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import { findClientRef, findReadingClient } from '#modules/2-tenancy/clients/index.ts';
import { findPartnerRef } from '#modules/2-tenancy/partners/index.ts';
import { inScope } from '#platform/db/scope.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { requireMatch } from '#platform/http/preconditions.ts';
import { AppError, refuse, refuseField } from '#platform/refuse.ts';
import { toAgentRecord } from './agent-record.ts';
import { readFirstTexts } from './read-first-texts.ts';
import type { AgentDeps } from './list-agents.ts';
import { type AgentChange, type AgentRow, changeAgent, findAgent, insertAgent, lockAgent } from './store.ts';

export type NewAgentInput = {
  partnerId: string;
  clientId?: string | null | undefined;
  templateName: string;
  name?: string | undefined;
  config?: Record<string, unknown> | undefined;
};

/** Adds an agent. Its flow is installed by the next provisioning attempt. */
export async function createAgent(deps: AgentDeps, context: RequestContext, input: NewAgentInput) {
  const { actor } = context;
  const template = deps.templateOf(input.templateName);
  if (!template?.isActive) refuseField('templateName', 'unknown', 'The catalog has no such template.');
  const clientId = input.clientId ?? null;
  const name = input.name ?? template.title;
  return deps.db.asStaff(actor, async (tx) => {
    await requireOwner(tx, input.partnerId, clientId);
    const config = readConfig(template, input.config ?? {}, await findReadingClient(tx, input.partnerId, clientId));
    const textsOf = await readFirstTexts(tx, { partnerId: input.partnerId, clientId });
    const id = await insertAgent(tx, {
      partnerId: input.partnerId,
      clientId,
      templateName: template.name,
      name,
      config: { ...textsOf(template), ...config },
      creditsPerRun: template.creditsPerRun,
    });
    if (id === undefined) return refuse('already_exists', { detail: 'An agent of this template already exists here.' });
    await audit(tx, context, { id, name, partnerId: input.partnerId, clientId }, 'agent.created', {
      templateName: [null, template.name],
      name: [null, name],
    });
    return toAgentRecord(deps, tx, await mustFind(tx, id), actor);
  });
}

/** Refuses `not_found` unless the partner exists, is not the house partner and, when given, has the client. */
async function requireOwner(tx: Tx, partnerId: string, clientId: string | null): Promise<void> {
  const [partner, client] = await Promise.all([findPartnerRef(tx, partnerId), clientId === null ? null : findClientRef(tx, clientId)]);
  if (!partner || partner.isHouse || (clientId !== null && client?.partnerId !== partnerId)) refuse('not_found');
}

/** Changes name, settings or switches. Settings that are not sent keep their value. */
export async function updateAgent(deps: AgentDeps, context: RequestContext, id: string, change: AgentChange) {
  const { actor } = context;
  return inScope(deps.db, actor, undefined, async (tx) => {
    const before = await lockAndFind(tx, id);
    requireMatch(context.header('if-match'), before.updatedAt);
    await saveChange(deps, tx, context, before, change);
    return toAgentRecord(deps, tx, await mustFind(tx, id), actor);
  });
}

/** Changes an agent whose row the caller's transaction has locked. */
export async function saveChange(
  deps: Pick<AgentDeps, 'templateOf'>,
  tx: Tx,
  context: RequestContext,
  before: AgentRow,
  change: AgentChange,
): Promise<void> {
  const template = deps.templateOf(before.templateName);
  // What an agent has may be from before a rule: only what changes is judged. A default that was sent back unchanged stays unset, so that
  // it follows the catalog.
  const shown = (key: string) => before.config[key] ?? template?.config.find((setting) => setting.key === key)?.default;
  const changed = Object.entries(change.config ?? {}).filter(([key, value]) => !isDeepStrictEqual(value, shown(key)));
  const client = changed.length > 0 ? await findReadingClient(tx, before.partnerId, before.clientId) : undefined;
  const config = readConfig(template, Object.fromEntries(changed), client);
  const next = { ...change, config: change.config && { ...before.config, ...config } };
  const changes = changesBetween(
    {
      name: before.name,
      isActive: before.isActive,
      config: before.config,
      clientCanPause: before.clientCanPause,
      eventIdFrom: before.eventIdFrom,
      dateOrder: before.dateOrder,
    },
    next,
  );
  if (Object.keys(changes).length === 0) return;
  if (template && next.config && before.installed && (change.isActive ?? before.isActive))
    refuseProblems(emptiedSettings(template, { before: before.config, after: next.config }, before.businessProfile ?? {}));
  await changeAgent(tx, before.id, next);
  await audit(tx, context, before, 'agent.changed', changes);
}

/** Switches an agent on or off. The partner always may; its client may if the agent allows it. */
export async function switchAgent(deps: AgentDeps, context: RequestContext, id: string, isActive: boolean) {
  const { actor } = context;
  return deps.db.asTenant(actor, async (tx) => {
    const before = await lockAndFind(tx, id);
    if (actor.role === 'CLIENT' && !before.clientCanPause)
      refuse('role_forbidden', { detail: 'Ask your agency to switch this agent on or off.' });
    if (before.isActive !== isActive) {
      await changeAgent(tx, id, { isActive });
      await audit(tx, context, before, isActive ? 'agent.resumed' : 'agent.paused', { isActive: [before.isActive, isActive] });
    }
    return toAgentRecord(deps, tx, await mustFind(tx, id), actor);
  });
}

/**
 * Returns settings as they are saved, read by the country and language of their client where one is given. Refuses those that the template does not accept,
 * field by field.
 */
export function readConfig(
  template: Template | undefined,
  config: Record<string, unknown>,
  client?: ReadingClient,
): Record<string, unknown> {
  if (!template) return config;
  refuseProblems(checkConfig(template, config, client));
  return canonicalConfig(template, config, client);
}

function refuseProblems(problems: readonly ConfigProblem[]): void {
  if (problems.length === 0) return;
  throw new AppError('validation_failed', {
    detail: problems.length === 1 ? '1 field was not accepted.' : `${problems.length} fields were not accepted.`,
    errors: problems.map(({ key, code, message }) => ({ field: `config.${key}`, code, message })),
  });
}

/** Returns the agent with its row locked until the transaction ends. Refuses `not_found`. */
export async function lockAndFind(tx: Tx, id: string): Promise<AgentRow> {
  if (!(await lockAgent(tx, id))) return refuse('not_found');
  return mustFind(tx, id);
}

async function mustFind(tx: Tx, id: string): Promise<AgentRow> {
  return (await findAgent(tx, id)) ?? refuse('not_found');
}

export async function audit(
  tx: Tx,
  context: RequestContext,
  agent: { id: string; name: string; partnerId: string; clientId: string | null },
  action: AuditAction,
  changes: Record<string, [unknown, unknown]>,
): Promise<void> {
  const { partnerId, clientId, id, name } = agent;
  await recordAudit(tx, {
    partnerId,
    clientId,
    actor: context.actor,
    action,
    target: { type: 'agent', id, label: name },
    changes,
    origin: originOf(context),
  });
}
