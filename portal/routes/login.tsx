import { createFileRoute, redirect, useRouter } from '@tanstack/react-router';
import { LoginPage } from '../features/session/login-page.tsx';
import { readLoginSearch } from '../features/session/login-search.ts';
import { loadLoginMessages } from '../app/messages.ts';
import { getSession, pageAfterLogin } from '../app/session.ts';
import { LeaveGuardContext } from '../shared/forms/leave-guard-context.ts';

/** The login reached from another page. A visit that begins at the login is rendered by login-app.tsx, with less to load. */
export const Route = createFileRoute('/login')({
  validateSearch: readLoginSearch,
  beforeLoad: ({ search: { next } }) => {
    const session = getSession();
    if (session) throw redirect({ href: pageAfterLogin(session, next), replace: true });
  },
  loader: () => loadLoginMessages(),
  component: Login,
});

function Login() {
  const router = useRouter();
  // The typed input is already sent once a session exists, so no leave guard is needed.
  return (
    <LeaveGuardContext value={undefined}>
      <LoginPage search={Route.useSearch()} onOpen={(path) => router.history.replace(path)} />
    </LeaveGuardContext>
  );
}
