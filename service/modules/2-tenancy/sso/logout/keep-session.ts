import { createHash } from 'node:crypto';
import { createSealer, type DataKeys } from '#modules/1-ledger/data-keys/index.ts';
import type { OidcLogout } from '#adapters/oidc.ts';
import type { SamlSubject } from '#adapters/saml.ts';
import type { SystemTx } from '#platform/db/tx.ts';
import { newId } from '#platform/ids.ts';
import type { ConnectionRow } from '../store.ts';
import { insertProviderSession, type SealedProof } from '../store-provider-sessions.ts';

/** The data that ends the session at the provider. `provider`: its entity id or issuer, since a connection may get another one meanwhile. */
export type LogoutProof = { provider: string } & ({ protocol: 'oidc'; logout: OidcLogout } | { protocol: 'saml'; subject: SamlSubject });

const sealer = (dataKeys: DataKeys) =>
  createSealer(dataKeys, { use: 'sso-session', describe: ({ partnerId }) => `A session at the provider of partner ${partnerId}` });
const rowOf = (partnerId: string, id: string) => ({ partnerId, place: id });

/**
 * Keeps what a log-out at the provider takes, sealed, and hashes of what the provider will name when it ends the session. Returns its id; until it is
 * bound to a session it ends with the one-time code.
 */
export async function keepSession(
  dataKeys: DataKeys,
  tx: SystemTx,
  connection: ConnectionRow,
  proof: LogoutProof,
  { userId, expiresAt }: { userId: string; expiresAt: Date },
): Promise<string> {
  const { partnerId } = connection;
  const id = newId();
  const { sealed, keyId } = await sealer(dataKeys).seal(tx, rowOf(partnerId, id), JSON.stringify(proof), connection);
  const subject = proof.protocol === 'saml' ? proof.subject : null;
  await insertProviderSession(tx, {
    id,
    partnerId,
    userId,
    subjectHash: subject && hashName(proof.provider, subject.nameId),
    indexHash: subject?.sessionIndex ? hashName(proof.provider, subject.sessionIndex) : null,
    proofSealed: sealed,
    proofKeyId: keyId,
    expiresAt,
  });
  return id;
}

/** Opens what was kept; null when the connection has another provider now. Throws `SealFault`. */
export function openProof(dataKeys: DataKeys, connection: ConnectionRow, { id, proofSealed, proofKeyId }: SealedProof): LogoutProof | null {
  const text = sealer(dataKeys).open(rowOf(connection.partnerId, id), { sealed: proofSealed, keyId: proofKeyId }, connection);
  const proof = JSON.parse(text) as LogoutProof; // sealed by keepSession
  return proof.provider === (connection.issuer ?? connection.idpEntityId) ? proof : null;
}

/** Hashes a name id or a session index of a provider. */
export function hashName(provider: string, name: string): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([provider, name]))
    .digest();
}
