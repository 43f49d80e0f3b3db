import { NEARLY_USED_PERCENT, type QuotaView, wholePercent } from '@partner-portal/core/quota/quota.ts';
import type { AlertRule } from '@partner-portal/contract/vocabulary.ts';
import { providerTitle } from '@partner-portal/core/credential/credential.ts';
import { failureOf } from '@partner-portal/core/execution/failures.ts';
import { alertFix, alertPath, alertTitle } from '@partner-portal/core/alert/alert.ts';
import type { MissingKey } from '#modules/3-product/credentials/index.ts';
import type { AccountRequest, CurrentAlert, RefusedKey, TroubledAgent, WaitingRequest } from './store-attention.ts';
import type { SetupRow } from './store-setup.ts';

type Facts = {
  troubled: readonly TroubledAgent[];
  missing: readonly MissingKey[];
  refused: readonly RefusedKey[];
  requests: readonly WaitingRequest[];
  alerts: readonly CurrentAlert[];
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
    | 'credential_unverified'
    | 'chatbot_failing'
    | 'chatbot_budget'
    | 'first_contacts';
  /** Rule and subject of the alert that covers this item. */
  about?: { rule: AlertRule; subjectId?: string };
  title: string;
  subject: string | null;
  detail: string;
  action: string;
  href: string;
  since: Date | null;
};

/**
 * Returns what needs attention, most urgent first: what blocks every agent, what blocks one agent, silent agents. One cause is one item: a setup that failed
 * with a request is the request, keys that a request waits for are its own, and an agent that fails because of a refused key is the key.
 */
export function listAttention(facts: Facts, now: Date) {
  const failing = facts.troubled.filter((agent) => agent.health === 'failing');
  const items: Item[] = [
    ...quotaItems(facts),
    ...setupItems(facts.setup).filter(() => !facts.requests.some((one) => failedIn(one, facts.setup))),
    ...facts.alerts.flatMap(alertItems),
    ...failing.filter((agent) => !facts.refused.some((key) => failsBy(agent, key))).map(failingAgent),
    ...facts.refused.map(refusedKey),
    ...facts.missing.filter((key) => !facts.requests.some((one) => waitsFor(one, key))).map(missingKey),
    ...facts.deciding.map(accountRequest),
    ...facts.requests.map(waitingRequest),
    ...facts.troubled.filter((agent) => agent.health === 'silent').map((agent) => silentAgent(agent, now)),
  ];
  return items.map(({ about, ...item }) => {
    const alert = facts.alerts.find(({ rule, subjectId }) => rule === about?.rule && subjectId === (about.subjectId ?? subjectId));
    // A muted alert leaves the problem in the list, with nothing left to acknowledge.
    return { ...item, alert: alert && alert.status !== 'resolved' ? { id: alert.id, status: alert.status } : null };
  });
}

/** Rules of the agency that only their alert shows; the items of the others are derived from data. */
const KNOWN_BY_ALERT = [
  'webhook_failing',
  'sso_certificate',
  'credential_unverified',
  'chatbot_failing',
  'chatbot_budget',
  'first_contacts',
] as const satisfies readonly AlertRule[];
type KnownByAlert = (typeof KNOWN_BY_ALERT)[number];

function isKnownByAlert(rule: AlertRule): rule is KnownByAlert {
  return KNOWN_BY_ALERT.some((one) => one === rule);
}

/** Items known only by their alert; all others are derived from data, with or without an alert. */
function alertItems({ rule, subjectType, subjectId, label, message, openedAt }: CurrentAlert): Item[] {
  if (!isKnownByAlert(rule)) return [];
  return [
    {
      kind: rule,
      about: { rule, subjectId },
      title: alertTitle(rule, label),
      subject: null,
      detail: message,
      action: alertFix(rule),
      href: alertPath({ type: subjectType, id: subjectId }),
      since: openedAt,
    },
  ];
}

function quotaItems({ quota, hasQuota }: Facts): Item[] {
  const isGone = quota.remaining === 0;
  if (!hasQuota || (quota.percent < NEARLY_USED_PERCENT && !isGone)) return [];
  const isReserved = isGone && quota.used < quota.limit;
  return [
    {
      kind: 'quota',
      about: { rule: 'usage_threshold' },
      title: isReserved
        ? 'All credits are used or reserved'
        : isGone
          ? 'The credits of this period are used'
          : `${wholePercent(quota.percent)} % of the credits are used`,
      subject: null,
      detail: isReserved
        ? `Runs in progress reserve ${quota.inFlight} of ${quota.limit}. New events are refused until some of these come back.`
        : isGone
          ? 'New events are refused.'
          : `${quota.remaining} of ${quota.limit} credits are left.`,
      action: 'Open usage',
      href: '/dashboard/usage',
      since: null,
    },
  ];
}

function setupItems(setup: SetupRow | undefined): Item[] {
  if (setup?.status !== 'failed') return [];
  const detail = setup.errorPublic ?? 'The last setup did not finish.';
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
    href: `/dashboard/integrations?service=${key.provider}${key.clientId === null ? '' : `&client=${key.clientId}`}`,
    since: null,
  };
}

/** Whether the agent fails because the service refused this very key. */
function failsBy(agent: TroubledAgent, key: RefusedKey): boolean {
  if (key.clientName !== null && key.clientName !== agent.clientName) return false;
  return agent.lastError !== null && agent.lastError === failureOf(`${key.provider}_key_refused`).sentence;
}

/** Whether a stopped request waits for this key, which no other agent lacks. */
function waitsFor(request: WaitingRequest, { provider, clientId, agents }: MissingKey): boolean {
  return (
    isStopped(request) &&
    request.clientId === clientId &&
    request.missingProviders.includes(provider) &&
    agents.every((name) => name === request.title)
  );
}

/** Whether the request stopped in the very attempt by which the setup failed. */
function failedIn(request: WaitingRequest, setup: SetupRow | undefined): boolean {
  return isStopped(request) && request.attemptId !== null && request.attemptId === setup?.attemptId;
}

function isStopped(request: WaitingRequest): boolean {
  return request.status === 'provisioning_failed';
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
  const { title, clientName } = request;
  const needsKeys = request.missingProviders.length > 0;
  return {
    kind: 'request_waiting',
    title: isStopped(request) ? `${title} is not installed yet` : `${title} was suggested`,
    subject: clientName,
    detail: !isStopped(request)
      ? `${clientName} would like to have it.`
      : needsKeys
        ? 'It waits for keys that are not saved yet, and is installed once they are.'
        : (request.failureMessage ?? 'The installation stopped.'),
    action: isStopped(request) && needsKeys ? 'Add keys' : 'Open request',
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
