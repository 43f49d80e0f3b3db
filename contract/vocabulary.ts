/**
 * The enumerations of the product, a file for each noun. Schemas, rules and screens refer to these lists; columns repeat them as `check` constraints.
 */

// A file of its own: the login page loads it, and no other list.
export { LOCALES, type Locale } from './locales.ts';
export * from './vocabulary/accounts.ts';
export * from './vocabulary/agents.ts';
export * from './vocabulary/alerts.ts';
export * from './vocabulary/billing.ts';
export * from './vocabulary/conversations.ts';
export * from './vocabulary/credentials.ts';
export * from './vocabulary/domains.ts';
export * from './vocabulary/executions.ts';
export * from './vocabulary/files.ts';
export * from './vocabulary/limits.ts';
export * from './vocabulary/mail.ts';
export * from './vocabulary/notifications.ts';
export * from './vocabulary/onboarding.ts';
export * from './vocabulary/people.ts';
export * from './vocabulary/provisioning.ts';
export * from './vocabulary/sso.ts';
export * from './vocabulary/tables.ts';
export * from './vocabulary/trust.ts';
export * from './vocabulary/webhooks.ts';
