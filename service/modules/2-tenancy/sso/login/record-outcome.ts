import type { RequestContext } from '#platform/http/context.ts';
import { recordAudit } from '#modules/1-ledger/audit/index.ts';
import { labelOf } from '../connection/connection-answer.ts';
import type { SsoDeps } from '../deps.ts';
import { type ConnectionRow, type LastTest, writeTest } from '../store.ts';
import type { Outcome } from './read-answer.ts';
import { endTestRun, insertFailedLogin } from '../store-attempts.ts';
import type { LoginRow } from './store-logins.ts';

const DETAIL_MAX = 500;

/**
 * Records how a test login ended, or that a login failed, for the admins of the agency. A test that succeeded verifies the connection, unless
 * it was changed since.
 */
export async function recordOutcome(
  deps: Pick<SsoDeps, 'db'>,
  caller: Pick<RequestContext, 'now'>,
  connection: ConnectionRow,
  login: Pick<LoginRow, 'purpose' | 'attemptId'> & Partial<Pick<LoginRow, 'testUserId'>>,
  outcome: Outcome,
): Promise<void> {
  const { email, shown } = outcome.ok ? outcome.person : outcome;
  // An inviter does not learn whether an address has an account elsewhere (ADR 0064).
  const problem = outcome.ok ? null : outcome.problem === 'account_elsewhere' ? 'no_member' : outcome.problem;
  const result: LastTest = {
    at: caller.now.toISOString(),
    ok: outcome.ok,
    problem,
    detail: outcome.ok ? null : (outcome.detail?.slice(0, DETAIL_MAX) ?? null),
    email,
    ...shown,
  };
  await deps.db.asSystem('login', async (tx) => {
    if (login.purpose === 'login') return insertFailedLogin(tx, connection.partnerId, caller.now, result);
    if (login.attemptId) await endTestRun(tx, login.attemptId, result);
    const isWritten = await writeTest(tx, connection.partnerId, connection.configuredAt, result);
    if (!isWritten || !outcome.ok || connection.status === 'verified') return undefined;
    return recordAudit(tx, {
      partnerId: connection.partnerId,
      actor: { kind: 'system' },
      action: 'sso.connection_verified',
      target: { type: 'sso_connection', id: connection.partnerId, label: labelOf(connection) },
      changes: { status: ['draft', 'verified'], testedBy: [null, login.testUserId ?? null] },
    });
  });
}
