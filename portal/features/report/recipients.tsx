import { mayClientRunAgents } from '@partner-portal/core/agent/state.ts';
import { useMessages } from '../../app/messages.ts';
import { useQuery } from '@tanstack/react-query';
import { useRefusal } from '../../app/current-user.ts';
import { useUser } from '../../app/session.ts';
import type { Client } from '../../queries/clients.ts';
import { type Recipient, recipientsQuery, type Report } from './queries.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { useMailed } from '../../shared/mailed.ts';
import { Switch } from '../../ui/controls/switch.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import { plural } from '../../ui/text/format.ts';
import { useSubscription } from './own-subscription.tsx';

type Props = { report: Report; clientStatus: Client['status'] };

/** Who gets the report by mail. Admins choose for everyone who has not ended it themselves; moderators for themselves. */
export function Recipients({ report: { client }, clientStatus }: Props) {
  const { t } = useMessages();
  const mailed = useMailed();
  const recipients = useQuery(recipientsQuery(client.id));
  const subscribed = recipients.data?.filter((one) => one.isSubscribed).length ?? 0;
  return (
    <Section
      title="By e-mail"
      note={recipients.data ? (subscribed === 0 ? 'no one gets it' : plural(subscribed, 'person', 'people')) : undefined}
    >
      <p className="mb-2 text-ink-2 text-pretty">
        {mayClientRunAgents(clientStatus) ? null : <b>Nothing is sent while the client is {clientStatus}. </b>}
        {mailed(
          `On the first working day of each month, in the time zone of ${client.name}. People of the client read it in their own language, your agency in English.`,
          t('common.noMail'),
        )}
      </p>
      <Loaded query={recipients}>{(list) => <People list={list} clientId={client.id} clientStatus={clientStatus} />}</Loaded>
    </Section>
  );
}

type PeopleProps = { list: readonly Recipient[]; clientId: string; clientStatus: Client['status'] };

function People({ list, clientId, clientStatus }: PeopleProps) {
  const user = useUser();
  const refusal = useRefusal('clients.manage');
  const mailed = useMailed();
  const save = useSubscription(clientId, (saved) => {
    const name = saved.fullName || saved.email;
    announce(
      saved.isSubscribed
        ? mailed(
            `${name} gets the report${mayClientRunAgents(clientStatus) ? '' : ' once the client is active'}.`,
            `${name} gets the report once e-mail is set up.`,
          )
        : `${name} no longer gets the report.`,
    );
  });
  const reasonFor = (one: Recipient): string | undefined => {
    if (one.userId === user.id) return user.authMethod === 'view_as' ? refusal : undefined;
    if (refusal !== undefined) return refusal;
    return one.hasOptedOut && !one.isSubscribed ? `${one.fullName || one.email} unsubscribed. Only they can subscribe again.` : undefined;
  };
  return (
    <ul className="border-t border-line">
      {list.map((one) => {
        const reason = reasonFor(one);
        return (
          <li key={one.userId} className="flex items-center gap-3 border-b border-line-soft py-2">
            <div className="min-w-0 flex-1">
              <p className="truncate font-medium">
                {one.fullName || one.email}
                {one.userId === user.id ? <span className="font-normal text-ink-3"> (you)</span> : null}
              </p>
              <p className="truncate text-xs text-ink-3" title={one.email}>
                {one.role === 'CLIENT' ? 'Client' : 'Your agency'}, {one.email}
              </p>
            </div>
            <Switch
              label={`${one.fullName || one.email}: report by e-mail`}
              checked={one.isSubscribed}
              onChange={(isSubscribed) => save.mutate({ userId: one.userId, isSubscribed })}
              disabledReason={reason}
            />
          </li>
        );
      })}
    </ul>
  );
}
