import type { AiProvider } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx } from '#platform/db/tx.ts';

export type MarginRow = {
  day: string;
  provider: AiProvider;
  model: string;
  calls: number;
  inputTokens: number;
  outputTokens: number;
  credits: number;
  /** Null: the agency's plan has no price of a credit in the currency of the cost. */
  revenueMinor: number | null;
  costMinor: number;
  currency: string;
};

const ROWS_MAX = 10_000;

/** Sums the settled calls on platform keys, which those of runs are not, by day of their settlement, provider, model, currency, and whether the agency's plan has a price in it. */
export function listMarginRows(tx: SystemTx, { from, before }: { from: Date; before: Date }): Promise<MarginRow[]> {
  return runStatement<'ai_margins', MarginRow>(tx, {
    name: 'ai_margins',
    prepare: false,
    // An id is of the call's beginning, the day of its end.
    text: `select to_char(c.settled_at at time zone 'UTC', 'YYYY-MM-DD') as day, c.provider, c.model, count(*)::int as calls,
        sum(c.input_tokens)::float8 as input_tokens, sum(c.output_tokens)::float8 as output_tokens, sum(c.credits_charged)::int as credits,
        sum(c.credits_charged * c.credit_price_minor)::float8 as revenue_minor, coalesce(sum(c.cost_minor), 0)::float8 as cost_minor, coalesce(c.currency, 'USD') as currency
      from ai_call c
      where c.id >= uuid_floor($1::timestamptz - interval '1 day') and c.settled_at >= $1 and c.settled_at < $2 and c.status = 'settled' and c.source_mode = 'platform'
      group by 1, 2, 3, c.currency, c.credit_price_minor is null order by 1 desc, 2, 3, c.credit_price_minor is null limit ${ROWS_MAX}`,
    values: [from, before],
  });
}
