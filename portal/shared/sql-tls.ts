import type { CredentialData } from '@partner-portal/core/credential/credential.ts';

/** How a SQL database is reached, as forms offer it. */
export const TLS_CHOICES = ['verify', 'ca', 'any', 'off'] as const;
export type TlsChoice = (typeof TLS_CHOICES)[number];

/** Returns a choice of a form as the API takes it; `ca` is the CA certificate that was entered. */
export function sslOf(choice: TlsChoice, ca: string): CredentialData['postgres']['ssl'] {
  if (choice === 'ca') return { ca };
  return choice === 'any' ? { verify: false } : choice === 'verify';
}
