/** Proof that a browser logged in as a user before. See docs/behaviour/identity.md. */
export type DeviceProof = {
  userId: string;
  /** Kept when the proof is renewed, so that renewing gives no new attempts. */
  deviceId: string;
  issuedAt: Date;
  /** Whether that sign-in passed the second step of this service. */
  secondStep: boolean;
};

/** Users one browser can be known for: some people have several accounts, and a cookie has a limited size. */
export const KNOWN_USERS_MAX = 3;

/**
 * Returns the proof that counts for a user: the newest that was issued since the user's sessions were last ended and, if `secondStep` is
 * asked for, after a second step. Otherwise null. Proofs count in whole seconds, as sessions do.
 */
export function proofFor(
  proofs: readonly DeviceProof[],
  user: { id: string; sessionsValidFrom: Date },
  { secondStep = false }: { secondStep?: boolean } = {},
): DeviceProof | null {
  const validFrom = Math.floor(user.sessionsValidFrom.getTime() / 1000);
  const counting = proofs.filter(
    (proof) => proof.userId === user.id && proof.issuedAt.getTime() / 1000 >= validFrom && (proof.secondStep || !secondStep),
  );
  return counting.toSorted((a, b) => b.issuedAt.getTime() - a.issuedAt.getTime())[0] ?? null;
}
