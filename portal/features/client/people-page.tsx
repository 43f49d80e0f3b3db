import { useMessages } from '../../app/messages.ts';
import { useLoaded } from '../../app/route-data.ts';
import { useUser } from '../../app/session.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { Avatar } from '../../ui/identity/marks.tsx';
import { dateOf } from './days.ts';
import { PageHead } from './page-head.tsx';
import { peopleQuery } from './trust-queries.ts';
import { listFormat } from '../../ui/text/intl.ts';
import '../../ui/layout/section-header.css';

/** Who of the business has access, who is invited, and who is responsible at the agency. */
export function PeoplePage() {
  const { partner } = useUser();
  const messages = useMessages();
  const { t, tag } = messages;
  const { people, invitations, agency } = useLoaded(peopleQuery);
  useTitle(t('client-people.title'), partner.name);
  return (
    <>
      <PageHead title={t('client-people.title')} lead={t('client-people.lead', { agency: agency.name })} />
      <section className="mb-10 max-w-170">
        <div className="section-header">
          <h2>{t('client-people.yours')}</h2>
        </div>
        <ul>
          {people.map((person) => (
            <li key={person.id} className="flex items-center gap-3 border-b border-line-soft py-3">
              <Avatar name={person.fullName || person.email} url={person.avatarUrl} />
              <div className="min-w-0 flex-1">
                <p className="font-medium">
                  {person.fullName || person.email}
                  {person.isYou ? <span className="font-normal text-ink-3"> ({t('client-people.you')})</span> : null}
                </p>
                <p className="text-sm break-all text-ink-3">{person.email}</p>
                <p className="text-sm text-ink-3">
                  {person.lastLoginAt === null
                    ? t('client-people.never')
                    : t('client-people.last-login', { when: dateOf(messages, person.lastLoginAt) })}
                </p>
              </div>
            </li>
          ))}
        </ul>
      </section>
      {invitations.length > 0 ? (
        <section className="mb-10 max-w-170">
          <div className="section-header">
            <h2>{t('client-people.invited')}</h2>
          </div>
          <ul>
            {invitations.map((invitation) => (
              <li key={invitation.id} className="border-b border-line-soft py-3">
                <p className="font-medium">{invitation.fullName ?? invitation.email}</p>
                {invitation.fullName === null ? null : <p className="text-sm break-all text-ink-3">{invitation.email}</p>}
                <p className="text-sm text-ink-3">
                  {t('client-people.invited-until', {
                    when: dateOf(messages, invitation.sentAt),
                    until: dateOf(messages, invitation.expiresAt),
                  })}
                </p>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      <section className="max-w-170">
        <div className="section-header">
          <h2>{t('client-people.agency', { agency: agency.name })}</h2>
        </div>
        <dl className="grid gap-3 py-3">
          {agency.admins.length > 0 ? (
            <div>
              <dt className="text-sm text-ink-3">{t('client-people.responsible')}</dt>
              <dd>{listFormat(tag).format(agency.admins)}</dd>
            </div>
          ) : null}
          {agency.supportEmail ? (
            <div>
              <dt className="text-sm text-ink-3">{t('client-people.support')}</dt>
              <dd>
                <a className="link break-all" href={`mailto:${agency.supportEmail}`}>
                  {agency.supportEmail}
                </a>
              </dd>
            </div>
          ) : null}
        </dl>
        <p className="text-ink-3">{t('client-people.change', { agency: agency.name })}</p>
      </section>
    </>
  );
}
