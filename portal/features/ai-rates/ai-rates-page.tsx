import { useCallback } from 'react';
import { useLoaded } from '../../app/route-data.ts';
import { useRefusal } from '../../app/current-user.ts';
import { aiRateVersionsQuery, type StaffAiRate } from '../../queries/ai-rates.ts';
import { modelName, rateOf } from '../../shared/ai-rate-labels.ts';
import { PROVIDERS } from '../../shared/labels.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Status } from '../../ui/feedback/badge.tsx';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { PageHeader, Section } from '../../ui/layout/layout.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import { Time } from '../../ui/text/time.tsx';
import type { AiRatesSearch } from './ai-rates-search.ts';
import { costOf } from './cost.ts';
import { MarginsSection } from './margins-section.tsx';
import { RateDrawer } from './rate-drawer.tsx';

type Props = { search: AiRatesSearch; onSearch: (change: AiRatesSearch) => void };

/** What language models on platform keys cost agencies and the platform. A change is a new version. */
export function AiRatesPage({ search, onSearch }: Props) {
  useTitle('AI rates');
  const versions = useLoaded(aiRateVersionsQuery);
  const refusal = useRefusal('partners.manage');
  const close = useCallback(() => onSearch({ rate: undefined }), [onSearch]);
  const current = versions.filter((row, at) => row.model !== versions[at - 1]?.model || row.provider !== versions[at - 1]?.provider);
  const opened = versions.find((row) => row.id === search.rate);
  const isNew = search.rate === 'new';
  return (
    <>
      <PageHeader
        title="AI rates"
        meta="What language models cost on a platform key, in credits for 1,000 tokens. Own keys cost no credits."
        actions={
          <Button kind="primary" disabledReason={refusal} onClick={() => onSearch({ rate: 'new' })}>
            Add model
          </Button>
        }
      />
      <div className="mb-7">
        <Section title="Published rates">
          <Table
            label="Published rates"
            columns={COLUMNS}
            rows={current}
            rowKey={(row) => row.id}
            onOpen={(row) => onSearch({ rate: row.id })}
            openKey={search.rate}
          />
        </Section>
      </div>
      <MarginsSection span={search.span} onSpan={(span) => onSearch({ span })} />
      {opened || (isNew && !refusal) ? (
        <RateDrawer key={search.rate} rate={opened} versions={versions.filter(isOf(opened))} onClose={close} />
      ) : null}
    </>
  );
}

const isOf = (rate: StaffAiRate | undefined) => (row: StaffAiRate) => row.provider === rate?.provider && row.model === rate.model;

const COLUMNS: Column<StaffAiRate>[] = [
  {
    key: 'model',
    head: 'Model',
    lead: true,
    cell: (row) => (
      <>
        <span className="font-medium">{modelName(row.model)}</span>
        <span className="table-second-line">{PROVIDERS[row.provider].name}</span>
      </>
    ),
  },
  { key: 'input', head: 'Input', align: 'end', cell: (row) => rateOf(row.inputCredits) },
  { key: 'output', head: 'Output', align: 'end', cell: (row) => rateOf(row.outputCredits) },
  {
    key: 'cost',
    head: 'Cost of a million tokens',
    align: 'end',
    hide: 'phone',
    cell: (row) => `${costOf(row.inputCostMinor, row.currency)} / ${costOf(row.outputCostMinor, row.currency)}`,
  },
  { key: 'version', head: 'Version', align: 'end', hide: 'phone', cell: (row) => row.version },
  { key: 'since', head: 'Since', align: 'end', hide: 'phone', cell: (row) => <Time iso={row.createdAt} className="text-ink-2" /> },
  {
    key: 'state',
    head: 'State',
    hide: 'phone',
    cell: (row) => <Status mark={row.isOffered ? 'ok' : 'skip'}>{row.isOffered ? 'Offered' : 'Not offered'}</Status>,
  },
];
