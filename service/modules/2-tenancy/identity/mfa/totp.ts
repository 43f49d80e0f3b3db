import { Secret, TOTP } from 'otpauth';

/** The usual authenticator app: six digits, a new code every 30 seconds (RFC 6238 with its defaults). */
const SHAPE = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const SECRET_BYTES = 20;
/** Steps before and after the present one whose code is taken too: clocks of phones differ. */
const WINDOW = 1;

/** A fresh secret, in the base32 that people type. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** What the QR code says: the secret, and under which name the app lists it. */
export function totpUrl(secret: string, label: { issuer: string; email: string }): string {
  return new TOTP({ ...SHAPE, secret: Secret.fromBase32(secret), issuer: label.issuer, label: label.email }).toString();
}

/** The 30-second step whose code this is, counted from 1970; null when it is none of those that are taken at `now`. */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime();
  const delta = TOTP.validate({ ...SHAPE, secret: Secret.fromBase32(secret), token: code, timestamp, window: WINDOW });
  return delta === null ? null : TOTP.counter({ period: SHAPE.period, timestamp }) + delta;
}
