import { loadBrowserMessages, useMessages } from '../app/messages.ts';
import { createFileRoute, Link } from '@tanstack/react-router';
import { ownHost } from '../app/own-host.ts';
import { ForgotForm } from '../features/session/forgot-form.tsx';
import { PublicPage } from '../features/session/public-page.tsx';
import { useTitle } from '../ui/hooks/use-title.ts';

export const Route = createFileRoute('/forgot-password')({
  validateSearch: (search: Record<string, unknown>): { email?: string } =>
    typeof search.email === 'string' ? { email: search.email } : {},
  loader: () => loadBrowserMessages(),
  component: ForgotPassword,
});

function ForgotPassword() {
  const { t } = useMessages();
  const { email } = Route.useSearch();
  useTitle(t('login.forgotTitle'), ownHost?.name);
  return (
    <PublicPage
      foot={
        <Link className="link" to="/login">
          {t('login.backToLogin')}
        </Link>
      }
    >
      <ForgotForm email={email ?? ''} />
    </PublicPage>
  );
}
