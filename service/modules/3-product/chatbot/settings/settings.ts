import { DEFAULT_MODELS } from '@partner-portal/core/conversation/chatbot-defaults.ts';
import { distinctTexts, normalOrigins, routeProblems } from '@partner-portal/core/conversation/settings-problems.ts';
import { changesBetween, originOf, recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { ClientRef } from '#modules/2-tenancy/clients/index.ts';
import type { Actor } from '#platform/actor.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { requireMatch } from '#platform/http/preconditions.ts';
import { AppError, refuse } from '#platform/refuse.ts';
import { withClient } from '../client-scope.ts';
import type { ChatbotDeps } from '../deps.ts';
import { queueOwnKnowledge, queueText } from '../knowledge/own-knowledge.ts';
import { defaultsOf } from '../defaults.ts';
import { findChatbotOf, insertChatbot, listUsableAgents, lockChatbotOf, type Settings, writeRoutes, writeSettings } from '../store.ts';
import { toChatbotRecord } from './to-record.ts';

export type SettingsChange = { [Field in keyof Settings]?: Settings[Field] | undefined } & { clientId?: string | undefined };

/** The settings of a client's chatbot; its defaults before they are saved. */
export function readSettings({ db, publicBaseUrl }: ChatbotDeps, actor: Actor, clientId: string | undefined) {
  return withClient(db, actor, clientId, 'invalid_query', async (tx, client) =>
    toChatbotRecord(publicBaseUrl, client, await findChatbotOf(tx, client.id)),
  );
}

/** Changes what is sent; the first change creates the chatbot. */
export function changeSettings(deps: ChatbotDeps, caller: RequestContext, { clientId, ...change }: SettingsChange) {
  return withClient(deps.db, caller.actor, clientId, 'validation_failed', async (tx, client) => {
    const isNew = await insertChatbot(tx, { partnerId: client.partnerId, clientId: client.id }, defaultsOf(client));
    const before = (await lockChatbotOf(tx, client.id)) ?? refuse('not_found');
    // A form that was loaded with a record never matches one that did not exist.
    requireMatch(caller.header('if-match'), isNew ? new Date(0) : before.updatedAt);
    const next = normalised(before, change);
    const agents = await refuseBadRoutes(tx, client, next.agentRoutes, change.agentRoutes !== undefined);
    const changes = changesBetween<Record<string, unknown>>(readable(before, agents), readable(next, agents));
    if (isNew || Object.keys(changes).length > 0 || next.knowledgeText !== before.knowledgeText) {
      await writeSettings(tx, before.id, next);
      if (isNew) await queueOwnKnowledge(tx, before, client);
      if (next.knowledgeText !== before.knowledgeText) await queueText(tx, before, client, next.knowledgeText);
      if (changes['agentRoutes']) await writeRoutes(tx, before, next.agentRoutes);
      await recordAudit(tx, {
        partnerId: client.partnerId,
        clientId: client.id,
        actor: caller.actor,
        action: 'chatbot.changed',
        target: { type: 'client', id: client.id, label: client.name },
        changes,
        origin: originOf(caller),
      });
    }
    return toChatbotRecord(deps.publicBaseUrl, client, await findChatbotOf(tx, client.id));
  });
}

function normalised(before: Settings, change: Omit<SettingsChange, 'clientId'>): Settings {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const next: Settings = { ...before, ...given };
  // A model belongs to its provider.
  if (change.provider !== undefined && change.provider !== before.provider && change.model === undefined)
    next.model = DEFAULT_MODELS[change.provider];
  return { ...next, allowedOrigins: normalOrigins(next.allowedOrigins), handoffPhrases: distinctTexts(next.handoffPhrases) };
}

/** Returns the agents' names. Routes that were saved before stay, also when their agent is not installed at the moment. */
export async function refuseBadRoutes(
  tx: Tx,
  client: ClientRef,
  routes: Settings['agentRoutes'],
  areGiven: boolean,
): Promise<Map<string, string>> {
  const ids = routes.map(({ workflowId }) => workflowId);
  const usable = await listUsableAgents(tx, client, ids);
  const errors = areGiven ? routeProblems(routes, new Set(usable.keys())) : [];
  if (errors.length > 0) throw new AppError('validation_failed', { detail: 'Not all routes to agents were accepted.', errors });
  return usable;
}

/** Returns the settings as the audit log shows them: lengths of long texts, names of agents. */
function readable({ knowledgeText, agentRoutes, ...settings }: Settings, agents: ReadonlyMap<string, string>): Record<string, unknown> {
  return {
    ...pick(settings),
    agentRoutes: agentRoutes.map(({ intent, workflowId }) => `${intent} → ${agents.get(workflowId) ?? workflowId}`),
    knowledgeText: `${knowledgeText.length} characters`,
  };
}

/** A row has ids and times as well, which are no settings. */
function pick(settings: Omit<Settings, 'knowledgeText' | 'agentRoutes'>) {
  const { isActive, name, greeting, persona, provider, model, handoffEmail, handoffPhrases } = settings;
  const { handoffWhenUnsure, reminderMinutes, brandColor, allowedOrigins, privacyUrl } = settings;
  const answers = { isActive, name, greeting, persona, provider, model };
  return { ...answers, handoffEmail, handoffPhrases, handoffWhenUnsure, reminderMinutes, brandColor, allowedOrigins, privacyUrl };
}
