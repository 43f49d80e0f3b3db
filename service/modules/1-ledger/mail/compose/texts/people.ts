import type { MailData } from '../kinds.ts';
import { action, type Content, facts, small, text, type Voice } from './content.ts';
import { plainLine } from './plain.ts';

const hello = (fullName: string | null): string => {
  const name = plainLine(fullName ?? '', 80);
  return name === '' ? 'Hello,' : `Hello ${name},`;
};
const NOT_YOU = 'If this was not you, reset your password now and tell us: somebody else may know it.';

export function invitation(data: MailData['invitation'], { agency, when, link }: Voice): Content {
  const inviter = plainLine(data.inviterName ?? '', 80);
  const client = plainLine(data.clientName ?? '', 80);
  const who = inviter === '' ? agency : `${inviter} of ${agency}`;
  const place =
    data.invitationKind === 'client_user'
      ? `the portal of ${client === '' ? 'your business' : client}, where you see what your agents do`
      : data.invitationKind === 'owner'
        ? `the workspace of ${agency} as its owner`
        : `the team of ${agency}`;
  return {
    subject: data.invitationKind === 'owner' ? `Your workspace for ${agency} is ready` : `${agency} invites you`,
    heading: data.invitationKind === 'owner' ? 'Your workspace is ready' : 'You are invited',
    blocks: [
      text(hello(data.fullName)),
      text(
        data.invitationKind === 'owner'
          ? `${agency} has a workspace. Choose a password to come in as its owner.`
          : `${who} invites you to ${place}. Choose a password, then you can sign in.`,
      ),
      action('Accept the invitation', link(data.acceptUrl)),
      small(`The link works once, until ${when(data.expiresAt)}. A newer invitation replaces it.`),
    ],
    reason: 'You get this mail because somebody gave your address for an invitation. If you expect none, you can ignore it.',
  };
}

export function passwordReset(data: MailData['password_reset'], { agency, when, link }: Voice): Content {
  return {
    subject: `Reset your password for ${agency}`,
    heading: 'Choose a new password',
    blocks: [
      text(hello(data.fullName)),
      text('Somebody asked to reset the password of this address. With this link you choose a new one:'),
      action('Choose a new password', link(data.resetUrl)),
      small(`The link works once, until ${when(data.expiresAt)}. Only the newest one works. All sessions end when the password changes.`),
    ],
    reason: 'If you did not ask for this, ignore it: without the link nothing changes.',
  };
}

export function passwordChanged({ at, how }: MailData['password_changed'], { agency, when, link }: Voice): Content {
  return {
    subject: `Your password for ${agency} was changed`,
    heading: 'Your password was changed',
    blocks: [
      text(how === 'reset' ? 'A new password was chosen through a reset link.' : 'Your password was changed while you were signed in.'),
      facts(['When', when(at)]),
      text(NOT_YOU),
      action('Reset the password', link('/forgot-password')),
    ],
    reason: 'Mails about the safety of your account cannot be switched off.',
  };
}

export function mfaReset({ at, reason }: MailData['mfa_reset'], { agency, when, link }: Voice): Content {
  const why = plainLine(reason ?? '', 300);
  return {
    subject: `Two-step sign-in for ${agency} was reset`,
    heading: 'Two-step sign-in was reset',
    blocks: [
      text(
        'Our staff removed the second step from your account, and you were signed out everywhere. Your password alone signs you in now.',
      ),
      facts(['When', when(at)], ...(why === '' ? [] : [['Reason', why] as const])),
      text('Set it up again with your new device as soon as you can. If you did not ask for this, tell us at once.'),
      action('Sign in', link('/login')),
    ],
    reason: 'Mails about the safety of your account cannot be switched off.',
  };
}

export function recoveryCodesRenewed({ at }: MailData['recovery_codes_renewed'], { agency, when, link }: Voice): Content {
  return {
    subject: `Your recovery codes for ${agency} are new`,
    heading: 'Your recovery codes are new',
    blocks: [
      text('Ten new recovery codes were made for your account, and the old ones work no more. Keep the new ones in a safe place.'),
      facts(['When', when(at)]),
      text(NOT_YOU),
      action('Reset the password', link('/forgot-password')),
    ],
    reason: 'Mails about the safety of your account cannot be switched off.',
  };
}

export function mfaSwitched(isOn: boolean, at: Date, { agency, when, link }: Voice): Content {
  const word = isOn ? 'on' : 'off';
  return {
    subject: `Two-step sign-in for ${agency} is ${word}`,
    heading: `Two-step sign-in is ${word}`,
    blocks: [
      text(
        isOn
          ? 'From now on a code from your authenticator app is asked for when you sign in. Keep your recovery codes in a safe place.'
          : 'From now on your password alone signs you in.',
      ),
      facts(['When', when(at)]),
      text(NOT_YOU),
      action('Reset the password', link('/forgot-password')),
    ],
    reason: 'Mails about the safety of your account cannot be switched off.',
  };
}
