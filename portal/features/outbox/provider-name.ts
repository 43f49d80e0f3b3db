import { PROVIDERS as KNOWN } from '@partner-portal/contract/vocabulary.ts';
import { PROVIDERS } from '../../shared/labels.ts';

/** Services that the sandbox simulates. */
export const SENDERS = KNOWN.filter((provider) => provider !== 'code' && provider !== 'postgres');

export function nameOf(provider: string): string {
  const known = KNOWN.find((one) => one === provider);
  if (known) return PROVIDERS[known].name;
  return provider === 'receiver' ? 'Webhook receiver' : provider;
}
