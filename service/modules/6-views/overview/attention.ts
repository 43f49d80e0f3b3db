import type { QuotaView } from '@partner-portal/core/quota/quota.ts';
import type { AlertRule } from '@partner-portal/contract/vocabulary.ts';
import { providerTitle } from '@partner-portal/core/credential/credential.ts';
import { alertPath, alertTitle } from '@partner-portal/core/alert/alert.ts';
import type { MissingKey } from '#modules/3-product/credentials/index.ts';
import type { AccountRequest, OpenAlert, RefusedKey, TroubledAgent, WaitingRequest } from './store-attention.ts';
import type { SetupRow } from './store-setup.ts';

const QUOTA_WARNS_AT = 80;

type Facts = {
  troubled: readonly TroubledAgent[];
  missing: readonly MissingKey[];
  refused: readonly RefusedKey[];
  requests: readonly WaitingRequest[];
  alerts: readonly OpenAlert[];
  /** Requests about clients that the agency decides. */
  deciding: readonly AccountRequest[];
  setup: SetupRow | undefined;
  quota: QuotaView;
  hasQuota: boolean;
};
type Item = {
  kind:
    | 'agent_failing'
    | 'missing_key'
    | 'agent_silent'
    | 'setup_failed'
    | 'key_failing'
    | 'request_waiting'
    | 'account_request'
    | 'quota'
    | 'webhook_failing'
    | 'sso_certificate'
    | 'credential_unverified';
  /** Rule and subject of the alert that covers this item. */
  about?: { rule: AlertRule; subjectId?: string };
  title: string;
  subject: string | null;
  detail: string;
  action: string;
  href: string;
  since: Date | null;
};

/** Returns what needs attention, most urgent first: what blocks every agent, what blocks one agent, silent agents. */
export function listAttention(facts: Facts, now: Date) {
  const items: Item[] = [
    ...quotaItems(facts),
    ...setupItems(facts.setup),
    ...facts.alerts.flatMap(alertItems),
    ...facts.troubled.filter((agent) => agent.health === 'failing').map(failingAgent),
    ...facts.refused.map(refusedKey),
    ...facts.missing.map(missingKey),
    ...facts.deciding.map(accountRequest),
    ...facts.requests.map(waitingRequest),
    ...facts.troubled.filter((agent) => agent.health === 'silent').map((agent) => silentAgent(agent, now)),
  ];
  return items.map(({ about, ...item }) => {
    const alert = facts.alerts.find(({ rule, subjectId }) => rule === about?.rule && subjectId === (about.subjectId ?? subjectId));
    return { ...item, alert: alert ? { id: alert.id, status: alert.status } : null };
  });
}

const ALERT_ACTIONS = {
  webhook_failing: 'Open webhooks',
  sso_certificate: 'Open single sign-on',
  credential_unverified: 'Replace key',
} as const;

/** Items known only by their alert; all others are derived from data, with or without an alert. */
function alertItems({ rule, subjectType, subjectId, label, message, openedAt }: OpenAlert): Item[] {
  if (rule !== 'webhook_failing' && rule !== 'sso_certificate' && rule !== 'credential_unverified') return [];
  return [
    {
      kind: rule,
      about: { rule, subjectId },
      title: alertTitle(rule, label),
      subject: null,
      detail: message,
      action: ALERT_ACTIONS[rule],
      href: alertPath({ type: subjectType, id: subjectId }),
      since: openedAt,
    },
  ];
}

function quotaItems({ quota, hasQuota }: Facts): Item[] {
  if (!hasQuota || quota.percent < QUOTA_WARNS_AT) return [];
  const used = quota.remaining === 0;
  return [
    {
      kind: 'quota',
      about: { rule: 'usage_threshold' },
      title: used ? 'The credits of this period are used' : `${Math.floor(quota.percent)} % of the credits are used`,
      subject: null,
      detail: used ? 'New events are refused until the period ends.' : `${quota.remaining} of ${quota.limit} credits are left.`,
      action: 'Open usage',
      href: '/dashboard/usage',
      since: null,
    },
  ];
}

function setupItems(setup: SetupRow | undefined): Item[] {
  if (setup?.status !== 'failed') return [];
  const detail = setup.errorPublic ?? 'The last setup did not finish. Agents that were installed before keep running.';
  return [
    {
      kind: 'setup_failed',
      about: { rule: 'provisioning_failed' },
      title: 'Setup did not finish',
      subject: null,
      detail,
      action: 'Open setup',
      href: '/dashboard/setup',
      since: setup.finishedAt ?? setup.updatedAt,
    },
  ];
}

function failingAgent(agent: TroubledAgent): Item {
  const detail = agent.lastError ?? `The last ${agent.failures} runs failed.`;
  return {
    kind: 'agent_failing',
    about: { rule: 'failure_streak', subjectId: agent.id },
    title: `${agent.name} is failing`,
    subject: agent.clientName,
    detail,
    action: 'Open agent',
    href: `/dashboard/agents/${agent.id}`,
    since: agent.lastRunAt,
  };
}

function silentAgent(agent: TroubledAgent, now: Date): Item {
  const days = agent.lastRunAt ? Math.floor((now.getTime() - agent.lastRunAt.getTime()) / 86_400_000) : 0;
  const title = `${agent.name} has gone quiet`;
  return {
    kind: 'agent_silent',
    about: { rule: 'agent_silent', subjectId: agent.id },
    title,
    subject: agent.clientName,
    detail: `No run for ${days} days.`,
    action: 'Open agent',
    href: `/dashboard/agents/${agent.id}`,
    since: agent.lastRunAt,
  };
}

function missingKey(key: MissingKey): Item {
  const service = providerTitle(key.provider);
  const detail = `${joinNames(key.agents)} cannot work without it.`;
  return {
    kind: 'missing_key',
    title: `A ${service} key is missing`,
    subject: key.clientName,
    detail,
    action: 'Add key',
    href: `/dashboard/integrations?service=${key.provider}${key.clientId === null ? '' : `&for=${key.clientId}`}`,
    since: null,
  };
}

function refusedKey(key: RefusedKey): Item {
  const service = providerTitle(key.provider);
  return {
    kind: 'key_failing',
    about: { rule: 'credential_invalid', subjectId: key.id },
    title: `${service} refused the key`,
    subject: key.clientName,
    detail: key.message ?? 'The last check failed.',
    action: 'Replace key',
    href: alertPath({ type: 'credential', id: key.id }),
    since: key.at,
  };
}

function waitingRequest(request: WaitingRequest): Item {
  const isStopped = request.status === 'provisioning_failed';
  return {
    kind: 'request_waiting',
    title: isStopped ? `${request.title} is not installed yet` : `${request.title} was suggested`,
    subject: request.clientName,
    detail: isStopped ? (request.failureMessage ?? 'The installation stopped.') : `${request.clientName} would like to have it.`,
    action: 'Open request',
    href: `/dashboard/requests?request=${request.id}`,
    since: request.since,
  };
}

function accountRequest({ kind, clientId, clientName, text, since }: AccountRequest): Item {
  return {
    kind: 'account_request',
    title: kind === 'deletion' ? 'A deletion is requested' : 'A reactivation is requested',
    subject: clientName,
    detail: text,
    action: 'Decide',
    href: `/dashboard/clients/${clientId}?tab=settings`,
    since,
  };
}

function joinNames(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}
