import { ACCOUNTS_ACTIONS } from './audit-actions/accounts.ts';
import { AGENTS_ACTIONS } from './audit-actions/agents.ts';
import { ALERTS_ACTIONS } from './audit-actions/alerts.ts';
import { BILLING_ACTIONS } from './audit-actions/billing.ts';
import { CLIENTS_ACTIONS } from './audit-actions/clients.ts';
import { CONVERSATIONS_ACTIONS } from './audit-actions/conversations.ts';
import { CREDENTIALS_ACTIONS } from './audit-actions/credentials.ts';
import { EXECUTIONS_ACTIONS } from './audit-actions/executions.ts';
import { MAIL_ACTIONS } from './audit-actions/mail.ts';
import { PEOPLE_ACTIONS } from './audit-actions/people.ts';
import { PROVISIONING_ACTIONS } from './audit-actions/provisioning.ts';
import { SSO_ACTIONS } from './audit-actions/sso.ts';
import { WEBHOOKS_ACTIONS } from './audit-actions/webhooks.ts';

export type { AuditTexts } from './audit-actions/texts.ts';

/**
 * Every action of the audit log, with the texts it is shown with: a file for each noun. Routes and use-cases can record only these; a new action
 * needs its texts in one of the files.
 */
export const AUDIT_ACTIONS = {
  ...PEOPLE_ACTIONS,
  ...ACCOUNTS_ACTIONS,
  ...MAIL_ACTIONS,
  ...BILLING_ACTIONS,
  ...CONVERSATIONS_ACTIONS,
  ...CLIENTS_ACTIONS,
  ...SSO_ACTIONS,
  ...AGENTS_ACTIONS,
  ...EXECUTIONS_ACTIONS,
  ...CREDENTIALS_ACTIONS,
  ...PROVISIONING_ACTIONS,
  ...WEBHOOKS_ACTIONS,
  ...ALERTS_ACTIONS,
} as const;

export type AuditAction = keyof typeof AUDIT_ACTIONS;
export const AUDIT_ACTION_NAMES = Object.keys(AUDIT_ACTIONS) as [AuditAction, ...AuditAction[]]; // the keys of the table itself

export const AUDIT_ACTOR_TYPES = ['user', 'staff', 'system'] as const;
