import './app.css';
import { adoptSession, getSession } from './app/session.ts';
import { showLogin } from './login-app.tsx';

const loadPages = () => import('./pages-app.tsx');

async function start(): Promise<void> {
  const isLogin = location.pathname === '/login';
  // Loads while the other tabs are asked for their session.
  const loading = isLogin && !getSession() ? undefined : loadPages();
  await Promise.all([adoptSession(), loading]);
  if (getSession()) document.getElementById('first')?.remove();
  if (isLogin && !getSession()) await showLogin(openPage, () => void loadPages());
  else (await loadPages()).showPages();
}

/** Leaves the login for a page, in the same document. */
function openPage(path: string): void {
  history.replaceState(null, '', path);
  // After a new release the files of this one are gone.
  void loadPages().then(
    ({ showPages }) => showPages(),
    () => location.reload(),
  );
}

void start();
