import { useMessages } from '../../app/messages.ts';
import { useIsViewing } from '../../app/current-user.ts';
import { useUser } from '../../app/session.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { KeyDialog } from './key-dialog.tsx';
import { PageHead } from './page-head.tsx';
import { ServiceRow } from './service-row.tsx';
import { keysQuery, needsQuery, viewServices } from './services-queries.ts';
import { useLoaded } from '../../app/route-data.ts';
import '../../ui/layout/section-header.css';

type Props = { service: string | undefined; onService: (service: string | undefined) => void };

/** The services behind the agents, with the credential each uses and a form for the client's own. */
export function ServicesPage({ service, onService }: Props) {
  const { t } = useMessages();
  const { partner } = useUser();
  useTitle(t('client.integrations'), partner.name);
  const keys = useLoaded(keysQuery);
  const needs = useLoaded(needsQuery);
  const isViewing = useIsViewing();
  const { used, other } = viewServices(keys, needs);
  const open = [...used, ...other].find((view) => view.provider === service);
  return (
    <>
      <PageHead title={t('client.integrations')} lead={t('client.servicesLead', { agency: partner.name })} />
      <section className="mb-10">
        <div className="section-header">
          <h2>{t('client.inUse')}</h2>
        </div>
        {used.length === 0 ? (
          <div className="pt-4">
            <EmptyState title={t('client.noServices')}>{t('client.noServicesHint', { agency: partner.name })}</EmptyState>
          </div>
        ) : null}
        <ul>
          {used.map((view) => (
            <ServiceRow key={view.provider} view={view} agency={partner.name} onEdit={() => onService(view.provider)} />
          ))}
        </ul>
      </section>
      {other.length > 0 ? (
        <section>
          <div className="section-header">
            <h2>{t('client.otherServices')}</h2>
          </div>
          <ul>
            {other.map((view) => (
              <ServiceRow key={view.provider} view={view} agency={partner.name} onEdit={() => onService(view.provider)} />
            ))}
          </ul>
        </section>
      ) : null}
      {open && !isViewing ? <KeyDialog key={open.provider} view={open} onClose={() => onService(undefined)} /> : null}
    </>
  );
}
