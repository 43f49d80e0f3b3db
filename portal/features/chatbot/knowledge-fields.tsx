import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { KnowledgeDocument } from '../../queries/chatbot.ts';
import type { FormState } from '../../shared/forms/use-form.ts';
import { Field, TextArea } from '../../ui/forms/field.tsx';
import { formatNumber, joinWords, plural } from '../../ui/text/format.ts';
import type { Client } from '../../queries/clients.ts';
import { type Draft, profileParts } from './draft.ts';
import { FormSection } from './form-section.tsx';

type Props = {
  form: FormState<Draft>;
  isOff: boolean;
  client: Client;
  knowledge: readonly KnowledgeDocument[];
  /** The uploaded files. */
  children: ReactNode;
};

/** What the chatbot answers from: business profile, a text, files. */
export function KnowledgeFields({ form, isOff, client, knowledge, children }: Props) {
  const { knowledgeText } = form.values;
  const text = knowledge.find((one) => one.kind === 'text');
  return (
    <FormSection lead="It answers from these sources only, names them beside each answer, and says so when they do not answer a question.">
      <Field
        label="Text"
        note={`${formatNumber(knowledgeText.length)} of ${formatNumber(LIMITS.knowledgeTextMax)}`}
        hint={
          text && text.passages > 0
            ? `${plural(text.passages, 'passage')} as saved. A short line of its own, or one that begins with #, heads what follows.`
            : 'Prices, services, directions, house rules: one topic per paragraph.'
        }
        error={form.errors['knowledgeText']}
      >
        {(ids) => (
          <TextArea
            {...ids}
            rows={9}
            maxLength={LIMITS.knowledgeTextMax}
            disabled={isOff}
            value={knowledgeText}
            onChange={(event) => form.set({ knowledgeText: event.target.value })}
          />
        )}
      </Field>
      <ProfileSource client={client} profile={knowledge.find((one) => one.kind === 'profile')} />
      {children}
    </FormSection>
  );
}

function ProfileSource({ client, profile }: { client: Client; profile: KnowledgeDocument | undefined }) {
  const passages = profile?.passages ?? 0;
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 rounded-lg border border-line bg-surface px-3.5 py-2.5">
      <b className="font-medium">Business profile</b>
      <span className="min-w-0 flex-1 basis-50 text-ink-3">
        {passages > 0
          ? `${plural(passages, 'passage')} from ${joinWords(profileParts(client))}`
          : 'Empty: opening hours, address, links, questions and answers'}
      </span>
      <Link className="link" to="/dashboard/clients/$id" params={{ id: client.id }} search={{ tab: 'settings' }}>
        {passages > 0 ? 'Change it' : 'Fill it in'}
      </Link>
    </p>
  );
}
