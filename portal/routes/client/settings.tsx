import { createFileRoute } from '@tanstack/react-router';
import { Devices } from '../../features/account/devices.tsx';
import { OwnAccount } from '../../features/account/own-account.tsx';
import { Password } from '../../features/account/password.tsx';
import { Appearance, Profile } from '../../features/account/profile.tsx';
import { TwoStep } from '../../features/account/two-step.tsx';
import { NotificationPreferences } from '../../features/notifications/preferences.tsx';
import { OwnChatbot } from '../../features/chatbot/own-chatbot.tsx';
import { OwnClientAccount } from '../../features/account-lifecycle/own-client-account.tsx';
import { OwnSubscription } from '../../features/report/own-subscription.tsx';
import { InstallHint } from '../../features/client/install-hint.tsx';
import { ClientSettingsPage } from '../../features/client/settings-page.tsx';
import { startMissing, startQueries } from '../../app/route-data.ts';
import { getSession, useUser } from '../../app/session.ts';
import { preferencesQuery } from '../../features/notifications/queries.ts';
import { deletionPreviewQuery, deletionsQuery, exportsQuery } from '../../queries/account.ts';
import { chatbotQuery } from '../../queries/chatbot.ts';
import { sessionsQuery } from '../../queries/me.ts';
import { recipientsQuery } from '../../queries/report.ts';
import { Part } from '../../shared/part.tsx';

export const Route = createFileRoute('/client/settings')({
  loader: ({ preload }) => {
    const user = getSession()?.user;
    if (!user || user.suspension) return startQueries(preload, sessionsQuery);
    const own = { scope: 'client' } as const;
    if (user.client) startMissing(preload, recipientsQuery(user.client.id));
    if (user.features.chatbot) startMissing(preload, chatbotQuery(undefined));
    startMissing(preload, exportsQuery(own), deletionsQuery(own), deletionPreviewQuery(own));
    return startQueries(preload, sessionsQuery, preferencesQuery);
  },
  component: Settings,
});

function Settings() {
  // Only the own profile answers while the account is suspended; the rest is on the page that says so.
  const { client, suspension } = useUser();
  const isSuspended = Boolean(suspension);
  return (
    <ClientSettingsPage>
      <OwnAccount>
        <Profile size="lg" />
        <Appearance />
        <TwoStep size="lg" />
        <Password size="lg" />
        <Devices size="lg" />
        {isSuspended ? null : (
          <Part id="notifications">
            <NotificationPreferences size="lg" />
            {client ? (
              <div className="mb-6 max-w-[620px]">
                <OwnSubscription clientId={client.id} />
              </div>
            ) : null}
          </Part>
        )}
      </OwnAccount>
      {isSuspended ? null : <InstallHint />}
      {isSuspended ? null : <OwnChatbot />}
      {isSuspended ? null : <OwnClientAccount />}
    </ClientSettingsPage>
  );
}
