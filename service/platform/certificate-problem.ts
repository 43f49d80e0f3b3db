/** Why the certificate of a TLS server was not accepted. */
export type CertificateProblem = 'other_name' | 'expired' | 'not_yet_valid' | 'unknown_issuer';

/** Codes of OpenSSL's verification, as Node names them. */
const ISSUER_CODES =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET|VERIFY|DECRYPT|DECODE)_\w+|INVALID_(CA|PURPOSE)|CERT_\w+)$/;

/** Returns why a connection failed on the server's certificate; null when it failed on something else. */
export function certificateProblem(error: unknown): CertificateProblem | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'other_name';
  if (code === 'CERT_HAS_EXPIRED') return 'expired';
  if (code === 'CERT_NOT_YET_VALID') return 'not_yet_valid';
  return ISSUER_CODES.test(code) ? 'unknown_issuer' : null;
}
