import { agentNameFor } from '@partner-portal/catalog/index.ts';
import type { Locale, Role } from '@partner-portal/contract/vocabulary.ts';
import { redactCause } from '@partner-portal/core/execution/error.ts';
import { summaryFor } from '#modules/3-product/executions/index.ts';
import type { ConversationRow } from './store.ts';
import type { MessageRow } from './store-messages.ts';

/** Returns a conversation as the record of the API. */
export function toConversationRecord(row: ConversationRow) {
  return {
    id: row.id,
    chatbotId: row.chatbotId,
    clientId: row.clientId,
    clientName: row.clientName,
    visitorLabel: row.visitorLabel,
    origin: row.origin,
    status: row.status,
    handoffReason: row.handoffReason,
    assignedTo: row.assignedTo === null ? null : { id: row.assignedTo, name: row.assignedName },
    lastMessage: row.lastMessageAuthor === null ? null : { author: row.lastMessageAuthor, text: row.lastMessageText },
    isUnread: row.isUnread,
    waitingSince: row.waitingSince,
    startedAt: row.startedAt,
    lastMessageAt: row.lastMessageAt,
  };
}

/** Returns a message with the agent that ran for it. A client does not see the cause of a failure. */
export function toMessageRecordFor(reader: { role: Role; locale: Locale }, row: MessageRow) {
  return {
    id: row.id,
    author: row.author,
    authorName: row.authorName,
    text: row.content,
    passages: row.passages,
    runs: row.workflowId === null ? [] : [row.workflowId],
    runDetails: row.workflowId === null ? [] : [{ ...runOf(reader, row), workflowId: row.workflowId }],
    at: row.at,
  };
}

function runOf(reader: { role: Role; locale: Locale }, row: MessageRow) {
  const error = row.errorCode === null ? null : { code: row.errorCode, message: row.errorMessage ?? '', stepName: null };
  const run = { summary: row.summary ?? '', error };
  const shown = { agentName: row.agentName, executionId: row.executionId, status: row.executionStatus, tone: row.tone };
  const wordsIn = (locale: Locale, summary: string): string =>
    row.executionStatus === null
      ? ''
      : summaryFor(locale, { ...row, status: row.executionStatus }, row.summary === null ? null : summary, true);
  if (reader.role !== 'CLIENT') return { ...shown, summary: wordsIn('en', run.summary) };
  return {
    ...shown,
    agentName: agentNameFor(reader.locale, row.templateName, row.agentName),
    summary: wordsIn(reader.locale, redactCause(run).summary),
  };
}
