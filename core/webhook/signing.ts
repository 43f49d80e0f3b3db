import { createHmac } from 'node:crypto';

/**
 * The signature of an outbound delivery: HMAC-SHA256 keyed by the endpoint's secret (its whole text, `whsec_` included) over
 * `<timestamp>.<body>`, lowercase hex. `body` is exactly what is sent. Source: specification, Outbound webhook signing.
 */
export function webhookSignature(secret: string, timestampSeconds: number, body: string): string {
  return hmac(secret, `${timestampSeconds}.${body}`);
}

/** The header `X-Service-Signature` of such a delivery: `t=<timestamp>,v1=<signature>`. */
export function webhookSignatureHeader(secret: string, timestampSeconds: number, body: string): string {
  return `t=${timestampSeconds},v1=${webhookSignature(secret, timestampSeconds, body)}`;
}

function hmac(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}
