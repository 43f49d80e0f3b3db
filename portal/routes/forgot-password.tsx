import { createFileRoute, Link } from '@tanstack/react-router';
import { ForgotForm } from '../features/session/forgot-form.tsx';
import { PublicPage } from '../features/session/public-page.tsx';
import { useTitle } from '../ui/hooks/use-title.ts';

export const Route = createFileRoute('/forgot-password')({
  validateSearch: (search: Record<string, unknown>): { email?: string } =>
    typeof search.email === 'string' ? { email: search.email } : {},
  component: ForgotPassword,
});

function ForgotPassword() {
  const { email } = Route.useSearch();
  useTitle('Forgot password');
  return (
    <PublicPage
      foot={
        <Link className="link" to="/login">
          Back to the login
        </Link>
      }
    >
      <ForgotForm email={email ?? ''} />
    </PublicPage>
  );
}
