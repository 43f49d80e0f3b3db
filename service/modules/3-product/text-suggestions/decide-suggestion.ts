import type { AuditAction } from '@partner-portal/contract/audit-actions.ts';
import type { TextSuggestionStatus } from '@partner-portal/contract/vocabulary.ts';
import { lockAgent, saveAgentChange } from '#modules/3-product/agents/index.ts';
import type { Tx } from '#platform/db/tx.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';
import { auditSuggestion } from './audit-suggestion.ts';
import type { SuggestionDeps } from './deps.ts';
import { findSuggestion, lockSuggestion, settleSuggestion, type SuggestionRow } from './store.ts';
import { toSuggestion } from './suggestion-record.ts';

/**
 * Makes the suggested text the agent's, through the checks and the audit entry of every change of its settings. Refuses `stale_record` when the
 * agent writes something else than `replaces`, which is what the caller saw.
 */
export function applySuggestion(deps: SuggestionDeps, context: RequestContext, id: string, replaces: string) {
  return settle(deps, context, id, {
    to: 'applied',
    action: 'text_suggestion.applied',
    note: null,
    also: async (tx, row) => {
      const agent = await lockAgent(tx, row.agentId);
      if (toSuggestion(deps.templateOf, { ...row, config: agent.config }).present !== replaces)
        refuse('stale_record', { detail: 'The agent’s text was changed in the meantime. Compare again.' });
      await saveAgentChange(deps, tx, context, agent, { config: { [row.key]: row.text } });
    },
  });
}

export function declineSuggestion(deps: SuggestionDeps, context: RequestContext, id: string, note: string) {
  return settle(deps, context, id, { to: 'declined', action: 'text_suggestion.declined', note: note === '' ? null : note });
}

export function withdrawSuggestion(deps: SuggestionDeps, context: RequestContext, id: string) {
  return settle(deps, context, id, { to: 'withdrawn', action: 'text_suggestion.withdrawn', note: null });
}

type Outcome = {
  to: Exclude<TextSuggestionStatus, 'pending'>;
  action: AuditAction;
  note: string | null;
  also?: (tx: Tx, row: SuggestionRow) => Promise<void>;
};

function settle(deps: SuggestionDeps, context: RequestContext, id: string, { to, action, note, also }: Outcome) {
  const { actor } = context;
  return deps.db.asTenant(actor, async (tx) => {
    if (!(await lockSuggestion(tx, id))) return refuse('not_found');
    const row = await mustFind(tx, id);
    if (row.status !== 'pending') refuse('invalid_state', { detail: `This suggestion is already ${row.status}.` });
    await also?.(tx, row);
    await settleSuggestion(tx, id, { status: to, note, userId: actor.userId, fallbackName: actor.email });
    const changes: Record<string, [unknown, unknown]> = { status: [row.status, to], ...(note === null ? {} : { note: [null, note] }) };
    await auditSuggestion(tx, context, action, row, changes);
    return toSuggestion(deps.templateOf, await mustFind(tx, id));
  });
}

async function mustFind(tx: Tx, id: string): Promise<SuggestionRow> {
  return (await findSuggestion(tx, id)) ?? refuse('not_found');
}
