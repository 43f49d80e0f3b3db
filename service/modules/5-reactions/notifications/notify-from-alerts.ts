import { explainAttempt } from '@partner-portal/contract/delivery-errors.ts';
import { alertPath, alertTitle } from '@partner-portal/core/alert/alert.ts';
import type { FactHandler } from '#platform/facts.ts';
import type { AlertOpened, AlertResolved } from '#modules/5-reactions/alerts/index.ts';
import type { NewNotification, Notify } from './notify.ts';

/** Notifies the partner's team of alerts that opened or were resolved, and staff of failed setups. */
export function notifyFromAlerts(notify: Notify): FactHandler<AlertOpened | AlertResolved> {
  return (tx, changes) => notify(tx, changes.flatMap(notificationsFor));
}

function notificationsFor(alert: AlertOpened | AlertResolved): NewNotification[] {
  const team = alert.change === 'opened' ? openedNotification(alert) : resolvedNotification(alert);
  if (alert.rule !== 'provisioning_failed') return [team];
  const { mail: _mail, ...rest } = team;
  const title = alert.change === 'opened' ? 'The setup of an agency failed' : 'Resolved: the setup of an agency failed';
  return [team, { ...rest, audience: 'staff', mailTo: 'all', title, href: `/admin/partners/${alert.partnerId}/automation` }];
}

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
    mailTo: alert.rule === 'webhook_failing' ? 'recipients_and_admins' : 'recipients',
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
  const { title, place, common } = partsOf(alert);
  const message = alert.by ? `${alert.by.name} resolved it.` : CLEARED[alert.rule];
  return {
    ...common,
    except: alert.by?.userId,
    type: 'alert_resolved',
    tone: 'ok',
    title: `Resolved: ${title}`,
    body: message,
    dedupeKey: `alert:${alert.id}:resolved`,
    mailTo: 'recipients',
    mail: { kind: 'alert_resolved', data: { subject: title, message, openedAt: alert.openedAt, at: alert.resolvedAt, href: place } },
  };
}

function partsOf(alert: AlertOpened | AlertResolved) {
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
const CLEARED: Readonly<Record<AlertResolved['rule'], string>> = {
  usage_threshold: 'The credits are below it again, or the threshold was moved.',
  failure_streak: 'It runs again, was switched off, or the rule was changed.',
  agent_silent: 'It ran again, was switched off, or the rule was changed.',
  webhook_failing: 'A delivery arrived again, or the endpoint was removed.',
  credential_invalid: 'The key is accepted, or was replaced or removed.',
  credential_unverified: 'Its certificate is verified now, or the key was replaced or removed.',
  sso_certificate: 'There is a newer certificate, or the connection was removed.',
  chatbot_failing: 'It answers and its agents work again, or it was switched off.',
  chatbot_budget: 'The budget was raised, or a new day or period began.',
  first_contacts: 'All that waited was sent.',
  provisioning_failed: 'The setup goes on.',
};
