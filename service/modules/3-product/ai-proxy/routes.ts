import { defineHandlers } from '#platform/http/context.ts';
import type { AiReply, AiRequest } from './calls/ai-request.ts';
import type { OpenOptions } from './calls/open-call.ts';
import { withOwner } from './chat/chat-owner.ts';
import { completeChat } from './chat/complete-chat.ts';
import type { AiProxyDeps } from './deps.ts';
import { exportMargins, listMargins } from './margins/list-margins.ts';
import { listModels } from './models/list-models.ts';
import { changeRate } from './rates/change-rate.ts';
import { listPublishedRates, listStaffRates } from './rates/list-rates.ts';

export function aiProxyHandlers(deps: AiProxyDeps & { complete: (request: AiRequest, options?: OpenOptions) => Promise<AiReply> }) {
  const { db } = deps;
  return defineHandlers({
    listAiModels: ({ query }, { actor }) => withOwner(db, actor, query, (tx, owner) => listModels(deps, tx, owner)),
    completeChat: ({ body }, { actor, signal }) => completeChat(deps, actor, body, signal),
    listAiRates: (_input, { actor }) => listPublishedRates(deps, actor),
    listAiStaffRates: (_input, { actor }) => listStaffRates(deps, actor),
    changeAiRate: ({ body }, context) => changeRate(deps, context, body),
    listAiMargins: ({ query }, { actor, now }) => listMargins(deps, actor, query, now),
    exportAiMargins: ({ query }, { actor, now }) => exportMargins(deps, actor, query, now),
  });
}
