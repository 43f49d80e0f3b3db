import { ApiError } from '@house/contract/client.ts';
import type { Problem } from '@house/contract/errors.ts';
import type { SignedIn } from './login-form.tsx';

/**
 * POST /auth/mfa/verify (specification, Authentication routes): `{ tempToken, token }` gives a session.
 * Called by hand because the route table gains the route together with MFA itself; the page is reached only when a login answers `mfaRequired`.
 */
export async function callMfaVerify(body: { tempToken: string; token: string }): Promise<SignedIn> {
  const response = await fetch('/auth/mfa/verify', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw new ApiError(response.status, answer as Problem | undefined, undefined); // the error shape is the server's promise
  return answer as SignedIn; // the success shape is the specification's
}
