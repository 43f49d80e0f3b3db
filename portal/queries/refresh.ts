import type { QueryKey } from '@tanstack/react-query';
import { queryClient } from '../app/query-client.ts';
import { keys } from './keys.ts';

/** What needs attention is in the summary. */
const ATTENTION = [keys.summary.all, keys.alerts.all];
/** The meter, and the rows that add up to it. */
const CREDITS = [keys.quota, keys.usages];

/** Their rows show the name and the state of their client. */
const OF_CLIENTS = [keys.agents.all, keys.chatbot.list];

/** The query keys to refetch after a change, whether this page made it or a stream reported it. */
const STALE_AFTER = {
  accountChanged: () => [keys.me],
  sessionsChanged: () => [keys.sessions],
  /** Every page shows texts that the service writes in the reader's language. */
  languageChosen: () => [[]],
  /** All other requests were refused until then. */
  secondStepSetUp: () => [[]],
  agencyChanged: () => [keys.ownPartner],
  timezoneChosen: () => [keys.ownPartner, keys.summary.all, keys.activity.all],
  teamChanged: () => [keys.team, keys.me], // `me` names the admins of the agency
  invitationsChanged: () => [keys.invitations.all, keys.team, keys.onboarding, keys.summary.all], // an open invitation uses a seat
  ssoConnectionChanged: () => [keys.sso, keys.ssoFailedLogins, keys.ssoAffected, ...ATTENTION],
  domainChanged: () => [keys.domain],
  planRequestSent: () => [keys.planRequests.last],
  /** A stage of a setup: what it installs is on the agents’ pages, and its runs use credits. */
  setupChanged: () => [
    keys.setup.all,
    keys.agents.all,
    keys.agentRequests.all,
    keys.catalog.all,
    keys.onboarding,
    ...ATTENTION,
    ...CREDITS,
    keys.navigation,
    keys.client.live,
  ],
  /** A stage of the setup of the sample, or its run. */
  sampleProgressed: () => [
    keys.navigation,
    keys.onboarding,
    keys.setup.all,
    keys.agents.all,
    keys.catalog.all,
    keys.summary.all,
    ...CREDITS,
  ],

  /** A request to delete or reactivate an account was made, withdrawn or decided. */
  accountRequestChanged: () => [
    keys.account.requests,
    keys.workQueue,
    keys.partners.all,
    keys.clients.all,
    keys.summary.all,
    ...OF_CLIENTS,
  ],
  engineSessionLost: () => [keys.engine],
  purgeChanged: (requestId: string) => [keys.account.purge(requestId)],
  exportsChanged: () => [keys.account.exports],

  clientSaved: () => [keys.navigation, keys.clients.list, keys.clients.allNames, keys.onboarding, keys.summary.all, ...OF_CLIENTS],
  /** Clients were added, changed or removed by an import or its undo. */
  clientsImported: () => [keys.navigation, keys.clients.all, keys.summary.all, keys.onboarding],
  clientConflict: (id: string) => [keys.clients.one(id)],
  clientUsersChanged: (id: string) => [keys.clients.users(id)],

  agentSaved: () => [keys.agents.list, keys.agents.phonePreviews, keys.summary.all],
  agentSwitched: () => [keys.agents.all, keys.onboarding, ...ATTENTION],
  agentConflict: (id: string) => [keys.agents.one(id)],
  agentDeleted: () => [keys.navigation, keys.agents.all, keys.agentRequests.all, keys.catalog.all, keys.runs.all, ...ATTENTION],
  scheduleConflict: (id: string) => [keys.agents.schedule(id)],
  agentRequestChanged: () => [
    keys.navigation,
    keys.onboarding,
    keys.agentRequests.all,
    keys.agents.all,
    keys.catalog.all,
    keys.summary.all,
    keys.workQueue,
  ],
  /** A text was suggested, withdrawn or decided; an applied one is the agent's. */
  /** The inbox remarks on visitors whose number is on the list. */
  stopListChanged: () => [keys.stopList.all, keys.inbox.ones],
  textSuggestionChanged: () => [keys.textSuggestions.all, keys.agents.all, keys.client.allAgents],
  /** An installation that waited for the key goes on. */
  credentialsChanged: () => [
    keys.credentials.all,
    keys.catalog.all,
    keys.agents.all,
    keys.agentRequests.all,
    keys.onboarding,
    ...ATTENTION,
  ],

  chatbotSaved: (clientId: string) => [keys.chatbot.list, keys.chatbot.knowledge(clientId), ...ATTENTION],
  chatbotConflict: (clientId: string) => [keys.chatbot.settings(clientId)],
  chatBudgetsChanged: () => [keys.chatbot.budgets, ...ATTENTION],
  knowledgeChanged: (clientId: string) => [keys.chatbot.knowledge(clientId), keys.chatbot.list],

  runStarted: () => [keys.runs.all, keys.onboarding, keys.summary.all, ...CREDITS],
  runRepeated: () => [keys.runs.list, keys.onboarding, keys.summary.all, ...CREDITS],
  runChanged: (id: string) => [keys.runs.one(id)],
  /** An execution that is already in the list. */
  runReported: () => [keys.runs.causes, keys.onboarding, keys.summary.all, ...CREDITS],
  runListOutdated: () => [keys.runs.list],
  runsOfAgentReported: (agentId: string) => [keys.runs.ofScope, keys.agents.stats(agentId)],
  reportMailed: (clientId: string) => [keys.report.recipients(clientId)],
  /** Every figure of saved hours depends on the estimate per run. */
  hoursEstimateChanged: () => [keys.report.all, keys.summary.all],
  resultValuesChanged: () => [keys.report.all],
  summaryOutdated: () => [keys.summary.all],
  /** Nearly every page shows figures of it. */
  sampleDataRemoved: () => [[]],

  endpointsChanged: () => [keys.webhooks.endpoints, keys.onboarding, ...ATTENTION],
  deliveryReported: (endpointId: string) => [keys.webhooks.endpoints, keys.webhooks.recoveries(endpointId)],
  deliveriesOutdated: (endpointId: string) => [keys.webhooks.deliveries(endpointId)],
  recoveryChanged: (endpointId: string) => [keys.webhooks.recoveries(endpointId), keys.webhooks.deliveries(endpointId)],

  /** A reply, take-over or other change of one conversation by this page. */
  conversationChanged: (id: string) => [keys.inbox.one(id), keys.inbox.messages(id), keys.inbox.list, keys.inbox.counts],
  inboxListOutdated: () => [keys.inbox.list, keys.inbox.counts],
  inboxCountsOutdated: () => [keys.inbox.counts],
  /** Changes may have been missed. */
  inboxOutdated: () => [keys.inbox.list, keys.inbox.counts, keys.inbox.ones, keys.inbox.threads],
  cannedRepliesChanged: () => [keys.inbox.canned],

  alertChanged: () => [...ATTENTION],
  notificationsChanged: () => [keys.notifications.bell],

  /** An order, new terms, an adjustment, or an invoice that was issued, paid, voided or credited. */
  billingChanged: () => [keys.billing.all, keys.partners.all, keys.ownPartner, ...CREDITS, keys.ledgers, keys.team, ...ATTENTION],
  aiRatesChanged: () => [keys.aiRates.all],
  plansChanged: () => [keys.plans.all],
  planRequestDecided: () => [
    keys.workQueue,
    keys.staffNavigation,
    keys.planRequests.all,
    keys.partners.all,
    keys.plans.all,
    keys.billing.all,
  ],
  nameReviewDecided: () => [keys.workQueue, keys.nameReviews.all, keys.mail.all],
  /** The confirmation of an application that waited was sent. */
  applicationMailSent: () => [keys.planRequests.all, keys.mail.all],
  /** A deletion or reactivation of an agency was decided. */
  accountRequestDecided: () => [keys.workQueue, keys.staffNavigation, keys.accountRequests.all, keys.partners.all],
  workItemConflict: () => [keys.workQueue, keys.planRequests.all, keys.accountRequests.all],
  /** A setup began or ended, or a comparison found something else: what failed or was changed waits for staff. */
  anySetupChanged: () => [keys.workQueue],
  partnersChanged: () => [keys.partners.all, keys.staffNavigation],
  ssoReleased: (partnerId: string) => [keys.partners.one(partnerId)],
  usersChanged: () => [keys.users.all],
  userDisabled: () => [keys.users.all, keys.partners.allUsers],
  /** Changes of any agency's setup may have been missed. */
  automationsOutdated: () => [keys.automation.all, keys.partners.all, keys.workQueue],
  automationChanged: (partnerId: string) => [keys.automation.live(partnerId), keys.partners.one(partnerId)],
  rolloutStarted: (templateName: string) => [keys.rollouts.of(templateName)],
  rolloutChanged: (templateName: string) => [keys.rollouts.of(templateName), keys.templates],
  rolloutAdvanced: () => [keys.templates],
  mailRetried: () => [keys.mail.all, keys.system],

  clientRunReported: () => [keys.client.live],
  clientCredentialsChanged: () => [
    keys.client.credentials,
    keys.client.requirements,
    keys.client.agents,
    keys.client.allAgents,
    keys.client.summary,
  ],
  businessConflict: () => [keys.client.business],
} satisfies Record<string, (...args: never[]) => readonly QueryKey[]>;

export type Change = keyof typeof STALE_AFTER;

/** Refetches what `change` made stale. Resolves when the queries in use have been refetched. */
export async function refreshAfter<C extends Change>(change: C, ...args: Parameters<(typeof STALE_AFTER)[C]>): Promise<void> {
  const staleAfter = STALE_AFTER[change] as (...args: Parameters<(typeof STALE_AFTER)[C]>) => readonly QueryKey[]; // the member of `change`
  await Promise.all(staleAfter(...args).map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}
