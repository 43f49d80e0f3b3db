import type { MailData } from '../kinds.ts';
import { action, type Content, quote, small, text, type TextContext } from './content.ts';
import { businessName, greeting, plainLines } from './plain.ts';

const APPLIED = 'You are receiving this e-mail because someone applied with your address. If it was not you, you can ignore it.';
const APPLICANT = 'You are receiving this e-mail because you applied for a workspace.';

export function applicationReceived({ applicationKind }: MailData['application_received'], { partnerName }: TextContext): Content {
  const what = applicationKind === 'trial' ? 'trial application' : 'application';
  return {
    subject: `We received your ${what}`,
    heading: 'Thank you for applying',
    blocks: [
      text(`We received your ${what} for ${partnerName}. We review every application, usually within one working day.`),
      text('We will e-mail you our decision. There is nothing to do until then, and no account has been created yet.'),
    ],
    reason: APPLIED,
  };
}

export function applicationKnownAddress(_data: MailData['application_known_address'], { partnerName, link }: TextContext): Content {
  return {
    subject: `You already have an account`,
    heading: 'You already have an account',
    blocks: [
      text(`Someone applied for ${partnerName} with this address, which already has an account. Nothing has changed.`),
      text('Log in with this address. If you forgot your password, reset it on the login page.'),
      action('Log in', link('/login')),
    ],
    reason: APPLIED,
  };
}

export function applicationApproved(data: MailData['application_approved'], { partnerName, when, link, t }: TextContext): Content {
  return {
    subject: `Welcome! Your workspace for ${partnerName} is ready`,
    heading: 'Your application was approved',
    blocks: [
      text(greeting(data.fullName, t)),
      text(`Your workspace for ${partnerName} is ready. Choose a password to log in as its owner.`),
      ...(data.trialEndsAt === null ? [] : [text(`Your trial ends on ${when(data.trialEndsAt)}.`)]),
      action('Open workspace', link(data.acceptUrl)),
      small(`This link works once and expires on ${when(data.expiresAt)}.`),
    ],
    reason: APPLICANT,
  };
}

export function applicationRejected(data: MailData['application_rejected'], { t }: TextContext): Content {
  return {
    subject: 'About your application',
    heading: 'We cannot offer you a workspace',
    blocks: [
      text(greeting(data.fullName, t)),
      text(`Thank you for applying for ${businessName(data.companyName) || 'your company'}. We cannot offer you a workspace at this time.`),
      ...quote(plainLines(data.note ?? '', 1000)),
      text('If anything changes, please get in touch.'),
    ],
    reason: APPLICANT,
  };
}

export function planRequestRejected(data: MailData['plan_request_rejected'], { partnerName, link, t }: TextContext): Content {
  return {
    subject: `Your plan request for ${partnerName} was rejected`,
    heading: 'Your plan request was rejected',
    blocks: [
      text(greeting(data.fullName, t)),
      text(`Other terms were requested for ${partnerName}. Your plan stays as it is.`),
      ...quote(plainLines(data.note ?? '', 1000)),
      action('View plan', link(data.href)),
    ],
    reason: `You are receiving this e-mail because other terms were requested for ${partnerName}.`,
  };
}
