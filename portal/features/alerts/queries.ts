import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../../app/api.ts';
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
  provisioning_failed: 'Failed setup',
};
export const SEVERITY: Record<Alert['severity'], { mark: MarkKind; word: string }> = {
  critical: { mark: 'bad', word: 'Critical' },
  warning: { mark: 'warn', word: 'Warning' },
  info: { mark: 'live', word: 'For your information' },
};

/** What the list asks for; the file beside it asks for the same. */
export const filtersOf = ({ state, rule, severity }: AlertSearch, clientId?: string) => ({
  open: state === 'resolved' ? ('false' as const) : ('true' as const),
  ...(rule ? { rule } : {}),
  ...(severity ? { severity } : {}),
  ...(clientId ? { clientId } : {}),
});

export const alertsQuery = (search: AlertSearch, clientId: string | undefined) =>
  infiniteQueryOptions({
    queryKey: keys.alerts.of(search, clientId),
    queryFn: ({ pageParam, signal }) =>
      api.listAlerts({ query: { ...filtersOf(search, clientId), ...(pageParam ? { cursor: pageParam } : {}) }, signal }),
    initialPageParam: '',
    getNextPageParam: (last) => last.nextCursor ?? undefined,
    refetchInterval: 60_000,
  });

export const alertRulesQuery = queryOptions({ queryKey: keys.alertRules, queryFn: ({ signal }) => api.getAlertRules({ signal }) });
