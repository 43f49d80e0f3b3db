import type { MailData } from '../kinds.ts';
import { action, type Content, facts, small, text, type TextContext } from './content.ts';
import { businessName, greeting, personName, plainLine } from './plain.ts';

export function invitation(data: MailData['invitation'], context: TextContext): Content {
  const { partnerName, when, link, t } = context;
  const inviter = personName(data.inviterName);
  const who = inviter === '' ? partnerName : t('mail.personOf', { person: inviter, agency: partnerName });
  const client = businessName(data.clientName) || t('mail.yourBusiness');
  const texts = {
    owner: {
      subject: `Your workspace for ${partnerName} is ready`,
      heading: 'Your workspace is ready',
      lead: `Your workspace for ${partnerName} is ready. Choose a password to log in as its owner.`,
    },
    team: {
      subject: t('mail.invitesYou', { agency: partnerName }),
      heading: t('mail.youAreInvited'),
      lead: `${who} invites you to the team of ${partnerName}. Accept the invitation to get started.`,
    },
    client_user: {
      subject: t('mail.invitesYou', { agency: partnerName }),
      heading: t('mail.youAreInvited'),
      lead: t('mail.invitesToPortal', { who, client }),
    },
  };
  const { subject, heading, lead } = texts[data.invitationKind];
  return {
    subject,
    heading,
    blocks: [
      text(greeting(data.fullName, t)),
      text(lead),
      ...(data.hasAccount ? [text(t('mail.hasAccount', { who }))] : []),
      action(t('mail.accept'), link(data.acceptUrl)),
      small(t('mail.linkOnce', { when: when(data.expiresAt) })),
    ],
    reason: t('mail.invitedReason'),
  };
}

export function passwordReset(data: MailData['password_reset'], { partnerName, when, link, t }: TextContext): Content {
  return {
    subject: t('mail.resetSubject', { agency: partnerName }),
    heading: t('mail.newPassword'),
    blocks: [
      text(greeting(data.fullName, t)),
      text(t('mail.resetLead')),
      action(t('mail.newPassword'), link(data.resetUrl)),
      small(t('mail.resetOnce', { when: when(data.expiresAt) })),
    ],
    reason: t('mail.resetReason'),
  };
}

export function passwordChanged({ at, how }: MailData['password_changed'], { partnerName, when, link, t }: TextContext): Content {
  return {
    subject: t('mail.changedSubject', { agency: partnerName }),
    heading: t('mail.changedHeading'),
    blocks: [
      text(t(how === 'reset' ? 'mail.changedByLink' : 'mail.changedSignedIn')),
      facts([t('mail.when'), when(at)]),
      text(t('mail.notYou')),
      action(t('mail.resetPassword'), link('/forgot-password')),
    ],
    reason: t('mail.security'),
  };
}

/** The change that staff made to the login of a user, and why. */
export function helpedByStaff(
  what: 'mfaReset' | 'signedOut',
  { at, reason }: { at: Date; reason: string | null },
  context: TextContext,
): Content {
  const { partnerName, when, link, t } = context;
  const why = plainLine(reason ?? '', 300);
  return {
    subject: t(`mail.${what}Subject`, { agency: partnerName }),
    heading: t(`mail.${what}Heading`),
    blocks: [
      text(t(`mail.${what}Lead`)),
      facts([t('mail.when'), when(at)], ...(why === '' ? [] : [[t('mail.reasonLabel'), why] as const])),
      text(t(`mail.${what}Next`)),
      action(t('mail.signIn'), link('/login')),
    ],
    reason: t('mail.security'),
  };
}

export function recoveryCodesRenewed({ at }: MailData['recovery_codes_renewed'], { partnerName, when, link, t }: TextContext): Content {
  return {
    subject: t('mail.codesSubject', { agency: partnerName }),
    heading: t('mail.codesHeading'),
    blocks: [
      text(t('mail.codesLead')),
      facts([t('mail.when'), when(at)]),
      text(t('mail.notYou')),
      action(t('mail.resetPassword'), link('/forgot-password')),
    ],
    reason: t('mail.security'),
  };
}

export function mfaSwitched(isOn: boolean, at: Date, { partnerName, when, link, t }: TextContext): Content {
  return {
    subject: t(isOn ? 'mail.mfaOnSubject' : 'mail.mfaOffSubject', { agency: partnerName }),
    heading: t(isOn ? 'mail.mfaOnHeading' : 'mail.mfaOffHeading'),
    blocks: [
      text(t(isOn ? 'mail.mfaOnLead' : 'mail.mfaOffLead')),
      facts([t('mail.when'), when(at)]),
      text(t('mail.notYou')),
      action(t('mail.resetPassword'), link('/forgot-password')),
    ],
    reason: t('mail.security'),
  };
}
