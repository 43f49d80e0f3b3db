import type { Connection } from './queries.ts';

export const PROVIDERS = ['okta', 'entra', 'google', 'keycloak', 'lemonldap', 'simplesamlphp', 'other'] as const;
export type ProviderKind = (typeof PROVIDERS)[number];

/** One setup step at the provider, with an optional value to paste. */
export type ProviderStep = { text: string; copy?: Copy };
/** `facts`: what the provider sends by default, and what has to be set. `isTried`: we set this product up with the provider by this guide. */
export type Guide = {
  steps: readonly ProviderStep[];
  facts: readonly (readonly [name: string, text: string])[];
  warning?: string;
  isTried: boolean;
};
export type Guides = Record<ProviderKind, (values: GuideValues) => Guide>;

export type GuideValues = Pick<Connection, 'acsUrl' | 'entityId' | 'callbackUrl' | 'loginUrl'>;

type Copy = { label: string; value: string };

/** Our values, under the name of the provider's field. */
export const redirect = (label: string, { callbackUrl }: Pick<Connection, 'callbackUrl'>): Copy => ({ label, value: callbackUrl });
export const acs = (label: string, { acsUrl }: Pick<Connection, 'acsUrl'>): Copy => ({ label, value: acsUrl });
export const entity = (label: string, { entityId }: Pick<Connection, 'entityId'>): Copy => ({ label, value: entityId });
export const start = (label: string, { loginUrl }: Pick<Connection, 'loginUrl'>): Copy => ({ label, value: loginUrl });
