import type { MailData } from '../kinds.ts';
import { action, type Content, quote, small, text, type Voice } from './content.ts';
import { plainLine, plainLines } from './plain.ts';

const APPLIED = 'You get this mail because an application was sent with your address. If it was not you, you can ignore it.';

export function applicationReceived({ applicationKind }: MailData['application_received'], { agency }: Voice): Content {
  const what = applicationKind === 'trial' ? 'application for a trial' : 'application';
  return {
    subject: `We have your ${what}`,
    heading: 'Thank you for applying',
    blocks: [
      text(`We have your ${what} for ${agency}. A person reads each one, usually within one working day.`),
      text('You will get another mail with our answer. Until then there is nothing to do, and no account exists yet.'),
    ],
    reason: APPLIED,
  };
}

export function applicationKnownAddress(_data: MailData['application_known_address'], { agency, link }: Voice): Content {
  return {
    subject: `You already have an account`,
    heading: 'You already have an account',
    blocks: [
      text(`Somebody applied for ${agency} with this address, which has an account already. Nothing was changed.`),
      text('Sign in with it. If you do not know the password any more, choose a new one on the same page.'),
      action('Sign in', link('/login')),
    ],
    reason: APPLIED,
  };
}

export function applicationApproved(data: MailData['application_approved'], { agency, when, link }: Voice): Content {
  const name = plainLine(data.fullName ?? '', 80);
  return {
    subject: `Welcome: your workspace for ${agency} is ready`,
    heading: 'Your application was approved',
    blocks: [
      text(name === '' ? 'Hello,' : `Hello ${name},`),
      text(`${agency} has a workspace now. Choose a password to come in as its owner.`),
      ...(data.trialEndsAt === null ? [] : [text(`Your trial runs until ${when(data.trialEndsAt)}.`)]),
      action('Open the workspace', link(data.acceptUrl)),
      small(`The link works once, until ${when(data.expiresAt)}.`),
    ],
    reason: 'You get this mail because you applied for a workspace.',
  };
}

export function applicationRejected(data: MailData['application_rejected'], _voice: Voice): Content {
  const name = plainLine(data.fullName ?? '', 80);
  return {
    subject: 'About your application',
    heading: 'We cannot offer you a workspace',
    blocks: [
      text(name === '' ? 'Hello,' : `Hello ${name},`),
      text(
        `Thank you for applying for ${plainLine(data.companyName, 80) || 'your company'}. We cannot offer you a workspace at this time.`,
      ),
      ...quote(plainLines(data.note ?? '', 1000)),
      text('You are welcome to write to us if something has changed.'),
    ],
    reason: 'You get this mail because you applied for a workspace.',
  };
}
