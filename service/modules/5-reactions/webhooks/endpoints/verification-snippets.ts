/**
 * Snippets that verify a signature, ready to copy: HMAC-SHA256 over `<t>.<raw body>`, compared in constant time, with a window for `t`
 * against replays. A test next to this file runs each.
 */
export const TOLERANCE_SECONDS = 300;

const node = `import { createHmac, timingSafeEqual } from 'node:crypto';

// body: the raw bytes of the request (express.raw({ type: '*/*' })), not what a JSON parser made of them.
// header: X-Service-Signature. secret: the endpoint's secret, whole, "whsec_" included.
export function isSigned(body, header, secret, toleranceSeconds = ${TOLERANCE_SECONDS}) {
  const match = /^t=([0-9]+),v1=([0-9a-f]{64})$/.exec(header ?? '');
  if (!match || Math.abs(Date.now() / 1000 - Number(match[1])) > toleranceSeconds) return false;
  const expected = createHmac('sha256', secret).update(match[1] + '.').update(body).digest();
  return timingSafeEqual(expected, Buffer.from(match[2], 'hex'));
}
`;

const python = `import hashlib
import hmac
import re
import time


# body: the raw bytes of the request (Flask: request.get_data(), Django: request.body), not parsed JSON.
# header: X-Service-Signature. secret: the endpoint's secret, whole, "whsec_" included.
def is_signed(body: bytes, header: str, secret: str, tolerance_seconds: int = ${TOLERANCE_SECONDS}) -> bool:
    match = re.fullmatch(r"t=([0-9]+),v1=([0-9a-f]{64})", header or "")
    if match is None or abs(time.time() - int(match[1])) > tolerance_seconds:
        return False
    expected = hmac.new(secret.encode(), match[1].encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, match[2])
`;

const php = `<?php

// $body: the raw request, file_get_contents('php://input'), not decoded JSON.
// $header: $_SERVER['HTTP_X_SERVICE_SIGNATURE']. $secret: the endpoint's secret, whole, "whsec_" included.
function is_signed(string $body, ?string $header, string $secret, int $toleranceSeconds = ${TOLERANCE_SECONDS}): bool
{
    if (!preg_match('/\\At=([0-9]+),v1=([0-9a-f]{64})\\z/', $header ?? '', $match)) {
        return false;
    }
    if (abs(time() - (int) $match[1]) > $toleranceSeconds) {
        return false;
    }
    return hash_equals(hash_hmac('sha256', $match[1] . '.' . $body, $secret), $match[2]);
}
`;

const ruby = `require 'openssl'

# body: the raw request (Rails: request.raw_post, Rack: request.body.read), not parsed JSON.
# header: X-Service-Signature. secret: the endpoint's secret, whole, "whsec_" included.
def signed?(body, header, secret, tolerance_seconds = ${TOLERANCE_SECONDS})
  match = /\\At=([0-9]+),v1=([0-9a-f]{64})\\z/.match(header.to_s)
  return false if match.nil? || (Time.now.to_i - match[1].to_i).abs > tolerance_seconds

  expected = OpenSSL::HMAC.hexdigest('SHA256', secret, "#{match[1]}.".b + body.b)
  OpenSSL.fixed_length_secure_compare(expected, match[2])
end
`;

export const SNIPPETS = [
  { language: 'node', label: 'Node.js', code: node },
  { language: 'python', label: 'Python', code: python },
  { language: 'php', label: 'PHP', code: php },
  { language: 'ruby', label: 'Ruby', code: ruby },
] as const;
