import { type ReactNode, useState } from 'react';
import { type AgentRequest, requestsQuery, useLiveRequests } from '../../queries/agent-requests.ts';
import { type CatalogEntry, catalogQuery, categoryRank, categoryWord } from '../../queries/catalog.ts';
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
  const user = useUser();
  const agency = user.partner.name;
  useTitle('Suggestions', agency);
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
        <div className="min-w-0 flex-1 basis-[260px]">
          <h1 className="text-2xl tracking-[-0.02em]">Suggestions</h1>
          <p className="mt-1 max-w-[65ch] text-ink-2">See what else agents can do for you. Ask {agency}, and they set it up.</p>
        </div>
        <Button disabledReason={refusal} onClick={() => setSubject('other')}>
          Ask for something else
        </Button>
      </header>
      {requests.length > 0 ? <Asked requests={requests} agency={agency} /> : null}
      {entries.length === 0 ? (
        <EmptyState title="You have every agent">All agents {agency} offers are already set up for you.</EmptyState>
      ) : null}
      {groups.map(([category, offered]) => (
        <section key={category} className="mb-8">
          <div className="section-header">
            <h2>{categoryWord(category)}</h2>
          </div>
          <ul>
            {offered.map((entry) => (
              <Offer
                key={entry.name}
                entry={entry}
                isAsked={requests.some((one) => one.templateName === entry.name && isOpen(one))}
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
        title={subject === undefined || subject === 'other' ? 'Ask for something else' : `Ask for “${subject.title}”`}
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
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-3 border-b border-line-soft py-4">
      <TemplateIcon name={entry.icon} />
      <div className="min-w-0 flex-1 basis-[220px]">
        <h3 className="text-lg">{entry.title}</h3>
        <p className="max-w-[65ch] text-ink-2">{entry.summary}</p>
      </div>
      {isAsked ? (
        <span className="py-2 text-ink-3">Requested</span>
      ) : (
        <Button disabledReason={refusal} onClick={onAsk}>
          Request
        </Button>
      )}
    </li>
  );
}

function Asked({ requests, agency }: { requests: readonly AgentRequest[]; agency: string }): ReactNode {
  return (
    <section className="mb-8">
      <div className="section-header">
        <h2>Your requests</h2>
      </div>
      <ul>
        {requests.map((request) => {
          const [mark, words] = wordsOf(request, agency);
          return (
            <li key={request.id} className="border-b border-line-soft py-3.5">
              <p className="font-medium">{request.title}</p>
              <p className="flex items-start gap-2 text-ink-2">
                <Mark kind={mark} className="mt-1" />
                <span className="min-w-0 break-words">{words}</span>
              </p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const ON_ITS_WAY: AgentRequest['status'][] = ['submitted', 'approved', 'provisioning', 'provisioning_failed'];

function isOpen({ status }: AgentRequest): boolean {
  return status === 'suggested' || ON_ITS_WAY.includes(status);
}

function wordsOf({ status, decisionNote, origin }: AgentRequest, agency: string): [MarkKind, string] {
  if (status === 'suggested') return ['wait', `${agency} has your request.`];
  if (status === 'submitted') return ['wait', origin === 'client' ? `${agency} is working on it.` : `${agency} has requested it for you.`];
  if (status === 'fulfilled') return ['ok', 'It is ready. Find it under Agents.'];
  if (ON_ITS_WAY.includes(status)) return ['run', 'It is being set up.'];
  return ['skip', decisionNote ?? 'Not for now.'];
}

function AskForm({ subject, agency, onClose }: { subject: Subject; agency: string; onClose: () => void }) {
  const [key] = useState(() => crypto.randomUUID());
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
      announce(`Request sent to ${agency}.`);
    },
  });
  const isReady = !isOther || form.values.title.trim() !== '';
  return (
    <Form form={form} className="grid gap-4 pt-2">
      {isOther ? <TextField label="What should it do?" note="required" size="lg" maxLength={120} {...form.input('title')} /> : null}
      <Field label={`Message to ${agency}`} note="optional" error={form.errors['description']}>
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
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" inactive={!isReady} busy={form.isBusy && 'Sending'}>
          Ask {agency}
        </Button>
      </DialogActions>
    </Form>
  );
}
