import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { Lock } from 'lucide-react';
import { useState } from 'react';
import { formApi } from '../../app/api.ts';
import { useRefusal } from '../../app/current-user.ts';
import { useLoaded } from '../../app/route-data.ts';
import { useUser } from '../../app/session.ts';
import { aiModelsQuery, type Chatbot, chatbotQuery, knowledgeQuery, storeChatbot } from '../../queries/chatbot.ts';
import { type Client, clientQuery } from '../../queries/clients.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { SettingsForm } from '../../shared/forms/settings-form.tsx';
import { useForm } from '../../shared/forms/use-form.ts';
import { READ_ONLY } from '../../ui/controls/read-only.ts';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { BudgetPanel } from './budget-panel.tsx';
import { bodyOf, checkDraft, type Draft, draftOf, lacksOf } from './draft.ts';
import { HandoverFields, SiteFields } from './handover-fields.tsx';
import { IdentityFields } from './identity-fields.tsx';
import { InstallSection } from './install-section.tsx';
import { KnowledgeFields } from './knowledge-fields.tsx';
import { KnowledgeFiles } from './knowledge-files.tsx';
import { ModelFields } from './model-fields.tsx';
import { PreviewChat } from './preview-chat.tsx';
import { RemoveFile } from './remove-file.tsx';
import { RouteFields } from './route-fields.tsx';
import { StatusPanel } from './status-panel.tsx';
import { useUploads } from './use-uploads.ts';

const VIEWS = [
  { value: 'settings', label: 'Settings' },
  { value: 'preview', label: 'Try it' },
] as const;

/** The chatbot of one client: its settings beside a chat that uses them unsaved. */
export function ChatbotSettings({ clientId }: { clientId: string }) {
  const chatbot = useLoaded(chatbotQuery(clientId));
  const client = useLoaded(clientQuery(clientId));
  return <SettingsOf chatbot={chatbot} client={client} />;
}

function SettingsOf({ chatbot, client }: { chatbot: Chatbot; client: Client }) {
  const { partner } = useUser();
  const { clientId } = chatbot;
  const knowledge = useLoaded(knowledgeQuery(clientId));
  const models = useQuery(aiModelsQuery(clientId));
  const refusal = useRefusal('chatbot.manage');
  const [view, setView] = useState<(typeof VIEWS)[number]['value']>('settings');
  const [removing, setRemoving] = useState<string>();
  const uploads = useUploads(clientId);
  const form = useChatbotForm(chatbot);
  const files = knowledge.filter(({ kind }) => kind === 'file');
  const isOff = refusal !== undefined;
  const part = (name: typeof view): string => clsx('min-w-0', view !== name && 'max-rail:hidden');
  return (
    <>
      {isOff && refusal !== READ_ONLY ? (
        <p className="mb-4 flex items-center gap-2 text-ink-2">
          <Lock className="icon flex-none text-ink-3" aria-hidden />
          Only admins change the chatbot. {refusal}
        </p>
      ) : null}
      <div className="mb-4 rail:hidden">
        <Segmented label="Part of the page" value={view} onChange={setView} options={VIEWS} />
      </div>
      <div className="grid items-start gap-x-10 gap-y-8 rail:grid-cols-[minmax(0,620px)_minmax(300px,380px)] rail:justify-between">
        <div className={part('settings')}>
          <StatusPanel chatbot={chatbot} clientName={client.name} lacks={lacksOf(chatbot, models.data, knowledge)} refusal={refusal} />
          <BudgetPanel clientId={clientId} />
          <SettingsForm form={form} refusal={refusal} onReload={() => void refreshAfter('chatbotConflict', clientId)}>
            <IdentityFields form={form} isOff={isOff} agencyColour={partner.brandColor} />
            <ModelFields form={form} isOff={isOff} clientId={clientId} />
            <KnowledgeFields form={form} isOff={isOff} clientId={clientId} knowledge={knowledge}>
              <KnowledgeFiles files={files} uploads={uploads} refusal={refusal} onRemove={({ id }) => setRemoving(id)} />
            </KnowledgeFields>
            <RouteFields form={form} isOff={isOff} clientId={clientId} />
            <HandoverFields form={form} isOff={isOff} />
            <SiteFields form={form} isOff={isOff} />
          </SettingsForm>
          <InstallSection chatbot={chatbot} />
        </div>
        <div className={clsx(part('preview'), 'rail:sticky rail:top-[calc(var(--bars,0px)+64px)]')}>
          <PreviewChat clientId={clientId} draft={form.values} saved={draftOf(chatbot)} refusal={refusal} businessName={client.name} />
        </div>
      </div>
      <RemoveFile clientId={clientId} file={files.find(({ id }) => id === removing)} onClose={() => setRemoving(undefined)} />
    </>
  );
}

function useChatbotForm(chatbot: Chatbot) {
  const { clientId, updatedAt } = chatbot;
  const form = useForm<Draft, Chatbot>({
    saved: draftOf(chatbot),
    send: (draft) =>
      formApi.changeChatbot({
        body: { clientId, ...bodyOf(draft) },
        ...(updatedAt ? { headers: { 'if-match': `"${updatedAt}"` } } : {}),
      }),
    onSaved: (record) => {
      storeChatbot(record);
      announce('Saved. The next answer uses it.');
    },
    check: (draft) => ({ ...checkDraft(draft) }),
  });
  return form;
}
