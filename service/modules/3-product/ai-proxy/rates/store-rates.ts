import type { AiProvider } from '@partner-portal/contract/vocabulary.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';

/** A version of what 1,000 tokens of a model cost an agency. */
export type RateRow = {
  id: string;
  provider: AiProvider;
  model: string;
  version: number;
  inputCredits: number;
  outputCredits: number;
  isOffered: boolean;
  createdAt: Date;
};
/** The same with what they cost the platform. */
export type StaffRateRow = RateRow & { inputCostMinor: number; outputCostMinor: number; currency: string; changedBy: string | null };

const RATE = `r.id, r.provider, r.model, r.version, r.input_credits::float8 as input_credits, r.output_credits::float8 as output_credits, r.is_offered, r.created_at`;
const COST = `r.input_cost_minor::float8 as input_cost_minor, r.output_cost_minor::float8 as output_cost_minor, r.currency`;

/** Lists the newest version for each model, in their order: the one for any model of its provider first. */
export function listRates(tx: Tx): Promise<RateRow[]> {
  return runStatement<'ai_rates', RateRow>(tx, {
    name: 'ai_rates',
    text: `select distinct on (r.provider, r.model) ${RATE} from ai_rate r order by r.provider, r.model, r.version desc`,
  });
}

/** Lists all versions, newest first within a model. */
export function listRateVersions(tx: SystemTx): Promise<StaffRateRow[]> {
  return runStatement<'ai_rate_versions', StaffRateRow>(tx, {
    name: 'ai_rate_versions',
    text: `select ${RATE}, ${COST}, u.full_name as changed_by from ai_rate r left join app_user u on u.id = r.changed_by
      order by r.provider, r.model, r.version desc limit 2000`,
  });
}

/** Returns the newest version for a model and that for any model of its provider, where there are such. */
export function findRates(tx: Tx, provider: AiProvider, model: string): Promise<StaffRateRow[]> {
  return runStatement<'ai_find_rates', StaffRateRow>(tx, {
    name: 'ai_find_rates',
    text: `select distinct on (r.model) ${RATE}, ${COST}, null::text as changed_by from ai_rate r
      where r.provider = $1 and r.model in ($2, '*') order by r.model, r.version desc`,
    values: [provider, model],
  });
}

/** Returns versions by id. They never change. */
export function readRates(tx: Tx, ids: readonly string[]): Promise<StaffRateRow[]> {
  return runStatement<'ai_read_rates', StaffRateRow>(tx, {
    name: 'ai_read_rates',
    text: `select ${RATE}, ${COST}, null::text as changed_by from ai_rate r where r.id = any($1::uuid[])`,
    values: [ids],
  });
}

/** Publishes one version after another: versions are counted. */
export async function lockRates(tx: SystemTx): Promise<void> {
  await runStatement(tx, { name: 'ai_lock_rates', text: `select pg_advisory_xact_lock(hashtext('ai_rate'))`, values: [] });
}

export type NewRate = Pick<
  StaffRateRow,
  'provider' | 'model' | 'inputCredits' | 'outputCredits' | 'inputCostMinor' | 'outputCostMinor' | 'currency' | 'isOffered'
>;

/** Publishes the next version for a model. */
export async function insertRate(tx: SystemTx, rate: NewRate, userId: string): Promise<StaffRateRow> {
  const [row] = await runStatement<'ai_insert_rate', StaffRateRow>(tx, {
    name: 'ai_insert_rate',
    text: `with r as (insert into ai_rate (provider, model, version, input_credits, output_credits, input_cost_minor, output_cost_minor, currency, is_offered, changed_by)
        select $1, $2, coalesce((select max(a.version) from ai_rate a where a.provider = $1 and a.model = $2), 0) + 1,
          $3::float8::numeric, $4::float8::numeric, $5::float8::numeric, $6::float8::numeric, $7, $8, $9::uuid returning *)
      select ${RATE}, ${COST}, u.full_name as changed_by from r left join app_user u on u.id = r.changed_by`,
    values: [
      rate.provider,
      rate.model,
      rate.inputCredits,
      rate.outputCredits,
      rate.inputCostMinor,
      rate.outputCostMinor,
      rate.currency,
      rate.isOffered,
      userId,
    ],
  });
  if (!row) throw new Error('A rate was not stored.');
  return row;
}
