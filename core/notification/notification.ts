import type { EmailPace, NotificationType, Role } from '@partner-portal/contract/vocabulary.ts';

/** Label, roles and default mail frequency of a notification type. Browser-safe. See docs/behaviour/notifications.md. */
export type NotificationRule = {
  label: string;
  roles: readonly Role[];
  email: EmailPace;
  /** The mail concerns the account itself and cannot be switched off. */
  emailFixed: boolean;
};

const rule = (label: string, roles: readonly Role[], email: EmailPace, emailFixed = false): NotificationRule => ({
  label,
  roles,
  email,
  emailFixed,
});

export const NOTIFICATION_RULES: Readonly<Record<NotificationType, NotificationRule>> = {
  alert_opened: rule('An alert opens', ['ADMIN', 'PARTNER'], 'now'),
  alert_resolved: rule('An alert is resolved', ['ADMIN', 'PARTNER'], 'now'),
  usage_threshold: rule('Credit use crosses a threshold', ['PARTNER'], 'now'),
  agent_request_submitted: rule('An agency requests an agent', ['ADMIN'], 'now'),
  agent_request_suggested: rule('A client suggests an agent', ['PARTNER'], 'now'),
  agent_request_resolved: rule('A request is decided or done', ['PARTNER', 'CLIENT'], 'daily'),
  agent_request_failed: rule('A requested agent could not be installed', ['ADMIN', 'PARTNER'], 'now'),
  text_suggested: rule('A client suggests another text', ['PARTNER'], 'daily'),
  text_suggestion_resolved: rule('Your agency decides about a text you suggested', ['CLIENT'], 'daily'),
  account_suspended: rule('An account is suspended', ['PARTNER', 'CLIENT'], 'now', true),
  payment_past_due: rule('A payment is past due', ['ADMIN', 'PARTNER'], 'now'),
  account_request: rule('A deletion or reactivation is requested', ['ADMIN', 'PARTNER'], 'now'),
  account_request_resolved: rule('A deletion or reactivation is decided', ['PARTNER', 'CLIENT'], 'now', true),
  export_ready: rule('An export is ready', ['ADMIN', 'PARTNER', 'CLIENT'], 'now'),
  conversation_handed_off: rule('A visitor waits for a person', ['PARTNER', 'CLIENT'], 'now'),
  invitation_accepted: rule('Someone accepts an invitation', ['PARTNER'], 'daily'),
  member_removed: rule('Someone is removed', ['PARTNER'], 'daily'),
  security: rule('Your password or second factor changes', ['ADMIN', 'PARTNER', 'CLIENT'], 'now', true),
};

/** Returns the notification types that can reach this role, in the order of the list. */
export function notificationTypesFor(role: Role): NotificationType[] {
  return (Object.keys(NOTIFICATION_RULES) as NotificationType[]) // the keys of a record over the type
    .filter((type) => NOTIFICATION_RULES[type].roles.includes(role));
}
