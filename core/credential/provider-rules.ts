import type { Provider, SourceMode } from '@partner-portal/contract/vocabulary.ts';

/** What each provider's credential consists of and who may provide it, apart from how it is checked: pages show its title. Browser-safe. */

/** Providers with stored credentials; `code` is a step capability and has none. */
export type StoredProvider = Exclude<Provider, 'code'>;

export type FieldKind = 'key' | 'password' | 'account' | 'host' | 'port' | 'name' | 'tls';
type ProviderRule = { title: string; modes: readonly SourceMode[]; fields: { readonly [field: string]: FieldKind } };

const ANY_MODE = ['platform', 'byok'] as const;
const OWN_KEY = ['byok'] as const;
const API_KEY = { apiKey: 'key' } as const;

export const PROVIDER_RULES: { readonly [P in StoredProvider]: ProviderRule } = {
  openai: { title: 'OpenAI', modes: ANY_MODE, fields: API_KEY },
  anthropic: { title: 'Anthropic', modes: ANY_MODE, fields: API_KEY },
  calcom: { title: 'Cal.com', modes: OWN_KEY, fields: API_KEY },
  resend: { title: 'Resend', modes: OWN_KEY, fields: API_KEY },
  twilio: { title: 'Twilio', modes: OWN_KEY, fields: { accountSid: 'account', authToken: 'key' } },
  postgres: {
    title: 'SQL database',
    modes: OWN_KEY,
    fields: { host: 'host', port: 'port', database: 'name', user: 'name', password: 'password', ssl: 'tls' },
  },
};
