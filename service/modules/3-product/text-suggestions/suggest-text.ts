import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { checkConfig } from '@partner-portal/core/template/settings.ts';
import { textOf, textSettingsOf } from '@partner-portal/core/template/text-settings.ts';
import { findAgent } from '#modules/3-product/agents/index.ts';
import type { Template } from '@partner-portal/core/template/types.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { requireMatch } from '#platform/http/preconditions.ts';
import { refuse, refuseField } from '#platform/refuse.ts';
import type { SuggestionDeps } from './deps.ts';
import { auditSuggestion } from './audit-suggestion.ts';
import { toSuggestion } from './suggestion-record.ts';
import { countPending, findSuggestion, insertSuggestion } from './store.ts';

/** Records a text that a client suggests for one of its agents. The text passes the checks that a change of the setting passes. */
export async function suggestText(
  deps: SuggestionDeps,
  context: RequestContext,
  agentId: string,
  { key, text, note }: { key: string; text: string; note: string },
) {
  const { actor } = context;
  const { clientId, partnerId } = actor;
  if (clientId === null) return refuse('not_found');
  return deps.db.asTenant(actor, async (tx) => {
    const agent = await findAgent(tx, agentId);
    if (agent?.clientId !== clientId) return refuse('not_found');
    requireMatch(context.header('if-match'), agent.updatedAt);
    const template = deps.templateOf(agent.templateName);
    const setting = template && textSettingsOf(template).find((one) => one.key === key);
    if (!template || !setting) return refuseField('key', 'unknown', 'This agent has no such text.');
    refuseBadText(template, key, text);
    const before = textOf(agent.config, setting);
    if (text === before) refuseField('text', 'unchanged', 'The agent already uses this text.');
    if ((await countPending(tx, clientId)) >= LIMITS.pendingTextSuggestionsMax)
      refuse('suggestion_limit_reached', {
        detail: `${LIMITS.pendingTextSuggestionsMax} suggestions are waiting for a decision. Withdraw one first.`,
      });
    const id = await insertSuggestion(tx, {
      partnerId,
      clientId,
      agentId,
      key,
      before,
      text,
      note,
      userId: actor.userId,
      fallbackName: actor.email,
    });
    if (id === undefined)
      return refuse('already_pending', { detail: 'A suggestion for this text is waiting for a decision. Withdraw it first.' });
    await auditSuggestion(
      tx,
      context,
      'text_suggestion.created',
      { id, partnerId, clientId, agentName: agent.name },
      {
        [key]: [before, text],
        ...(note === '' ? {} : { note: [null, note] }),
      },
    );
    const row = await findSuggestion(tx, id);
    if (!row) throw new Error('A suggestion was not written.');
    return toSuggestion(deps.templateOf, row);
  });
}

function refuseBadText(template: Template, key: string, text: string): void {
  const [problem] = checkConfig(template, { [key]: text });
  if (problem) refuseField('text', problem.code, problem.message);
}
