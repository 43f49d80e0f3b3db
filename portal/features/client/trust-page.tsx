import { accessSentence } from '@partner-portal/messages/access-sentence.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { api, type Reply } from '../../app/api.ts';
import { useMessages } from '../../app/messages.ts';
import { useLoaded } from '../../app/route-data.ts';
import { useUser } from '../../app/session.ts';
import { ExportButton } from '../../shared/export-button.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { MoreFailed } from '../../shared/more-failed.tsx';
import { PROVIDERS } from '../../shared/labels.ts';
import { rowsOf } from '../../shared/paged-table.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { TemplateIcon } from '../../ui/identity/icons.tsx';
import { formatMinute, formatUtc } from '../../ui/text/format.ts';
import { listFormat } from '../../ui/text/intl.ts';
import { DATA_WORDS, KEY_WORDS, RETAINED_WORDS } from './access-words.ts';
import { dayHeading } from './days.ts';
import { PageHead } from './page-head.tsx';
import { accessLogQuery, trustQuery } from './trust-queries.ts';
import '../../ui/layout/section-header.css';
import './trust-page.css';
import { loadMore } from '../../shared/load-more.ts';

type Trust = Reply<'getMyTrust'>;
type Service = Trust['agents'][number]['services'][number];

/** Shows how the client's data is used, how long it is kept, and who accessed it. */
export function TrustPage() {
  const { partner } = useUser();
  const { t } = useMessages();
  const trust = useLoaded(trustQuery);
  useTitle(t('trust.title'), partner.name);
  return (
    <>
      <PageHead title={t('trust.title')} lead={t('trust.lead', { agency: partner.name })} />
      <section className="mb-10">
        <div className="section-header">
          <h2>{t('trust.agents')}</h2>
        </div>
        {trust.agents.length === 0 ? <p className="py-3.5 text-ink-2">{t('trust.no-agents', { agency: partner.name })}</p> : null}
        <ul>
          {trust.agents.map((agent) => (
            <AgentData key={agent.id} agent={agent} agency={partner.name} />
          ))}
          {trust.chatbot ? <ChatbotData service={trust.chatbot} agency={partner.name} /> : null}
        </ul>
      </section>
      <section className="mb-10">
        <div className="section-header">
          <h2>{t('trust.retention')}</h2>
        </div>
        <dl className="max-w-170">
          {trust.retention.map(({ what, days }) => (
            <div key={what} className="trust-page-kept">
              <dt>{t(RETAINED_WORDS[what])}</dt>
              <dd>{days === null ? t('trust.until-deleted') : t('trust.days', { days })}</dd>
            </div>
          ))}
        </dl>
      </section>
      <AccessLog agency={partner.name} />
    </>
  );
}

function AgentData({ agent, agency }: { agent: Trust['agents'][number]; agency: string }) {
  const { t, tag } = useMessages();
  const list = listFormat(tag);
  return (
    <li className="trust-page-agent">
      <div className="flex items-start gap-3">
        <TemplateIcon name={agent.icon} />
        <div className="min-w-0">
          <h3 className="text-lg">{agent.name}</h3>
          <p className="text-sm text-ink-3">{agent.isActive ? t('trust.runs', { count: agent.runs30d }) : t('trust.paused')}</p>
        </div>
      </div>
      <dl className="trust-page-facts">
        <dt>{t('trust.works-with')}</dt>
        <dd>{list.format(agent.data.map((kind) => t(DATA_WORDS[kind])))}</dd>
        <dt>{t('trust.uses')}</dt>
        <dd>
          <Services services={agent.services} agency={agency} />
        </dd>
      </dl>
    </li>
  );
}

function ChatbotData({ service, agency }: { service: Service; agency: string }) {
  const { t } = useMessages();
  return (
    <li className="trust-page-agent">
      <div className="flex items-start gap-3">
        <TemplateIcon name="message-circle" />
        <h3 className="text-lg">{t('trust.chatbot')}</h3>
      </div>
      <dl className="trust-page-facts">
        <dt>{t('trust.works-with')}</dt>
        <dd>{t('trust.data-messages')}</dd>
        <dt>{t('trust.uses')}</dt>
        <dd>
          <Services services={[service]} agency={agency} />
        </dd>
      </dl>
    </li>
  );
}

function Services({ services, agency }: { services: readonly Service[]; agency: string }) {
  const { t } = useMessages();
  if (services.length === 0) return t('trust.uses-none');
  return (
    <ul>
      {services.map(({ provider, key }) => (
        <li key={provider}>
          {PROVIDERS[provider].name} <span className="text-ink-3">{t(KEY_WORDS[key], { agency })}</span>
        </li>
      ))}
    </ul>
  );
}

function AccessLog({ agency }: { agency: string }) {
  const messages = useMessages();
  const { t } = messages;
  const list = useInfiniteQuery(accessLogQuery);
  const entries = rowsOf(list);
  let day: string | undefined;
  return (
    <section aria-labelledby="access-log">
      <div className="section-header">
        <h2 id="access-log">{t('trust.access')}</h2>
        <span className="ml-auto">
          <ExportButton size="sm" word={t('trust.download')} name="access-log" read={() => api.exportMyAccessLog({})} />
        </span>
      </div>
      <p className="max-w-[70ch] pt-3 text-sm text-ink-3 text-pretty">{t('trust.access-lead', { agency })}</p>
      <Loaded query={list} skeleton={<SkeletonRows rows={6} height={40} label={t('ui.loading')} />}>
        {() => (
          <div className="max-w-190">
            {entries.length === 0 ? <p className="py-3.5 text-ink-2">{t('trust.access-none')}</p> : null}
            <ol>
              {entries.map((entry) => {
                const heading = dayHeading(messages, entry.at);
                const isNew = heading !== day;
                day = heading;
                return (
                  <Fragment key={entry.id}>
                    {isNew ? <li className="pt-4 pb-1 text-sm font-figure text-ink-3">{heading}</li> : null}
                    <li className="flex gap-3 border-b border-line-soft py-2.5">
                      <p className="min-w-0 flex-1 text-pretty">{accessSentence(messages, entry, agency)}</p>
                      {entry.uses !== null ? null : (
                        <time className="text-sm text-ink-3" dateTime={entry.at} title={formatUtc(entry.at)}>
                          {formatMinute(entry.at, messages.timezone)}
                        </time>
                      )}
                    </li>
                  </Fragment>
                );
              })}
            </ol>
            <MoreFailed list={list} />
            {list.hasNextPage ? (
              <Button size="lg" className="mt-5" busy={list.isFetchingNextPage && t('ui.loading')} onClick={() => void loadMore(list)}>
                {t('trust.older')}
              </Button>
            ) : null}
          </div>
        )}
      </Loaded>
    </section>
  );
}
