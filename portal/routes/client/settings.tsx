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
import { oneOf, searchParser } from '../../app/search-params.ts';
import { startMissing, startQueries } from '../../app/route-data.ts';
import { getSession, useUser } from '../../app/session.ts';
import { preferencesQuery } from '../../features/notifications/queries.ts';
import { deletionPreviewQuery, deletionsQuery, exportsQuery } from '../../queries/account.ts';
import { chatbotQuery } from '../../queries/chatbot.ts';
import { sessionsQuery } from '../../queries/me.ts';
import { recipientsQuery } from '../../features/report/queries.ts';
import { Part } from '../../shared/part.tsx';

const parseSearch = searchParser({ part: oneOf(['business']) });

export const Route = createFileRoute('/client/settings')({
  validateSearch: parseSearch,
  loaderDeps: ({ search: { part } }) => ({ part }),
  loader: ({ preload, deps: { part } }) => {
    const user = getSession()?.user;
    if (!user || user.suspension) return startQueries(preload, sessionsQuery);
    const own = { scope: 'client' } as const;
    if (part === 'business') {
      if (user.features.chatbot) startMissing(preload, chatbotQuery(undefined));
      return startMissing(preload, exportsQuery(own), deletionsQuery(own), deletionPreviewQuery(own));
    }
    if (user.client) startMissing(preload, recipientsQuery(user.client.id));
    return startQueries(preload, sessionsQuery, preferencesQuery);
  },
  component: Settings,
});

function Settings() {
  const { part } = Route.useSearch();
  // Only the own profile answers while the account is suspended; in place of the business is the page that says so.
  const isSuspended = Boolean(useUser().suspension);
  return <ClientSettingsPage>{part === 'business' ? <Business /> : <You isSuspended={isSuspended} />}</ClientSettingsPage>;
}

/** Two columns where there is room, so that the page is no longer than two screens. */
function You({ isSuspended }: { isSuspended: boolean }) {
  const { client } = useUser();
  return (
    <OwnAccount isWide>
      <div className="grid content-start gap-10">
        <Profile size="lg" />
        <Appearance />
      </div>
      <div className="grid content-start gap-10">
        <TwoStep size="lg" />
        <Password size="lg" />
        <Devices size="lg" />
        {isSuspended ? null : (
          <Part id="notifications">
            <div>
              <NotificationPreferences size="lg" />
              {client ? <OwnSubscription clientId={client.id} /> : null}
            </div>
          </Part>
        )}
      </div>
    </OwnAccount>
  );
}

function Business() {
  return (
    <>
      <OwnChatbot />
      <OwnClientAccount />
      <div className="mt-10">
        <InstallHint />
      </div>
    </>
  );
}
