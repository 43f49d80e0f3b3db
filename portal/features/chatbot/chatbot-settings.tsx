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
import { hostOf, joinWords, plural } from '../../ui/text/format.ts';
import { BudgetPanel } from './budget-panel.tsx';
import { answersQuestions, bodyOf, checkDraft, type Draft, draftOf, lacksOf, modelOf } from './draft.ts';
import { FormStep } from './form-step.tsx';
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

const FORM_ID = 'chatbot-settings';

/** The chatbot of one client: its script tag and settings in four steps, next to a test chat that uses unsaved settings. */
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
  const lacks = lacksOf(chatbot, models.data, knowledge);
  const known = knowledge.reduce((sum, { passages }) => sum + passages, 0);
  // How to reach a business answers few questions.
  const knowsLittle = !answersQuestions(client) && knowledge.every(({ kind, passages }) => kind === 'profile' || passages === 0);
  // Someone begins with the first step; a chatbot that was saved continues with what it lacks.
  const first = chatbot.id === null ? undefined : lacks.find((lack) => lack !== 'key');
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
          <StatusPanel chatbot={chatbot} client={client} lacks={lacks} knowsLittle={knowsLittle} refusal={refusal} />
          <InstallSection chatbot={chatbot} clientStatus={client.status} formId={FORM_ID} isBusy={form.isBusy} refusal={refusal} />
          <SettingsForm
            id={FORM_ID}
            form={form}
            isNew={chatbot.id === null}
            refusal={refusal}
            onReload={() => void refreshAfter('chatbotConflict', clientId)}
          >
            <div className="grid gap-2.5">
              <FormStep number={1} title="Greeting" state={greeting(form.values)} startsOpen={chatbot.id === null} refusals={form.refusals}>
                <IdentityFields form={form} isOff={isOff} agencyColour={partner.brandColor} />
              </FormStep>
              <FormStep
                number={2}
                part="knowledge"
                title="Knowledge"
                state={known === 0 ? 'It knows nothing yet' : `${plural(known, 'passage')}, ${modelOf(form.values.model).model}`}
                startsOpen={first === 'knowledge'}
                refusals={form.refusals}
              >
                <KnowledgeFields form={form} isOff={isOff} client={client} knowledge={knowledge}>
                  <KnowledgeFiles files={files} uploads={uploads} refusal={refusal} onRemove={({ id }) => setRemoving(id)} />
                </KnowledgeFields>
                <ModelFields form={form} isOff={isOff} clientId={clientId} />
              </FormStep>
              <FormStep number={3} title="Agents and people" state={helpers(form.values)} startsOpen={false} refusals={form.refusals}>
                <RouteFields form={form} isOff={isOff} clientId={clientId} />
                <HandoverFields form={form} isOff={isOff} />
              </FormStep>
              <FormStep
                number={4}
                part="sites"
                title="Websites"
                state={sites(form.values)}
                startsOpen={first === 'site'}
                refusals={form.refusals}
              >
                <SiteFields form={form} isOff={isOff} />
              </FormStep>
            </div>
          </SettingsForm>
          <BudgetPanel clientId={clientId} />
        </div>
        <div className={clsx(part('preview'), 'rail:sticky rail:top-[calc(var(--bars,0px)+64px)]')}>
          <PreviewChat
            clientId={clientId}
            draft={form.values}
            saved={draftOf(chatbot)}
            refusal={refusal}
            businessName={client.name}
            profile={client.businessProfile}
          />
        </div>
      </div>
      <RemoveFile clientId={clientId} file={files.find(({ id }) => id === removing)} onClose={() => setRemoving(undefined)} />
    </>
  );
}

function greeting({ name, greeting: words }: Draft): string {
  return [name, words].filter(Boolean).join(': ');
}

function helpers({ agentRoutes, handoffEmail }: Draft): string {
  const agents = agentRoutes.length > 0 ? `May run ${plural(agentRoutes.length, 'agent')}` : 'Runs no agent';
  return `${agents}. Hand-overs go to ${handoffEmail || 'the inbox'}`;
}

function sites({ allowedOrigins }: Draft): string {
  return allowedOrigins.length === 0 ? 'No website may show it yet' : joinWords(allowedOrigins.map(hostOf));
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
