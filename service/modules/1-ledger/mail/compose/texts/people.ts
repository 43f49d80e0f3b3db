import type { MailData } from '../kinds.ts';
import { action, type Content, facts, small, text, type TextContext } from './content.ts';
import { businessName, greeting, personName, plainLine } from './plain.ts';

const SECURITY = 'Security emails cannot be turned off.';
const NOT_YOU = 'If this was not you, reset your password now and contact us: someone else may know your password.';

export function invitation(data: MailData['invitation'], { partnerName, when, link }: TextContext): Content {
  const inviter = personName(data.inviterName);
  const client = businessName(data.clientName);
  const who = inviter === '' ? partnerName : `${inviter} of ${partnerName}`;
  const where =
    data.invitationKind === 'client_user'
      ? `the portal of ${client === '' ? 'your business' : client}, where you can see what your agents do`
      : `the team of ${partnerName}`;
  return {
    subject: data.invitationKind === 'owner' ? `Your workspace for ${partnerName} is ready` : `${partnerName} invites you`,
    heading: data.invitationKind === 'owner' ? 'Your workspace is ready' : 'You are invited',
    blocks: [
      text(greeting(data.fullName)),
      text(
        data.invitationKind === 'owner'
          ? `Your workspace for ${partnerName} is ready. Choose a password to sign in as its owner.`
          : `${who} invites you to ${where}. Choose a password to get started.`,
      ),
      action('Accept invitation', link(data.acceptUrl)),
      small(`This link works once and expires on ${when(data.expiresAt)}. A newer invitation replaces it.`),
    ],
    reason: 'You are receiving this email because someone invited this address. If you were not expecting it, you can ignore it.',
  };
}

export function passwordReset(data: MailData['password_reset'], { partnerName, when, link }: TextContext): Content {
  return {
    subject: `Reset your password for ${partnerName}`,
    heading: 'Choose a new password',
    blocks: [
      text(greeting(data.fullName)),
      text('Someone requested a password reset for this address. Use this link to choose a new password:'),
      action('Choose a new password', link(data.resetUrl)),
      small(
        `This link works once and expires on ${when(data.expiresAt)}. Only the newest link works. Changing your password signs you out everywhere.`,
      ),
    ],
    reason: 'If you did not request this, ignore this email: your password stays the same.',
  };
}

export function passwordChanged({ at, how }: MailData['password_changed'], { partnerName, when, link }: TextContext): Content {
  return {
    subject: `Your password for ${partnerName} was changed`,
    heading: 'Your password was changed',
    blocks: [
      text(how === 'reset' ? 'Your password was changed with a reset link.' : 'Your password was changed while you were signed in.'),
      facts(['When', when(at)]),
      text(NOT_YOU),
      action('Reset password', link('/forgot-password')),
    ],
    reason: SECURITY,
  };
}

export function mfaReset({ at, reason }: MailData['mfa_reset'], { partnerName, when, link }: TextContext): Content {
  const why = plainLine(reason ?? '', 300);
  return {
    subject: `Two-step sign-in for ${partnerName} was reset`,
    heading: 'Two-step sign-in was reset',
    blocks: [
      text('Our staff removed two-step sign-in from your account and signed you out everywhere. You now sign in with your password alone.'),
      facts(['When', when(at)], ...(why === '' ? [] : [['Reason', why] as const])),
      text('Set it up again on your new device as soon as you can. If you did not request this, contact us immediately.'),
      action('Sign in', link('/login')),
    ],
    reason: SECURITY,
  };
}

export function recoveryCodesRenewed({ at }: MailData['recovery_codes_renewed'], { partnerName, when, link }: TextContext): Content {
  return {
    subject: `Your recovery codes for ${partnerName} were replaced`,
    heading: 'Your recovery codes were replaced',
    blocks: [
      text('Ten new recovery codes were created for your account. The old ones no longer work. Keep the new ones in a safe place.'),
      facts(['When', when(at)]),
      text(NOT_YOU),
      action('Reset password', link('/forgot-password')),
    ],
    reason: SECURITY,
  };
}

export function mfaSwitched(isOn: boolean, at: Date, { partnerName, when, link }: TextContext): Content {
  const state = isOn ? 'on' : 'off';
  return {
    subject: `Two-step sign-in for ${partnerName} is ${state}`,
    heading: `Two-step sign-in is ${state}`,
    blocks: [
      text(
        isOn
          ? 'From now on you need a code from your authenticator app to sign in. Keep your recovery codes in a safe place.'
          : 'From now on you sign in with your password alone.',
      ),
      facts(['When', when(at)]),
      text(NOT_YOU),
      action('Reset password', link('/forgot-password')),
    ],
    reason: SECURITY,
  };
}
