import type { AlertRule, AlertSeverity, AlertSubjectType, ClientStatus } from '@partner-portal/contract/vocabulary.ts';
import { defineFact } from '#platform/facts.ts';
import type { FailingEndpoint } from './store-conditions.ts';

type AlertFacts = {
  id: string;
  partnerId: string;
  clientId: string | null;
  clientName: string | null;
  rule: AlertRule;
  subjectType: AlertSubjectType;
  subjectId: string;
  label: string;
  openedAt: Date;
};

export type AlertOpened = AlertFacts & {
  change: 'opened';
  severity: AlertSeverity;
  message: string;
  /** Failures in a row, for rules that count them. */
  failures: number;
  /** The provisioning attempt that failed, if the alert is about one. */
  attemptId: string | null;
  /** The endpoint with its last failed attempt, for `webhook_failing`. */
  endpoint: FailingEndpoint | null;
};

export type AlertResolved = AlertFacts & {
  change: 'resolved';
  resolvedAt: Date;
  clientStatus: ClientStatus | null;
  ended: 'deleted' | 'taken_down' | null;
};

/** A person wants no notices about it while its condition holds. */
export type AlertMuted = AlertFacts & {
  change: 'muted';
  /** As shown to the partner. */
  by: { userId: string; name: string };
};

/** Alerts that opened, were muted, or whose condition cleared. */
export const alertChanged = defineFact<AlertOpened | AlertMuted | AlertResolved>('alert.changed');
