import { createHmac } from 'node:crypto';

/**
 * Signs a delivery: HMAC-SHA256 over `<timestamp>.<body>` with the endpoint's whole secret (`whsec_` included), lowercase hex.
 * `body` is exactly what is sent.
 */
export function webhookSignature(secret: string, timestampSeconds: number, body: string): string {
  return hmac(secret, `${timestampSeconds}.${body}`);
}

/** Returns the value of the `X-Service-Signature` header: `t=<timestamp>,v1=<signature>`. */
export function webhookSignatureHeader(secret: string, timestampSeconds: number, body: string): string {
  return `t=${timestampSeconds},v1=${webhookSignature(secret, timestampSeconds, body)}`;
}

function hmac(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}
