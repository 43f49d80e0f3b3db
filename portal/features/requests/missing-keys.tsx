import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { AgentRequest } from '../../queries/agent-requests.ts';
import { STORED, type Stored, type Tested } from '../../queries/credentials.ts';
import { PROVIDERS } from '../../shared/labels.ts';
import { Note } from '../../ui/feedback/note.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { refreshAfter } from '../../queries/refresh.ts';
import '../../ui/layout/panel.css';

/** Renders the key form; passed in because integrations owns it. */
export type KeyFormOf = (key: { provider: Stored; clientId: string | undefined; onSaved: (result: Tested) => void }) => ReactNode;

type Result = Tested & { provider: Stored; clientId: string | undefined };

/** Forms for the missing credentials of a request, and the answer about the last that was saved. A stopped installation resumes once they are saved. */
export function MissingKeys({ request, keyForm }: { request: AgentRequest; keyForm: KeyFormOf }) {
  const [whose, setWhose] = useState<'client' | 'agency'>('agency');
  const [result, setResult] = useState<Result>();
  const provider = STORED.find((one) => request.missingConnections.includes(one));
  if (provider === undefined) return result ? result.ok ? <Note tone="ok">{result.message}</Note> : <RefusedKey result={result} /> : null;
  const { name } = PROVIDERS[provider];
  const clientId = whose === 'client' ? request.clientId : undefined;
  const onSaved = (saved: Tested): void => {
    setResult({ ...saved, provider, clientId });
    void refreshAfter('agentRequestChanged');
  };
  return (
    <section className="panel grid gap-4 p-4">
      <div>
        <h3>{name} key is missing</h3>
        <p className="text-ink-2">
          {request.status === 'provisioning_failed'
            ? 'Save the key and the installation continues automatically.'
            : 'The agent cannot be installed without this key.'}
        </p>
      </div>
      <div className="flex">
        <Segmented
          label="Whose key"
          value={whose}
          onChange={setWhose}
          options={[
            { value: 'agency', label: 'For all clients' },
            { value: 'client', label: 'For this client' },
          ]}
        />
      </div>
      {/* The next missing key may be asked for by now. */}
      {result && !result.ok ? <RefusedKey result={result} /> : null}
      <div key={`${provider} ${whose}`}>{keyForm({ provider, clientId, onSaved })}</div>
    </section>
  );
}

function RefusedKey({ result: { ok, provider, clientId, message } }: { result: Result }) {
  const { name } = PROVIDERS[provider];
  return (
    <Note tone={ok === null ? 'warn' : 'bad'}>
      <b>
        The {name} key is saved, but {ok === null ? 'was not tested' : 'does not work'}.
      </b>{' '}
      {message}{' '}
      <Link to="/dashboard/integrations" search={{ service: provider, client: clientId }} className="link">
        {ok === null ? 'Test' : 'Replace'} the {name} key
      </Link>
    </Note>
  );
}
