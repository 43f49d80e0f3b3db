import type { AlertRule, AlertSeverity, AlertStatus, AlertSubjectType } from '@partner-portal/contract/vocabulary.ts';
import { NEARLY_USED_PERCENT } from '../quota/quota.ts';

/** Texts, links and status transitions of alerts. Browser-safe. See docs/behaviour/alerts.md. */

export const DEFAULT_ALERT_RULES = { usageThresholds: [50, 80, 100], failureStreak: 3, silentDays: 7 } as const;
/** Consecutive failed deliveries after which an endpoint opens an alert. */
export const WEBHOOK_FAILURES = 20;
/** Days before expiry at which an identity provider's certificate opens an alert. */
export const CERTIFICATE_DAYS = 30;
const CERTIFICATE_URGENT_DAYS = 7;

/** The subject of an alert about all chatbots of an agency. */
export const CHATBOTS_LABEL = 'Chatbots';

/** Findings of a rule; each rule sets its own members. */
export type AlertFacts = {
  threshold?: number;
  used?: number;
  limit?: number;
  failures?: number;
  days?: number;
  /** For a chatbot's budget: its kind. */
  budget?: 'chatbot' | 'share' | 'reserve';
  /** The last agent that a visitor had run failed, or could not run. */
  isRunFailing?: boolean;
  /** A sentence that is safe to show to the partner. */
  reason?: string | null;
};

/** Describes an alert. `label` names the subject: an agent, a service, the host of an endpoint. */
export function describeAlert(rule: AlertRule, label: string, facts: AlertFacts): { severity: AlertSeverity; message: string } {
  const { threshold = 0, used = 0, limit = 0, failures = 0, days = 0, isRunFailing = false, budget = 'chatbot', reason } = facts;
  switch (rule) {
    case 'usage_threshold': {
      const left = Math.max(0, limit - used);
      if (left === 0) return { severity: 'critical', message: 'All credits of this period are used. New events are refused.' };
      return {
        severity: threshold >= NEARLY_USED_PERCENT ? 'warning' : 'info',
        message: `${used} of ${limit} credits of this period are used; ${left} are left.`,
      };
    }
    case 'failure_streak':
      return { severity: 'critical', message: `The last ${failures} ${failures === 1 ? 'run' : 'runs'} of ${label} failed.` };
    case 'agent_silent':
      return { severity: 'warning', message: `${label} has gone quiet: no run for ${days} ${days === 1 ? 'day' : 'days'}.` };
    case 'webhook_failing':
      return {
        severity: 'critical',
        message: `${failures} deliveries in a row to ${label} failed.`,
      };
    case 'credential_invalid':
      return {
        severity: 'critical',
        message: `${reason ?? `${label} did not accept the saved key.`} Agents that use it fail until a new key is saved.`,
      };
    case 'credential_unverified':
      return {
        severity: 'warning',
        message: `${reason ?? 'The certificate of the database could not be verified.'} The key was saved before certificates were verified and keeps working without: someone on the network can read along. Save it again, with the CA certificate if the database has one of its own.`,
      };
    case 'sso_certificate':
      if (days < 0)
        return {
          severity: 'critical',
          message:
            'The certificate of your identity provider has expired. People still log in with it; ask the person who manages the provider for the next one.',
        };
      return {
        severity: days <= CERTIFICATE_URGENT_DAYS ? 'critical' : 'warning',
        message: `The certificate of your identity provider expires in ${days} ${days === 1 ? 'day' : 'days'}. Logins stop when your provider signs with another one that its metadata does not list.`,
      };
    case 'chatbot_failing':
      return {
        severity: 'critical',
        message: isRunFailing
          ? `An agent that ${label} started for a visitor failed or could not run. The visitor was offered a reply by a person.`
          : `${label} could not answer its last visitors. They were offered a reply by a person.`,
      };
    case 'chatbot_budget':
      return { severity: 'warning', message: describeBudget(label, budget, limit) };
    case 'first_contacts':
      return {
        severity: 'warning',
        message: `Runs of ${label} wait: it has reached its cap of people texted for the first time in an hour. They go on in their order as the hours allow, and each agent decides then whether its text is still welcome.`,
      };
    case 'no_worker':
      return {
        severity: 'critical',
        message:
          'No worker has taken a job for more than a minute. Events are accepted and wait, and so do webhooks, mail, alerts and setups.',
      };
    case 'provisioning_failed':
      return { severity: 'critical', message: reason ?? 'The last setup did not finish.' };
  }
}

function describeBudget(label: string, budget: 'chatbot' | 'share' | 'reserve', limit: number): string {
  const then = 'Visitors are offered a reply by a person';
  if (budget === 'chatbot') return `${label} has no room left in its ${limit} credits of today. ${then} until midnight UTC.`;
  if (budget === 'share')
    return `Chatbots have no room left in the ${limit} credits of this period that they may use. ${then}, except where your own key answers; events go on.`;
  return `The credits that are left are kept for events. ${then} until the period ends or credits are bought, except where your own key answers.`;
}

/** Returns the alert's headline, for lists, mails and notifications. */
export function alertTitle(rule: AlertRule, label: string): string {
  switch (rule) {
    case 'usage_threshold':
      return `${label} are used`;
    case 'failure_streak':
      return `${label} is failing`;
    case 'agent_silent':
      return `${label} has gone quiet`;
    case 'webhook_failing':
      return `Webhooks to ${label} keep failing`;
    case 'credential_invalid':
      return `${label} refused the key`;
    case 'credential_unverified':
      return `${label} has a certificate that is not verified`;
    case 'sso_certificate':
      // Before and after its end: the message says which.
      return 'The certificate of your identity provider has to be replaced';
    case 'chatbot_failing':
      return `${label} could not help a visitor`;
    case 'chatbot_budget':
      return `${label} reached ${label === CHATBOTS_LABEL ? 'their' : 'its'} budget`;
    case 'first_contacts':
      return `${label} has many first contacts`;
    case 'no_worker':
      return 'No worker is running';
    case 'provisioning_failed':
      return 'Setup did not finish';
  }
}

/** The partner's action on the page of `alertPath`. */
export function alertFix(rule: AlertRule): string {
  return FIXES[rule];
}

const FIXES: Readonly<Record<AlertRule, string>> = {
  usage_threshold: 'Open usage',
  failure_streak: 'Open agent',
  agent_silent: 'Open agent',
  webhook_failing: 'Open webhook',
  credential_invalid: 'Replace key',
  credential_unverified: 'Replace key',
  sso_certificate: 'Open single sign-on',
  chatbot_failing: 'Open chatbot',
  chatbot_budget: 'Open budgets',
  first_contacts: 'See what waits',
  no_worker: 'Open system',
  provisioning_failed: 'Open setup',
};

/** Returns the portal page where a partner can fix the problem. */
export function alertPath(subject: { type: AlertSubjectType; id: string }): string {
  switch (subject.type) {
    case 'usage':
      return '/dashboard/usage';
    case 'agent':
      return `/dashboard/agents/${subject.id}`;
    case 'webhook_endpoint':
      return `/dashboard/settings/webhooks?endpoint=${subject.id}`;
    case 'credential':
      return `/dashboard/integrations?key=${subject.id}`;
    case 'sso_connection':
      return '/dashboard/settings/sso';
    case 'automation_instance':
      return '/dashboard/setup';
    case 'chatbot':
      return '/dashboard/settings/chatbot';
    case 'client':
      return `/dashboard/clients/${subject.id}`;
    case 'service':
      return '/admin/system';
  }
}

const TRANSITIONS: Readonly<Record<'acknowledge' | 'resolve', { from: readonly AlertStatus[]; to: AlertStatus }>> = {
  acknowledge: { from: ['open'], to: 'acknowledged' },
  resolve: { from: ['open', 'acknowledged'], to: 'resolved' },
};

/** Returns the status after a user's action; null when it is not allowed in the current one. */
export function nextAlertStatus(action: 'acknowledge' | 'resolve', from: AlertStatus): AlertStatus | null {
  return TRANSITIONS[action].from.includes(from) ? TRANSITIONS[action].to : null;
}
