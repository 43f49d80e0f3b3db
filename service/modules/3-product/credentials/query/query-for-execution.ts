import { isCallbackToken } from '@partner-portal/core/execution/token.ts';
import { sqlTlsOf } from '@partner-portal/core/credential/credential.ts';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import type { JsonValue, SqlRows } from '#adapters/tenant-sql.ts';
import { refuse } from '#platform/refuse.ts';
import type { CredentialsDeps } from '../deps.ts';
import { findRun, recordUse } from '../store.ts';
import { findEffective } from '../store-resolution.ts';

/**
 * Reads the SQL database of an execution on behalf of its flow, so that the engine never holds the password (docs/behaviour/vault.md).
 * Refuses invalid_callback_token, not_found, invalid_state (the run has ended), private_address, and validation_failed
 * with the database's own message for a query it did not accept.
 */
export async function queryForExecution(
  deps: Pick<CredentialsDeps, 'db' | 'sealing' | 'tenantSql' | 'callbackSecret'>,
  token: string | undefined,
  input: { executionId: string; query: string; params?: JsonValue[] | undefined },
): Promise<SqlRows> {
  if (!isCallbackToken(deps.callbackSecret.reveal(), input.executionId, token)) refuse('invalid_callback_token');
  // The flow reports this message to the partner, so it names the cause instead of a field.
  if (input.query === '') return refuseQuery('This agent has no query in its settings.');
  const { partnerId, data } = await deps.db.asSystem('callback', async (tx) => {
    const run = await findRun(tx, input.executionId);
    if (!run) return refuse('not_found');
    if (run.status !== 'RUNNING') return refuse('invalid_state', { detail: 'This run has ended and can no longer read data.' });
    const row = await findEffective(tx, { partnerId: run.partnerId, clientId: run.clientId, provider: 'postgres' });
    if (!row?.sealed) return refuseQuery('No SQL database is connected for this agent.');
    const opened = deps.sealing.open({ ...row, provider: 'postgres' }, row);
    await recordUse(tx, row, 'run_query', { type: 'system', id: null }, run);
    return { partnerId: run.partnerId, data: { ...opened, ssl: sqlTlsOf(opened.ssl, row.tls) } };
  });
  const outcome = await deps.tenantSql.query(partnerId, data, input.query, input.params ?? [], {
    rowsMax: LIMITS.queryRowsMax,
    timeoutMs: LIMITS.queryTimeoutMs,
  });
  if (outcome.ok) return outcome;
  if (outcome.reason === 'private_address') return refuse('private_address', { detail: outcome.message });
  return refuseQuery(outcome.message);
}

function refuseQuery(message: string): never {
  return refuse('validation_failed', { detail: message, errors: [{ field: 'query', code: 'query_failed', message }] });
}
