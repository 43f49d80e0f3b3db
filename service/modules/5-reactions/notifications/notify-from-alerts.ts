import { explainAttempt } from '@partner-portal/contract/delivery-errors.ts';
import { alertPath, alertTitle } from '@partner-portal/core/alert/alert.ts';
import type { FactHandler } from '#platform/facts.ts';
import type { AlertMuted, AlertOpened, AlertResolved } from '#modules/5-reactions/alerts/index.ts';
import type { NewNotification, Notify } from './notify.ts';

type AlertChange = AlertOpened | AlertMuted | AlertResolved;

/** Notifies the partner's team of alerts that opened, were muted or are resolved, and staff of failed setups. */
export function notifyFromAlerts(notify: Notify): FactHandler<AlertChange> {
  return (tx, changes) => notify(tx, changes.flatMap(notificationsFor));
}

function notificationsFor(alert: AlertChange): NewNotification[] {
  const team = teamNotification(alert);
  // For staff alone. No mail leaves while no worker runs: the one about its end says how long that was.
  if (alert.rule === 'no_worker') return [{ ...team, audience: 'staff', mailTo: alert.change === 'resolved' ? 'all' : 'none' }];
  if (alert.rule !== 'provisioning_failed') return [team];
  const { mail: _mail, ...rest } = team;
  const title = STAFF_TITLES[alert.change];
  return [
    team,
    {
      ...rest,
      audience: 'staff',
      mailTo: alert.change === 'muted' ? 'none' : 'all',
      title,
      href: `/admin/partners/${alert.partnerId}/automation`,
    },
  ];
}

const STAFF_TITLES: Readonly<Record<AlertChange['change'], string>> = {
  opened: 'The setup of an agency failed',
  muted: 'Muted: the setup of an agency failed',
  resolved: 'Resolved: the setup of an agency failed',
};

function teamNotification(alert: AlertChange): NewNotification {
  if (alert.change === 'opened') return openedNotification(alert);
  return alert.change === 'muted' ? mutedNotification(alert) : resolvedNotification(alert);
}

/** Who is mailed that it opened, and that it ended: a failing webhook concerns every admin. */
const readersOf = ({ rule }: AlertChange) => (rule === 'webhook_failing' ? 'recipients_and_admins' : 'recipients');

function openedNotification(alert: AlertOpened): NewNotification {
  const { title, place, common } = partsOf(alert);
  const { endpoint } = alert;
  return {
    ...common,
    type: alert.rule === 'usage_threshold' ? 'usage_threshold' : 'alert_opened',
    tone: alert.severity === 'critical' ? 'bad' : alert.severity === 'warning' ? 'warn' : 'info',
    title,
    body: alert.message,
    // A request whose installation failed notifies the same people of the same attempt.
    dedupeKey: alert.attemptId ? `attempt-failed:${alert.attemptId}` : `alert:${alert.id}:opened`,
    mailTo: readersOf(alert),
    mail: endpoint
      ? {
          kind: 'webhook_failing',
          data: { url: endpoint.url, failures: alert.failures, lastError: explainAttempt(endpoint)?.message ?? null, href: place },
        }
      : {
          kind: 'alert_opened',
          data: { severity: alert.severity, subject: title, message: alert.message, at: alert.openedAt, href: place },
        },
  };
}

function resolvedNotification(alert: AlertResolved): NewNotification {
  const { title, common } = partsOf(alert);
  // The page of a deleted agent is gone.
  const place = alert.ended === 'deleted' ? '/dashboard/agents' : common.href;
  const message = causeOf(alert);
  return {
    ...common,
    href: place,
    type: 'alert_resolved',
    tone: 'ok',
    title: `Resolved: ${title}`,
    body: message,
    dedupeKey: `alert:${alert.id}:resolved`,
    mailTo: readersOf(alert),
    mail: { kind: 'alert_resolved', data: { subject: title, message, openedAt: alert.openedAt, at: alert.resolvedAt, href: place } },
  };
}

/** In the bell alone: the mail about its end follows when the problem is gone. */
function mutedNotification(alert: AlertMuted): NewNotification {
  const { title, common } = partsOf(alert);
  return {
    ...common,
    except: alert.by.userId,
    type: 'alert_resolved',
    tone: 'info',
    title: `Muted: ${title}`,
    body: `${alert.by.name} muted it. The problem is still there; the alert resolves when it is gone.`,
    dedupeKey: `alert:${alert.id}:muted`,
    mailTo: 'none',
  };
}

function partsOf(alert: AlertChange) {
  const { partnerId, clientId, subjectType, subjectId, clientName } = alert;
  const title = alertTitle(alert.rule, alert.label);
  const place = alertPath({ type: subjectType, id: subjectId });
  const subject = subjectType === 'usage' ? `usage:${partnerId}` : `${subjectType}:${subjectId}`;
  return {
    title: clientName ? `${title} (${clientName})` : title,
    place,
    common: { partnerId, clientId, audience: 'team', href: place, subject } as const,
  };
}

/** Why an alert was resolved without a person. */
function causeOf({ rule, clientStatus, ended }: AlertResolved): string {
  if (clientStatus === 'archived' || clientStatus === 'deleted') return `Its client was ${clientStatus}.`;
  if (ended === 'deleted') return 'The agent was deleted.';
  if (ended === null) return CLEARED[rule];
  return rule === 'provisioning_failed'
    ? 'The agents are removed from the automation platform instead.'
    : 'It was removed from the automation platform.';
}

/** The subject is still there. */
const CLEARED: Readonly<Record<AlertResolved['rule'], string>> = {
  usage_threshold: 'The credits are below it again, or the threshold was moved.',
  failure_streak: 'It runs again, was switched off, or the rule was changed.',
  agent_silent: 'It ran again, was switched off, or the rule was changed.',
  webhook_failing: 'A delivery arrived again, or the endpoint was removed.',
  credential_invalid: 'The key is accepted, or was replaced or removed.',
  credential_unverified: 'Its certificate is verified now, or the key was replaced or removed.',
  sso_certificate: 'There is a newer certificate, or the connection was removed.',
  chatbot_failing: 'It answers and its agents work again, or it was switched off.',
  chatbot_budget: 'The budget was raised, credits were bought, a new day or period began, or it was switched off.',
  first_contacts: 'No run waits for it any more. Runs says what became of each.',
  no_worker: 'A worker takes jobs again; what waited is done now.',
  provisioning_failed: 'The setup goes on.',
};
