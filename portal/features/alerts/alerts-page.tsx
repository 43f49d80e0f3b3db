import { ALERT_RULES, ALERT_SEVERITIES } from '@partner-portal/contract/vocabulary.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../app/api.ts';
import { useUser } from '../../app/session.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { Button } from '../../ui/controls/button.tsx';
import { FilterChip } from '../../ui/controls/chips.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ExportButton } from '../../shared/export-button.tsx';
import { PageHeader } from '../../ui/layout/layout.tsx';
import { SavedFilters } from '../../shared/saved-filters.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { MoreFailed } from '../../shared/more-failed.tsx';
import { rowsOf } from '../../shared/paged-table.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { AlertRow } from './alert-row.tsx';
import type { AlertSearch } from './alert-search.ts';
import { alertsQuery, filtersOf, RULE_LABELS, SEVERITY } from './queries.ts';
import { loadMore } from '../../shared/load-more.ts';

type Props = {
  audience: 'agency' | 'staff';
  search: AlertSearch;
  clientId?: string | undefined;
  onChange: (change: AlertSearch) => void;
  actions?: ReactNode;
};

const STATES = {
  open: { title: 'Open alerts', meta: 'Problems that need attention', empty: 'No open alerts' },
  muted: { title: 'Muted alerts', meta: 'Problems that someone knows of, and that are still there', empty: 'No muted alerts' },
  resolved: { title: 'Resolved alerts', meta: 'Resolved alerts', empty: 'No resolved alerts yet' },
} as const;

/** Open, muted and resolved alerts. */
export function AlertsPage({ audience, search, clientId, onChange, actions }: Props) {
  const { partner } = useUser();
  useTitle('Alerts', audience === 'agency' ? partner.name : undefined);
  const list = useInfiniteQuery(alertsQuery(search, clientId));
  const alerts = rowsOf(list);
  const { title, meta, empty } = STATES[search.state ?? 'open'];
  const isFiltered = search.rule !== undefined || search.severity !== undefined;
  return (
    <>
      <PageHeader
        title="Alerts"
        meta={meta}
        actions={
          <>
            {actions}
            <ExportButton name="alerts" read={() => api.exportAlerts({ query: filtersOf(search, clientId) })} />
          </>
        }
      />
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <Segmented
          label="Which alerts"
          value={search.state ?? 'open'}
          onChange={(state) => onChange({ state: state === 'open' ? undefined : state })}
          options={[
            { value: 'open', label: 'Open' },
            { value: 'muted', label: 'Muted' },
            { value: 'resolved', label: 'Resolved' },
          ]}
        />
        <FilterChip
          name="About"
          value={search.rule}
          options={ALERT_RULES.map((rule) => ({ value: rule, label: RULE_LABELS[rule] }))}
          onChange={(rule) => onChange({ rule })}
        />
        <FilterChip
          name="Severity"
          value={search.severity}
          options={ALERT_SEVERITIES.map((severity) => ({ value: severity, label: SEVERITY[severity].word }))}
          onChange={(severity) => onChange({ severity })}
        />
        <SavedFilters table="alerts" keys={['state', 'rule', 'severity']} />
      </div>
      <Loaded query={list} skeleton={<SkeletonRows rows={5} label="Loading alerts" />}>
        {() =>
          alerts.length === 0 ? (
            <EmptyState title={isFiltered ? 'No matching alerts' : empty}>
              {isFiltered
                ? 'Remove a filter to see more.'
                : 'An alert opens when an agent keeps failing or goes silent, a key is refused, webhooks fail, credits run low or a setup stops. It resolves on its own once the problem is gone.'}
            </EmptyState>
          ) : (
            <ul className="border-t border-line" aria-label={title}>
              {alerts.map((alert) => (
                <AlertRow key={alert.id} alert={alert} audience={audience} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <MoreFailed list={list} />
      {list.hasNextPage ? (
        <p className="mt-3">
          <Button onClick={() => void loadMore(list)} busy={list.isFetchingNextPage && 'Loading'}>
            Load more
          </Button>
        </p>
      ) : null}
    </>
  );
}
