import type { StrangerCaps } from '@partner-portal/core/mail/strangers.ts';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import type { RateWindow } from '#platform/http/rate-limit.ts';

const LOGIN_WINDOW_SECONDS = LIMITS.loginFailureWindowMinutes * 60;

/** Returns every rate limit of the service by name. Rules: docs/behaviour/api-conventions.md, docs/behaviour/identity.md. */
export function rateLimitWindows({
  callerRequestsPerMinute = LIMITS.callerRequestsPerMinute,
  partnerRequestsPerMinute = LIMITS.partnerRequestsPerMinute,
  strangerMail = { perAddress: 10_000, perNetwork: 10_000, perPlatform: 10_000 },
}: {
  callerRequestsPerMinute?: number | undefined;
  partnerRequestsPerMinute?: number | undefined;
  /** So high that no test reaches them by chance; the service takes them from its settings. */
  strangerMail?: StrangerCaps | undefined;
} = {}) {
  return {
    // By the route table (`limit`), and all requests of one partner together.
    caller: { points: callerRequestsPerMinute, seconds: 60 },
    register: { points: LIMITS.registerRequestsPerMinute, seconds: 60 },
    file: { points: LIMITS.fileRequestsPerMinute, seconds: 60 },
    /** Reads of a widget; what a visitor sends is counted by its route, for the visitor, the chatbot and the agency. */
    visitor: { points: LIMITS.callerRequestsPerMinute * 3, seconds: 60 },
    visitorMessage: { points: LIMITS.visitorMessagesPerMinute, seconds: 60 },
    /** All visitors of a chatbot behind one address: an id of a visitor is free to choose. */
    visitorAddress: { points: LIMITS.visitorMessagesPerMinute * 3, seconds: 60 },
    visitorAddressDay: { points: LIMITS.addressMessagesPerDay, seconds: 86_400 },
    chatbotMessage: { points: LIMITS.chatbotMessagesPerMinute, seconds: 60 },
    partnerMessage: { points: LIMITS.partnerMessagesPerMinute, seconds: 60 },
    chatRunContact: { points: LIMITS.chatRunsPerContactPerDay, seconds: 86_400 },
    chatRunAddress: { points: LIMITS.chatRunsPerAddressPerHour, seconds: 3600 },
    chatRunChatbot: { points: LIMITS.chatRunsPerChatbotPerHour, seconds: 3600 },
    mfaVerify: { points: LIMITS.mfaVerifyRequestsPerMinute, seconds: 60 },
    ingest: { points: LIMITS.ingestRequestsPerMinute, seconds: 60 },
    clientTrigger: { points: LIMITS.clientTriggersPerMinute, seconds: 60 },
    clientTriggerOfAll: { points: LIMITS.clientTriggersOfAllPerMinute, seconds: 60 },
    clientTriggerOfAllHour: { points: LIMITS.clientTriggersOfAllPerHour, seconds: 3600 },
    tenant: { points: partnerRequestsPerMinute, seconds: 60, code: 'partner_throttled' },
    /** Failed sign-ins for one e-mail from one network address, from one network address for any e-mail, and for one e-mail from anywhere. */
    loginFailure: { points: LIMITS.loginFailuresPerAddress, seconds: LOGIN_WINDOW_SECONDS },
    loginFailureOfAddress: { points: LIMITS.loginFailuresPerAddress * 10, seconds: LOGIN_WINDOW_SECONDS },
    loginFailureOfAccount: { points: LIMITS.loginFailuresPerAccount, seconds: LOGIN_WINDOW_SECONDS },
    /** Beyond the last of these: passwords that come with a proof of work, for one e-mail from anywhere and from one network. Each proof works once. */
    loginProofOfAccount: { points: LIMITS.loginProofsPerAccount, seconds: LOGIN_WINDOW_SECONDS },
    loginProof: { points: LIMITS.loginProofsPerNetwork, seconds: LOGIN_WINDOW_SECONDS },
    loginProofUse: { points: 1, seconds: LIMITS.loginProofMinutes * 60 },
    /** Failed sign-ins from a device that is known for the user, which count for no one else. */
    loginFailureOfDevice: { points: LIMITS.loginFailuresPerAddress, seconds: LOGIN_WINDOW_SECONDS },
    /** Wrong codes of one user's second step, over all sign-ins and sessions. */
    mfaFailure: { points: LIMITS.mfaFailuresPerHour, seconds: 3600 },
    mfaFailureOfDevice: { points: LIMITS.mfaFailuresPerHour, seconds: 3600 },
    /** Password reset links: for one e-mail, and from one network address for any e-mail. */
    passwordReset: { points: LIMITS.passwordResetsPerEmail, seconds: LOGIN_WINDOW_SECONDS },
    passwordResetOfAddress: { points: LIMITS.passwordResetsPerEmail * 10, seconds: LOGIN_WINDOW_SECONDS },
    passwordResetOfDevice: { points: LIMITS.passwordResetsPerEmail, seconds: LOGIN_WINDOW_SECONDS },
    /** Invitation mails of one partner to one e-mail: an address that never requested them must not be flooded. */
    invitationMail: { points: LIMITS.invitationMailsPerHour, seconds: 3600 },
    /** Mails to addresses without an account: to one, asked for from one network, and of the platform. */
    strangerMailOfAddress: { points: strangerMail.perAddress, seconds: 3600 },
    strangerMailOfNetwork: { points: strangerMail.perNetwork, seconds: 3600 },
    strangerMailOfPlatform: { points: strangerMail.perPlatform, seconds: 3600 },
    /** Mails of the newsletter to one e-mail that may belong to someone else, and requests from one network address. */
    newsletterMail: { points: LIMITS.newsletterMailsPerDay, seconds: 86_400 },
    newsletterOfAddress: { points: LIMITS.newsletterRequestsPerHour, seconds: 3600 },
    /** Reports that one agency sends by hand. */
    reportSend: { points: LIMITS.reportSendsPerHour, seconds: 3600 },
    /** Checks of the own domain that one agency asks for. */
    domainCheck: { points: LIMITS.domainChecksPerMinute, seconds: 60 },
    /** Callbacks without a proof, from one network address. */
    badCallbackToken: { points: LIMITS.callerRequestsPerMinute, seconds: 60 },
    badIngestToken: { points: LIMITS.callerRequestsPerMinute, seconds: 60 },
  } as const satisfies { [name: string]: RateWindow };
}

export type LimitName = keyof ReturnType<typeof rateLimitWindows>;
