import type { SqlTlsState } from '@partner-portal/contract/vocabulary.ts';
import { DATA_KEY, type DataKeyRow } from '#schema/data-key-columns.ts';
import { runStatement } from '#platform/db/statements.ts';
import type { SystemTx, Tx } from '#platform/db/tx.ts';
import { type CredentialRow, ROW } from './store.ts';

/** The result of a test of a SQL key's TLS; `problem` is for its owner. */
export type TlsOutcome = { state: SqlTlsState; problem: string | null };

/** Takes SQL keys whose TLS is to be tested, and puts their next test off, so that no other process takes them meanwhile. */
export async function claimUntested(
  tx: SystemTx,
  limit: number,
  againAfterHours: number,
): Promise<(CredentialRow & { provider: 'postgres' } & Partial<DataKeyRow>)[]> {
  return runStatement<'credentials_claim_untested', CredentialRow & { provider: 'postgres' } & Partial<DataKeyRow>>(tx, {
    name: 'credentials_claim_untested',
    text: `with due as (
        select id from credential where tls = 'untested' and tls_due_at <= now() order by tls_due_at limit $1 for update skip locked),
      taken as (
        update credential c set tls_due_at = now() + make_interval(hours => $2) from due where c.id = due.id returning ${ROW})
      select c.*, ${DATA_KEY} from taken c left join partner_data_key k on k.partner_id = c.partner_id`,
    values: [limit, againAfterHours],
  });
}

/** Stores what a test showed, unless the value has been replaced since. Returns whether the state changed. */
export async function recordTls(tx: Tx, row: CredentialRow, { state, problem }: TlsOutcome): Promise<boolean> {
  const [written] = await runStatement<'credentials_record_tls', { isChanged: boolean }>(tx, {
    name: 'credentials_record_tls',
    text: `update credential set tls = $3, tls_problem = $4, tls_due_at = case when $3 = 'untested' then tls_due_at end
      where id = $1 and key_version = $2 and tls is not null returning old.tls is distinct from new.tls as is_changed`,
    values: [row.id, row.keyVersion, state, problem],
  });
  return written?.isChanged ?? false;
}
