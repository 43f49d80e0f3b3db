import './app.css';
import { loadStyles } from './app/load-styles.ts';
import { reloadOnce } from './app/reload-once.ts';
import { adoptSession, getSession } from './app/session.ts';
import { showLogin } from './login-app.tsx';
import { render } from './render.tsx';
import { StartFailed } from './start-failed.tsx';
import { Boot } from './ui/layout/boot.tsx';

/** Loads what every page but the login needs; also the styles that it leaves out. */
async function loadPages() {
  const [pages] = await Promise.all([import('./pages-app.tsx'), loadStyles()]);
  return pages;
}

async function start(): Promise<void> {
  const isLogin = location.pathname === '/login';
  // The application, which came as HTML. Anyone may apply, also while logged in.
  const first = document.getElementById('first');
  if (first) return (await import('./signup-app.tsx')).showFirst(first);
  // Loads while the other tabs are asked for their session.
  await Promise.all([adoptSession(), getSession() || !isLogin ? loadPages() : undefined]);
  // A failed preload is retried when the module is needed.
  if (isLogin && !getSession()) await showLogin(openPage, () => void loadPages().catch(() => undefined));
  else (await loadPages()).showPages();
}

/** Leaves the login for a page, in the same document; its shape is there until its scripts are. */
function openPage(path: string): void {
  history.replaceState(null, '', path);
  const face = path.startsWith('/client') ? 'client' : 'work';
  document.documentElement.dataset['face'] = face;
  render(<Boot face={face} />);
  loadPages()
    .then(({ showPages }) => showPages({ isAfterLogin: true }))
    .catch(fail);
}

function fail(error: unknown): void {
  if (reloadOnce(error)) return;
  document.getElementById('first')?.remove();
  render(<StartFailed />);
  reportError(error);
}

start().catch(fail);
