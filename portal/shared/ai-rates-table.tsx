import { useQuery } from '@tanstack/react-query';
import type { AiProvider } from '@partner-portal/contract/vocabulary.ts';
import { type AiRate, aiRatesQuery } from '../queries/ai-rates.ts';
import { SkeletonRows } from '../ui/feedback/skeleton.tsx';
import { type Column, Table } from '../ui/table/table.tsx';
import { rateOf } from './ai-rate-labels.ts';
import { PROVIDERS } from './labels.ts';
import { Loaded } from './loaded.tsx';

/** The published rates of the models that are offered on a platform key; of one provider, or of both. */
export function AiRatesTable({ provider }: { provider?: AiProvider }) {
  const rates = useQuery(aiRatesQuery);
  return (
    <Loaded query={rates} skeleton={<SkeletonRows rows={3} label="Loading the rates" />}>
      {(rows) => (
        <Table
          label="Credits for 1,000 tokens"
          columns={provider ? COLUMNS : [COLUMNS[0], PROVIDER, ...COLUMNS.slice(1)].filter((column) => column !== undefined)}
          rows={rows.filter((row) => row.isOffered && (provider === undefined || row.provider === provider)).toSorted(byModel)}
          rowKey={(row) => row.id}
          dense
        />
      )}
    </Loaded>
  );
}

/** Named models first. */
function byModel(a: AiRate, b: AiRate): number {
  return a.provider.localeCompare(b.provider) || Number(a.model === '*') - Number(b.model === '*') || a.model.localeCompare(b.model);
}

/** Says whose other models are meant, since a phone shows no column for the provider. */
function nameOf({ provider, model }: AiRate): string {
  return model === '*' ? `Other ${PROVIDERS[provider].name} models` : model;
}

const COLUMNS: Column<AiRate>[] = [
  { key: 'model', head: 'Model', lead: true, cell: (row) => <span className="font-medium">{nameOf(row)}</span> },
  { key: 'input', head: 'Input', align: 'end', cell: (row) => rateOf(row.inputCredits) },
  { key: 'output', head: 'Output', align: 'end', cell: (row) => rateOf(row.outputCredits) },
];
const PROVIDER: Column<AiRate> = { key: 'provider', head: 'Provider', hide: 'phone', cell: (row) => PROVIDERS[row.provider].name };
