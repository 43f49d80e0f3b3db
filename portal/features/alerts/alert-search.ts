import { ALERT_RULES, ALERT_SEVERITIES } from '@partner-portal/contract/vocabulary.ts';
import { oneOf, type SearchOf, searchParser } from '../../app/search-params.ts';

/** Open ones unless `state` says otherwise. */
export const parseAlertSearch = searchParser({
  state: oneOf(['muted', 'resolved']),
  rule: oneOf(ALERT_RULES),
  severity: oneOf(ALERT_SEVERITIES),
});
export type AlertSearch = SearchOf<typeof parseAlertSearch>;
