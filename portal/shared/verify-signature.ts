/**
 * Checks the signature of a delivery in the browser, as a receiver would: HMAC-SHA256 over `<t>.<raw body>`, keyed by the whole
 * secret. Nothing leaves the page. See docs/behaviour/webhooks.md.
 */

export type Verdict =
  | { result: 'matches'; ageSeconds: number; isOld: boolean }
  | { result: 'header_unreadable' }
  | { result: 'differs'; because: Cause | null }
  /** The secret fits what was sent; the pasted body differs from it at this character, counted from 1. */
  | { result: 'body_changed'; at: number };

/**
 * Why a signature does not match. The last three are known only where what was sent is known: the secret does not fit it, the time in the
 * header is another than the one that was signed, or nothing that was sent has this signature.
 */
export type Cause = 'line_break' | 'reformatted' | 'secret_blanks' | 'secret' | 'time_changed' | 'not_sent';

export type Pasted = { body: string; header: string; secret: string };
/** The signed bytes and the signature header of an attempt. */
export type Sent = { body: string; header: string };

/**
 * `nowSeconds` is the reader's clock; a signature older or younger than `toleranceSeconds` counts as old. `sent` is what is known to have been
 * sent to the endpoint; empty where nothing is known.
 */
export async function verifySignature(
  pasted: Pasted,
  nowSeconds: number,
  toleranceSeconds: number,
  sent: readonly Sent[] = [],
): Promise<Verdict> {
  const header = readHeader(pasted.header);
  if (!header) return { result: 'header_unreadable' };
  const holds = (body: string, secret: string): Promise<boolean> => isSigned(`${header.time}.${body}`, secret, header.signature);
  const { body, secret } = pasted;
  if (await holds(body, secret)) {
    const ageSeconds = Math.round(nowSeconds - Number(header.time));
    return { result: 'matches', ageSeconds, isOld: Math.abs(ageSeconds) > toleranceSeconds };
  }
  const tries: [Cause, string, string][] = [
    ['secret_blanks', body, secret.trim()],
    ['line_break', body.trim(), secret.trim()],
    ['reformatted', compact(body), secret.trim()],
  ];
  for (const [because, otherBody, otherSecret] of tries) if (await holds(otherBody, otherSecret)) return { result: 'differs', because };
  if (sent.length === 0) return { result: 'differs', because: null };
  const original = sent.find((one) => readHeader(one.header)?.signature === header.signature);
  if (!original) return { result: 'differs', because: 'not_sent' };
  if (readHeader(original.header)?.time !== header.time) return { result: 'differs', because: 'time_changed' };
  if (await holds(original.body, secret.trim())) return { result: 'body_changed', at: firstDifference(body, original.body) };
  return { result: 'differs', because: 'secret' };
}

/** `t=<seconds>,v1=<64 hex>`, with or without the header's name before it. */
export function readHeader(text: string): { time: string; signature: string } | undefined {
  const [, time, signature] = /^(?:x-service-signature:\s*)?t=([0-9]{1,15}),v1=([0-9a-f]{64})$/i.exec(text.trim()) ?? [];
  return time && signature ? { time, signature: signature.toLowerCase() } : undefined;
}

async function isSigned(text: string, secret: string, signature: string): Promise<boolean> {
  // Web Crypto rejects an empty key.
  if (secret === '') return false;
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  return crypto.subtle.verify(
    'HMAC',
    key,
    Uint8Array.from(signature.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)),
    encoder.encode(text),
  );
}

/** Returns compact JSON, or the text itself if it is not JSON. */
function compact(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return body;
  }
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1;
  return at + 1;
}
