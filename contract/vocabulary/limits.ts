/** What an agent takes in a minute: a list of events may use all of it, and a longer one could never be taken whole. */
const EVENTS_PER_MINUTE = 60;

/** Published limits. Names end with their unit. */
export const LIMITS = {
  /** One statement of a page, and of an export or a change. */
  pageStatementMs: 8_000,
  workStatementMs: 12_000,
  /** Added to the statement timeout for the time limit of a whole transaction. */
  transactionMoreMs: 2_000,
  callerRequestsPerMinute: 100,
  registerRequestsPerMinute: 300,
  mfaVerifyRequestsPerMinute: 20,
  /** A page shows many pictures, and a mail service fetches logos for many readers. */
  fileRequestsPerMinute: 1_200,
  ingestRequestsPerMinute: EVENTS_PER_MINUTE,
  /** Runs that users of a client start by hand: of one user, and of all users of a client. */
  clientTriggersPerMinute: 10,
  clientTriggersOfAllPerMinute: 20,
  clientTriggersOfAllPerHour: 120,
  partnerRequestsPerMinute: 600,
  loginFailuresPerAddress: 10,
  loginFailureWindowMinutes: 15,
  /** Failed passwords for one e-mail from any address: first without, then with a proof of work each. */
  loginFailuresPerAccount: 40,
  loginProofsPerAccount: 60,
  /** Proofs that count from one network. */
  loginProofsPerNetwork: 2,
  loginProofMinutes: 5,
  /** Pending suggestions of one client, over all its agents. */
  pendingTextSuggestionsMax: 20,
  textSuggestionNoteMax: 1_000,
  /** A note or reason of the stop list. */
  stopListNoteMax: 500,
  invitationDays: 7,
  alertStreakMax: 100,
  alertSilentDaysMax: 90,
  mfaChallengeMinutes: 5,
  mfaAttempts: 5,
  mfaFailuresPerHour: 30,
  /** How long a login, or a password entered again, allows changes of what protects an account. */
  recentLoginMinutes: 15,
  /** A browser counts as known for this long after its last sign-in. */
  knownDeviceDays: 180,
  passwordResetMinutes: 60,
  passwordResetsPerEmail: 3,
  /** Newsletter: mails to one address, and requests from one network address. */
  newsletterMailsPerDay: 3,
  newsletterRequestsPerHour: 20,
  invitationMailsPerHour: 10,
  domainChecksPerMinute: 10,
  viewAsMinutes: 30,
  /** Days before its end from which a trial counts as ending soon in the overview of staff. */
  trialSoonDays: 7,
  pageDefault: 25,
  pageMax: 100,
  bodyBytesMax: 1_048_576,
  previewBodyBytesMax: 65_536,
  /** Reads of one call of `/reads`, and streams of one of `/streams`. */
  readsTogetherMax: 16,
  streamsTogetherMax: 8,
  innerPathMax: 6144,
  eventIdMax: 200,
  togetherBodyBytesMax: 131_072,
  /** A body whose sender has proved nothing yet. */
  unprovenBodyBytesMax: 16_384,
  /** Size of an event, on every way in. */
  eventBytesMax: 262_144,
  /** A form with the files of a mail, which are left out. Gateways take 25 to 30 MB. */
  eventWithFilesBytesMax: 33_554_432,
  /** Events of one list that is posted to an ingest URL. */
  eventsOfListMax: EVENTS_PER_MINUTE,
  /** The form that carries a SAML response: 128 Ki characters of XML in base64, in a form. */
  samlBodyBytesMax: 262_144,
  idempotencyHours: 24,
  bulkRerunMax: 200,
  bulkRequestMax: 100,
  bulkSwitchMax: 200,
  savedFiltersPerTable: 20,
  savedFilterNameMax: 60,
  queryRowsMax: 500,
  queryBodyBytesMax: 131_072,
  queryTimeoutMs: 10_000,
  inboundPreviewBytes: 2_048,
  seatsPerOrderMax: 500,
  packsPerOrderMax: 100,
  /** Lines of a credit note. */
  creditLinesMax: 50,
  webhookEndpointsMax: 5,
  deliveriesListed: 50,
  deliveryAttemptsMax: 5,
  passwordLengthMin: 8,
  passwordLengthMax: 128,
  mediaBytesMax: 5_242_880,
  mediaPixelsMax: 25_000_000,
  mediaBytesPerPartnerMax: 268_435_456,
  /** What users of one client may fill of it, so that they leave room to others. */
  mediaBytesPerClientMax: 67_108_864,
  /** Messages of one visitor of a chatbot. */
  visitorMessagesPerMinute: 20,
  /** Messages of all visitors of a chatbot behind one address: each message may cost its agency credits. */
  addressMessagesPerDay: 600,
  chatbotMessagesPerMinute: 300,
  partnerMessagesPerMinute: 1_200,
  /** Agents that chatbots run: for one person, for the visitors behind one address, and for all of a chatbot. */
  chatRunsPerContactPerDay: 10,
  chatRunsPerAddressPerHour: 30,
  chatRunsPerChatbotPerHour: 120,
  /** Largest daily budget for conversations. */
  chatDayCreditsMax: 1_000_000,
  /** When a chatbot reminds its agency of a visitor who waits for a person. */
  reminderMinutesMin: 5,
  reminderMinutesMax: 1_440,
  visitorTextMax: 2_000,
  /** Characters of a reply of a person, and of a prepared one. */
  replyTextMax: 4_000,
  /** What a client answers often, in its profile. */
  faqTextMax: 8_000,
  knowledgeTextMax: 200_000,
  knowledgeFileBytesMax: 5_242_880,
  knowledgeFilesMax: 20,
  agentRoutesMax: 20,
  aiMessagesMax: 100,
  aiTextMax: 200_000,
  aiOutputTokensMax: 8_192,
  aiCallsUnderWayPerPartner: 16,
  aiCallTimeoutMs: 60_000,
  conversationDays: 365,
  exportDays: 7,
  /** Days for which sent mail and failed logins by single sign-on are kept. */
  mailDays: 30,
  ssoAttemptDays: 30,
  exportsPerDay: 5,
  /** Limit of an agency's own estimate of the hours that one run saves. */
  hoursPerRunMax: 40,
  /** What one result may be worth in a report. */
  resultValueMinorMax: 100_000_000,
  reportRecipientsMax: 200,
  importBytesMax: 4_194_304,
  importRowsMax: 5_000,
  importColumnsMax: 100,
  importUndoMinutes: 60,
  importDays: 90,
  reportsPerSendMax: 50,
  /** Reports that the people of one agency send by hand. */
  reportSendsPerHour: 300,
  slugLengthMin: 3,
  slugLengthMax: 40,
  ssoDomainsMax: 20,
  /** Agents that a roll-out updates at a time. */
  rolloutBatchMax: 20,
  /** Names of people, agencies, clients and agents. */
  nameMax: 120,
} as const;
