import { normalizeEmail } from '@partner-portal/contract/email-address.ts';
import { passwordProblem } from '@partner-portal/core/people/password.ts';
import type { Database } from '#platform/db/tx.ts';
import { StartError } from '#platform/start-error.ts';
import type { Secret } from '#platform/secret.ts';
import { recordAudit } from '#modules/1-ledger/audit/index.ts';
import type { Hasher } from './hasher.ts';
import { findHousePartner, findUserByEmail, insertAdmin } from '../store.ts';

/**
 * Creates the ADMIN of the settings in the house partner, the only way an ADMIN is created. Idempotent: it never changes an existing one.
 * Throws `StartError` for a weak password and for an address of a partner's user.
 */
export async function seedAdmin(
  deps: { db: Database; hasher: Hasher },
  admin: { email: string; password: Secret },
): Promise<{ created: boolean }> {
  const email = normalizeEmail(admin.email);
  if (email === null) throw new StartError('SEED_ADMIN_EMAIL: write an e-mail address with unaccented letters.');
  const present = await deps.db.asSystem('seed', (tx) => findUserByEmail(tx, email));
  if (present) {
    if (present.role !== 'ADMIN')
      throw new StartError(`SEED_ADMIN_EMAIL: ${email} already belongs to a user of an agency. Choose another address.`);
    return { created: false };
  }
  const problem = passwordProblem(admin.password.reveal(), email);
  if (problem) throw new StartError(`SEED_ADMIN_PASSWORD: ${problem.message}`);
  const passwordHash = await deps.hasher.hash(admin.password.reveal());
  return deps.db.asSystem('seed', async (tx) => {
    const partnerId = await findHousePartner(tx);
    const inserted = await insertAdmin(tx, { partnerId, email, passwordHash });
    if (!inserted) return { created: false };
    await recordAudit(tx, {
      partnerId,
      actor: { kind: 'system' },
      action: 'user.seeded',
      target: { type: 'user', id: inserted.id, label: email },
    });
    return { created: true };
  });
}
