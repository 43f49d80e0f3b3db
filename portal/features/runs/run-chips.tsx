import { EXECUTION_SOURCES, EXECUTION_STATUSES } from '@partner-portal/contract/vocabulary.ts';
import { failureOf } from '@partner-portal/core/execution/failures.ts';
import { memo } from 'react';
import type { SearchChange } from '../../app/search-state.ts';
import { useUser } from '../../app/session.ts';
import { ONE_CLIENT, useAgentChoices, useClientChoices } from '../../shared/choices.ts';
import { RUN_SOURCE, RUN_STATUS } from '../../shared/labels.ts';
import { FilterChip } from '../../ui/controls/chips.tsx';
import { inPlace } from '../../ui/text/format.ts';
import { readerZone } from '../../ui/text/reader.ts';
import type { RunFilters } from './queries.ts';
import { spanChoices } from '../../shared/spans.ts';

type Props = { filters: RunFilters; onChange: (change: SearchChange<RunFilters>) => void };

const TODAY = spanChoices('today');
const LONGER = spanChoices('7d', '30d', 'all');

/** Filter chips of the runs page, which is rendered again with every run that arrives. */
export const RunChips = memo(function RunChips({ filters, onChange }: Props) {
  const { timezone } = useUser().partner;
  const clients = useClientChoices(filters.client);
  // In the reader's own zone both begin at the same midnight.
  const chosen = filters.started === 'agency' && timezone === readerZone() ? 'today' : (filters.started ?? 'today');
  const agents = useAgentChoices(filters.agent, filters.client);
  return (
    <>
      <FilterChip
        name="Started"
        value={filters.started === 'all' ? undefined : chosen}
        options={
          timezone === readerZone() ? [...TODAY, ...LONGER] : [...TODAY, { value: 'agency', label: `Today${inPlace(timezone)}` }, ...LONGER]
        }
        onChange={(started) => onChange({ started: started ?? 'all' })}
      />
      <FilterChip
        name="Client"
        value={filters.client}
        options={clients.options}
        search={clients.search}
        chosenName={clients.name ?? ONE_CLIENT}
        onChange={(client) => onChange({ client, agent: undefined })}
      />
      <FilterChip
        name="Status"
        value={filters.status}
        options={EXECUTION_STATUSES.map((value) => ({ value, label: RUN_STATUS[value].word }))}
        onChange={(status) => onChange({ status })}
      />
      <FilterChip
        name="Agent"
        value={filters.agent}
        options={agents.options}
        search={agents.search}
        chosenName={agents.name ?? 'One agent'}
        onChange={(agent) => onChange({ agent })}
      />
      <FilterChip
        name="Source"
        value={filters.source}
        options={EXECUTION_SOURCES.map((value) => ({ value, label: RUN_SOURCE[value] }))}
        onChange={(source) => onChange({ source })}
      />
      {filters.cause ? (
        <FilterChip
          name="Cause"
          value={filters.cause}
          options={[{ value: filters.cause, label: failureOf(filters.cause).sentence ?? filters.cause.replaceAll('_', ' ') }]}
          onChange={(cause) => onChange({ cause })}
        />
      ) : null}
    </>
  );
});
