import { changedPart } from '@partner-portal/core/template/changed-part.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, formApi } from '../../app/api.ts';
import { useRefusal } from '../../app/current-user.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { type TextSuggestion, textSuggestionsQuery } from '../../queries/text-suggestions.ts';
import { announceError } from '../../shared/announce-error.ts';
import { NoteDialog } from '../../shared/note-dialog.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { Section } from '../../ui/layout/layout.tsx';
import { Time } from '../../ui/text/time.tsx';
import './text-suggestions.css';

/** Texts that clients suggest for their agents, to compare and decide; nothing when none is pending. */
export function TextSuggestions({ clientId }: { clientId: string | undefined }) {
  const suggestions = useQuery(textSuggestionsQuery({ clientId, status: 'pending' })).data ?? [];
  if (suggestions.length === 0) return null;
  return (
    <div id="texts" className="mb-8">
      <Section title="Texts suggested by clients">
        <ul className="grid gap-4">
          {suggestions.map((one) => (
            <Suggested key={one.id} suggestion={one} />
          ))}
        </ul>
      </Section>
    </div>
  );
}

function Suggested({ suggestion }: { suggestion: TextSuggestion }) {
  const { id, agentId, agentName, clientName, label, before, present, text, note, suggestedByName, createdAt } = suggestion;
  const refusal = useRefusal('agents.manage');
  const [isDeclining, setDeclining] = useState(false);
  const params = { id };
  const apply = useMutation({
    mutationFn: () => api.applyTextSuggestion({ params, body: { replaces: present } }),
    onSuccess: () => announce(`New text saved for ${agentName} of ${clientName}.`),
    onError: (error) => announceError(error),
    onSettled: () => void refreshAfter('textSuggestionChanged'),
  });
  const { start, removed, added, end } = changedPart(present, text);
  return (
    <li className="grid gap-3 rounded-lg border border-line bg-surface p-4">
      <div>
        <h3 className="font-semibold">
          {label} of{' '}
          <Link to="/dashboard/agents/$id" params={{ id: agentId }} className="link">
            {agentName}
          </Link>
        </h3>
        <p className="text-sm text-ink-3">
          {suggestedByName} of {clientName}, <Time iso={createdAt} />
        </p>
      </div>
      {note === '' ? null : <p className="text-ink-2">“{note}”</p>}
      {present === before ? null : (
        <Note tone="warn">The agent’s text has changed since this was suggested. It is compared with the current text.</Note>
      )}
      <div className="grid gap-3 md:grid-cols-2">
        <div>
          <p className="mb-1 text-sm text-ink-3">Now</p>
          <p className="text-suggestions-text">
            {start}
            {removed === '' ? null : <del>{removed}</del>}
            {end}
          </p>
        </div>
        <div>
          <p className="mb-1 text-sm text-ink-3">Suggested</p>
          <p className="text-suggestions-text">
            {start}
            {added === '' ? null : <ins>{added}</ins>}
            {end}
          </p>
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" disabledReason={refusal} busy={apply.isPending && 'Applying'} onClick={() => apply.mutate()}>
          Apply text
        </Button>
        <Button disabledReason={refusal} onClick={() => setDeclining(true)}>
          Decline
        </Button>
      </div>
      <NoteDialog
        open={isDeclining}
        title={`Decline the text for “${agentName}”?`}
        action="Decline"
        busy="Declining"
        maxLength={1000}
        send={(reason) =>
          formApi.declineTextSuggestion({ params, body: { note: reason } }).finally(() => void refreshAfter('textSuggestionChanged'))
        }
        onSaved={() => {
          setDeclining(false);
          announce('Suggestion declined.');
        }}
        onClose={() => setDeclining(false)}
      >
        {clientName} sees your note.
      </NoteDialog>
    </li>
  );
}
