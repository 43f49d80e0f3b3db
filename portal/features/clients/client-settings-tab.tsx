import { Part } from '../../shared/part.tsx';
import type { Client } from '../../queries/clients.ts';
import { ClientAccount } from '../account-lifecycle/client-account.tsx';
import { ClientChatbot } from '../chatbot/client-chatbot.tsx';
import { ClientSettings } from './client-settings.tsx';

/** The settings of a client: its record, its chatbot, its account. */
export function ClientSettingsTab({ client }: { client: Client }) {
  return (
    <>
      <ClientSettings client={client} />
      <Part id="chatbot">
        <ClientChatbot clientId={client.id} />
      </Part>
      <ClientAccount client={client} />
    </>
  );
}
