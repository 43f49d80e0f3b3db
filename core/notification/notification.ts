import type { EmailPace, NotificationType, PartnerRole, Role } from '@partner-portal/contract/vocabulary.ts';

/** Recipients and default mail frequency of a notification type. Browser-safe. See docs/behaviour/notifications.md. */
export type NotificationRule = {
  roles: readonly Role[];
  email: EmailPace;
  /** The mail concerns the account itself and cannot be switched off. */
  emailFixed: boolean;
  /** In an agency it reaches admins alone: moderators neither decide about accounts nor export them. */
  isForAdmins: boolean;
};

const rule = (
  roles: readonly Role[],
  email: EmailPace,
  { emailFixed = false, isForAdmins = false }: Partial<Pick<NotificationRule, 'emailFixed' | 'isForAdmins'>> = {},
): NotificationRule => ({ roles, email, emailFixed, isForAdmins });

export const NOTIFICATION_RULES: Readonly<Record<NotificationType, NotificationRule>> = {
  alert_opened: rule(['ADMIN', 'PARTNER'], 'now'),
  alert_resolved: rule(['ADMIN', 'PARTNER'], 'now'),
  usage_threshold: rule(['PARTNER'], 'now'),
  agent_request_submitted: rule(['ADMIN'], 'now'),
  agent_request_suggested: rule(['PARTNER'], 'now'),
  agent_request_resolved: rule(['PARTNER', 'CLIENT'], 'daily'),
  agent_request_failed: rule(['ADMIN', 'PARTNER'], 'now'),
  text_suggested: rule(['PARTNER'], 'daily'),
  text_suggestion_resolved: rule(['CLIENT'], 'daily'),
  account_suspended: rule(['PARTNER', 'CLIENT'], 'now', { emailFixed: true }),
  payment_past_due: rule(['ADMIN', 'PARTNER'], 'now'),
  plan_kept: rule(['ADMIN', 'PARTNER'], 'now'),
  account_request: rule(['ADMIN', 'PARTNER'], 'now', { isForAdmins: true }),
  account_request_resolved: rule(['PARTNER', 'CLIENT'], 'now', { emailFixed: true, isForAdmins: true }),
  export_ready: rule(['ADMIN', 'PARTNER', 'CLIENT'], 'now', { isForAdmins: true }),
  conversation_handed_off: rule(['PARTNER', 'CLIENT'], 'now'),
  invitation_accepted: rule(['PARTNER'], 'daily'),
  member_removed: rule(['PARTNER'], 'daily'),
  security: rule(['ADMIN', 'PARTNER', 'CLIENT'], 'now', { emailFixed: true }),
};

/** Returns the notification types that can reach this role, in the order of the list; without `partnerRole` those of an agency’s admins. */
export function notificationTypesFor(role: Role, partnerRole: PartnerRole | null = null): NotificationType[] {
  return (Object.keys(NOTIFICATION_RULES) as NotificationType[]) // the keys of a record over the type
    .filter((type) => NOTIFICATION_RULES[type].roles.includes(role))
    .filter((type) => partnerRole !== 'moderator' || !NOTIFICATION_RULES[type].isForAdmins);
}
