import { lackSentence } from '@partner-portal/messages/lack-sentence.ts';
import type { Messages } from '@partner-portal/messages/messages.ts';
import { useMessages } from '../../app/messages.ts';
import { type ReactNode, useState } from 'react';
import { v4 as newId } from 'uuid';
import { type AgentRequest, isOpen, requestsQuery, useLiveRequests } from '../../queries/agent-requests.ts';
import { type CatalogEntry, catalogQuery, categoryRank } from '../../queries/catalog.ts';
import { formApi } from '../../app/api.ts';
import { useRefusal } from '../../app/current-user.ts';
import { useUser } from '../../app/session.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Field, TextArea, TextField } from '../../ui/forms/field.tsx';
import { TemplateIcon } from '../../ui/identity/icons.tsx';
import { Mark, type MarkKind } from '../../ui/feedback/mark.tsx';
import { Form } from '../../shared/forms/form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { announce } from '../../ui/feedback/toast.tsx';
import { refreshAfter } from '../../queries/refresh.ts';
import { useLoaded } from '../../app/route-data.ts';
import '../../ui/layout/section-header.css';

type Subject = { name: string; title: string } | 'other';

/** Agents a client could add, and the suggestions it has sent to its agency. */
export function SuggestionsPage() {
  const { t } = useMessages();
  const user = useUser();
  const agency = user.partner.name;
  useTitle(t('client.suggestions'), agency);
  const catalog = useLoaded(catalogQuery(undefined));
  const { requests } = useLoaded(requestsQuery(undefined));
  useLiveRequests(undefined);
  const [subject, setSubject] = useState<Subject>();
  const refusal = useRefusal('requests.create');
  const entries = catalog.filter((entry) => !entry.installed);
  const groups = [...Map.groupBy(entries, (entry) => entry.category)].toSorted(([a], [b]) => categoryRank(a) - categoryRank(b));
  return (
    <>
      <header className="mb-7 flex flex-wrap items-start gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-65">
          <h1 className="text-2xl tracking-figure">{t('client.suggestions')}</h1>
          <p className="mt-1 max-w-prose text-ink-2">{t('client.suggestionsLead', { agency })}</p>
        </div>
        <Button disabledReason={refusal} onClick={() => setSubject('other')}>
          {t('client.askOther')}
        </Button>
      </header>
      {requests.length > 0 ? (
        <Asked requests={requests} titles={new Map(catalog.map(({ name, title }) => [name, title]))} agency={agency} />
      ) : null}
      {entries.length === 0 ? <EmptyState title={t('client.haveAll')}>{t('client.haveAllHint', { agency })}</EmptyState> : null}
      {groups.map(([category, offered]) => (
        <section key={category} className="mb-8">
          <div className="section-header">
            <h2>{t(`client.category.${category}`)}</h2>
          </div>
          <ul>
            {offered.map((entry) => (
              <Offer
                key={entry.name}
                entry={entry}
                isAsked={requests.some((one) => one.templateName === entry.name && isOpen(one.status))}
                refusal={refusal}
                onAsk={() => setSubject(entry)}
              />
            ))}
          </ul>
        </section>
      ))}
      <Dialog
        open={subject !== undefined}
        onClose={() => setSubject(undefined)}
        title={subject === undefined || subject === 'other' ? t('client.askOther') : t('client.askFor', { title: subject.title })}
      >
        {subject ? <AskForm subject={subject} agency={agency} onClose={() => setSubject(undefined)} /> : null}
      </Dialog>
    </>
  );
}

function Offer({
  entry,
  isAsked,
  refusal,
  onAsk,
}: {
  entry: CatalogEntry;
  isAsked: boolean;
  refusal: string | undefined;
  onAsk: () => void;
}) {
  const { t } = useMessages();
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-3 border-b border-line-soft py-4">
      <TemplateIcon name={entry.icon} />
      <div className="min-w-0 flex-1 basis-55">
        <h3 className="text-lg">{entry.title}</h3>
        <p className="max-w-prose text-ink-2">{entry.summary}</p>
      </div>
      {isAsked ? (
        <span className="py-2 text-ink-3">{t('client.requested')}</span>
      ) : (
        <Button disabledReason={refusal} onClick={onAsk}>
          {t('client.request')}
        </Button>
      )}
    </li>
  );
}

type AskedProps = {
  requests: readonly AgentRequest[];
  /** Titles of the templates, in the reader's language. */
  titles: ReadonlyMap<string, string>;
  agency: string;
};

function Asked({ requests, titles, agency }: AskedProps): ReactNode {
  const messages = useMessages();
  const { t } = messages;
  return (
    <section className="mb-8">
      <div className="section-header">
        <h2>{t('client.yourRequests')}</h2>
      </div>
      <ul>
        {requests.map((request) => {
          const [mark, words] = wordsOf(request, agency, messages);
          return (
            <li key={request.id} className="border-b border-line-soft py-3.5">
              <p className="font-medium">{titles.get(request.templateName ?? '') ?? request.title}</p>
              <p className="flex items-start gap-2 text-ink-2">
                <Mark kind={mark} className="mt-1" />
                <span className="min-w-0">{words}</span>
              </p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function wordsOf(
  { status, decisionNote, origin, workflowId, missingSettings }: AgentRequest,
  agency: string,
  messages: Pick<Messages, 't' | 'tag'>,
): [MarkKind, string] {
  const { t } = messages;
  switch (status) {
    case 'suggested':
      return ['wait', t('client.has', { agency })];
    case 'submitted':
      return ['wait', origin === 'client' ? t('client.workingOn', { agency }) : t('client.requestedFor', { agency })];
    case 'approved':
    case 'provisioning':
    case 'provisioning_failed':
      return ['run', t('client.settingUp')];
    case 'fulfilled':
      if (workflowId === null) return ['skip', t('client.removedSince')];
      return missingSettings.length > 0
        ? ['run', t('client.setUpLacks', { lacks: lackSentence(messages, agency, missingSettings) })]
        : ['ok', t('client.ready')];
    case 'rejected':
    case 'cancelled':
    case 'declined':
      return ['skip', decisionNote ?? t('client.notForNow')];
  }
}

function AskForm({ subject, agency, onClose }: { subject: Subject; agency: string; onClose: () => void }) {
  const { t } = useMessages();
  const [key] = useState(() => newId());
  const isOther = subject === 'other';
  const form = useForm({
    saved: { title: '', description: '' },
    send: ({ title, description }) =>
      formApi.createAgentRequest({
        headers: { 'idempotency-key': key },
        body: { ...(isOther ? { title } : { templateName: subject.name }), ...(description.trim() ? { description } : {}) },
      }),
    onSaved: () => {
      onClose();
      void refreshAfter('agentRequestChanged');
      announce(t('client.requestSent', { agency }));
    },
  });
  const isReady = !isOther || form.values.title.trim() !== '';
  return (
    <Form form={form} className="grid gap-4 pt-2">
      {isOther ? (
        <TextField label={t('client.whatShouldItDo')} note={t('client.required')} size="lg" maxLength={120} {...form.input('title')} />
      ) : null}
      <Field label={t('client.messageTo', { agency })} note={t('client.optional')} error={form.errors['description']}>
        {(ids) => (
          <TextArea
            {...ids}
            rows={4}
            maxLength={4000}
            value={form.values.description}
            onChange={(event) => form.set({ description: event.target.value })}
          />
        )}
      </Field>
      <DialogActions>
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button kind="primary" type="submit" inactive={!isReady} busy={form.isBusy && t('ui.sending')}>
          {t('client.ask', { agency })}
        </Button>
      </DialogActions>
    </Form>
  );
}
