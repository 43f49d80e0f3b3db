import { explainAttempt } from '@partner-portal/contract/delivery-errors.ts';
import { describeAlert, alertPath, alertTitle } from '@partner-portal/core/alert/alert.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import type { JobContext } from '#platform/jobs/define-job.ts';
import type { News } from '#modules/5-reactions/notifications/index.ts';
import type { AlertsDeps } from './deps.ts';
import {
  clearAlerts,
  type ClearedAlert,
  describeEndpoints,
  type FailingEndpoint,
  listNewConditions,
  type NewAlert,
  openAlerts,
} from './store-conditions.ts';

const BATCH = 200;
const ROUNDS_MAX = 50;

/**
 * Opens what is wrong and resolves what is not any more, in the agencies named or in all, and tells the people concerned: a handful of
 * statements however many agencies there are. May run twice at once; each alert opens, resolves and is told once.
 * Answers how many turned.
 */
export async function lookAtAlerts(deps: Pick<AlertsDeps, 'notify'>, tx: SystemTx, partnerIds: readonly string[] | null): Promise<number> {
  const found: NewAlert[] = (await listNewConditions(tx, partnerIds, BATCH)).map((one) => ({
    ...one,
    ...describeAlert(one.rule, one.label, one.facts),
  }));
  const opened = (await openAlerts(tx, found)).flatMap(({ id, n, openedAt }) => {
    const alert = found[n];
    return alert ? [{ ...alert, id, openedAt }] : [];
  });
  const cleared = await clearAlerts(tx, partnerIds, BATCH);
  const endpoints = await describeEndpoints(
    tx,
    opened.filter(({ rule }) => rule === 'webhook_failing').map(({ subjectId }) => subjectId),
  );
  const risen = new Set(opened.filter(({ rule }) => rule === 'usage_threshold').map(({ partnerId }) => partnerId));
  // A threshold that makes way for a higher one is not good news.
  const over = cleared.filter(
    ({ before, rule, partnerId }) => before !== 'resolved' && !(rule === 'usage_threshold' && risen.has(partnerId)),
  );
  await deps.notify(tx, [...opened.flatMap((alert) => openedNews(alert, endpoints)), ...over.flatMap(resolvedNews)]);
  return Math.max(opened.length, cleared.length);
}

/** The truth of each minute: whatever no event told is found here. Bounded; says so when it stops early. */
export async function sweepAlerts(deps: AlertsDeps, { signal }: Pick<JobContext, 'signal'>): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX && !signal.aborted; round += 1) {
    const turned = await deps.db.asSystem('sweep', (tx) => lookAtAlerts(deps, tx, null));
    if (turned < BATCH) return;
  }
  deps.log.warn({ batch: BATCH, rounds: ROUNDS_MAX }, 'the alert sweep stopped early');
}

export type OpenedAlert = NewAlert & { id: string; openedAt: Date };

function openedNews(alert: OpenedAlert, endpoints: readonly FailingEndpoint[]): News[] {
  const title = alertTitle(alert.rule, alert.label);
  const place = alertPath({ type: alert.subjectType, id: alert.subjectId });
  const endpoint = endpoints.find(({ id }) => id === alert.subjectId);
  const { attemptId } = alert.facts;
  const team: News = {
    partnerId: alert.partnerId,
    audience: 'team',
    type: alert.rule === 'usage_threshold' ? 'usage_threshold' : 'alert_opened',
    tone: alert.severity === 'critical' ? 'bad' : alert.severity === 'warning' ? 'warn' : 'info',
    title: alert.clientName ? `${title} (${alert.clientName})` : title,
    body: alert.message,
    href: place,
    subject: subjectOf(alert),
    // A request that could not be installed has told the same people of the same attempt.
    dedupeKey: attemptId ? `attempt-failed:${attemptId}` : `alert:${alert.id}:opened`,
    mailTo: alert.rule === 'webhook_failing' ? 'recipients_and_admins' : 'recipients',
    mail: endpoint
      ? {
          kind: 'webhook_failing',
          data: {
            url: endpoint.url,
            failures: alert.facts.failures ?? 0,
            lastError: explainAttempt(endpoint)?.message ?? null,
            href: place,
          },
        }
      : {
          kind: 'alert_opened',
          data: {
            severity: alert.severity,
            subject: alert.clientName ? `${title} (${alert.clientName})` : title,
            message: alert.message,
            at: alert.openedAt,
            href: place,
          },
        },
  };
  if (alert.rule !== 'provisioning_failed') return [team];
  const { mail: _mail, ...words } = team;
  return [team, { ...words, audience: 'staff', mailTo: 'all', title: 'The setup of an agency failed', href: staffPlace(alert.partnerId) }];
}

/** That it is over, to everybody who may have heard that it began. */
export function resolvedNews(alert: ClearedAlert & { except?: string; by?: string }): News[] {
  const title = alertTitle(alert.rule, alert.label);
  const named = alert.clientName ? `${title} (${alert.clientName})` : title;
  const place = alertPath({ type: alert.subjectType, id: alert.subjectId });
  const message = alert.by ? `${alert.by} resolved it.` : RESOLVED[alert.rule];
  const team: News = {
    partnerId: alert.partnerId,
    audience: 'team',
    except: alert.except,
    type: 'alert_resolved',
    tone: 'ok',
    title: `Resolved: ${named}`,
    body: message,
    href: place,
    subject: subjectOf(alert),
    dedupeKey: `alert:${alert.id}:resolved`,
    mailTo: 'recipients',
    mail: { kind: 'alert_resolved', data: { subject: named, message, openedAt: alert.openedAt, at: alert.resolvedAt, href: place } },
  };
  if (alert.rule !== 'provisioning_failed') return [team];
  const { mail: _mail, ...words } = team;
  return [
    team,
    { ...words, audience: 'staff', mailTo: 'all', title: 'Resolved: the setup of an agency failed', href: staffPlace(alert.partnerId) },
  ];
}

const RESOLVED: Readonly<Record<ClearedAlert['rule'], string>> = {
  usage_threshold: 'The credits are below it again, or the threshold was moved.',
  failure_streak: 'It runs again, was switched off, or the rule was changed.',
  agent_silent: 'It ran again, was switched off, or the rule was changed.',
  webhook_failing: 'A delivery arrived again, or the endpoint was removed.',
  credential_invalid: 'The key is accepted, or was replaced or removed.',
  sso_certificate: 'There is a newer certificate, or the connection was removed.',
  provisioning_failed: 'The setup goes on.',
};

const subjectOf = ({ subjectType, subjectId, partnerId }: { subjectType: string; subjectId: string; partnerId: string }): string =>
  subjectType === 'usage' ? `usage:${partnerId}` : `${subjectType}:${subjectId}`;
const staffPlace = (partnerId: string): string => `/admin/partners/${partnerId}/automation`;
