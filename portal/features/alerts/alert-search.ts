import { ALERT_RULES, ALERT_SEVERITIES, type AlertRule, type AlertSeverity } from '@partner-portal/contract/vocabulary.ts';
import { choiceParam, onlySet } from '../../app/search-params.ts';

/** Open ones unless `state` says otherwise. */
export type AlertSearch = { state?: 'resolved'; rule?: AlertRule; severity?: AlertSeverity };

export function parseAlertSearch(search: Record<string, unknown>): AlertSearch {
  return onlySet({
    state: choiceParam(['resolved'] as const, search['state']),
    rule: choiceParam(ALERT_RULES, search['rule']),
    severity: choiceParam(ALERT_SEVERITIES, search['severity']),
  });
}
