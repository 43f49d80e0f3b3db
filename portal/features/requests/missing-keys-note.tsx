import type { AgentRequest } from '../../queries/agent-requests.ts';
import { joinWords } from '../../ui/text/format.ts';
import { PROVIDERS } from '../../shared/labels.ts';
import { Note } from '../../ui/feedback/note.tsx';

/** For staff: keys that the agency has not saved, and what that means for a request in its state. */
export function MissingKeysNote({ request: { status, missingConnections } }: { request: AgentRequest }) {
  if (missingConnections.length === 0) return null;
  const isOne = missingConnections.length === 1;
  return (
    <Note tone="warn">
      The agency has not saved {isOne ? 'a key' : 'keys'} for {joinWords(missingConnections.map((one) => PROVIDERS[one].name))}.{' '}
      {status === 'submitted'
        ? `If you approve it now, the installation stops and resumes once ${isOne ? 'the key is' : 'the keys are'} saved.`
        : `The installation resumes once ${isOne ? 'it is' : 'they are'} saved.`}
    </Note>
  );
}
