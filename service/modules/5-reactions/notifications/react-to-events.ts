import { agentNameFor } from '@partner-portal/catalog/index.ts';
import { EVENT_DATA } from '@partner-portal/contract/events.ts';
import type { EventType } from '@partner-portal/contract/vocabulary.ts';
import { messagesFor } from '@partner-portal/messages/all.ts';
import { lackSentence } from '@partner-portal/messages/lack-sentence.ts';
import type { Messages } from '@partner-portal/messages/messages.ts';
import { formatWhen } from '@partner-portal/messages/when.ts';
import type { DomainEvent, Reaction } from '#modules/1-ledger/events/index.ts';
import { type NewNotification, type Notify, withNote } from './notify.ts';
import { dropAlertsOf, listDeletedOnRequest, listZones } from './store.ts';

const LIST = new Intl.ListFormat('en-GB');

const TYPES = [
  'agent_request.submitted',
  'agent_request.resolved',
  'agent_request.provisioning_failed',
  'account.suspended',
] as const satisfies readonly EventType[];

/** Notifies people of domain events. Usage thresholds are left to the alert they open, so that people are notified once. */
export function eventReaction(notify: Notify): Reaction {
  return {
    name: 'notifications',
    types: TYPES,
    async run(tx, events) {
      const suspensions = events.filter(({ type }) => type === 'account.suspended');
      const suspendedIds = suspensions.flatMap(({ clientId }) => clientId ?? []);
      const asked = new Set(await listDeletedOnRequest(tx, suspendedIds));
      const zones = await listZones(
        tx,
        suspensions.map(({ partnerId }) => partnerId),
      );
      const failed = events.filter(({ type }) => type === 'agent_request.provisioning_failed');
      if (failed.length > 0)
        await dropAlertsOf(
          tx,
          failed.map((event) => ({ partnerId: event.partnerId, dedupeKey: attemptKey(event), at: event.createdAt })),
        );
      await notify(
        tx,
        events.flatMap((event) =>
          notificationsFor(event, { isDeletedOnRequest: asked.has(event.clientId ?? ''), timezone: zones.get(event.partnerId) ?? 'UTC' }),
        ),
      );
    },
  };
}

/** What the notice of a suspension says besides its event; `timezone` is the agency’s. */
type SuspensionFacts = { isDeletedOnRequest: boolean; timezone: string };

function notificationsFor(event: DomainEvent, facts: SuspensionFacts): NewNotification[] {
  switch (event.type) {
    case 'agent_request.submitted':
      return submitted(event);
    case 'agent_request.resolved':
      return resolved(event);
    case 'agent_request.provisioning_failed':
      return notInstalled(event);
    case 'account.suspended':
      return suspended(event, facts);
    default:
      return [];
  }
}

const keyOf = (event: DomainEvent): string => `event:${event.id}`;
const ENGLISH = messagesFor('en');

function submitted(event: DomainEvent): NewNotification[] {
  const { agentRequest, client, partnerName } = EVENT_DATA['agent_request.submitted'].parse(event.data);
  return [
    {
      partnerId: event.partnerId,
      clientId: client.id,
      audience: 'staff',
      type: 'agent_request_submitted',
      tone: 'info',
      title: `${partnerName} requests ${agentRequest.title}`,
      body: `For ${client.name}. It is waiting for a decision.`,
      href: `/admin/requests?request=${agentRequest.id}`,
      subject: `agent_request:${agentRequest.id}`,
      dedupeKey: keyOf(event),
    },
  ];
}

function resolved(event: DomainEvent): NewNotification[] {
  const { agentRequest, client, resolution, note, agent, actor, partnerName } = EVENT_DATA['agent_request.resolved'].parse(event.data);
  const lacking = (agent?.missingSettings ?? []).map((label) => label.toLowerCase());
  // The event has two lists. Which label is whose does not matter here.
  const lacks = lacking.map((_label, index) => ({ fromProfile: agent?.missingProfile?.[index] }));
  const common = {
    partnerId: event.partnerId,
    clientId: client.id,
    type: 'agent_request_resolved',
    subject: `agent_request:${agentRequest.id}`,
    dedupeKey: keyOf(event),
  } as const;
  const texts: Record<typeof resolution, Pick<NewNotification, 'tone'> & { title: string; body: string }> = {
    approved: {
      tone: 'info',
      title: `${agentRequest.title} was approved`,
      body: withNote(ENGLISH, `It will be set up for ${client.name}.`, note),
    },
    rejected: { tone: 'warn', title: `${agentRequest.title} was not approved`, body: withNote(ENGLISH, `For ${client.name}.`, note) },
    fulfilled:
      lacking.length > 0
        ? {
            tone: 'warn',
            title: `${agentRequest.title} is installed and needs ${LIST.format(lacking)}`,
            body: `Its runs for ${client.name} fail until that is added.`,
          }
        : { tone: 'ok', title: `${agentRequest.title} is installed`, body: `${client.name} has it now.` },
  };
  const team: NewNotification = {
    ...common,
    ...texts[resolution],
    audience: 'team',
    except: actor?.type === 'user' ? actor.id : null,
    href: `/dashboard/requests?request=${agentRequest.id}`,
  };
  if (resolution !== 'fulfilled') return [team];
  const clientUsers: NewNotification = {
    ...common,
    audience: 'client',
    tone: lacking.length > 0 ? 'info' : 'ok',
    title: ({ t, locale }) =>
      t(lacking.length > 0 ? 'notifications.agent-lacks' : 'notifications.agent-ready', {
        agent: agentNameFor(locale, agentRequest.templateName, agentRequest.title),
      }),
    body: (messages) =>
      lacking.length > 0
        ? messages.t('notifications.agent-lacks-text', { lacks: lackSentence(messages, partnerName, lacks) })
        : messages.t('notifications.agent-ready-text'),
    href: agent ? `/client/agents/${agent.id}` : '/client/agents',
  };
  return [team, clientUsers];
}

function attemptKey(event: DomainEvent): string {
  const { attemptId } = EVENT_DATA['agent_request.provisioning_failed'].parse(event.data);
  return attemptId === null ? keyOf(event) : `attempt-failed:${attemptId}`;
}

/** Deduplicated by the attempt: the alert that the failed attempt opens notifies the same people. */
function notInstalled(event: DomainEvent): NewNotification[] {
  const { agentRequest, client, message, partnerName } = EVENT_DATA['agent_request.provisioning_failed'].parse(event.data);
  const common = {
    partnerId: event.partnerId,
    clientId: client.id,
    type: 'agent_request_failed',
    tone: 'bad',
    body: message,
    subject: `agent_request:${agentRequest.id}`,
    dedupeKey: attemptKey(event),
  } as const;
  return [
    {
      ...common,
      audience: 'team',
      title: `${agentRequest.title} could not be installed for ${client.name}`,
      href: `/dashboard/requests?request=${agentRequest.id}`,
    },
    {
      ...common,
      audience: 'staff',
      title: `${agentRequest.title} could not be installed for ${client.name} of ${partnerName}`,
      href: `/admin/requests?request=${agentRequest.id}`,
    },
  ];
}

/** The mail module mails the admins of the agency; a client that asked for its deletion is mailed the decision. */
function suspended(event: DomainEvent, { isDeletedOnRequest, timezone }: SuspensionFacts): NewNotification[] {
  const { account, actor, reason, reactivation } = EVENT_DATA['account.suspended'].parse(event.data);
  const until = reason === 'deletion_approved' && reactivation.until ? new Date(reactivation.until) : null;
  const keptIn = (messages: Messages): string =>
    until === null
      ? messages.t('notifications.kept')
      : messages.t('notifications.kept-until', { when: formatWhen(until, timezone, messages) });
  const kept = keptIn(messagesFor('en'));
  const common = {
    partnerId: event.partnerId,
    clientId: account.type === 'client' ? account.id : null,
    type: 'account_suspended',
    tone: 'bad',
    subject: `account:${account.id}`,
    dedupeKey: keyOf(event),
  } as const;
  if (account.type === 'partner')
    return [
      {
        ...common,
        audience: 'team',
        mailTo: 'all_but_admins',
        title: 'Your account was suspended',
        body: `Agents accept no new events and schedules are paused for all your clients. ${kept}`,
        href: '/dashboard',
      },
    ];
  return [
    {
      ...common,
      audience: 'team',
      mailTo: 'all_but_admins',
      except: actor?.type === 'user' ? actor.id : null,
      title: `${account.name} was suspended`,
      body: `Its agents accept no new events and its schedules are paused. ${kept}`,
      href: `/dashboard/clients/${account.id}`,
    },
    {
      ...common,
      audience: 'client',
      mailTo: isDeletedOnRequest ? 'none' : 'all',
      title: ({ t }) => t('notifications.suspended'),
      body: (messages) => messages.t('notifications.suspended-text', { kept: keptIn(messages) }),
      href: '/client',
    },
  ];
}
