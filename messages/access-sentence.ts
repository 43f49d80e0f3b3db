import type { AccessLogKind, AccessLogSide } from '@partner-portal/contract/vocabulary.ts';
import type { Messages, MessageKey } from './messages.ts';
import { visitorLabelFor } from './visitor-label.ts';

type Entry = {
  kind: AccessLogKind;
  by: { side: AccessLogSide; name: string | null };
  subject: string | null;
  uses: number | null;
  /** The agent that a key of the agency was used for. */
  agent: string | null;
};

const DID: Readonly<Record<AccessLogKind, MessageKey>> = {
  'view_as.started': 'trust.did-view-as-started',
  'account_export.requested': 'trust.did-account-export-requested',
  'account_export.downloaded': 'trust.did-account-export-downloaded',
  'client.changed': 'trust.did-client-changed',
  'agent.created': 'trust.did-agent-created',
  'agent.changed': 'trust.did-agent-changed',
  'agent.deleted': 'trust.did-agent-deleted',
  'agent.paused': 'trust.did-agent-paused',
  'agent.resumed': 'trust.did-agent-resumed',
  'workflow.triggered': 'trust.did-workflow-triggered',
  'workflow.schedule_changed': 'trust.did-workflow-schedule-changed',
  'workflow.schedule_removed': 'trust.did-workflow-schedule-removed',
  'workflow.ingest_url_read': 'trust.did-workflow-ingest-url-read',
  'credential.saved': 'trust.did-credential-saved',
  'credential.deleted': 'trust.did-credential-deleted',
  'credential.tested': 'trust.did-credential-tested',
  'chatbot.changed': 'trust.did-chatbot-changed',
  'chatbot.knowledge_added': 'trust.did-chatbot-knowledge-added',
  'chatbot.knowledge_removed': 'trust.did-chatbot-knowledge-removed',
  'conversation.taken_over': 'trust.did-conversation-taken-over',
  'conversation.replied': 'trust.did-conversation-replied',
  'conversation.given_back': 'trust.did-conversation-given-back',
  'conversation.closed': 'trust.did-conversation-closed',
  'agent_request.fulfilled': 'trust.did-agent-request-fulfilled',
  'sample_data.removed': 'trust.did-sample-data-removed',
  'invitation.created': 'trust.did-invitation-created',
  'client_user.removed': 'trust.did-client-user-removed',
  'text_suggestion.created': 'trust.did-text-suggestion-created',
  'text_suggestion.applied': 'trust.did-text-suggestion-applied',
  'text_suggestion.declined': 'trust.did-text-suggestion-declined',
  'stop_list.added': 'trust.did-stop-list-added',
  'stop_list.removed': 'trust.did-stop-list-removed',
  'look.runs': 'trust.did-look-runs',
  'look.conversations': 'trust.did-look-conversations',
  'look.exports': 'trust.did-look-exports',
  'look.all_runs': 'trust.did-look-all-runs',
  'look.all_conversations': 'trust.did-look-all-conversations',
  key_used: 'trust.did-key-used',
  agency_key_used: 'trust.did-agency-key-used',
};

/** An entry of the access log as a sentence: “Anna Berg of Northwind Studio opened your activity.” */
export function accessSentence({ t }: Pick<Messages, 't'>, entry: Entry, agency: string): string {
  const subject = entry.subject === null ? t('trust.something') : visitorLabelFor(t, entry.subject);
  return t(DID[entry.kind], {
    who: whoOf(t, entry, agency),
    subject,
    uses: entry.uses ?? 0,
    agency,
    agent: entry.agent ?? t('trust.your-account'),
  });
}

function whoOf(t: Messages['t'], { by }: Entry, agency: string): string {
  switch (by.side) {
    case 'agency':
      return by.name === null ? t('trust.who-agency-unnamed', { agency }) : t('trust.who-agency', { name: by.name, agency });
    case 'you':
      return by.name ?? t('trust.who-you-unnamed');
    case 'platform':
      return t('trust.who-platform');
    case 'former':
      return t('trust.who-former');
    case 'service':
      return t('trust.who-service');
  }
}
