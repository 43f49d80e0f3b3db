import { Secret, TOTP } from 'otpauth';

/** RFC 6238 with its defaults: six digits, a new code every 30 seconds. */
const SHAPE = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const SECRET_BYTES = 20;
/** Accepted steps before and after the current one: clocks differ. */
const WINDOW = 1;

/** Returns a new secret in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** Content of the QR code: the secret and the label shown in the app. */
export function totpUrl(secret: string, label: { issuer: string; email: string }): string {
  return new TOTP({ ...SHAPE, secret: Secret.fromBase32(secret), issuer: label.issuer, label: label.email }).toString();
}

/** Returns the 30-second step of a code, counted from 1970; null when it is not valid at `now`. */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime();
  const delta = TOTP.validate({ ...SHAPE, secret: Secret.fromBase32(secret), token: code, timestamp, window: WINDOW });
  return delta === null ? null : TOTP.counter({ period: SHAPE.period, timestamp }) + delta;
}
