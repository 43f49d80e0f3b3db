import './app.css';
import { reloadOnce } from './app/reload-once.ts';
import { adoptSession, getSession } from './app/session.ts';
import { showLogin } from './login-app.tsx';
import { render } from './render.tsx';
import { StartFailed } from './start-failed.tsx';
import { Boot } from './ui/layout/boot.tsx';

const loadPages = () => import('./pages-app.tsx');
/** The page that came as HTML. Anyone may apply, also while logged in. */
const isSignup = location.pathname === '/signup';
const loadFirst = () => (isSignup ? import('./signup-app.tsx') : import('./landing-app.tsx'));

async function start(): Promise<void> {
  const isLogin = location.pathname === '/login';
  const first = document.getElementById('first');
  if (first && isSignup) return (await loadFirst()).showFirst(first);
  // Loads while the other tabs are asked for their session.
  const loading = getSession() ? loadPages() : isLogin ? undefined : first ? loadFirst() : loadPages();
  await Promise.all([adoptSession(), loading]);
  if (getSession()) first?.remove();
  // What is loaded ahead and fails is loaded again when it is needed.
  if (isLogin && !getSession()) await showLogin(openPage, () => void loadPages().catch(() => undefined));
  else if (first?.isConnected) (await loadFirst()).showFirst(first);
  else (await loadPages()).showPages();
}

/** Leaves the login for a page, in the same document; its shape is there until its scripts are. */
function openPage(path: string): void {
  history.replaceState(null, '', path);
  const face = path.startsWith('/client') ? 'client' : 'work';
  document.documentElement.dataset['face'] = face;
  render(<Boot face={face} />);
  loadPages()
    .then(({ showPages }) => showPages())
    .catch(fail);
}

function fail(error: unknown): void {
  const first = document.getElementById('first');
  // The landing page works without a script.
  if ((first && !isSignup && !getSession()) || reloadOnce(error)) return;
  first?.remove();
  render(<StartFailed />);
  reportError(error);
}

start().catch(fail);
