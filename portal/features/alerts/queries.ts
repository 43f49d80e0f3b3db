import { queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../../app/api.ts';
import { pagedQuery } from '../../app/paged-query.ts';
import type { MarkKind } from '../../ui/feedback/mark.tsx';
import { keys } from '../../queries/keys.ts';
import type { AlertSearch } from './alert-search.ts';

export type Alert = Reply<'listAlerts'>['data'][number];
export type AlertRules = Reply<'getAlertRules'>;

export const RULE_LABELS: Record<Alert['rule'], string> = {
  usage_threshold: 'Credits',
  failure_streak: 'Failing agent',
  agent_silent: 'Silent agent',
  webhook_failing: 'Failing webhook',
  credential_invalid: 'Refused key',
  credential_unverified: 'Unverified database',
  sso_certificate: 'Provider certificate',
  chatbot_failing: 'Failing chatbot',
  chatbot_budget: 'Chatbot at its budget',
  first_contacts: 'Many first contacts',
  no_worker: 'No worker',
  provisioning_failed: 'Failed setup',
};
export const SEVERITY: Record<Alert['severity'], { mark: MarkKind; word: string }> = {
  critical: { mark: 'bad', word: 'Critical' },
  warning: { mark: 'warn', word: 'Warning' },
  info: { mark: 'live', word: 'For your information' },
};

/** The filters of the list; its export uses the same. */
export const filtersOf = ({ state, rule, severity }: AlertSearch, clientId?: string) => ({
  ...(state === undefined
    ? { open: 'true' as const }
    : { open: 'false' as const, muted: state === 'muted' ? ('true' as const) : ('false' as const) }),
  ...(rule ? { rule } : {}),
  ...(severity ? { severity } : {}),
  ...(clientId ? { clientId } : {}),
});

export const alertsQuery = (search: AlertSearch, clientId: string | undefined) =>
  pagedQuery(
    keys.alerts.of(search, clientId),
    ({ cursor, signal }) => api.listAlerts({ query: { ...filtersOf(search, clientId), cursor }, signal }),
    {
      refetchInterval: 60_000,
    },
  );

export const alertRulesQuery = queryOptions({ queryKey: keys.alertRules, queryFn: ({ signal }) => api.getAlertRules({ signal }) });
